"""Reading and writing of CSV files that have a header and only whole lines."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from table.errors import TableError
from table.files.atomic_writing import replace_file
from table.files.safe_reading import MB, read_text
from table.observed_facts import Edge
from table.phrase import Phrase, Place, expected_error, line_place, make_phrase

_MAX_BYTES = 64 * MB
"""The largest file that is read: a day of frames' stamps."""


def read_rows(path: Path, header: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a CSV file with their line numbers.

    ``TableError`` where the header differs from ``header``.
    """
    columns = make_phrase("expected.header", columns=",".join(header))
    text = read_text(path, columns, _MAX_BYTES)
    lines = text.splitlines()
    if not lines or lines[0].strip().split(",") != list(header):
        raise TableError(expected_error(columns, at=(path, line_place(1))))
    if not text.endswith("\n"):
        raise TableError("row.cut_off", at=(path, line_place(len(lines))))
    yield from _parse_rows(path, lines[1:], 2)


@dataclass(frozen=True, slots=True)
class CsvCell:
    """The place of a row of a CSV file, or of a cell in it, for error messages."""

    path: Path
    line: int

    def make_error(self, what: Phrase, instead: object, column: str | None = None) -> TableError:
        """Return an error that says what was expected here and what was there instead.

        ``column``: the cell that is at fault.
        """
        place: tuple[Place, ...] = () if column is None else (column,)
        return TableError(
            expected_error(what, at=(self.path, line_place(self.line), *place), instead=instead)
        )


EDGE_COLUMNS: Final = ("t_ns", "seat", "control", "level")
"""The columns of ``buttons.csv``."""


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
