"""A card without anything to read: face down. Told by its shape alone, and only where the whole of it is in sight."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from table.sight.geometry import PX_PER_MM, Points
from table.sight.rest import Mask

SHORT_MM: Final = (53.0, 68.0)
LONG_MM: Final = (82.0, 94.0)
"""Bridge and poker cards, and some."""
FILLED: Final = 0.9
"""The least share of its rectangle that a card fills: its corners are round, its edges hard to see."""


def card_shaped(changed: Mask) -> Points | None:
    """The outline (short side first) of the one card-shaped thing in a mask of the mark picture, or None."""
    kernel = np.ones((5, 5), np.uint8)
    whole = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, kernel)
    whole = cv2.morphologyEx(whole, cv2.MORPH_OPEN, kernel)
    contours, _ = cv2.findContours(whole, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    found = []
    for contour in contours:
        rectangle = cv2.minAreaRect(contour)
        short, long = sorted(side / PX_PER_MM for side in rectangle[1])
        if not (SHORT_MM[0] <= short <= SHORT_MM[1] and LONG_MM[0] <= long <= LONG_MM[1]):
            continue
        if cv2.contourArea(contour) < FILLED * rectangle[1][0] * rectangle[1][1]:
            continue
        found.append(np.asarray(cv2.boxPoints(rectangle), dtype=np.float64))
    if len(found) != 1:
        return None
    quad = found[0]
    first, second = np.hypot(*(quad[1] - quad[0])), np.hypot(*(quad[2] - quad[1]))
    return quad if first <= second else np.roll(quad, -1, axis=0)
