"""A queue that puts the facts of several sources in one order."""

from __future__ import annotations

import bisect
from collections import Counter
from collections.abc import Callable, Iterable

from table.observed_facts import Call, CardFact, Fact, Gesture, fact_sort_key


class FactQueue:
    """Holds facts until no earlier one can come, then gives them in the order of their stamps.

    Equal stamps: calls before cards, then seat order. So the order of delivery never shows in a ruling.
    """

    def __init__(self, seats: tuple[str, ...]) -> None:
        self._seats = seats
        self._facts: list[Fact] = []

    def put(self, facts: Iterable[Fact]) -> None:
        """Add facts, in any order."""
        for fact in facts:
            bisect.insort(self._facts, fact, key=self._key)

    def peek(self, until_ns: int) -> Fact | None:
        """Return the earliest fact, if it is stamped before ``until_ns``; else None."""
        if self._facts and self._facts[0].t_ns < until_ns:
            return self._facts[0]
        return None

    @property
    def card_facts(self) -> tuple[CardFact, ...]:
        """The waiting card facts, the earliest first."""
        return tuple(fact for fact in self._facts if not isinstance(fact, Call))

    @property
    def waiting_taps(self) -> Counter[str]:
        """The taps of the waiting calls, by seat."""
        calls = (fact for fact in self._facts if isinstance(fact, Call) and fact.gesture is Gesture.TAPS)
        return Counter(call.seat for call in calls for _ in range(call.count))

    def pop(self) -> Fact:
        """Remove and return the earliest fact."""
        return self._facts.pop(0)

    def extract(self, before_ns: int, wanted: Callable[[Fact], bool]) -> list[Fact]:
        """Remove and return the facts stamped before ``before_ns`` that are ``wanted``, in order."""
        taken = [fact for fact in self._facts if fact.t_ns < before_ns and wanted(fact)]
        self._facts = [fact for fact in self._facts if fact not in taken]
        return taken

    def _key(self, fact: Fact) -> tuple[int, int, int]:
        return fact_sort_key(fact, self._seats)
