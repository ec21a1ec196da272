"""The order in which cards landed at about the same time, from stamps and from which lies on which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from table.observed_facts import MS
from table.tracking.imaging.card_registration import Grey
from table.tracking.imaging.quad_geometry import (
    MIN_OVERLAP_PX2,
    OUTLINE_ERROR_PX,
    box_centre,
    box_centre_is_inside,
    depths_inside,
    overlap_area,
)
from table.tracking.imaging.which_card_on_top import evidence_of_lying_above
from table.tracking.scene.tracked_card import TrackedCard

MAX_TIE_NS: Final = 400 * MS
"""Landings farther apart than this are certainly in order."""
_PLAIN_EVIDENCE: Final = 0.4
"""Evidence of lying above (-1 to 1, see `which_card_on_top`) that outweighs the stamps of the landings ..."""
_SOME_EVIDENCE: Final = 0.1
"""... and that decides where the stamps hardly differ."""
_MIN_MOSTLY_SHARE: Final = 0.6
"""Minimum share of a card that is in common with another if it lies mostly beneath, or upon, that one."""
_CLOSE_NS: Final = 50 * MS
"""Landings closer than this have no order by their stamps."""
_APART_NS: Final = 60 * MS
"""Landings this far apart have a plain order (of 120 ties of the tuning set none was decided the wrong way)."""
_P_EVEN: Final = 0.5
"""Confidence in an order without any evidence ..."""
_P_SURE: Final = 0.99
"""... and in one with plain evidence from the image or from the stamps."""


@dataclass(frozen=True, slots=True)
class Landing:
    """The landing of one card."""

    card: TrackedCard
    rest_index: int
    """Index, in the recent frames, of the first one in which the card lay at rest."""
    rest_ns: int
    """Stamp of that frame."""
    arrival_ns: int
    """Stamp since which the card was within a pixel of its place."""


def sort_landings(landings: Sequence[Landing], grey: Grey) -> list[Landing]:
    """Sort landings by time; of overlapping cards, the lower one comes before the upper one, and rests no later.

    Args:
        grey: the present mark image, with all of them at rest.
    """
    ordered = sorted(
        landings, key=lambda landing: (landing.rest_ns, landing.arrival_ns, landing.card.static_since_ns)
    )
    for k in range(len(ordered) - 1):
        for j in range(len(ordered) - 1 - k):
            first, then = ordered[j], ordered[j + 1]
            if then.rest_ns - first.rest_ns <= MAX_TIE_NS and _is_in_wrong_order(first, then, grey):
                ordered[j], ordered[j + 1] = replace(first, card=then.card, arrival_ns=then.arrival_ns), first
    return ordered


def _is_in_wrong_order(first: Landing, then: Landing, grey: Grey) -> bool:
    """Return whether ``first`` came after ``then``, though it was detected at rest no later."""
    if not cards_overlap(first.card, then.card):
        return False
    above = _evidence_above(first.card, then.card, grey)
    apart = then.arrival_ns - first.arrival_ns
    # Hands and shadows hide the lower card's first moments; its edges show where it lies.
    return (
        above >= _PLAIN_EVIDENCE
        or (above >= _SOME_EVIDENCE and max(abs(apart), then.rest_ns - first.rest_ns) <= _CLOSE_NS)
        or (apart < 0 and above > -_SOME_EVIDENCE)
    )


def _evidence_above(card: TrackedCard, other: TrackedCard, grey: Grey) -> float:
    """Return the evidence that ``card`` lies upon ``other``, -1 to 1."""
    if card.occluded_at_birth != other.occluded_at_birth:
        return 1.0 if other.occluded_at_birth else -1.0
    for upper, lower, told in ((card, other, 1.0), (other, card, -1.0)):
        if _was_on_its_way(upper, lower):
            return told
    shown, hidden = _index_inside(card, other), _index_inside(other, card)
    if (shown >= 1.0) != (hidden >= 1.0):
        return 1.0 if shown >= 1.0 else -1.0
    above = float(np.clip(evidence_of_lying_above(card.quad, other.quad, grey) + shown - hidden, -1.0, 1.0))
    mostly = overlap_area(card.quad, other.quad) >= _MIN_MOSTLY_SHARE * overlap_area(card.quad, card.quad)
    if not mostly or abs(above) >= _PLAIN_EVIDENCE:
        return above
    hides, is_hidden = _hides_indices(card, other), _hides_indices(other, card)
    if hides != is_hidden:
        return 1.0 if hides else -1.0
    if card.index_count and other.index_count:
        # Of a card that lies mostly beneath another, one corner is in sight at most.
        return above + _PLAIN_EVIDENCE * float(np.sign(card.index_count - other.index_count))
    return above


def _was_on_its_way(card: TrackedCard, other: TrackedCard) -> bool:
    """Return whether ``card`` was still carried when ``other``, at about the same time, was detected in place."""
    elsewhere_ns = card.last_moving_ns
    if elsewhere_ns is None or card.last_moved_ns or other.last_moved_ns:
        return False
    return other.static_since_ns <= elsewhere_ns <= other.static_since_ns + MAX_TIE_NS


def _hides_indices(card: TrackedCard, other: TrackedCard) -> bool:
    """Return whether ``card`` covers all indices of ``other``, which was read before ``card`` came and not since."""
    before = other.last_detected_ns < card.static_since_ns and bool(other.index_boxes)
    return before and all(box_centre_is_inside(spot, card.quad, 0.0) for spot in other.index_boxes)


def _index_inside(card: TrackedCard, other: TrackedCard) -> float:
    """Return how plainly (0 to 1) an index of ``card`` was read inside the outline of ``other`` while that was there.

    Measured by how deep inside the index's centre was, relative to the outlines' error: a lower card's is outside (of
    165 ties of the tuning set, by 1.6 px at least, while 156 upper ones showed one inside).
    """
    if card.last_detected_ns < other.first_detected_ns or not card.index_boxes:
        return 0.0
    inside = depths_inside(np.array([box_centre(spot) for spot in card.index_boxes]), other.quad)
    return float(np.clip(inside.max() / OUTLINE_ERROR_PX, 0.0, 1.0))


def cards_overlap(a: TrackedCard, b: TrackedCard) -> bool:
    """Return whether two cards overlap."""
    return overlap_area(a.quad, b.quad) >= MIN_OVERLAP_PX2


def is_plainly_above(card: TrackedCard, other: TrackedCard, grey: Grey) -> bool:
    """Return whether ``grey`` shows plainly that ``card`` lies upon ``other``."""
    return cards_overlap(card, other) and _evidence_above(card, other, grey) >= _PLAIN_EVIDENCE


@dataclass(frozen=True, slots=True)
class CardPlacement:
    """The cards beneath a card, with the confidence in that order."""

    beneath: tuple[TrackedCard, ...]
    """The cards that lie beneath it."""
    order_confidence: float | None
    """Confidence, 0.5..1, in the least certain order among cards that landed at the same time; None where none did."""


def find_cards_beneath(card: TrackedCard, others: Sequence[TrackedCard], grey: Grey) -> CardPlacement:
    """Return which overlapping ``others``, all there before ``card``, lie beneath it, with a confidence.

    It may have been slid under one of them.
    """
    under, least = [], None
    for other in others:
        if not cards_overlap(card, other):
            continue
        above = _evidence_above(other, card, grey)
        if above < _PLAIN_EVIDENCE:
            under.append(other)
        if abs(card.landed_ns - other.landed_ns) <= MAX_TIE_NS:
            told = (-above if above < _PLAIN_EVIDENCE else above) / _PLAIN_EVIDENCE
            if above < _PLAIN_EVIDENCE:  # (what lay first lies beneath)
                told = max(told, (card.landed_ns - other.landed_ns) / _APART_NS)
            sure = _P_EVEN + (_P_SURE - _P_EVEN) * min(1.0, max(0.0, told))
            least = sure if least is None else min(least, sure)
    return CardPlacement(tuple(under), least)
