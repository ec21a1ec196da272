"""The CSV files of a recording: a header, then rows, each line whole."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from table.errors import TableError


def rows_of(path: Path, header: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV file, each with the number of its line; the header is checked."""
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        raise TableError(f"{path}: can't be read ({error.strerror}): expected {','.join(header)}") from None
    except UnicodeDecodeError:
        raise TableError(f"{path}: not UTF-8 text: expected {','.join(header)}") from None
    lines = text.splitlines()
    if not lines or lines[0].strip().split(",") != list(header):
        raise TableError(f"{path}: line 1: expected the header {','.join(header)}")
    if not text.endswith("\n"):
        raise TableError(f"{path}: line {len(lines)}: cut off (expected a line end): the file is not whole")
    for number, row in enumerate(csv.reader(lines[1:]), start=2):
        if row:
            yield number, row


def whole(text: str) -> bool:
    """Whether it is a whole number, not negative."""
    return text.isascii() and text.isdigit()
