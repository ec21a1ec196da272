"""The adaptive beam width: the worse the best hypothesis explains the observations, the more hypotheses are followed.

The truth costs much where several things went wrong at once, and there is much else that costs as much. So what has
gone wrong in a trick, by its best hypothesis, says how many others are worth following: from the trick's beginning,
or, where a single observation surprises more than any mishap does, from the deal, and until a trick has passed in
which little went wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from table.referee.model.beam import NARROW, WIDE, WIDEST, BeamLimits
from table.referee.model.hypothesis import Hypothesis

MAX_SINGLE_FAULT = 6.8
"""The largest cost of any single mishap, in nats.

Where what has gone wrong in a trick costs even the best hypothesis more, a better one may have been dropped.
"""
MAX_ORDINARY_COST = 1.5
"""The cost in nats up to which nothing has gone wrong: a card is laid that doesn't follow, some cards of a pick-up go
later."""
LIMITS_BY_LEVEL: tuple[BeamLimits, ...] = (NARROW, WIDE, WIDEST)
"""The beam limits by level: by how many times :data:`MAX_SINGLE_FAULT` has gone wrong."""


@dataclass(frozen=True, slots=True)
class BeamWidth:
    """A level of beam limits, and the observation from which on it applies."""

    level: int = 0
    since: float = inf
    """The place of the first observation that it applies to, as hypotheses count them; ``inf`` for the lowest level."""

    @property
    def limits(self) -> BeamLimits:
        """The beam limits of the level."""
        return LIMITS_BY_LEVEL[self.level]

    def is_wider_than(self, other: BeamWidth) -> bool:
        """Return whether this one is wider than ``other``, or applies from earlier on."""
        return self.level > other.level or self.since < other.since

    def union(self, other: BeamWidth) -> BeamWidth:
        """Return the union of two widths: the higher level, from the earlier observation on."""
        return BeamWidth(max(self.level, other.level), min(self.since, other.since))

    def narrowed(self, best: Hypothesis) -> BeamWidth:
        """Return the width still needed, judged by what has gone wrong in the last trick and this one."""
        began, gone_wrong = _latest_trick(best)
        level = min(self.level, max(_level(gone_wrong), _level(_latest_trick(began)[1])))
        return BeamWidth(level, self.since) if level else ORDINARY_WIDTH


ORDINARY_WIDTH = BeamWidth()


def wider_widths(best: Hypothesis, surprise: float, opened: int) -> Iterator[BeamWidth]:
    """Yield the wider widths to search with, after an observation that cost the best hypothesis ``surprise`` nats.

    ``opened``: the place of the first observation of the hand.
    """
    if surprise > MAX_SINGLE_FAULT:
        yield BeamWidth(1, opened)
    began, gone_wrong = _latest_trick(best)
    if surprise > MAX_ORDINARY_COST and _level(gone_wrong):
        yield BeamWidth(_level(gone_wrong), max(opened, began.log_place + 1))


def _level(gone_wrong: float) -> int:
    """Return the level for a sum of costs of what has gone wrong."""
    return min(int(gone_wrong / MAX_SINGLE_FAULT), len(LIMITS_BY_LEVEL) - 1)


def _latest_trick(hypothesis: Hypothesis) -> tuple[Hypothesis, float]:
    """Return the hypothesis where the latest trick began, and the cost of all that has gone wrong in it."""
    gone_wrong, trick = 0.0, None
    while hypothesis.parent is not None and trick in (None, _trick_key(hypothesis.parent)):
        cost = hypothesis.cost - hypothesis.parent.cost
        gone_wrong += cost if cost > MAX_ORDINARY_COST else 0.0
        hypothesis = hypothesis.parent
        trick = _trick_key(hypothesis)
    return hypothesis, gone_wrong


def _trick_key(hypothesis: Hypothesis) -> tuple[int, int]:
    """Return the deal and the trick that a hypothesis has come to."""
    return (hypothesis.state.deal, len(hypothesis.state.tricks))
