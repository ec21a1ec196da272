"""Detections as tracking uses them: converted from the detector's output, merged and compared."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from table.detection.card_detections import Box, CardDetection
from table.observed_facts import Reading
from table.table_geometry import MARK_PX, Points, card_quad
from table.tracking.imaging.quad_geometry import (
    INDEX_ERROR_PX,
    box_centre,
    boxes_coincide,
    has_index_at,
    quad_angle,
    quad_centre,
    same_place,
    would_hide_each_other,
)

JOKER: Final = "JOKER"
"""The name of the joker."""
INDEX_DISTANCES_PX: Final = (84.0, 113.0, 141.0)
"""Distances between two indices of one card: beside each other, above each other, across the card."""
MAX_ONE_SIDE_DISTANCE_PX: Final = 127.0
"""Two indices closer than this are on the same side of a card."""
P_POSSIBLE: Final = 0.02
"""Minimum probability of a possible identity: such a reading is preferred to a second card of the same name."""
P_UNLISTED: Final = 0.001
"""Maximum probability of a name that a detection does not list."""


@dataclass(frozen=True, slots=True)
class Detection:
    """One detected card in one image."""

    readings: tuple[Reading, ...]
    """Possible cards with their probabilities, best first."""
    quad: Points
    """Estimated outline, TL, TR, BR, BL, mark pixels."""
    box: Box
    """Bounding box of the detection, mark pixels."""
    index_boxes: tuple[Box, ...]
    """Boxes of the indices by which the card was read; never empty."""
    handedness: int = 0
    """Handedness of the indices: 1 as printed, -1 mirrored, 0 unknown."""

    @property
    def name(self) -> str:
        """The likeliest card."""
        return self.readings[0].card

    @property
    def possible_names(self) -> set[str]:
        """The possible cards: all with at least a minimum probability."""
        return {reading.card for reading in self.readings if reading.confidence >= P_POSSIBLE}

    @property
    def centre(self) -> tuple[float, float]:
        """The card's centre, mark pixels."""
        return quad_centre(self.quad)

    @property
    def angle(self) -> float:
        """Direction of the outline, degrees clockwise; 0 is upright."""
        return quad_angle(self.quad)

    @property
    def has_one_sided_indices(self) -> bool:
        """Whether all indices are on one side of the card, which leaves open on which."""
        return all(
            math.dist(box_centre(a), box_centre(b)) < MAX_ONE_SIDE_DISTANCE_PX
            for a, b in combinations(self.index_boxes, 2)
        )

    @property
    def opposite_side_quad(self) -> Points:
        """The alternative outline if the one-sided indices are on the card's other side."""
        right = (self.quad[1] - self.quad[0]) / max(1e-9, math.dist(self.quad[1], self.quad[0]))
        out = np.mean([box_centre(spot) for spot in self.index_boxes], axis=0) - self.quad.mean(axis=0)
        return np.asarray(self.quad + 2 * float(out @ right) * right)

    def assumes_wrong_side_of(self, quad: Points) -> bool:
        """Return whether this one-sided detection has the indices of a card at ``quad`` but assumes the wrong side."""
        elsewhere = self.has_one_sided_indices and not same_place(self.quad, quad)
        return elsewhere and all(has_index_at(quad, spot) for spot in self.index_boxes)


def convert_detections(
    sightings: Iterable[CardDetection], joker_is_card: bool, corner: tuple[int, int] = (0, 0)
) -> list[Detection]:
    """Convert the detector's output to detections within the mark image: one for each card, best first.

    ``corner``: position, in the mark image, of the upper left corner of the window that the detector saw.
    """
    left, top = corner
    found: list[Detection] = []
    ordered = sorted(
        sightings, key=lambda sighting: -(sighting.readings[0].confidence if sighting.readings else 0.0)
    )
    for sighting in ordered:
        readings = tuple(
            Reading(reading.card, float(reading.confidence))
            for reading in sighting.readings
            if joker_is_card or reading.card != JOKER
        )
        if not readings or readings[0].card != sighting.readings[0].card:
            continue
        box, *spots = (
            (x1 + left, y1 + top, x2 + left, y2 + top)
            for x1, y1, x2, y2 in (sighting.box, *(sighting.index_boxes or [sighting.box]))
        )
        if sighting.quad is not None:
            quad = np.asarray(sighting.quad, dtype=np.float64) + (left, top)
        else:
            quad = card_quad(box_centre(box), sighting.angle_deg)
        seen = Detection(readings, quad, box, tuple(spots), sighting.index_side)
        x, y = seen.centre
        if not (0 <= x < MARK_PX and 0 <= y < MARK_PX):
            continue
        found.append(seen)
    return found


def merge_corners(found: Sequence[Detection]) -> list[Detection]:
    """Merge detections of one image that can only be corners of one card.

    Two cards at one place would hide each other's indices, so no picture shows both, however surely each was read:
    one corner is half covered, and what is left of it looks like another card (half a 9 like a 4).
    """
    merged: list[Detection] = []
    for detection in found:
        card = next((other for other in merged if _must_be_same_card(other, detection)), None)
        if card is None:
            merged.append(detection)
        else:
            merged[merged.index(card)] = _merge(card, detection)
    return merged


def _must_be_same_card(detection: Detection, other: Detection) -> bool:
    """Return whether two detections of one image must be one card, whatever their readings."""
    return same_place(detection.quad, other.quad) and would_hide_each_other(
        detection.quad, detection.index_boxes, other.quad, other.index_boxes
    )


def _merge(detection: Detection, other: Detection) -> Detection:
    """Merge two detections of one card: the mean outline, and the product of the readings."""
    upright = min(
        (other.quad, np.roll(other.quad, 2, axis=0)),
        key=lambda quad: float(np.abs(quad - detection.quad).sum()),
    )
    quad = (detection.quad + upright) / 2
    corners = np.vstack([quad, *(np.reshape(box, (2, 2)) for box in (detection.box, other.box))])
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    chances = [{reading.card: reading.confidence for reading in each.readings} for each in (detection, other)]
    # Each index is a look of its own: two of the card on top outweigh the one that peeks out beneath it.
    looks = len(detection.index_boxes), len(other.index_boxes)
    likely = {
        card: math.prod(
            max(P_UNLISTED, each.get(card, 0.0)) ** count for each, count in zip(chances, looks, strict=True)
        )
        for card in {card: None for each in chances for card in each}
    }
    total = sum(likely.values())
    best = sorted(likely, key=lambda card: -likely[card])[: max(map(len, chances))]
    return Detection(
        tuple(Reading(card, likely[card] / total) for card in best),
        np.asarray(quad),
        (float(left), float(top), float(right), float(bottom)),
        (*detection.index_boxes, *other.index_boxes),
    )


def may_be_same_card(detection: Detection, other: Detection) -> bool:
    """Return whether two detections of one image may be corners of one card with different readings.

    Either their indices have the distances of indices of one card; or the readings have a name in common, and each
    card would hide the other's indices.
    """
    alike = detection.name in other.possible_names or other.name in detection.possible_names
    if alike and would_hide_each_other(detection.quad, detection.index_boxes, other.quad, other.index_boxes):
        return True
    for card, rest in ((detection, other), (other, detection)):
        if not card.has_one_sided_indices:  # (then it is known where its other corners are)
            return all(
                has_index_at(card.quad, spot)
                and not any(boxes_coincide(spot, mine, INDEX_ERROR_PX) for mine in card.index_boxes)
                for spot in rest.index_boxes
            )
    middles = [box_centre(spot) for spot in (*detection.index_boxes, *other.index_boxes)]
    return all(
        any(abs(math.dist(a, b) - apart) <= INDEX_ERROR_PX for apart in INDEX_DISTANCES_PX)
        for a, b in combinations(middles, 2)
    )
