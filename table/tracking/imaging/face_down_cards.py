"""Cards without a readable face: recognized by their shape and their edges, wholly in sight or partly covered."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

import cv2
import numpy as np

from table.table_geometry import CARD_MM, MARK_PX, PX_PER_MM, Points, card_quad, polygon_mask
from table.tracking.imaging.card_registration import Grey
from table.tracking.imaging.motion_detection import Mask
from table.tracking.imaging.outline_refinement import MIN_EDGE_SHARE, edge_share, refine_outline
from table.tracking.imaging.quad_geometry import same_place

MIN_SHAPE_MATCH: Final = 0.75
"""Minimum intersection over union of an unexplained region with what would be in sight of the card."""
_SHORT_PX, _LONG_PX = (side * PX_PER_MM for side in CARD_MM)
_MIN_AREA_PX2: Final = 0.15 * _SHORT_PX * _LONG_PX
"""Minimum area of a region that is judged."""
_KERNEL: Final = np.ones((7, 7), np.uint8)


def find_card_shapes(unexplained: Mask, known: Mask, grey: Grey) -> list[Points]:
    """Return the outlines of cards that explain regions of the mark image.

    Args:
        unexplained: the pixels that neither the known cards nor the background explain.
        known: the pixels of known cards; the others lie upon those or reach beneath them.
        grey: the mark image.

    Returns:
        One outline (TL, TR, BR, BL, mark pixels, short side first) for each region that a card within the image
        explains: their intersection over union is large, and most of its outline is an edge.
    """
    upon = _find_shapes(unexplained, np.zeros_like(known), grey)
    beneath = _find_shapes(unexplained & ~known, known, grey)
    return upon + [quad for quad in beneath if not any(same_place(quad, other) for other in upon)]


def _find_shapes(unexplained: Mask, covered: Mask, grey: Grey) -> list[Points]:
    """Return the outlines of cards that explain regions, with the pixels in ``covered`` out of sight."""
    whole = cv2.morphologyEx(unexplained, cv2.MORPH_CLOSE, _KERNEL)
    whole = cv2.morphologyEx(whole, cv2.MORPH_OPEN, _KERNEL)
    contours, _ = cv2.findContours(whole, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    found = []
    for contour in contours:
        if cv2.contourArea(contour) < _MIN_AREA_PX2:
            continue
        region = np.zeros_like(unexplained)
        cv2.fillPoly(region, [contour], 255)
        region &= ~covered
        guess = max(_candidates(contour), key=lambda quad: _shape_match(quad, region, covered))
        quad = refine_outline(guess, grey)
        if (
            bool(((quad >= 0) & (quad < MARK_PX)).all())
            and _shape_match(quad, region, covered) >= MIN_SHAPE_MATCH
            and edge_share(quad, grey) >= MIN_EDGE_SHARE
        ):
            found.append(quad)
    return found


def _candidates(contour: cv2.typing.MatLike) -> Iterator[Points]:
    """Yield the outlines of cards along the region's bounding rectangle: in its middle, or flush with its sides."""
    (x, y), (width, height), angle = cv2.minAreaRect(contour)
    radians = np.radians(angle)
    right = np.array([np.cos(radians), np.sin(radians)])
    down = np.array([-right[1], right[0]])
    for turn, across, along in ((0.0, _SHORT_PX, _LONG_PX), (90.0, _LONG_PX, _SHORT_PX)):
        for aside, below in product((-0.5, 0.0, 0.5), repeat=2):
            centre = (x, y) + aside * (width - across) * right + below * (height - along) * down
            yield card_quad((float(centre[0]), float(centre[1])), angle + turn)


def _shape_match(quad: Points, region: Mask, covered: Mask) -> float:
    """Return the intersection over union of a region with the part of a card that is in sight."""
    shown = polygon_mask(quad) & ~covered
    return cv2.countNonZero(shown & region) / max(1, cv2.countNonZero(shown | region))
