"""Geometry of outlines and index boxes: comparison of places, angles and overlap.

An outline is a card's four corners (TL, TR, BR, BL), an index the box in which one was read, both in mark pixels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.detection.card_detections import Box
from table.directions import angle_between
from table.table_geometry import Points

MAX_SAME_PLACE_PX: Final = 16.0
"""Maximum distance between the centres of two outlines of one card at one place ..."""
MAX_SAME_ANGLE_DEG: Final = 12.0
"""... and maximum angle between them."""
INDEX_ANGLE_ERROR_DEG: Final = 25.0
"""Error of a card's angle if it is known by one index, of which part may be hidden."""
MIN_OVERLAP_PX2: Final = 60.0
"""Minimum common area (0.25 cm2) of outlines that overlap: they are not known more accurately."""
OUTLINE_ERROR_PX: Final = 8.0
"""Error of outlines."""
INDEX_POSITION: Final = (0.84, 0.81)
"""Position of an index's centre: share of the way from the card's centre to its long and short edges."""
INDEX_ERROR_PX: Final = 20.0
"""Error of the position of indices."""


def quad_centre(quad: Points) -> tuple[float, float]:
    """Return the centre of an outline."""
    x, y = quad.mean(axis=0)
    return float(x), float(y)


def quad_angle(quad: Points) -> float:
    """Return the direction of a card's upward edge (BL to TL), degrees clockwise."""
    x, y = quad[0] - quad[3]
    return math.degrees(math.atan2(x, -y)) % 360.0


def same_place(a: Points, b: Points) -> bool:
    """Return whether two outlines may be one card's (half a turn makes no difference)."""
    apart = math.dist(tuple(a.mean(axis=0)), tuple(b.mean(axis=0)))
    return apart < MAX_SAME_PLACE_PX and rotation_between(a, b) < MAX_SAME_ANGLE_DEG


def rotation_between(a: Points, b: Points) -> float:
    """Return the angle between two outlines, degrees; half a turn makes no difference."""
    return angle_between(2 * quad_angle(a), 2 * quad_angle(b)) / 2


def overlap_area(a: Points, b: Points) -> float:
    """Return the common area (mark pixels squared) of two outlines."""
    area, _ = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))
    return float(area)


def box_centre(box: Box) -> tuple[float, float]:
    """Return the centre of an index box."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def box_centre_is_inside(spot: Box, quad: Points, by_px: float = -OUTLINE_ERROR_PX) -> bool:
    """Return whether a box's centre is deeper than ``by_px`` inside an outline; by default its error is allowed for."""
    return bool(depths_inside(np.array([box_centre(spot)]), quad)[0] > by_px)


def would_hide_each_other(
    quad: Points, spots: Sequence[Box], other: Points, other_spots: Sequence[Box]
) -> bool:
    """Return whether each of two cards, if upon the other, would hide an index by which that was read.

    No picture shows both then.
    """
    return any(box_centre_is_inside(spot, other, 0.0) for spot in spots) and any(
        box_centre_is_inside(spot, quad, 0.0) for spot in other_spots
    )


def depths_inside(points: Points, quad: Points) -> NDArray[np.float64]:
    """Return how deep inside an outline each point (N x 2) is, mark pixels; negative outside."""
    sides = np.roll(quad, -1, axis=0) - quad
    away = points[:, None] - quad
    across = sides[:, 0] * away[..., 1] - sides[:, 1] * away[..., 0]
    turns = np.sign(sides[0, 0] * sides[1, 1] - sides[0, 1] * sides[1, 0])
    return np.asarray((turns * across / np.hypot(*sides.T)).min(axis=1))


def box_corners(box: Box) -> Points:
    """Return a box as an outline."""
    x1, y1, x2, y2 = box
    return np.array([[x1, y1], [x2, y1], [x2, y2], [x1, y2]])


def boxes_coincide(a: Box, b: Box, within_px: float = OUTLINE_ERROR_PX) -> bool:
    """Return whether two index boxes coincide."""
    return math.dist(box_centre(a), box_centre(b)) < within_px


def all_boxes_coincide(
    spots: Sequence[Box], others: Sequence[Box], within_px: float = OUTLINE_ERROR_PX
) -> bool:
    """Return whether each of ``spots`` coincides with one of ``others``; False without any."""
    return bool(spots) and all(
        any(boxes_coincide(spot, other, within_px) for other in others) for spot in spots
    )


def distance_to_index(quad: Points, spot: Box) -> float:
    """Return the distance (mark pixels) of an index box from the nearest corner index that an outline would have."""
    seen, centre = box_centre(spot), quad.mean(axis=0)
    along, across = (quad[1] - quad[0]) / 2, (quad[3] - quad[0]) / 2
    corners = (
        centre + a * INDEX_POSITION[0] * along + b * INDEX_POSITION[1] * across
        for a in (-1, 1)
        for b in (-1, 1)
    )
    return min(math.dist(corner, seen) for corner in corners)


def has_index_at(quad: Points, spot: Box) -> bool:
    """Return whether an outline has one of its corner indices near an index box."""
    return distance_to_index(quad, spot) < INDEX_ERROR_PX
