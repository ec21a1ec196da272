"""``cardtable export``: one game as JSON lines or CSV."""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path
from typing import Any

from table.archive import COLUMNS, games_folder, hand_rows, journals, summary
from table.commands.history import add_folder
from table.errors import TableError
from table.referee.journal import dump, read_lines


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser(
        "export",
        help="one game as JSON lines or CSV",
        description="Print one game: its journal as JSON lines, every decision and correction; or with --csv a row "
        "for each player of each finished hand, as it stands after all corrections.",
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
    if arguments.csv:
        writer = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(hand_rows(path))
    else:
        for line in read_lines(path, torn_end=True):
            print(dump(line))
    return 0


def _asked(name: str | None, folder: Path) -> Path:
    if name is None:
        kept = [path for path in journals(folder) if path.stat().st_size > 0]
        if not kept:
            raise TableError(f"{folder}: no game is kept there")
        return kept[-1]
    for path in (folder / f"{name}.jsonl", Path(name)):
        if path.is_file():
            return path
    raise TableError(
        f"{name}: no such game: expected a file, or a name that history lists (looked in {folder})"
    )
