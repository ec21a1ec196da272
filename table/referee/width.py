"""How much is followed: the worse all that happens is explained, the more of what may have come about instead.

The truth costs much where several things went wrong at once, and there is much else that costs as much. So what has
gone wrong in a trick, by the best explanation of it, says how many others are worth following: from the trick's
beginning, or, where a single observation surprises more than any mishap does, from the deal, and until a trick has
passed in which little went wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from table.referee.explanation import Explanation
from table.referee.setting import NARROW, WIDE, WIDEST, Reach

LEAP = 6.8
"""Nats: no single mishap costs so much. Where what has gone wrong in a trick costs even the best explanation more, a
better one may have been let go."""
ORDINARY = 1.5
"""Nats: what costs no more has not gone wrong: a card is laid that doesn't follow, some cards of a pick-up go later."""
REACHES: tuple[Reach, ...] = (NARROW, WIDE, WIDEST)
"""By how often over a leap has gone wrong."""


@dataclass(frozen=True, slots=True)
class Width:
    """How much is followed, and since when."""

    level: int = 0
    since: float = inf
    """The observation from which on, as explanations count them; ``inf`` while little will do."""

    @property
    def reach(self) -> Reach:
        """How much that is."""
        return REACHES[self.level]

    def more_than(self, other: Width) -> bool:
        """Whether more is followed than by ``other``, or since before."""
        return self.level > other.level or self.since < other.since

    def along_with(self, other: Width) -> Width:
        """As much as by both."""
        return Width(max(self.level, other.level), min(self.since, other.since))

    def at_rest(self, best: Explanation) -> Width:
        """What of it is still worth following, after as much as the last trick and this one have shown."""
        began, gone_wrong = _this_trick(best)
        level = min(self.level, max(_level(gone_wrong), _level(_this_trick(began)[1])))
        return Width(level, self.since) if level else Width()


def wanted(best: Explanation, surprise: float, opened: int) -> Iterator[Width]:
    """How wide should be looked, after an observation that has cost the best explanation so many nats.

    ``opened``: the first observation of the hand.
    """
    if surprise > LEAP:
        yield Width(1, opened)
    began, gone_wrong = _this_trick(best)
    if surprise > ORDINARY and _level(gone_wrong):
        yield Width(_level(gone_wrong), max(opened, began.item + 1))


def _level(gone_wrong: float) -> int:
    return min(int(gone_wrong / LEAP), len(REACHES) - 1)


def _this_trick(one: Explanation) -> tuple[Explanation, float]:
    """Where the trick that was observed last began, and what all that has gone wrong in it costs."""
    gone_wrong, trick = 0.0, None
    while one.earlier is not None and trick in (None, _trick(one.earlier)):
        cost = one.cost - one.earlier.cost
        gone_wrong += cost if cost > ORDINARY else 0.0
        one = one.earlier
        trick = _trick(one)
    return one, gone_wrong


def _trick(one: Explanation) -> tuple[int, int]:
    """Which trick of which deal it has come to."""
    return (one.state.deal, len(one.state.tricks))
