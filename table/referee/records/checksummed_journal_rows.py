"""The rows of a journal's file: JSON with a checksum for each line, and how much of a file is sound.

``crc_up_to`` is the last field of a row: the CRC-32, in eight hexadecimal digits, of the row as :func:`dump` writes it
without that field. It belongs to the file alone; lines in memory have none. Files without checksums (older ones, a
``truth.jsonl``) are read as well.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from table.events.event_registry import check_line
from table.files.safe_reading import BOM, MB, detect_encoding, parse_json, read_bytes
from table.phrase import WrongValueError, expected_error, line_place, make_phrase

JournalLine: TypeAlias = dict[str, Any]
"""A line of a journal or of ``truth.jsonl``, as a JSON object."""

Check: TypeAlias = Callable[[JournalLine], WrongValueError | None]

CRC = "crc"
MAX_DEPTH = 32
"""The deepest nesting of lists and objects; what the game writes has four levels."""
_MAX_BYTES = 64 * MB
"""The largest size of a file in bytes: an evening's journal has a twentieth."""


def dump(line: Mapping[str, Any]) -> str:
    """Return a line as JSON text, without a checksum."""
    return json.dumps(line, ensure_ascii=False, separators=(", ", ": "))


def seal_row(line: Mapping[str, Any]) -> str:
    """Return a line as a row of a journal's file, with its checksum and without the newline."""
    text = dump(line)
    return f'{text[:-1]}, "{CRC}": "{_crc(text)}"}}'


def line_checksum(line: Mapping[str, Any]) -> str:
    """Return the checksum of a line, as its row has it."""
    return _crc(dump(line))


def _crc(text: str) -> str:
    return f"{zlib.crc32(text.encode()):08x}"


_CRC_FIELD = f', "{CRC}": "'.encode()
_SURROGATE = re.compile(rb"\\u[dD]")
"""Half a surrogate pair, which is no text: letters are written as they are."""


def _is_as_written(row: bytes) -> bool:
    """Return whether a row ends as :func:`seal_row` writes it, with a checksum that is right byte for byte."""
    text, _, end = row.rpartition(_CRC_FIELD)
    return end == b'%08x"}' % zlib.crc32(text + b"}") and not _SURROGATE.search(row)


def unseal_row(row: bytes) -> tuple[JournalLine, bool]:
    """Return the line of a row, and whether the row had a checksum; ``WrongValueError`` says what is wrong with it."""
    try:
        line = parse_json(row.decode())
        # Few rows have so many brackets at all.
        if not _is_line(line) or (_may_be_deep(row) and _depth(line) > MAX_DEPTH):
            raise ValueError
        crc = line.pop(CRC, None)
        if _is_as_written(row):
            return line, True
        found = _crc(dump(line))  # (half a surrogate pair is no text)
    except UnicodeDecodeError:
        raise WrongValueError("row.not_utf", kind=detect_encoding(row)[0]) from None
    except ValueError:
        raise expected_error("expected.event") from None
    if crc is not None and crc != found:
        raise WrongValueError("row.checksum_wrong")
    return line, crc is not None


def _is_line(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("event"), str)


def _may_be_deep(row: bytes) -> bool:
    return row.count(b"[") + row.count(b"{") > MAX_DEPTH


def _depth(value: object) -> int:
    """Return the depth of nested lists and objects."""
    depth, layer = 0, [value]
    while layer := [node for node in layer if isinstance(node, (dict, list))]:
        depth += 1
        layer = [inner for node in layer for inner in (node.values() if isinstance(node, dict) else node)]
    return depth


def shorten(value: object) -> object:
    """Return a value shortened for an error message."""
    return value if isinstance(value, int) and abs(value) < 10**20 else str(value)[:20]


@dataclass(slots=True)
class JournalScan:
    """The result of reading a file of rows."""

    data: bytes
    lines: list[JournalLine] = field(default_factory=list)
    """The sound lines: from the first up to the first that is not."""
    line_ends: list[int] = field(default_factory=list)
    """The offset in ``data`` of the end of each of them, its newline included (even where that is missing)."""
    fault: WrongValueError | None = None
    """What is wrong after the sound lines, and in which line."""
    is_torn: bool = False
    """Whether the fault is a last row without a newline: it was being written when the power went."""
    later_lines: list[JournalLine] = field(default_factory=list)
    """The lines that can still be read after the fault."""

    @property
    def damage(self) -> WrongValueError | None:
        """The fault, where it is more than what a power cut tears off; else None."""
        return None if self.is_torn else self.fault

    def add_line(self, line: JournalLine, end: int) -> None:
        """Add a readable line that ends at offset ``end``."""
        if self.fault is not None:
            self.later_lines.append(line)
            return
        self.lines.append(line)
        self.line_ends.append(end)

    def note_missing_checksum(self) -> None:
        """Note that the next line has a checksum, but the one before it none: a fault of the first line.

        The first two lines of a journal are written at once: either both have a checksum, or neither.
        """
        if self.fault is None and len(self.lines) == 1:
            self.fault, self.lines, self.line_ends = (
                WrongValueError("row.no_checksum", at=line_place(1)),
                [],
                [],
            )

    def head_bytes(self, count: int) -> bytes:
        """Return the bytes of the first ``count`` lines, the last one with its newline."""
        return self.data[: self.line_ends[count - 1] - 1] + b"\n" if count else b""


def scan_rows(
    path: Path, *, journal: bool = True, check: Check = check_line, most: int = _MAX_BYTES
) -> JournalScan:
    """Read a file of rows; ``TableError`` only where the machine can't read it at all.

    ``journal``: numbers must follow one another from 1 where there are any, and after a line with a checksum all have
    one; otherwise (a ``truth.jsonl``) each line stands for itself. ``check``: returns what is wrong with the contents
    of a journal's line; a line with which anything is wrong is no sound one. ``most``: the largest size of the file
    in bytes.
    """
    found = JournalScan(read_bytes(path, make_phrase("expected.json_lines"), most))
    rows = found.data.split(b"\n")
    sealed, end = False, 0
    for number, row in enumerate(rows, start=1):
        end += len(row) + 1
        if not row.strip():
            continue
        last = number == len(rows)
        try:
            line, has_crc, short = _read_row(row.removeprefix(BOM) if number == 1 else row, last=last)
            end -= short
            if journal and found.fault is None:
                _check_sequence(line, len(found.lines) + 1, sealed and not has_crc)
            wrong_line = check(line) if journal else None
            if wrong_line is not None:
                raise wrong_line
        except WrongValueError as wrong:
            if found.fault is None:
                found.fault, found.is_torn = WrongValueError(wrong, at=line_place(number)), last
            continue
        if journal and has_crc and not sealed:
            found.note_missing_checksum()
        sealed = has_crc
        found.add_line(line, end)
    return found


def _read_row(row: bytes, *, last: bool) -> tuple[JournalLine, bool, int]:
    """Return the line of a row, whether it had a checksum, and how many bytes it lacks; errors as for `unseal_row`."""
    try:
        return *unseal_row(row), 0
    except WrongValueError:
        whole = _repair_last_row(row) if last else None
        if whole is None:
            raise
        return whole, True, 1


def _check_sequence(line: JournalLine, number: int, lost_crc: bool) -> None:
    if "seq" in line and (type(line["seq"]) is not int or line["seq"] != number):
        raise expected_error("expected.seq", number=number, instead=shorten(line["seq"]))
    if lost_crc:
        raise WrongValueError("row.no_checksum")


def _repair_last_row(row: bytes) -> JournalLine | None:
    """Return the line of a last row that has something else in the place of its newline, told by its checksum."""
    try:
        line, has_crc = unseal_row(row[:-1])
    except WrongValueError:
        return None
    return line if has_crc else None
