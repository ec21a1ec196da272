"""Games in the formats in which others read them, and copied into a folder, such as a stick's."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from table.errors import TableError
from table.files.writing import make_folder, replace_file
from table.journals.archive import COLUMNS, hand_rows, summary
from table.journals.pbn import boards, file_of
from table.referee.journal import JournalLine
from table.referee.rows import scan

FOLDER: Final = "cardtable"
"""On the stick."""
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet runs a text cell that begins with one of these (OWASP, "CSV Injection")."""


def as_csv(lines: Iterable[JournalLine]) -> str:
    """A row for each player of each finished hand; ``TableError`` for a line that lacks or garbles a field."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in hand_rows(lines))
    return text.getvalue()


def _cell(value: object) -> object:
    """A cell that every spreadsheet shows as it is: the apostrophe before a text is not shown."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def as_pbn(path: Path, lines: Iterable[JournalLine]) -> tuple[str, int, int]:
    """The hands that PBN can hold, how many these are, and how many finished ones it can't hold."""
    found, others = boards(lines, None if summary(path).unsure else path.stem[:10])
    return file_of(found), len(found), others


def copy(path: Path, into: Path) -> list[Path]:
    """Copy a game as JSON lines, as CSV and, where that holds any of its hands, as PBN; the files.

    ``TableError`` where it is no game, or can't be written.
    """
    summary(path)  # says in a line where it is no game's
    found = scan(path)
    try:
        texts = {".jsonl": found.head(len(found.lines)), ".csv": as_csv(found.lines).encode()}
        pbn, count, _ = as_pbn(path, found.lines)
    except TableError as error:
        raise TableError(error, at=path) from None
    if count:
        texts[".pbn"] = pbn.encode("latin-1", "replace")
    return [_written(into / f"{path.stem}{ending}", data) for ending, data in texts.items()]


def _written(path: Path, data: bytes) -> Path:
    """A file that is on the disk when this returns, and is never half there."""
    try:
        make_folder(path.parent)
        replace_file(path, data)
    except OSError as error:
        raise TableError("file.not_written", at=path, error=error) from None
    return path
