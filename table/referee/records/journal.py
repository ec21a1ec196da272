"""The journal: one JSON object a line, in the order in which the referee decided. It is the source of truth.

The state is computed from the journal's lines. A line ``corrected`` carries ``since``: the number of the first line
that no longer holds; what followed from there is written again after it. :func:`effective_lines` leaves out what
does not hold any more.
"""

from __future__ import annotations

import os
import stat
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any

from table.errors import TableError
from table.events.event_registry import QUESTION_EVENTS
from table.events.event_spec import Announcement
from table.files.atomic_writing import exclusive_opener, make_folder, sync_folder
from table.files.write_as_folder_owner import owner_rights
from table.phrase import Phrase, PhrasedError, WrongValueError, expected_error, line_place, make_phrase
from table.referee.records.checksummed_journal_rows import (
    JournalLine,
    JournalScan,
    dump,
    scan_rows,
    seal_row,
    shorten,
)

__all__ = [
    "Journal",
    "JournalLine",
    "drop_torn_correction",
    "dump",
    "effective_lines",
    "find_line_fault",
    "move_aside",
    "read_lines",
    "resume_lines",
    "write_keeping_old",
]


class Journal:
    """Holds all lines in memory and, given a path, in a file that survives a power cut (``fsync`` each time)."""

    def __init__(
        self, path: Path | None = None, *, durable: bool = True, earlier: Iterable[JournalLine] = ()
    ) -> None:
        """``earlier``: the lines that ``path`` holds already (a resumed game); else the file starts anew."""
        self.lines: list[JournalLine] = list(earlier)
        self.write_error: PhrasedError | None = None
        """Why the file lacks the latest lines (the disk is full, read-only ...); writing is tried again with each
        line."""
        self._path = path
        self._durable = durable
        self._file: FileIO | None = None
        self._written = len(self.lines)
        self._pending_message: Phrase | None = None
        self._regular = True
        if path is not None:
            try:
                self._open(path)
            except OSError as error:
                self.write_error = PhrasedError("journal.cant_be_written", at=path, error=error)
                if not durable:
                    raise TableError(self.write_error) from None

    def _open(self, path: Path) -> None:
        """Open the file; a durable game is played all the same where that fails."""
        file = FileIO(path, "a" if self.lines else "w", opener=_open_nonblocking)
        os.set_blocking(file.fileno(), True)
        self._regular = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
        data = path.read_bytes() if self.lines and self._regular else b""
        self._file = file
        self._size, self._crc = len(data), zlib.crc32(data)
        self._remember_stat()
        if self._durable:
            sync_folder(path.parent)

    @property
    def durable_path(self) -> Path | None:
        """The path of the file, if it survives a power cut; else None."""
        return self._path if self._file is not None and self._durable and self._regular else None

    def append(self, event: str, t_ns: int, decided_ns: int, fields: Mapping[str, Any]) -> JournalLine:
        """Append a line to the journal and return it, numbered."""
        self.append_at_once([(t_ns, Announcement(event, fields))], decided_ns)
        return self.lines[-1]

    def append_at_once(self, said: Iterable[tuple[int, Announcement]], decided_ns: int) -> list[int]:
        """Append lines, each with its stamp, to the journal in one go; return their numbers.

        Of a correction the line ``corrected`` names the last of them as its ``until``: where a power cut has torn some
        of them off, it has not happened (see :func:`resume_lines`).
        """
        first = len(self.lines) + 1
        for number, (t_ns, line) in enumerate(said, start=first):
            head = {"seq": number, "t_ns": t_ns, "decided_ns": decided_ns, "event": line.event}
            self.lines.append({**head, **line.fields})
        if len(self.lines) >= first:
            self._write()
        return [*range(first, len(self.lines) + 1)]

    def verify_file(self) -> Phrase | None:
        """Check that the file is still there and as it was written, and bring it up to date.

        Returns what to tell people where it was not (once): it has been written anew, and what lay in its place is
        kept aside.
        """
        self._write()
        told, self._pending_message = self._pending_message, None
        return told

    def _write(self) -> None:
        """Bring the file up to date; a disk that fails stops no game."""
        if self._path is None:
            return
        fresh = self.lines[self._written :]
        try:
            if self._file is None or not self._is_in_place():
                self._rewrite()
            elif fresh:
                self._append("".join(f"{seal_row(line)}\n" for line in fresh).encode())
        except OSError as error:
            self.write_error = PhrasedError("journal.cant_be_written", at=self._path or (), error=error)
            return
        self.write_error = None
        self._written += len(fresh)

    def _append(self, data: bytes) -> None:
        assert self._file is not None
        try:
            _write_all(self._file, data)
            if self._durable:
                os.fsync(self._file.fileno())
        except OSError:
            with suppress(OSError):  # the part that was written will be written again
                self._file.truncate(self._size)
                self._file.seek(0, os.SEEK_END)
            raise
        self._size += len(data)
        self._crc = zlib.crc32(data, self._crc)
        self._remember_stat()

    def _remember_stat(self) -> None:
        """Remember the file's inode, size and time of change."""
        assert self._file is not None
        self._stat_key = _stat_key(os.fstat(self._file.fileno()))

    def _is_in_place(self) -> bool:
        """Return whether the file at the path is ours and holds what was written, no more and no less."""
        assert self._file is not None
        assert self._path is not None
        if not self._regular:
            return True
        try:
            there = os.stat(self._path)
        except (FileNotFoundError, NotADirectoryError):
            return False
        if _stat_key(there) == self._stat_key:
            return True
        ours = os.fstat(self._file.fileno())
        if (there.st_dev, there.st_ino, there.st_size) != (ours.st_dev, ours.st_ino, self._size):
            return False
        if zlib.crc32(self._path.read_bytes()) != self._crc:
            return False
        self._remember_stat()  # only its time has changed
        return True

    def _rewrite(self) -> None:
        assert self._path is not None
        path = Path(os.path.realpath(self._path))
        make_folder(path.parent)
        data = "".join(f"{seal_row(line)}\n" for line in self.lines).encode()
        file, aside = write_keeping_old(path, data, durable=self._durable)
        late = self._file is None
        if self._file is not None:
            self._file.close()
        self._file = file
        self._size, self._crc = len(data), zlib.crc32(data)
        self._remember_stat()
        if aside is not None or not late:
            self._pending_message = (
                make_phrase("journal.changed", aside=aside.name) if aside else make_phrase("journal.gone")
            )

    def close(self) -> None:
        """Bring the file up to date and close it."""
        self._write()
        self._path = None
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _stat_key(found: os.stat_result) -> tuple[int, int, int, int]:
    """Return device, inode, size and time of change, by which an unchanged file is recognised."""
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def resume_lines(path: Path, found: JournalScan | None = None) -> list[JournalLine]:
    """Read the lines of a journal that is to be continued, and cut the file back to them.

    ``found``: what the file holds, if it has just been read and checked. What a power cut has torn goes: a last line
    that is not whole, and a correction of which not everything that followed has been written. ``TableError`` where
    more than that is wrong.
    """
    if found is None:
        found = scan_rows(path)
        if found.damage is not None:
            raise TableError(found.damage, at=path)
        for number, line in enumerate(found.lines, start=1):
            fault = find_line_fault(line, number)
            if fault is not None:
                raise TableError(fault, at=(path, line_place(number)))
    lines = drop_torn_correction(found.lines)
    head = found.head_bytes(len(lines))
    if head == found.data:
        return lines
    try:
        with owner_rights(path), path.open("r+b") as file:
            # A complete line may lack its newline.
            file.truncate(max(0, len(head) - 1))
            file.seek(0, os.SEEK_END)
            file.write(head[-1:])
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise TableError("journal.cant_be_written", at=path, error=error) from None
    return lines


def find_line_fault(line: JournalLine, number: int) -> WrongValueError | None:
    """Return what keeps a line from being the ``number``-th of a game; None where nothing does."""
    if line.get("seq") != number:
        return expected_error("expected.seq", number=number, instead=shorten(line.get("seq")))
    for name in ("t_ns", "decided_ns"):
        if type(line.get(name)) is not int:
            return expected_error("expected.nanoseconds", at=name)
    return None


def drop_torn_correction(lines: Sequence[JournalLine]) -> list[JournalLine]:
    """Return the lines up to the first correction of which not everything that followed is there."""
    for number, line in enumerate(lines):
        if line["event"] == "corrected" and line.get("until", 0) > len(lines):
            return list(lines[:number])
    return list(lines)


def read_lines(path: Path, *, torn_end: bool = False) -> list[JournalLine]:
    """Read the lines of a ``truth.jsonl``, or of a journal.

    ``torn_end``: it is a journal, and a last line that a power cut has torn is left out, instead of raising an error.
    """
    found = scan_rows(path, journal=torn_end)
    fault = found.damage if torn_end else found.fault
    if fault is not None:
        raise TableError(fault, at=path)
    return found.lines


def move_aside(path: Path) -> Path:
    """Rename a file to a free name beside it, and return that; ``OSError`` where it can't be renamed."""
    aside = _aside_path(path)
    with owner_rights(path):
        path.rename(aside)
    return aside


def _aside_path(path: Path) -> Path:
    aside, number = path.with_name(f"{path.name}.damaged"), 1
    while os.path.lexists(aside):
        number += 1
        aside = path.with_name(f"{path.name}.damaged-{number}")
    return aside


def write_keeping_old(path: Path, data: bytes, *, durable: bool = True) -> tuple[FileIO, Path | None]:
    """Write a file anew, all at once; the old one is kept aside.

    Returns the file, open for more, and the new path of the old one, if there was one. ``OSError`` where it can't be
    written; then, and after a power cut, the old one lies where it lay.
    """
    part = path.with_name(f"{path.name}.part")
    file = FileIO(part, "w", opener=exclusive_opener)
    try:
        _write_all(file, data)
        if durable:
            os.fsync(file.fileno())
        aside = _aside_path(path) if os.path.lexists(path) else None
        with owner_rights(path):
            if aside is not None:
                try:
                    os.link(path, aside)  # a second name: nothing is missing at any moment
                except OSError:
                    path.rename(aside)  # a file system without hard links
            part.replace(path)
    except OSError:
        file.close()
        with suppress(OSError):
            part.unlink()
        raise
    if durable:
        sync_folder(path.parent)
    return file, aside


def _open_nonblocking(path: str, flags: int) -> int:
    """Open a file without blocking: ``OSError`` for a pipe that nobody reads."""
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY, 0o666)


def _write_all(file: FileIO, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def effective_lines(lines: Iterable[JournalLine]) -> list[JournalLine]:
    """Return the lines that still hold: without those corrected later, and without the corrections.

    Questions and answers stay, whatever is believed since.
    """
    all_lines = [*lines]
    kept: list[int] = []
    """The places of those."""
    begin = 0
    for place in [place for place, line in enumerate(all_lines) if line["event"] == "corrected"]:
        kept += range(begin, place)
        begin = place + 1
        since = all_lines[place].get("since")
        at = len(kept)
        while isinstance(since, int) and at and _line_number(all_lines, kept[at - 1]) >= since:
            at -= 1
        kept[at:] = [place for place in kept[at:] if all_lines[place]["event"] in QUESTION_EVENTS]
    return [*(all_lines[place] for place in kept), *all_lines[begin:]]


def _line_number(lines: Sequence[JournalLine], place: int) -> int:
    """The number of the line that stands there."""
    seq = lines[place].get("seq")
    return seq if isinstance(seq, int) else place + 1
