"""Runs a command in this process and judges how it ended."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from table.__main__ import main
from table.i18n.phrase_rendering import escape_unprintable

LONGEST = 300
"""Letters of the one line of a complaint."""
MOST_S = 2.0
"""Of the processor's time: how much else the machine had to do is no matter."""
MOST_KB = 500 * 1024
STUCK_S = 60
"""By the clock: a command that does nothing for so long waits for something."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a command ended."""

    status: int | None
    """None: by something that escaped."""
    said: str
    """What came out at the second file descriptor, libraries' own words included."""
    seconds: float
    peak_kb: int
    """The most memory at once that a process would have had which runs nothing else: what the cases before have left
    in this one is not this case's."""
    escaped: str = ""
    """The traceback."""
    printed: str = ""
    """What came out at the standard output."""
    spoilt: bool = False
    """Whether a file was changed that none of the command's arguments names."""

    @property
    def faults(self) -> tuple[str, ...]:
        """What of it a user must never meet."""
        found = []
        if self.status is None:
            found.append("traceback")
        elif self.status == 2 and not self.said.strip():
            found.append("says nothing")
        # Status 1: that there are differences is said on stdout, a line each; complaints are still one.
        lines = self.said.splitlines()
        if self.status is not None and (
            len(lines) > (1 if self.status == 2 else 3) or any(len(line) > LONGEST for line in lines)
        ):
            found.append("too long")
        every = [*lines, *self.printed.split("\n")]
        if any(escape_unprintable(line) != line for line in every):
            found.append("unprintable")
        if self.spoilt:
            found.append("wrote elsewhere")
        if self.seconds > MOST_S:
            found.append("too slow")
        if self.peak_kb > MOST_KB:
            found.append("too large")
        return tuple(found)


class Stderr:
    """The process's stderr, libraries' own words included, caught in a file."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115

    @contextmanager
    def caught(self) -> Iterator[None]:
        before = os.dup(2)
        self._file.truncate(0)
        self._file.seek(0)
        os.dup2(self._file.fileno(), 2)
        stream = io.TextIOWrapper(os.fdopen(os.dup(2), "wb"), errors="backslashreplace", write_through=True)
        try:
            with stream, contextlib.redirect_stderr(stream):
                yield
        finally:
            os.dup2(before, 2)
            os.close(before)

    def close(self) -> None:
        self._file.close()

    def text(self) -> str:
        self._file.seek(0)
        return self._file.read().decode(errors="replace")


class HungError(BaseException):
    """A command has waited for so long that it waits for ever."""


@contextmanager
def not_for_ever() -> Iterator[None]:
    """Whatever is done inside ends, or is interrupted."""

    def ring(*_: object) -> None:
        raise HungError

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(STUCK_S)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def judged(arguments: Sequence[str], stderr: Stderr, fresh_kb: int, witness: Path) -> Verdict:
    """Run ``cardtable ARGUMENTS``.

    ``fresh_kb``: the process's memory before the first of all cases; ``witness``: a file that no command may change.
    """
    status: int | None = None
    escaped = ""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace")
    Path("/proc/self/clear_refs").write_text("5")
    left_kb = max(0, memory_kb() - fresh_kb)
    before = witness.read_bytes()
    began = time.process_time()
    with stderr.caught(), contextlib.redirect_stdout(out):
        try:
            with not_for_ever():
                status = main(arguments)
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 2
        except (Exception, HungError):
            escaped = traceback.format_exc()
    seconds, peak_kb = time.process_time() - began, memory_kb("VmHWM") - left_kb
    out.flush()
    printed = out.buffer.getvalue().decode()
    spoilt = witness.read_bytes() != before
    return Verdict(status, stderr.text(), seconds, peak_kb, escaped, printed, spoilt)


def memory_kb(what: str = "VmRSS") -> int:
    """The memory that this process has, or with ``VmHWM`` the most that it has had."""
    for row in Path("/proc/self/status").read_text().splitlines():
        if row.startswith(f"{what}:"):
            return int(row.split()[1])
    return 0
