"""Where a game stood at a line of its journal, kept so that the lines before it need not be gone through again.

The journal is the truth: what is kept here counts only where the journal's file begins, byte for byte, as it did when
this was worked out, and where the same rules worked it out. Anything else is as good as nothing.
"""

from __future__ import annotations

import zlib
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import table.cards
import table.events
import table.games
from table.games.base import State
from table.referee.rows import JournalLine


@dataclass(frozen=True, slots=True)
class Settled:
    """Where a game stood."""

    after: int
    """The number of the journal line after which it did."""
    state: State
    journal: int
    """The CRC-32 of the journal's rows up to that line, their ends included."""
    rules: int
    """What tells the rules that led there: :func:`rules_crc`."""

    def is_of(self, journal: int | None) -> bool:
        """Whether it is of a journal whose rows up to that line have this CRC-32, and of the rules of today."""
        return journal == self.journal and rules_crc() == self.rules

    def place_in(self, held: Sequence[JournalLine]) -> int:
        """How many of the lines that hold lead to it; 0 where it isn't certain that they do."""
        place = bisect_right(held, self.after, key=lambda line: int(line.get("seq", 0)))
        return place if place and held[place - 1].get("seq") == self.after else 0


@cache
def rules_crc() -> int:
    """The CRC-32 of all that says what becomes of a state: the rules of the games, and what events and cards are."""
    packages = (Path(str(one.__file__)).parent for one in (table.games, table.events))
    files = [
        Path(str(table.cards.__file__)),
        *(path for one in packages for path in sorted(one.rglob("*.py"))),
    ]
    crc = 0
    for path in files:
        crc = zlib.crc32(path.read_bytes(), crc)
    return crc
