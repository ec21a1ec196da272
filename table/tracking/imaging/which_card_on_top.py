"""Overlap order: which of two overlapping cards lies on top, by their edges in the image.

The outline of the upper card runs unbroken through the lower one; the lower one's outline ends where it meets the
upper card. So the evidence is the share of each outline, where it runs inside the other card, that has a step from a
bright card to the shadow at its edge.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.table_geometry import Points, polygon_mask
from table.tracking.imaging.card_registration import Grey
from table.tracking.imaging.quad_geometry import depths_inside

_EVERY_PX: Final = 1.5
"""Distance of the samples along an outline."""
_INSIDE_PX: Final = (5.0, 2.0)
"""Samples must be this deep inside the other card, away from that one's own outline; where the two have only a corner
in common, and too few samples are that deep, the second value counts."""
_ACROSS_PX: Final = 2.5
"""Distance from the outline at which the inside and the outside are sampled."""
_SLACK_PX: Final = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
"""Shifts of a side that are tried: the error of the outlines."""
_FULL_STEP: Final = 6.0
"""Difference in levels of a full step."""
_MIN_PAPER_LIGHTNESS: Final = 0.65
"""Minimum lightness of paper relative to the common area's; darker pixels are print, which has steps of its own, while
a card's shadow upon another one is lighter. (Of 278 ties of the tuning set 270 are told plainly and none plainly wrong;
with the print 263, and one.)"""
_PRINT_KERNEL: Final = np.ones((3, 3), np.uint8)
"""Kernel of the pixels near print, which are blurred by it."""
_MIN_SAMPLES: Final = 8
"""Minimum number of samples along both outlines together."""


def evidence_of_lying_above(first: Points, second: Points, grey: Grey) -> float:
    """Return the evidence that ``first`` lies upon ``second``: -1 (surely beneath) to 1 (surely above), 0 unknown.

    Args:
        first, second: the cards' outlines, 4 x 2, in pixels of ``grey``.
        grey: the mark image with both cards at rest.
    """
    smooth = np.asarray(cv2.GaussianBlur(grey, (3, 3), 0)).astype(np.float32)
    common = smooth[(polygon_mask(first) & polygon_mask(second)) > 0]
    least = _MIN_PAPER_LIGHTNESS * float(np.percentile(common, 80)) if common.size else 0.0
    paper = np.asarray(cv2.erode(smooth, _PRINT_KERNEL)) >= least
    for inside_px in _INSIDE_PX:
        a = _edge_steps(first, second, smooth, inside_px, paper)
        b = _edge_steps(second, first, smooth, inside_px, paper)
        if a.size + b.size >= _MIN_SAMPLES:
            break
    else:
        return 0.0
    # An outline of which nothing runs inside the other card says nothing: then the other one speaks alone.
    edge_a = float(a.mean()) if a.size else 0.0
    edge_b = float(b.mean()) if b.size else 0.0
    return edge_a - edge_b


def _edge_steps(
    quad: Points, other: Points, smooth: NDArray[np.float32], inside_px: float, paper: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """Return how much brighter it is inside than outside ``quad``'s outline, -1 to 1, at samples within ``other``.

    A card is brighter than the shadow at its edge; samples that are not ``paper``, or near print, are left out.
    """
    centre = quad.mean(axis=0)
    found = [np.zeros(0, dtype=np.float32)]
    for k in range(4):
        start, end = quad[k], quad[(k + 1) % 4]
        length = max(float(np.hypot(*(end - start))), 1.0)
        along = start + np.arange(0.08, 0.92, _EVERY_PX / length)[:, None] * (end - start)
        places = along[depths_inside(along, other) > inside_px]
        if not len(places):
            continue
        outward = np.array([end[1] - start[1], start[0] - end[0]]) / length
        if float(outward @ ((start + end) / 2 - centre)) < 0:
            outward = -outward
        # The side as a whole is shifted to where most steps are: it is straight, and known to a pixel or two.
        tries = _steps(places + _SLACK_PX[:, None, None] * outward, outward, smooth, paper)
        found.append(max(tries, key=lambda steps: float(steps.mean()) if steps.size else -1.0))
    return np.concatenate(found)


def _steps(
    places: NDArray[np.float64],
    outward: NDArray[np.float64],
    smooth: NDArray[np.float32],
    paper: NDArray[np.bool_],
) -> list[NDArray[np.float32]]:
    """Return the steps, -1 to 1, at those samples of each row of ``places`` (rows x n x 2) that are paper."""
    off = np.array([-_ACROSS_PX, _ACROSS_PX])[:, None, None, None] * outward
    at = np.rint(places + off).astype(np.intp)
    x, y = (np.clip(at[..., k], 0, smooth.shape[1 - k] - 1) for k in (0, 1))
    within, without = smooth[y, x]
    steps = np.clip((within - without) / _FULL_STEP, -1.0, 1.0).astype(np.float32)
    shown = np.asarray(paper[y, x]).all(axis=0)
    return [row[there] for row, there in zip(steps, np.asarray(shown), strict=True)]
