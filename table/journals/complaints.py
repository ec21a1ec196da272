"""Whatever somebody called wrong, or the table corrected, is kept as a recording beside the game's journal.

Such a recording is a test to be: what the table saw, and with it ``before.jsonl``, the journal up to that moment.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Protocol

from table.errors import complain
from table.facts import MS
from table.files.rights import rights_at
from table.phrase import Phrase, say
from table.referee.journal import JournalLine
from table.referee.rows import seal

AFTER_NS: Final = 3_000 * MS
"""It is kept so long after the complaint: what people did about it is on film too."""
MOST_BYTES: Final = 500 * 1024 * 1024
"""Together they have no more than this; the oldest go."""
ROOM_BYTES: Final = 300 * 1024 * 1024
"""With less free on the disk none is kept: games are more."""
LONGEST_S: Final = 5.0
"""At a game's end it is waited for so long that the last one is written: nobody looks again afterwards."""
SUFFIX: Final = ".complaints"
BEFORE: Final = "before.jsonl"


class Keeps(Protocol):
    """What has the last half minute; :class:`table.sources.ring.Ring` does."""

    @property
    def trouble(self) -> Phrase | None:
        """Why the last wish was not fulfilled."""
        ...

    def keep(self, folder: Path, others: tuple[tuple[str, bytes], ...] = ()) -> threading.Event:
        """Write it into ``folder``."""
        ...


class Complaints:
    """Counts complaints and sees to it that each is kept; to be called again and again."""

    def __init__(self, ring: Keeps) -> None:
        self._ring = ring
        self._calls = 0
        self._read = 0
        """How many lines of the journal have been looked at."""
        self._due_ns: int | None = None
        self._journal: Path | None = None
        self._first: Path | None = None
        """Where the very first is being written: it is said."""
        self._writing: threading.Event | None = None
        """Is set once the last one has been written."""
        self._trouble: Phrase | None = None

    def look(self, now_ns: int, journal: Path, lines: list[JournalLine], calls: int) -> Phrase | None:
        """See whether there is a new complaint; what there is to say of it.

        ``lines``: the journal's; ``calls``: how often somebody has said "that's wrong" so far.
        """
        if journal != self._journal:
            self._journal, self._read = journal, len(lines)
        corrected = any(line["event"] == "corrected" for line in lines[self._read :])
        if (corrected or calls > self._calls) and self._due_ns is None:
            self._due_ns = now_ns + AFTER_NS
        self._calls, self._read = calls, len(lines)
        if self._due_ns is not None and now_ns >= self._due_ns:
            self._due_ns = None
            self._keep(journal, lines)
        return self._said()

    def close(self, lines: list[JournalLine]) -> Phrase | None:
        """The game ends: what was to be kept is kept now; what there is to say of it."""
        if self._due_ns is not None and self._journal is not None:
            self._due_ns = None
            self._keep(self._journal, lines)
        if self._writing is not None:
            self._writing.wait(LONGEST_S)
        return self._said()

    def _keep(self, journal: Path, lines: list[JournalLine]) -> None:
        try:
            if shutil.disk_usage(journal.parent).free < ROOM_BYTES:
                return
            others = complaints(journal.parent)
            make_room(others)
        except OSError:
            return  # the journal's own trouble is told
        number = 1 + sum(path.parent == folder_of(journal) for path in others)
        while (folder := folder_of(journal) / f"{number:03}").exists():
            number += 1
        before = "".join(f"{seal(line)}\n" for line in lines).encode()
        self._writing = self._ring.keep(folder, ((BEFORE, before),))
        if not others:
            self._first = folder

    def _said(self) -> Phrase | None:
        if self._first is not None and self._first.exists():
            folder, self._first = self._first, None
            complain(say("recording.complaint_folder", folder=str(folder.parent)))
            return say("recording.complaint_kept")
        told, self._trouble = self._trouble, self._ring.trouble
        return self._ring.trouble if self._ring.trouble != told else None


def folder_of(journal: Path) -> Path:
    """Where a game's complaints are kept."""
    return journal.with_suffix(SUFFIX)


def complaints(games: Path) -> list[Path]:
    """All that are kept in a games folder, the oldest first; ``OSError`` where it can't be read."""
    found = [path for folder in games.glob(f"*{SUFFIX}") for path in folder.iterdir() if path.is_dir()]
    return sorted(found, key=lambda path: path.stat().st_mtime_ns)


def make_room(found: Iterable[Path]) -> None:
    """Remove the oldest of ``found`` (the oldest first) until the rest has room for one more."""
    sizes = [(path, sum(one.stat().st_size for one in path.iterdir())) for path in found]
    total = sum(size for _, size in sizes)
    for path, size in sizes:
        if total <= MOST_BYTES:
            return
        with rights_at(path):  # or a link in somebody's games folder would have root delete what is elsewhere
            shutil.rmtree(path, ignore_errors=True)
        total -= size
