"""Export of games to CSV and PBN, and copies into a folder, such as one on a USB stick."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from table.errors import TableError
from table.files.atomic_writing import make_folder, replace_file
from table.history.archive import HAND_COLUMNS, hand_rows, read_summary
from table.history.pbn import board_texts, pbn_file_text
from table.referee.records.checksummed_journal_rows import scan_rows
from table.referee.records.journal import JournalLine

STICK_FOLDER: Final = "cardtable"
"""The folder on the stick."""
FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
"""The beginnings of a text cell that a spreadsheet would run as a formula (OWASP, "CSV Injection")."""


def csv_text(lines: Iterable[JournalLine]) -> str:
    """Return the hands as CSV: a row for each player of each finished hand.

    ``TableError`` for a line that lacks or garbles a field.
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, HAND_COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in hand_rows(lines))
    return text.getvalue()


def _cell(value: object) -> object:
    """Return a value as a cell that every spreadsheet shows unchanged: the apostrophe before a text is not shown."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value


def pbn_text(path: Path, lines: Iterable[JournalLine]) -> tuple[str, int, int]:
    """Return the hands as PBN, how many it holds, and how many finished hands PBN can't hold."""
    texts, omitted = board_texts(lines, None if read_summary(path).unsure else path.stem[:10])
    return pbn_file_text(texts), len(texts), omitted


def export_game(path: Path, into: Path) -> list[Path]:
    """Copy a game as JSON lines, as CSV and, where it has hands for it, as PBN; return the files.

    ``TableError`` where it is not a game, or can't be written.
    """
    read_summary(path)  # raises where it is not a game's journal
    journal = scan_rows(path)
    try:
        texts = {".jsonl": journal.head_bytes(len(journal.lines)), ".csv": csv_text(journal.lines).encode()}
        pbn, count, _ = pbn_text(path, journal.lines)
    except TableError as error:
        raise TableError(error, at=path) from None
    if count:
        texts[".pbn"] = pbn.encode("latin-1", "replace")
    return [_write_file(into / f"{path.stem}{ending}", data) for ending, data in texts.items()]


def _write_file(path: Path, data: bytes) -> Path:
    """Write a file so that it is on the disk when this returns, and is never incomplete."""
    try:
        make_folder(path.parent)
        replace_file(path, data)
    except OSError as error:
        raise TableError("file.not_written", at=path, error=error) from None
    return path
