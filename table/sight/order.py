"""The order in which cards came that landed at about the same time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np

from table.facts import MS
from table.sight.layers import uppermost
from table.sight.places import KNOWN_PX, OVERLAP_PX2, box_middle, depths, overlap, within
from table.sight.rest import Grey
from table.sight.tracked import TrackedCard

SAME_TIME_NS: Final = 400 * MS
"""Landings farther apart than this are surely in order."""
_PLAIN: Final = 0.4
"""Evidence of lying above (-1 to 1, see `table.sight.layers`) that outweighs what was seen of the landings ..."""
_SOME: Final = 0.1
"""... and that decides where the landings hardly differ."""
_MOSTLY: Final = 0.6
"""The share of a card that lies mostly beneath, or upon, another."""
_CLOSE_NS: Final = 50 * MS
_APART_NS: Final = 60 * MS
"""Of landings so far apart it is plain which was first (of 120 ties of the tuning set none was told the wrong way)."""
_EVEN: Final = 0.5
"""So sure is an order for which nothing speaks ..."""
_SURE: Final = 0.99
"""... and for which picture or time speaks plainly."""


@dataclass(frozen=True, slots=True)
class Landing:
    """When a card landed."""

    card: TrackedCard
    rest: int
    """The position, in the recent moments, of the first one in which it lay at rest, ..."""
    rest_ns: int
    """... and its stamp."""
    arrival_ns: int
    """Since when it was within a pixel of its place."""


def in_order(landings: Sequence[Landing], grey: Grey) -> list[Landing]:
    """The landings in order; of cards that overlap, the lower one before the upper, and at rest no later than it.

    Args:
        grey: the mark now, with all of them at rest.
    """
    ordered = sorted(landings, key=lambda one: (one.rest_ns, one.arrival_ns, one.card.there_ns))
    for k in range(len(ordered) - 1):
        for j in range(len(ordered) - 1 - k):
            first, then = ordered[j], ordered[j + 1]
            if then.rest_ns - first.rest_ns <= SAME_TIME_NS and _was_later(first, then, grey):
                ordered[j], ordered[j + 1] = replace(first, card=then.card, arrival_ns=then.arrival_ns), first
    return ordered


def upon_one_another(landings: Sequence[Landing]) -> bool:
    """Whether several cards landed shortly after one another, each upon the one before (given in order)."""
    pairs = list(pairwise(landings))
    return bool(pairs) and all(
        then.rest_ns - first.rest_ns <= SAME_TIME_NS
        and overlapping(first.card, then.card)
        and first.card.without is not None
        and then.card.without is not None
        for first, then in pairs
    )


def _was_later(first: Landing, then: Landing, grey: Grey) -> bool:
    """Whether ``first`` came after ``then``, though it was found at rest no later."""
    if not overlapping(first.card, then.card):
        return False
    above = _above(first.card, then.card, grey)
    apart = then.arrival_ns - first.arrival_ns
    # Hands and shadows hide the lower card's first moments; its edges show where it lies.
    return (
        above >= _PLAIN
        or (above >= _SOME and max(abs(apart), then.rest_ns - first.rest_ns) <= _CLOSE_NS)
        or (apart < 0 and above > -_SOME)
    )


def _above(card: TrackedCard, other: TrackedCard, grey: Grey) -> float:
    """Evidence that ``card`` lies upon ``other``, -1 to 1."""
    if card.buried != other.buried:
        return 1.0 if other.buried else -1.0
    for upper, lower, told in ((card, other, 1.0), (other, card, -1.0)):
        if _was_on_its_way(upper, lower):
            return told
    shown, hidden = _shows_upon(card, other), _shows_upon(other, card)
    if (shown >= 1.0) != (hidden >= 1.0):
        return 1.0 if shown >= 1.0 else -1.0
    above = float(np.clip(uppermost(card.quad, other.quad, grey) + shown - hidden, -1.0, 1.0))
    mostly = overlap(card.quad, other.quad) >= _MOSTLY * overlap(card.quad, card.quad)
    if not mostly or abs(above) >= _PLAIN:
        return above
    hides, is_hidden = _hides(card, other), _hides(other, card)
    if hides != is_hidden:
        return 1.0 if hides else -1.0
    if card.corners and other.corners:
        # Of a card that lies mostly beneath another, one corner is in sight at most.
        return above + _PLAIN * float(np.sign(card.corners - other.corners))
    return above


def _was_on_its_way(card: TrackedCard, other: TrackedCard) -> bool:
    """Whether a ``card`` was read on its way when ``other``, at about the same time, was read where it lies."""
    elsewhere_ns = card.elsewhere_ns
    if elsewhere_ns is None or card.moved_ns or other.moved_ns:
        return False
    return other.there_ns <= elsewhere_ns <= other.there_ns + SAME_TIME_NS


def _hides(card: TrackedCard, other: TrackedCard) -> bool:
    """Whether ``other`` was read before a ``card`` was there that lies over all it was read by, and not since."""
    before = other.read_ns < card.there_ns and bool(other.indices)
    return before and all(within(spot, card.quad, 0.0) for spot in other.indices)


def _shows_upon(card: TrackedCard, other: TrackedCard) -> float:
    """How plainly, 0 to 1, an index of ``card`` was read, with ``other`` there, in that one's place.

    By how far inside its middle was, as well as outlines are known: a lower card's is outside (of 165 ties of
    the tuning set, by 1.6 px at least, while 156 upper ones showed one inside).
    """
    if card.read_ns < other.first_ns or not card.indices:
        return 0.0
    inside = depths(np.array([box_middle(spot) for spot in card.indices]), other.quad)
    return float(np.clip(inside.max() / KNOWN_PX, 0.0, 1.0))


def overlapping(a: TrackedCard, b: TrackedCard) -> bool:
    """Whether two cards overlap."""
    return overlap(a.quad, b.quad) >= OVERLAP_PX2


def plainly_above(card: TrackedCard, other: TrackedCard, grey: Grey) -> bool:
    """Whether ``grey`` shows plainly that ``card`` lies upon ``other``."""
    return overlapping(card, other) and _above(card, other, grey) >= _PLAIN


@dataclass(frozen=True, slots=True)
class Lies:
    """How a card lies among others."""

    beneath: tuple[TrackedCard, ...]
    """Those that lie beneath it."""
    sure: float | None
    """How sure that is, 0.5..1, of the least sure of those that came at the same time; None where none did."""


def lies_among(card: TrackedCard, others: Sequence[TrackedCard], grey: Grey) -> Lies:
    """Which of the ``others``, all there before ``card``, lie beneath it (it may have been slid under one)."""
    under, least = [], None
    for other in others:
        if not overlapping(card, other):
            continue
        above = _above(other, card, grey)
        if above < _PLAIN:
            under.append(other)
        if abs(card.rest_ns - other.rest_ns) <= SAME_TIME_NS:
            told = (-above if above < _PLAIN else above) / _PLAIN
            if above < _PLAIN:  # (what lay first lies beneath)
                told = max(told, (card.rest_ns - other.rest_ns) / _APART_NS)
            sure = _EVEN + (_SURE - _EVEN) * min(1.0, max(0.0, told))
            least = sure if least is None else min(least, sure)
    return Lies(tuple(under), least)
