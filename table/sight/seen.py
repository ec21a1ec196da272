"""What a frame gave: facts in the order of time, how far they are complete, and what is wrong with the pictures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from table.facts import END_NS, MS, CardFact, CardLanded
from table.phrase import Phrase
from table.sight.fitness import Fitness

HELD_NS: Final = 2000 * MS
"""The watermark is never held back by more than this."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What one frame gave."""

    facts: tuple[CardFact, ...]
    """In the order of their stamps."""
    until_ns: int
    """No later fact will be stamped before this."""
    troubles: tuple[Phrase, ...] = ()
    """What is wrong with the camera's pictures, in words for the screen."""


class Reporter:
    """Keeps the watermark, and what is not to be told."""

    def __init__(self) -> None:
        self.fitness = Fitness()
        self.until_ns = 0
        self._untold: set[int] = set()
        """Cards that came in mirrored pictures: as what they were read they did not lie there."""

    def report(self, facts: Iterable[CardFact], until_ns: int) -> Seen:
        """These ``facts``; no later one will be stamped before ``until_ns``, or what was reported before."""
        told = self._in_time(facts)
        self.until_ns = max(self.until_ns, until_ns)
        return Seen(told, self.until_ns, self.fitness.troubles)

    def without_frames(self, until_ns: int) -> Seen:
        """No usable frame stamped before ``until_ns`` will come any more: nothing waits for it."""
        return self.report([], until_ns - HELD_NS)

    def end(self, facts: Iterable[CardFact]) -> Seen:
        """These are the last."""
        return Seen(self._in_time(facts), END_NS)

    def _in_time(self, facts: Iterable[CardFact]) -> tuple[CardFact, ...]:
        facts = list(facts)
        if self.fitness.mirrored:
            self._untold.update(fact.id for fact in facts if isinstance(fact, CardLanded))
        told = (fact for fact in facts if fact.id not in self._untold)
        return tuple(sorted(told, key=lambda fact: (fact.t_ns, fact.id)))
