"""Face-down cards: recognised by their shape alone, and only if the whole card is visible."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from table.table_geometry import PX_PER_MM, Points
from table.tracking.imaging.card_registration import Mask

SHORT_SIDE_MM: Final = (53.0, 68.0)
LONG_SIDE_MM: Final = (82.0, 94.0)
"""Ranges of the short and the long side: bridge and poker cards, with a tolerance."""
MIN_FILLED_SHARE: Final = 0.9
"""Minimum share of its bounding rectangle that a card fills: its corners are round, its edges faint."""


def find_card_shape(changed: Mask) -> Points | None:
    """Return the outline (short side first) of the only card-shaped object in a mask of the mark image, or None."""
    kernel = np.ones((5, 5), np.uint8)
    whole = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, kernel)
    whole = cv2.morphologyEx(whole, cv2.MORPH_OPEN, kernel)
    contours, _ = cv2.findContours(whole, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    found = []
    for contour in contours:
        rectangle = cv2.minAreaRect(contour)
        short, long = sorted(side / PX_PER_MM for side in rectangle[1])
        if not (SHORT_SIDE_MM[0] <= short <= SHORT_SIDE_MM[1] and LONG_SIDE_MM[0] <= long <= LONG_SIDE_MM[1]):
            continue
        if cv2.contourArea(contour) < MIN_FILLED_SHARE * rectangle[1][0] * rectangle[1][1]:
            continue
        found.append(np.asarray(cv2.boxPoints(rectangle), dtype=np.float64))
    if len(found) != 1:
        return None
    quad = found[0]
    first, second = np.hypot(*(quad[1] - quad[0])), np.hypot(*(quad[2] - quad[1]))
    return quad if first <= second else np.roll(quad, -1, axis=0)
