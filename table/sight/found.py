"""Sightings: what the reader saw of a card in one picture, as sight takes it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from table.facts import Reading
from table.reader.sightings import Box, Sighting
from table.sight.geometry import MARK_PX, Points, card_quad
from table.sight.places import (
    INDEX_PX,
    box_middle,
    has_index_at,
    hide_each_other,
    middle,
    one_spot,
    quad_angle,
    same_place,
)

JOKER: Final = "JOKER"
INDICES_APART_PX: Final = (84.0, 113.0, 141.0)
"""Two indices of one card are so far apart: beside each other, above each other, across the card."""
ONE_SIDE_PX: Final = 127.0
"""Two indices so near to each other are of one side of a card."""
TWIN: Final = 0.02
"""A reading this likely is preferred to a second card of the same name."""
ONE_CARD_PX: Final = 175.0
"""Two corners of one card are never farther apart than its diagonal."""
UNTOLD: Final = 0.001
"""A reading that a sighting does not list is no likelier than this."""


@dataclass(frozen=True, slots=True)
class Found:
    """One sighting, as the pile takes it."""

    readings: tuple[Reading, ...]
    quad: Points
    box: Box
    spots: tuple[Box, ...]
    """What it was read by; never empty."""
    side: int = 0
    """1 where its indices stand as printed, -1 as in a mirror, 0 not known."""

    @property
    def name(self) -> str:
        """The likeliest card."""
        return self.readings[0].card

    @property
    def likely(self) -> set[str]:
        """The cards that it may be read as."""
        return {reading.card for reading in self.readings if reading.confidence >= TWIN}

    @property
    def centre(self) -> tuple[float, float]:
        """The card's centre, mark pixels."""
        return middle(self.quad)

    @property
    def angle(self) -> float:
        """The outline's direction, clockwise, 0 is upright."""
        return quad_angle(self.quad)

    @property
    def one_sided(self) -> bool:
        """Whether it was read by indices of one side alone."""
        return all(
            math.dist(box_middle(a), box_middle(b)) < ONE_SIDE_PX for a, b in combinations(self.spots, 2)
        )

    @property
    def across(self) -> Points:
        """The outline if its indices, of one side alone, are of the card's other side."""
        right = (self.quad[1] - self.quad[0]) / max(1e-9, math.dist(self.quad[1], self.quad[0]))
        out = np.mean([box_middle(spot) for spot in self.spots], axis=0) - self.quad.mean(axis=0)
        return np.asarray(self.quad + 2 * float(out @ right) * right)

    def other_side(self, quad: Points) -> bool:
        """Whether this takes indices of a card that lies so for those of its other side: it is placed elsewhere."""
        elsewhere = self.one_sided and not same_place(self.quad, quad)
        return elsewhere and all(has_index_at(quad, spot) for spot in self.spots)


def take(sightings: Iterable[Sighting], joker_is_card: bool, corner: tuple[int, int] = (0, 0)) -> list[Found]:
    """The detector's sightings as ``Found``: within the square, one for each card, the surest first.

    ``corner``: where, in the mark picture, the upper left corner of the picture is that they were seen in.
    """
    left, top = corner
    found: list[Found] = []
    ordered = sorted(sightings, key=lambda one: -(one.readings[0].confidence if one.readings else 0.0))
    for sighting in ordered:
        readings = tuple(
            Reading(one.card, float(one.confidence))
            for one in sighting.readings
            if joker_is_card or one.card != JOKER
        )
        if not readings or readings[0].card != sighting.readings[0].card:
            continue
        box, *spots = (
            (x1 + left, y1 + top, x2 + left, y2 + top)
            for x1, y1, x2, y2 in (sighting.box, *(sighting.spots or [sighting.box]))
        )
        if sighting.quad is not None:
            quad = np.asarray(sighting.quad, dtype=np.float64) + (left, top)
        else:
            quad = card_quad(box_middle(box), sighting.angle_deg)
        seen = Found(readings, quad, box, tuple(spots), sighting.side)
        x, y = seen.centre
        if not (0 <= x < MARK_PX and 0 <= y < MARK_PX):
            continue
        if any(
            other.name == seen.name and math.dist(other.centre, seen.centre) < ONE_CARD_PX for other in found
        ):
            continue
        found.append(seen)
    return found


def merge_corners(found: Sequence[Found]) -> list[Found]:
    """The sightings of one picture, with those that can only be corners of one card merged into one.

    Two cards at one place would hide each other's indices, so no picture shows both, however surely each was read:
    one corner is half covered, and what is left of it looks like another card (half a 9 like a 4).
    """
    merged: list[Found] = []
    for one in found:
        card = next((other for other in merged if _are_one(other, one)), None)
        if card is None:
            merged.append(one)
        else:
            merged[merged.index(card)] = _merged(card, one)
    return merged


def _are_one(one: Found, other: Found) -> bool:
    """Whether two sightings of one picture are of one card, whatever they read."""
    return same_place(one.quad, other.quad) and hide_each_other(one.quad, one.spots, other.quad, other.spots)


def _merged(one: Found, other: Found) -> Found:
    """One card of two sightings: the place between both, and the product of what they read."""
    upright = min(
        (other.quad, np.roll(other.quad, 2, axis=0)), key=lambda quad: float(np.abs(quad - one.quad).sum())
    )
    quad = (one.quad + upright) / 2
    corners = np.vstack([quad, *(np.reshape(box, (2, 2)) for box in (one.box, other.box))])
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    chances = [{reading.card: reading.confidence for reading in each.readings} for each in (one, other)]
    likely = {
        card: math.prod(max(UNTOLD, each.get(card, 0.0)) for each in chances)
        for card in {card: None for each in chances for card in each}
    }
    total = sum(likely.values())
    best = sorted(likely, key=lambda card: -likely[card])[: max(map(len, chances))]
    return Found(
        tuple(Reading(card, likely[card] / total) for card in best),
        np.asarray(quad),
        (float(left), float(top), float(right), float(bottom)),
        (*one.spots, *other.spots),
    )


def may_be_one(one: Found, other: Found) -> bool:
    """Whether two sightings of one picture may be of one card, read differently.

    Its corners are so far apart; or they may be read alike, and each would hide what was read of the other.
    """
    alike = one.name in other.likely or other.name in one.likely
    if alike and hide_each_other(one.quad, one.spots, other.quad, other.spots):
        return True
    for card, rest in ((one, other), (other, one)):
        if not card.one_sided:  # (then it is known where its other corners are)
            return all(
                has_index_at(card.quad, spot)
                and not any(one_spot(spot, mine, INDEX_PX) for mine in card.spots)
                for spot in rest.spots
            )
    middles = [box_middle(spot) for spot in (*one.spots, *other.spots)]
    return all(
        any(abs(math.dist(a, b) - apart) <= INDEX_PX for apart in INDICES_APART_PX)
        for a, b in combinations(middles, 2)
    )
