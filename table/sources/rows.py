"""CSV files: a header, then rows, each line whole."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from table.errors import TableError
from table.facts import Edge
from table.files.reading import MB, read_text
from table.files.writing import replace_file
from table.phrase import Phrase, Place, at_line, expected, say

_MOST = 64 * MB
"""A day of frames' stamps."""


def rows_of(path: Path, header: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV file, each with the number of its line; the header is checked."""
    columns = say("expected.header", columns=",".join(header))
    text = read_text(path, columns, _MOST)
    lines = text.splitlines()
    if not lines or lines[0].strip().split(",") != list(header):
        raise TableError(expected(columns, at=(path, at_line(1))))
    if not text.endswith("\n"):
        raise TableError("row.cut_off", at=(path, at_line(len(lines))))
    yield from _rows(path, lines[1:], 2)


@dataclass(frozen=True, slots=True)
class Cell:
    """Where a row stands, or a cell of it, for what is wrong there."""

    path: Path
    line: int

    def wrong(self, what: Phrase, instead: object, column: str | None = None) -> TableError:
        """What was expected there, and what stood there instead; ``column``: it is one cell's fault."""
        place: tuple[Place, ...] = () if column is None else (column,)
        return TableError(expected(what, at=(self.path, at_line(self.line), *place), instead=instead))


EDGES: Final = ("t_ns", "seat", "control", "level")
"""The columns of ``buttons.csv``."""


def edge_rows(edges: Iterable[Edge]) -> str:
    """Edges as ``buttons.csv`` has them; a name with a comma is quoted."""
    text = io.StringIO()
    rows = ((edge.t_ns, edge.seat, edge.control, edge.level) for edge in edges)
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def write_edges(path: Path, edges: Iterable[Edge]) -> None:
    """Write a whole ``buttons.csv``; ``OSError`` where it can't be."""
    replace_file(path, f"{','.join(EDGES)}\n{edge_rows(edges)}")


def columns_of(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Those columns of a CSV file that people write: in any order, among others, the last line's end left out.

    A cell that is missing is empty.
    """
    table = say("expected.columns", columns=",".join(columns))
    rows = _rows(path, read_text(path, table, _MOST).splitlines(), 1)
    header = [name.strip() for name in next(rows, (1, []))[1]]
    if not set(columns) <= set(header):
        raise TableError(expected(table, at=(path, at_line(1))))
    for number, row in rows:
        cells = dict(zip(header, row, strict=False))
        yield number, [cells.get(name, "") for name in columns]


def _rows(path: Path, lines: Sequence[str], first: int) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(lines)
    try:
        for row in reader:
            if row:
                yield reader.line_num + first - 1, row
    except csv.Error as error:
        raise TableError(error, at=(path, at_line(reader.line_num + first - 1))) from None
