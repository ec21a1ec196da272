"""``cardtable export``: one game as JSON lines or CSV."""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path
from typing import Any

from table.commands.history import add_folder
from table.errors import TableError, complain
from table.files.reading import is_file
from table.journals.archive import COLUMNS, games_folder, hand_rows, holds_something, journals, summary
from table.phrase import say
from table.referee.rows import scan


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "export",
        help="one game as JSON lines or CSV",
        description="Print one game: its journal as JSON lines, every decision and correction; or with --csv a row "
        "for each player of each finished hand, as it stands after all corrections. Of a damaged journal what stands "
        "before the damage is printed, and the exit status is 1.",
    )
    parser.add_argument(
        "game", metavar="GAME", nargs="?", help="its name, as history lists it, or a file (default: the last)"
    )
    parser.add_argument("--csv", action="store_true", help="bids, tricks and points of each hand as CSV")
    add_folder(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command."""
    path = _asked(arguments.game, arguments.games or games_folder())
    summary(path)  # says in a line where it is no game's
    found = scan(path)
    if arguments.csv:
        try:
            rows = hand_rows(found.lines)
        except TableError as error:
            raise TableError(f"{path}: {error}") from None
        writer = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    elif found.lines:
        sys.stdout.write(found.head(len(found.lines)).decode())
    if found.damage is not None:
        complain(say("history.exported_before", path=str(path), fault=found.damage))
        return 1
    return 0


def _asked(name: str | None, folder: Path) -> Path:
    if name is None:
        kept = [path for path in journals(folder) if holds_something(path)]
        if not kept:
            raise TableError(f"{folder}: no game is kept there")
        return kept[-1]
    for path in (folder / f"{name}.jsonl", Path(name)):
        if is_file(path):
            return path
    raise TableError(
        f"{name}: no such game: expected a file, or a name that history lists (looked in {folder})"
    )
