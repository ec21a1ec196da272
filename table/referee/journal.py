"""The journal: one JSON object a line, in the order in which the referee decided. It is the truth.

State is what the journal's lines make it. A line ``corrected`` carries ``since``: the number of the first line
that no longer holds; what followed from there is announced again after it. :func:`effective` leaves out what
does not hold any more.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any, TypeAlias

from table.errors import TableError

Line: TypeAlias = dict[str, Any]


class Journal:
    """Keeps every line in memory and, given a path, in a file that survives a power cut (``fsync`` each time)."""

    def __init__(
        self, path: Path | None = None, *, durable: bool = True, earlier: Iterable[Line] = ()
    ) -> None:
        """``earlier``: the lines that ``path`` holds already (a resumed game); else the file starts anew."""
        self.lines: list[Line] = list(earlier)
        self.trouble: str | None = None
        """Why the file lacks the latest lines (the disk is full ...); it is tried again with each line."""
        self._path = path
        self._durable = durable
        self._file: FileIO | None = None
        self._together = False
        self._written = len(self.lines)
        if path is not None:
            try:
                self._file = FileIO(path, "a" if self.lines else "w")
                self._whole = os.fstat(self._file.fileno()).st_size
                if durable:
                    _sync_folder(path.parent)
            except OSError as error:
                raise TableError(f"{path}: the journal can't be written ({error.strerror})") from None

    def say(self, event: str, t_ns: int, decided_ns: int, fields: Mapping[str, Any]) -> Line:
        """Append a line and return it, numbered."""
        head = {"seq": len(self.lines) + 1, "t_ns": t_ns, "decided_ns": decided_ns, "event": event}
        line: Line = {**head, **fields}
        self.lines.append(line)
        if not self._together:
            self._write()
        return line

    @contextmanager
    def correction(self, t_ns: int, decided_ns: int, fields: Mapping[str, Any]) -> Iterator[None]:
        """Say ``corrected``; what is said inside is what followed from it, and the file gets all of it at once.

        The line's ``until`` is the number of the last of them: where a power cut has torn some of them off, the
        correction has not happened (see :func:`take_up`).
        """
        self._together = True
        try:
            line = self.say("corrected", t_ns, decided_ns, fields)
            yield
            line["until"] = len(self.lines)
        finally:
            self._together = False
            self._write()

    def _write(self) -> None:
        """Bring the file up to date; a disk that fails stops no game."""
        fresh = self.lines[self._written :]
        if self._file is None or not fresh:
            return
        data = "".join(dump(line) + "\n" for line in fresh).encode()
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[self._file.write(rest) :]
            if self._durable:
                os.fsync(self._file.fileno())
        except OSError as error:
            self.trouble = f"{self._path}: the journal can't be written ({error.strerror})"
            with suppress(OSError):  # what got through of it will be written again
                self._file.truncate(self._whole)
                self._file.seek(0, os.SEEK_END)
            return
        self.trouble = None
        self._whole += len(data)
        self._written += len(fresh)

    def close(self) -> None:
        """Close the file, if there is one."""
        if self._file is not None:
            self._write()
            self._file.close()
            self._file = None

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _sync_folder(folder: Path) -> None:
    """A new file's name survives a power cut only once its folder is on the disk too (some disks can't say so)."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def dump(line: Mapping[str, Any]) -> str:
    """A line as it stands in the file."""
    return json.dumps(line, ensure_ascii=False, separators=(", ", ": "))


def take_up(path: Path) -> list[Line]:
    """The lines of a journal that is to be gone on with; the file is cut back to them.

    What a power cut has torn goes: a last line that is not whole, and a correction of which not everything that
    followed has been written.
    """
    lines = read_lines(path, torn_end=True)
    for number, line in enumerate(lines, start=1):
        if line.get("seq") != number:
            raise TableError(f"{path}: line {number}: expected seq {number}, not {line.get('seq')}")
        missing = [name for name in ("t_ns", "decided_ns") if not isinstance(line.get(name), int)]
        if missing:
            raise TableError(f"{path}: line {number}: {missing[0]}: expected whole nanoseconds")
    for number, line in enumerate(lines):
        if line["event"] == "corrected" and line.get("until", 0) > len(lines):
            del lines[number:]
            break
    try:
        rows = path.read_bytes().split(b"\n")
        kept = [number for number, row in enumerate(rows) if row.strip()][: len(lines)]
        end = sum(len(row) + 1 for row in rows[: kept[-1] + 1]) if kept else 0
        with path.open("r+b") as file:
            file.truncate(max(0, end - 1))
            file.seek(0, os.SEEK_END)
            file.write(b"\n" if end else b"")  # a whole line may lack its end
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise TableError(f"{path}: the journal can't be written ({error.strerror})") from None
    return lines


def read_lines(path: Path, *, torn_end: bool = False) -> list[Line]:
    """The lines of a journal or a ``truth.jsonl``.

    ``torn_end``: leave out a last line that a power cut has torn, instead of complaining.
    """
    try:
        text = path.read_bytes().decode("utf-8", errors="replace" if torn_end else "strict")
    except OSError as error:
        raise TableError(f"{path}: can't be read ({error.strerror}): expected JSON lines") from None
    except UnicodeDecodeError:
        raise TableError(f"{path}: not UTF-8 text: expected JSON lines") from None
    lines: list[Line] = []
    rows = text.split("\n")
    for number, row in enumerate(rows, start=1):
        if not row.strip():
            continue
        try:
            line = json.loads(row)
            if not isinstance(line, dict) or not isinstance(line.get("event"), str):
                raise ValueError
        except ValueError:
            if torn_end and number >= len(rows) - 1:
                break
            raise TableError(f"{path}: line {number}: expected a JSON object with an event") from None
        lines.append(line)
    return lines


def effective(lines: Iterable[Line]) -> list[Line]:
    """The lines that still hold: without what was corrected later, and without the corrections."""
    kept: list[tuple[int, Line]] = []
    for number, line in enumerate(lines, start=1):
        if line["event"] != "corrected":
            kept.append((line.get("seq", number), line))
        elif isinstance(line.get("since"), int):
            kept = [(seq, earlier) for seq, earlier in kept if seq < line["since"]]
    return [line for _, line in kept]
