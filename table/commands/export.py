"""``cardtable export``: one game as JSON lines, CSV or PBN; all of them onto a stick."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from table.commands.arguments import about, usage
from table.commands.history import add_folder
from table.errors import TableError, complain
from table.files.reading import is_file
from table.host.stick import find_stick
from table.journals.archive import games_folder, holds_something, journals, summary
from table.journals.copies import FOLDER, as_csv, as_pbn, copy
from table.phrase import say
from table.referee.rows import Scan, scan
from table.words.spoken import put, tell


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser("export", **about("export"))
    parser.add_argument(
        "game",
        metavar="GAME",
        nargs="?",
        help=usage("usage.export_game"),
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--csv", action="store_true", help=usage("usage.export_rows"))
    how.add_argument("--pbn", action="store_true", help=usage("usage.export_pbn"))
    how.add_argument(
        "--stick",
        action="store_true",
        help=usage("usage.export_stick", folder=FOLDER),
    )
    add_folder(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command."""
    folder = arguments.games or games_folder()
    if arguments.stick:
        games = [_asked(arguments.game, folder)] if arguments.game else _kept(folder)
        return _onto_stick(games)
    path = _asked(arguments.game, folder)
    summary(path)  # says in a line where it is no game's
    found = scan(path)
    try:
        _print(arguments, path, found)
    except TableError as error:
        raise TableError(error, at=path) from None
    if found.damage is not None:
        complain(say("history.exported_before", path=str(path), fault=found.damage))
        return 1
    return 0


def _print(arguments: argparse.Namespace, path: Path, found: Scan) -> None:
    if arguments.csv:
        put(as_csv(found.lines), end="")
    elif arguments.pbn:
        text, count, others = as_pbn(path, found.lines)
        if not count:
            raise TableError("history.nothing_in_pbn")
        put(text, end="")
        if others:
            complain(say("history.no_pbn", path=str(path), n=others))
    elif found.lines:
        put(found.head(len(found.lines)).decode(), end="")


def _onto_stick(games: list[Path]) -> int:
    stick = find_stick() / FOLDER
    copied = 0
    for path in games:
        try:
            copy(path, stick)
            copied += 1
        except TableError as error:
            complain(error)
    tell("history.copied", n=copied, folder=str(stick))
    return 0 if copied == len(games) else 1


def _kept(folder: Path) -> list[Path]:
    kept = [path for path in journals(folder) if holds_something(path)]
    if not kept:
        raise TableError("journal.none_kept", at=folder)
    return kept


def _asked(name: str | None, folder: Path) -> Path:
    if name is None:
        return _kept(folder)[-1]
    for path in (folder / f"{name}.jsonl", Path(name)):
        if is_file(path):
            return path
    raise TableError("journal.no_such", at=name, folder=folder)
