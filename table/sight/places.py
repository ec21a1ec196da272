"""Outlines and indices: which of them are at one place.

An outline is a card's four corners (TL, TR, BR, BL), an index the box in which one was read, both in mark pixels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.reader.sightings import Box
from table.sight.geometry import Points, angle_between

SAME_PLACE_PX: Final = 16.0
SAME_ANGLE_DEG: Final = 12.0
INDEX_ANGLE_DEG: Final = 25.0
"""By one index, of which part may be hidden, it is known to within this how a card is turned."""
OVERLAP_PX2: Final = 60.0
"""Outlines that have less in common (0.25 cm2) do not overlap: they are not known that well."""
ROUGHLY: Final = 0.6
"""What a card shares of its place, at least, with another reading of it, or with where it was pushed."""
KNOWN_PX: Final = 8.0
"""Outlines are known to within this."""
INDEX_AT: Final = (0.84, 0.81)
"""The middle of an index is so far out from a card's middle towards its long and short edges."""
INDEX_PX: Final = 20.0
"""Indices are where they should be to within this."""


def middle(quad: Points) -> tuple[float, float]:
    """The middle of an outline."""
    x, y = quad.mean(axis=0)
    return float(x), float(y)


def quad_angle(quad: Points) -> float:
    """The direction of a card's upward edge (BL to TL), degrees clockwise."""
    x, y = quad[0] - quad[3]
    return math.degrees(math.atan2(x, -y)) % 360.0


def same_place(a: Points, b: Points) -> bool:
    """Whether two outlines are one card's (a card turned by half is at the same place)."""
    apart = math.dist(tuple(a.mean(axis=0)), tuple(b.mean(axis=0)))
    return apart < SAME_PLACE_PX and turned_by(a, b) < SAME_ANGLE_DEG


def turned_by(a: Points, b: Points) -> float:
    """How much one outline is turned against another, degrees; half a turn shows the same."""
    return angle_between(2 * quad_angle(a), 2 * quad_angle(b)) / 2


def overlap(a: Points, b: Points) -> float:
    """The area (mark pixels squared) that two outlines have in common."""
    area, _ = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))
    return float(area)


def roughly_at(quad: Points, seen: Points) -> bool:
    """Whether a card so outlined has most of its place in common with what was ``seen``: it may be that, pushed."""
    return overlap(quad, seen) >= ROUGHLY * overlap(seen, seen)


def box_middle(box: Box) -> tuple[float, float]:
    """The middle of an index's box."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def within(spot: Box, quad: Points, by_px: float = -KNOWN_PX) -> bool:
    """Whether the middle of a box lies in an outline, as well as that is known; or by how much at least."""
    return bool(depths(np.array([box_middle(spot)]), quad)[0] > by_px)


def hide_each_other(quad: Points, spots: Sequence[Box], other: Points, other_spots: Sequence[Box]) -> bool:
    """Whether of two cards so outlined either, upon the other, would hide an index by which that was read.

    No picture shows both then.
    """
    return any(within(spot, other, 0.0) for spot in spots) and any(
        within(spot, quad, 0.0) for spot in other_spots
    )


def depths(points: Points, quad: Points) -> NDArray[np.float64]:
    """How far inside an outline each point (N x 2) is, mark pixels; less than 0 outside."""
    sides = np.roll(quad, -1, axis=0) - quad
    away = points[:, None] - quad
    across = sides[:, 0] * away[..., 1] - sides[:, 1] * away[..., 0]
    turns = np.sign(sides[0, 0] * sides[1, 1] - sides[0, 1] * sides[1, 0])
    return np.asarray((turns * across / np.hypot(*sides.T)).min(axis=1))


def corners_of(box: Box) -> Points:
    """A box as an outline."""
    x1, y1, x2, y2 = box
    return np.array([[x1, y1], [x2, y1], [x2, y2], [x1, y2]])


def one_spot(a: Box, b: Box, within_px: float = KNOWN_PX) -> bool:
    """Whether two indices were seen at one place."""
    return math.dist(box_middle(a), box_middle(b)) < within_px


def all_at(spots: Sequence[Box], others: Sequence[Box], within_px: float = KNOWN_PX) -> bool:
    """Whether there are ``spots``, each at the place of one of the ``others``."""
    return bool(spots) and all(any(one_spot(spot, other, within_px) for other in others) for spot in spots)


def index_off(quad: Points, spot: Box) -> float:
    """How far (mark pixels) an index was read from the nearest one, in any corner, of a card so outlined."""
    seen, centre = box_middle(spot), quad.mean(axis=0)
    along, across = (quad[1] - quad[0]) / 2, (quad[3] - quad[0]) / 2
    corners = (centre + a * INDEX_AT[0] * along + b * INDEX_AT[1] * across for a in (-1, 1) for b in (-1, 1))
    return min(math.dist(corner, seen) for corner in corners)


def has_index_at(quad: Points, spot: Box) -> bool:
    """Whether a card so outlined has an index, in any of its corners, about where one was read."""
    return index_off(quad, spot) < INDEX_PX
