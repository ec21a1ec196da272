"""A wall clock that is set again and again, as a machine's without one of its own is; and games kept under it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from table.history.archive import list_journals, new_journal_path
from table.referee.records.checksummed_journal_rows import seal_row
from table.referee.records.journal import JournalLine

BEGAN = datetime(2026, 1, 1, 20)
FRESH = datetime(1970, 1, 1)
"""Where the clock of a machine stands that has never had a network."""
FAR = timedelta(days=400)
EARLIER = 3
"""So many games were broken off before."""


class Clock:
    """The date, which jumps by hours or more, either way, whenever it is looked at."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._now = BEGAN

    def now(self) -> datetime:
        """The date after another step."""
        if self._random.random() < 0.1:
            self._now = FRESH
        elif self._random.random() < 0.1:
            self._now = BEGAN + FAR * self._random.random()
        else:
            self._now += timedelta(hours=self._random.uniform(-12, 12))
        self._now = max(FRESH, self._now)
        return self._now

    def touch(self, folder: Path) -> None:
        """The clock steps, and some file of ``folder`` bears the new date."""
        stamp = self.now().replace(tzinfo=UTC).timestamp()
        paths = sorted(folder.iterdir())
        if paths:
            os.utime(self._random.choice(paths), (stamp, stamp))


def shelved(folder: Path, clock: Clock, lines: Sequence[JournalLine]) -> list[Path]:
    """Games that were broken off one after the other, and where the next one is kept, as they were begun."""
    rows = "".join(f"{seal_row(line)}\n" for line in lines)
    found = []
    for _ in range(EARLIER):
        path = new_journal_path(folder, clock.now())
        path.write_text(rows, encoding="utf-8")
        found.append(path)
    return [*found, new_journal_path(folder, clock.now())]


def in_order(folder: Path, begun: Sequence[Path], clock: Clock) -> bool:
    """Whether the games are listed as they were begun, and the next one would come last."""
    there = {path.name for path in list_journals(folder)}
    wanted = [path.name for path in begun if path.name in there]
    following = new_journal_path(folder, clock.now())
    following.touch()
    listed = [path.name for path in list_journals(folder)]
    following.unlink()
    return listed == [*wanted, following.name]
