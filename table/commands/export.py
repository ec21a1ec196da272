"""``cardtable export``: exports one game as JSON lines, CSV or PBN, or copies all games to a USB stick."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from table.commands.history import add_games_option
from table.commands.translated_arguments import argument_help, command_help
from table.errors import TableError, print_error
from table.files.safe_reading import is_file
from table.history.archive import games_folder, has_lines, list_journals, read_summary
from table.history.export import STICK_FOLDER, csv_text, export_game, pbn_text
from table.i18n.terminal_output import print_line, print_phrase
from table.phrase import make_phrase
from table.referee.records.checksummed_journal_rows import JournalScan, scan_rows
from table.system.disks import find_stick


def add_parser(subparsers: Any) -> None:
    """Add the ``export`` sub-command."""
    parser = subparsers.add_parser("export", **command_help("export"))
    parser.add_argument(
        "game",
        metavar="GAME",
        nargs="?",
        help=argument_help("usage.export_game"),
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--csv", action="store_true", help=argument_help("usage.export_rows"))
    how.add_argument("--pbn", action="store_true", help=argument_help("usage.export_pbn"))
    how.add_argument(
        "--stick",
        action="store_true",
        help=argument_help("usage.export_stick", folder=STICK_FOLDER),
    )
    add_games_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print a game in the requested format, or copy games to the stick; return 1 where a journal is damaged."""
    folder = arguments.games or games_folder()
    if arguments.stick:
        games = [_find_game(arguments.game, folder)] if arguments.game else _stored_games(folder)
        return _copy_to_stick(games)
    path = _find_game(arguments.game, folder)
    read_summary(path)  # raises a one-line error where it is no game's journal
    journal = scan_rows(path)
    try:
        _print(arguments, path, journal)
    except TableError as error:
        raise TableError(error, at=path) from None
    if journal.damage is not None:
        print_error(make_phrase("history.exported_before", path=str(path), fault=journal.damage))
        return 1
    return 0


def _print(arguments: argparse.Namespace, path: Path, journal: JournalScan) -> None:
    if arguments.csv:
        print_line(csv_text(journal.lines), end="")
    elif arguments.pbn:
        text, count, omitted = pbn_text(path, journal.lines)
        if not count:
            raise TableError("history.nothing_in_pbn")
        print_line(text, end="")
        if omitted:
            print_error(make_phrase("history.no_pbn", path=str(path), n=omitted))
    elif journal.lines:
        print_line(journal.head_bytes(len(journal.lines)).decode(), end="")


def _copy_to_stick(games: list[Path]) -> int:
    stick = find_stick() / STICK_FOLDER
    copied = 0
    for path in games:
        try:
            export_game(path, stick)
            copied += 1
        except TableError as error:
            print_error(error)
    print_phrase("history.copied", n=copied, folder=str(stick))
    return 0 if copied == len(games) else 1


def _stored_games(folder: Path) -> list[Path]:
    paths = [path for path in list_journals(folder) if has_lines(path)]
    if not paths:
        raise TableError("journal.none_kept", at=folder)
    return paths


def _find_game(name: str | None, folder: Path) -> Path:
    if name is None:
        return _stored_games(folder)[-1]
    for path in (folder / f"{name}.jsonl", Path(name)):
        if is_file(path):
            return path
    raise TableError("journal.no_such", at=name, folder=folder)
