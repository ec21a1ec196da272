"""Which of two overlapping cards lies on top, by what the picture shows.

The outline of the upper card runs unbroken through the lower one; the lower one's outline ends where it meets the
upper card. So along the part of each outline that runs inside the other card, the share of places with a step in
brightness (an edge, or the shadow that it throws) tells.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.sight.geometry import Points
from table.sight.rest import Grey

_EVERY_PX: Final = 1.5
_INSIDE_PX: Final = 5.0
"""Places nearer than this to the other card's own outline say nothing of theirs alone."""
_ACROSS_PX: Final = (-2.5, 0.0, 2.5)
_SLACK_PX: Final = (-2.0, -1.0, 0.0, 1.0, 2.0)
"""The outlines are known to within this."""
_STEP: Final = 5.0
"""Levels of brightness that make a step."""
_FEWEST: Final = 8
"""Fewer places than this along both outlines together decide nothing."""


def uppermost(first: Points, second: Points, grey: Grey) -> float:
    """Evidence that ``first`` lies upon ``second``: -1 (surely beneath) to 1 (surely above), 0: can't be told.

    Args:
        first, second: the cards' outlines, 4 x 2, in pixels of ``grey``.
        grey: the mark with both cards at rest.
    """
    smooth = np.asarray(cv2.GaussianBlur(grey, (3, 3), 0)).astype(np.float32)
    a, b = _broken(first, second, smooth), _broken(second, first, smooth)
    if a.size + b.size < _FEWEST:
        return 0.0
    # An outline of which nothing runs inside the other card says nothing: then the other one speaks alone.
    unbroken_a = float(a.mean()) if a.size >= _FEWEST / 2 else 1.0 - float(b.mean())
    unbroken_b = float(b.mean()) if b.size >= _FEWEST / 2 else 1.0 - float(a.mean())
    return unbroken_a - unbroken_b


def _broken(quad: Points, other: Points, smooth: NDArray[np.float32]) -> NDArray[np.bool_]:
    """For each place of ``quad``'s outline inside ``other``: whether there is a step of brightness across it."""
    contour = other.astype(np.float32)
    best: NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)
    sides = []
    for k in range(4):
        start, end = quad[k], quad[(k + 1) % 4]
        length = float(np.hypot(*(end - start)))
        share = np.arange(0.08, 0.92, _EVERY_PX / max(length, 1.0))
        along = start + share[:, None] * (end - start)
        inside = [cv2.pointPolygonTest(contour, (float(x), float(y)), True) > _INSIDE_PX for x, y in along]
        across = np.array([end[1] - start[1], start[0] - end[0]]) / max(length, 1.0)
        places = along[np.array(inside, dtype=np.bool_)]
        if len(places):
            sides.append((places, across))
    found = []
    for places, across in sides:
        # The side as a whole is shifted to where most steps are: it is straight, and known to a pixel or two.
        tries = [_steps(places + slack * across, across, smooth) for slack in _SLACK_PX]
        found.append(max(tries, key=lambda steps: float(steps.mean())))
    if found:
        best = np.concatenate(found)
    return best


def _steps(
    places: NDArray[np.float64], across: NDArray[np.float64], smooth: NDArray[np.float32]
) -> NDArray[np.bool_]:
    levels = []
    for off in _ACROSS_PX:
        at = np.rint(places + off * across).astype(np.intp)
        x = np.clip(at[:, 0], 0, smooth.shape[1] - 1)
        y = np.clip(at[:, 1], 0, smooth.shape[0] - 1)
        levels.append(smooth[y, x])
    low, high = np.min(levels, axis=0), np.max(levels, axis=0)
    return np.asarray(high - low >= _STEP)
