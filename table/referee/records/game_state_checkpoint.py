"""Checkpoints of a game's state at a line of its journal, which spare reading the lines before it.

The journal is the source of truth: a checkpoint counts only where the journal's file begins, byte for byte, as it did
when the checkpoint was made, and where the same rules made it. Any other is ignored.
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
from table.games.engine.game_state import State
from table.referee.records.checksummed_journal_rows import JournalLine


@dataclass(frozen=True, slots=True)
class StateCheckpoint:
    """The state of a game after a line of its journal."""

    after: int
    """The number of that journal line."""
    state: State
    journal: int
    """The CRC-32 of the journal's rows up to that line, their newlines included."""
    rules: int
    """The checksum of the rules that led there: :func:`rules_crc`."""

    def matches(self, journal: int | None) -> bool:
        """Return whether it is of a journal whose rows up to that line have this CRC-32, and of the present rules."""
        return journal == self.journal and rules_crc() == self.rules

    def count_lines_before(self, held: Sequence[JournalLine]) -> int:
        """Return the number of valid lines up to the checkpoint; 0 where it isn't certain that they lead to it."""
        place = bisect_right(held, self.after, key=lambda line: int(line.get("seq", 0)))
        return place if place and held[place - 1].get("seq") == self.after else 0


@cache
def rules_crc() -> int:
    """Return the CRC-32 of the source code that defines states: the rules of the games, the events and the cards."""
    packages = (Path(str(package.__file__)).parent for package in (table.games, table.events))
    files = [
        Path(str(table.cards.__file__)),
        *(path for package in packages for path in sorted(package.rglob("*.py"))),
    ]
    crc = 0
    for path in files:
        crc = zlib.crc32(path.read_bytes(), crc)
    return crc
