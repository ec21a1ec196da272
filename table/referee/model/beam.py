"""The beam: the few hypotheses that are followed after an observation, and what is too unlikely to be generated.

The worse the best hypothesis explains the observations, the more hypotheses are followed.
"""

from __future__ import annotations

import time
from bisect import bisect_left, insort
from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

from table.referee.model.hypothesis import Hypothesis


@dataclass(frozen=True, slots=True)
class BeamLimits:
    """The limits of the beam search: how many hypotheses it keeps."""

    max_hypotheses: int
    """The number of hypotheses that are kept."""
    min_views: int
    """How many of them, at least, differ in the present state of the mark and the trick."""
    margin: float
    """The largest cost above the best hypothesis at which one is still followed, in nats."""
    max_missed_cards: int
    """The number of cards in a row that may have been missed."""


NARROW = BeamLimits(max_hypotheses=16, min_views=8, margin=9.0, max_missed_cards=2)
"""The limits while play goes on as expected."""
WIDE = BeamLimits(max_hypotheses=48, min_views=24, margin=14.0, max_missed_cards=3)
"""The limits where more has gone wrong than any single mishap explains."""
WIDEST = BeamLimits(max_hypotheses=144, min_views=72, margin=14.0, max_missed_cards=3)
"""The limits where more has gone wrong than two mishaps explain."""
MISREAD = BeamLimits(max_hypotheses=8, min_views=0, margin=9.0, max_missed_cards=2)
"""The limits when a confident reading is doubted."""


class SearchTimeoutError(Exception):
    """The search has used more processor time than it may, as only forged observations make it."""


class BeamBuilder:
    """Collects hypotheses after an observation, and keeps those that are worth following.

    Of hypotheses with equal merge keys the likeliest is kept. ``limits.min_views`` places go to hypotheses that differ
    in the present state of trick and mark: else those that differ in the past would leave no room for another view of
    what lies there now.
    """

    def __init__(
        self, limits: BeamLimits, hypotheses: Iterable[Hypothesis] = (), until_s: float | None = None
    ) -> None:
        self.max_cost = inf
        """The largest cost at which one more hypothesis may be kept: whatever costs more need not be generated."""
        self._limits = limits
        self._until_s = until_s
        self._apart = _CheapestByKey(limits.max_hypotheses)
        self._views = _CheapestByKey(limits.min_views)
        for hypothesis in hypotheses:
            self.add(hypothesis)

    def check_time(self) -> None:
        """Raise `SearchTimeoutError` if this thread has used more processor time than ``until_s``, in seconds."""
        if self._until_s is not None and time.thread_time() > self._until_s:
            raise SearchTimeoutError

    def add(self, hypothesis: Hypothesis) -> None:
        """Add a hypothesis, if it is worth following."""
        cost = hypothesis.cost
        if cost > self.max_cost or not self._apart.add(hypothesis.merge_key(), hypothesis):
            return
        if self._limits.min_views:
            self._views.add(hypothesis.present_key(), hypothesis)
        # Whatever costs more than enough others, of enough different views, will never be one of those that are kept.
        enough = max(self._apart.enough_cost, self._views.enough_cost)
        self.max_cost = min(self.max_cost, cost + self._limits.margin, enough)

    def beam(self) -> tuple[Hypothesis, ...]:
        """Return the hypotheses that are kept, the likeliest first."""
        ranked = self._apart.ranked(self.max_cost)
        kept = {id(hypothesis) for hypothesis in self._views.ranked(self.max_cost)[: self._limits.min_views]}
        others = [id(hypothesis) for hypothesis in ranked if id(hypothesis) not in kept]
        kept.update(others[: self._limits.max_hypotheses - len(kept)])
        return tuple(hypothesis for hypothesis in ranked if id(hypothesis) in kept)


class _CheapestByKey:
    """The cheapest hypothesis of each key, and at which cost there are enough of them."""

    def __init__(self, enough: int) -> None:
        self._enough = enough
        self._by_key: dict[tuple[object, ...], Hypothesis] = {}
        self._costs: list[float] = []

    def add(self, key: tuple[object, ...], hypothesis: Hypothesis) -> bool:
        """Add a hypothesis unless one with an equal key costs no more; return whether it was added."""
        known = self._by_key.setdefault(key, hypothesis)
        if known is not hypothesis:
            if known.cost <= hypothesis.cost:
                return False
            del self._by_key[key]  # of equal costs the one that was added first comes first
            self._by_key[key] = hypothesis
            del self._costs[bisect_left(self._costs, known.cost)]
        insort(self._costs, hypothesis.cost)
        return True

    @property
    def enough_cost(self) -> float:
        """The cost up to which there are enough hypotheses; ``inf`` while there are not."""
        if not self._enough:
            return -inf
        return self._costs[self._enough - 1] if len(self._costs) >= self._enough else inf

    def ranked(self, max_cost: float) -> list[Hypothesis]:
        """Return the hypotheses that cost at most ``max_cost``, the likeliest first."""
        worth = (hypothesis for hypothesis in self._by_key.values() if hypothesis.cost <= max_cost)
        return sorted(worth, key=lambda hypothesis: hypothesis.cost)


# --- the width of the beam ------------------------------------------------------------------------------------------
# The truth costs much where several things went wrong at once, and there is much else that costs as much. So what has
# gone wrong in a trick, by its best hypothesis, says how many others are worth following: from the trick's beginning,
# or, where a single observation surprises more than any mishap does, from the deal, and until a trick has passed in
# which little went wrong.

MAX_SINGLE_FAULT = 6.8
"""The largest cost of any single mishap, in nats.

Where what has gone wrong in a trick costs even the best hypothesis more, a better one may have been dropped.
"""
MAX_ORDINARY_COST = 1.5
"""The cost in nats up to which nothing has gone wrong: a card is laid that doesn't follow, some cards of a pick-up go
later."""
LIMITS_BY_LEVEL: tuple[BeamLimits, ...] = (NARROW, WIDE, WIDEST)
"""The beam limits by level: by how many times :data:`MAX_SINGLE_FAULT` has gone wrong."""


def wider_level(best: Hypothesis, surprise: float) -> tuple[int, int]:
    """Return the level to search with, and the observation from which on, by its place in the log of the hand.

    ``surprise``: what the latest observation cost the best hypothesis, in nats.
    """
    began, gone_wrong = _latest_trick(best)
    level = _level(gone_wrong) if surprise > MAX_ORDINARY_COST else 0
    if surprise > MAX_SINGLE_FAULT:
        return max(1, level), 0
    return level, began.log_place + 1


def recent_level(best: Hypothesis) -> int:
    """Return the level still needed, judged by what has gone wrong in the last trick and this one."""
    began, gone_wrong = _latest_trick(best)
    return max(_level(gone_wrong), _level(_latest_trick(began)[1]))


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
