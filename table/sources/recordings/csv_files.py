"""Reading and writing of CSV files that have a header and only whole lines."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from table.errors import TableError
from table.files.atomic_writing import replace_file
from table.files.safe_reading import MB, read_text
from table.number_parsing import parse_count
from table.observed_facts import Edge
from table.phrase import Phrase, Place, expected_error, line_place, make_phrase

_MAX_BYTES = 64 * MB
"""The largest file that is read: a day of frames' stamps."""


@dataclass(frozen=True, slots=True)
class CsvRow:
    """A row of a CSV file, with its place for error messages."""

    path: Path
    line: int
    cells: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells[column]

    def make_error(self, what: Phrase, instead: object, column: str | None = None) -> TableError:
        """Return an error that says what was expected here, or in the cell of ``column``, and what was instead."""
        place: tuple[Place, ...] = () if column is None else (column,)
        return TableError(
            expected_error(what, at=(self.path, line_place(self.line), *place), instead=instead)
        )

    def check(self, holds: bool, what: Phrase, column: str) -> None:
        """Raise `TableError` unless the cell of ``column`` is as expected."""
        if not holds:
            raise self.make_error(what, self[column], column)

    def read_count(self, column: str, what: Phrase, least: int = 0) -> int:
        """Return the whole number in a cell; `TableError` where it is none, or less than ``least``."""
        number = parse_count(self[column])
        if number is None or number < least:
            raise self.make_error(what, self[column], column)
        return number


def read_rows(path: Path, columns: Sequence[str], expected_row: Phrase | None = None) -> Iterator[CsvRow]:
    """Yield the rows of a CSV file that has these columns, in this order, and only whole lines.

    `TableError` where it has others, or a row has more or fewer cells; ``expected_row``: what is expected of a row.
    """
    names = ",".join(columns)
    header = make_phrase("expected.header", columns=names)
    text = read_text(path, header, _MAX_BYTES)
    lines = text.splitlines()
    if not lines or lines[0].strip().split(",") != list(columns):
        raise TableError(expected_error(header, at=(path, line_place(1))))
    if not text.endswith("\n"):
        raise TableError("row.cut_off", at=(path, line_place(len(lines))))
    for number, cells in _parse_rows(path, lines[1:], 2):
        row = CsvRow(path, number, dict(zip(columns, cells, strict=False)))
        if len(cells) != len(columns):
            raise row.make_error(
                expected_row or make_phrase("expected.cells", columns=names), ",".join(cells)
            )
        yield row


FRAME_COLUMNS: Final = ("frame", "t_ns")
EDGE_COLUMNS: Final = ("t_ns", "seat", "control", "level")


def write_frames(path: Path, stamps: Iterable[int]) -> None:
    """Write a whole ``frames.csv``; ``OSError`` where that fails."""
    rows = "".join(f"{number},{t_ns}\n" for number, t_ns in enumerate(stamps))
    replace_file(path, f"{','.join(FRAME_COLUMNS)}\n{rows}")


def format_edges(edges: Iterable[Edge]) -> str:
    """Format edges as rows of ``buttons.csv``; a name with a comma is quoted."""
    text = io.StringIO()
    rows = ((edge.t_ns, edge.seat, edge.control, edge.level) for edge in edges)
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def write_edges(path: Path, edges: Iterable[Edge]) -> None:
    """Write a whole ``buttons.csv``; ``OSError`` where that fails."""
    replace_file(path, f"{','.join(EDGE_COLUMNS)}\n{format_edges(edges)}")


def read_columns(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the named columns of a CSV file written by people, with line numbers.

    Other columns and any order are allowed. A missing cell is empty; the last line need not end with a newline.
    """
    table = make_phrase("expected.columns", columns=",".join(columns))
    rows = _parse_rows(path, read_text(path, table, _MAX_BYTES).splitlines(), 1)
    header = [name.strip() for name in next(rows, (1, []))[1]]
    if not set(columns) <= set(header):
        raise TableError(expected_error(table, at=(path, line_place(1))))
    for number, row in rows:
        cells = dict(zip(header, row, strict=False))
        yield number, [cells.get(name, "") for name in columns]


def _parse_rows(path: Path, lines: Sequence[str], first_line: int) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(lines)
    try:
        for row in reader:
            if row:
                yield reader.line_num + first_line - 1, row
    except csv.Error as error:
        raise TableError(error, at=(path, line_place(reader.line_num + first_line - 1))) from None
