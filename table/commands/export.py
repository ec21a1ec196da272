"""``cardtable export``: one game as JSON lines, CSV or PBN; all of them onto a stick."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from table.commands.history import add_folder
from table.errors import TableError, complain
from table.files.reading import is_file
from table.host.stick import find_stick
from table.journals.archive import games_folder, holds_something, journals, summary
from table.journals.copies import FOLDER, as_csv, as_pbn, copy
from table.phrase import say
from table.referee.rows import Scan, scan
from table.words.spoken import tell


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "export",
        help="one game as JSON lines, CSV or PBN; all of them onto a stick",
        description="Print one game: its journal as JSON lines, every decision and correction; or with --csv a row "
        "for each player of each finished hand, as it stands after all corrections. Of a damaged journal what stands "
        "before the damage is printed, and the exit status is 1. PBN holds the cards and the play of hands of four "
        "players with thirteen cards each, all of them seen; not the auction, which bridge has not got, nor what "
        "other hands there are: how many is said.",
    )
    parser.add_argument(
        "game",
        metavar="GAME",
        nargs="?",
        help="its name, as history lists it, or a file (default: the last; with --stick all)",
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--csv", action="store_true", help="bids, tricks and points of each hand as CSV")
    how.add_argument(
        "--pbn", action="store_true", help="hands as Portable Bridge Notation, where that holds them"
    )
    how.add_argument(
        "--stick",
        action="store_true",
        help=f"in all these formats into the folder {FOLDER} of the stick that is plugged in",
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
        raise TableError(f"{path}: {error}") from None
    if found.damage is not None:
        complain(say("history.exported_before", path=str(path), fault=found.damage))
        return 1
    return 0


def _print(arguments: argparse.Namespace, path: Path, found: Scan) -> None:
    if arguments.csv:
        sys.stdout.write(as_csv(found.lines))
    elif arguments.pbn:
        text, _, others = as_pbn(path, found.lines)
        sys.stdout.write(text)
        if others:
            complain(say("history.no_pbn", path=str(path), n=others))
    elif found.lines:
        sys.stdout.write(found.head(len(found.lines)).decode())


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
        raise TableError(f"{folder}: no game is kept there")
    return kept


def _asked(name: str | None, folder: Path) -> Path:
    if name is None:
        return _kept(folder)[-1]
    for path in (folder / f"{name}.jsonl", Path(name)):
        if is_file(path):
            return path
    raise TableError(
        f"{name}: no such game: expected a file, or a name that history lists (looked in {folder})"
    )
