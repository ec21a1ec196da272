"""Edge fit: refines the outline of a card to its visible edges.

The detector reads a card by its corner indices, and estimates the outline from them: good to a centimetre and some
degrees. A card is brighter along its edge than what lies just outside, be it the table or the shadow that its edge
throws on a card beneath; the outline is moved to where that holds best.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.detection.card_detections import Box
from table.table_geometry import Points
from table.tracking.imaging.card_registration import Grey

MAX_SHIFT_PX: Final = 15
"""Maximum shift of the outline, mark pixels."""
MAX_ROTATION_DEG: Final = 12
"""Maximum rotation of the outline."""
_ALONG: Final = np.linspace(0.09, 0.91, 18, dtype=np.float32)
"""Positions of the samples along a side."""
_ACROSS_PX: Final = 3.0
"""Distance from the edge at which the inside and the outside are sampled."""
_MAX_STEP: Final = 45.0
"""A step of this many levels counts as fully clear."""
_PRIOR_PENALTY: Final = 0.12
"""Levels that every pixel or degree away from the estimate must gain."""
_INDEX_SLACK_PX: Final = 4.0
"""Indices of the card may move by this much from where they were detected ..."""
_INDEX_PENALTY: Final = 0.7
"""... and every further pixel must gain this many levels: otherwise it is another card's edge."""
_MIN_EDGE_STEP: Final = 8.0
"""Minimum step at a card's edge, levels."""
MIN_EDGE_SHARE: Final = 0.5
"""Minimum share of an outline that is edge, if it is a card's (of 66 of the scene bench's cards 0.62 and more; of one
that was assumed to lie on its indices' other side 0.19)."""
MIN_MEAN_STEP: Final = 5.0
"""Minimum mean step, levels, for a visible outline."""


def refine_outline(quad: Points, grey: Grey, spots: Sequence[Box] = ()) -> Points:
    """Return the outline ``quad`` shifted, rotated and resized to the card edges in ``grey``.

    TL, TR, BR, BL in mark pixels. ``spots``: index boxes of the card, which stay on it; an edge near by may be
    another card's.
    """
    smooth = np.asarray(cv2.GaussianBlur(grey, (3, 3), 0)).astype(np.float32)
    centre = quad.mean(axis=0)
    right = (quad[1] - quad[0] + quad[2] - quad[3]) / 2
    down = (quad[3] - quad[0] + quad[2] - quad[1]) / 2
    width, height = float(np.hypot(*right)), float(np.hypot(*down))
    turn = float(np.arctan2(right[1], right[0]))
    start = np.array([centre[0], centre[1], turn, width, height])
    held = np.array([((x1 + x2) / 2, (y1 + y2) / 2) for x1, y1, x2, y2 in spots]).reshape(-1, 2)
    first = _score(smooth, start[None], start, held)[0]
    best, value = start, first
    degree = np.pi / 180
    for reach, step, turns, size in (
        (MAX_SHIFT_PX, 3.0, np.arange(-MAX_ROTATION_DEG, MAX_ROTATION_DEG + 1, 3), (0.0,)),
        (2.0, 1.0, np.arange(-2, 2.5, 1), (-5.0, -2.5, 0.0, 2.5)),
        (1.0, 0.5, np.arange(-1, 1.2, 0.5), (-1.2, 0.0, 1.2)),
    ):
        moves = np.arange(-reach, reach + step / 2, step)
        grid = np.meshgrid(moves, moves, turns * degree, size, size, indexing="ij")
        tries = best + np.stack([part.ravel() for part in grid], axis=1)
        scores = _score(smooth, tries, start, held)
        k = int(np.argmax(scores))
        if scores[k] > value:
            best, value = tries[k], float(scores[k])
    if value < MIN_MEAN_STEP or value - first < 0.5:
        return quad
    x, y, angle, wide, high = (float(part) for part in best)
    along = np.array([np.cos(angle), np.sin(angle)]) * wide / 2
    # The detector's quad is never mirrored: down is right turned clockwise by a quarter.
    across = np.array([-np.sin(angle), np.cos(angle)]) * high / 2
    middle = np.array([x, y])
    corners = (-along - across, along - across, along + across, across - along)
    return np.array([middle + corner for corner in corners])


def edge_share(quad: Points, grey: Grey) -> float:
    """Return the share of an outline (mark pixels) at which ``grey`` shows a card's edge: it is brighter inside."""
    smooth = np.asarray(cv2.GaussianBlur(grey, (3, 3), 0)).astype(np.float32)
    edges = []
    for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        places = start + _ALONG[:, None] * (end - start)
        # The corners go clockwise as the picture is seen: outward is a quarter to the left of the way.
        outward = np.array([end[1] - start[1], start[0] - end[0]]) / max(float(np.hypot(*(end - start))), 1.0)
        sides = [(places + off * outward).astype(np.float32) for off in (-_ACROSS_PX, _ACROSS_PX)]
        levels = [
            cv2.remap(smooth, side[:, 0], side[:, 1], cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
            for side in sides
        ]
        edges.append(levels[0] - levels[1] > _MIN_EDGE_STEP)
    return float(np.mean(edges))


def _score(
    smooth: NDArray[np.float32],
    tries: NDArray[np.floating[Any]],
    guess: NDArray[np.floating[Any]],
    held: Points,
) -> NDArray[np.float64]:
    """Return the mean step along the outline of each try (x, y, turn, width, height), less a distance penalty.

    ``held``: positions, N x 2, of the card's own indices.
    """
    tries, guess = tries.astype(np.float32), guess.astype(np.float32)
    cos, sin = np.cos(tries[:, 2]), np.sin(tries[:, 2])
    total = np.zeros(len(tries), np.float32)
    for side in range(4):
        # In the card's own frame: the side's line at half a width or height, samples along the other one.
        half, length = (tries[:, 4] / 2, tries[:, 3]) if side % 2 == 0 else (tries[:, 3] / 2, tries[:, 4])
        sign = -1.0 if side in (0, 3) else 1.0
        place = (_ALONG[None] - np.float32(0.5)) * length[:, None]
        steps = []
        for off in (-_ACROSS_PX, _ACROSS_PX):
            far = np.broadcast_to((sign * (half + off))[:, None], place.shape)
            u, v = (place, far) if side % 2 == 0 else (far, place)
            x = tries[:, :1] + u * cos[:, None] - v * sin[:, None]
            y = tries[:, 1:2] + u * sin[:, None] + v * cos[:, None]
            steps.append(cv2.remap(smooth, x, y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE))
        total += np.clip(steps[0] - steps[1], -_MAX_STEP / 3, _MAX_STEP).mean(axis=1) / 4
    away = np.hypot(tries[:, 0] - guess[0], tries[:, 1] - guess[1])
    turned = np.degrees(np.abs(tries[:, 2] - guess[2]))
    resized = np.abs(tries[:, 3:] - guess[3:]).sum(axis=1)
    total -= _PRIOR_PENALTY * (away + turned + 0.5 * resized)
    for x, y in held:
        # The part's place in the card's own frame, by the guess; and how far from it each try would have it.
        aside, down = x - guess[0], y - guess[1]
        u = aside * np.cos(guess[2]) + down * np.sin(guess[2])
        v = down * np.cos(guess[2]) - aside * np.sin(guess[2])
        off = np.hypot(tries[:, 0] + u * cos - v * sin - x, tries[:, 1] + u * sin + v * cos - y)
        total -= _INDEX_PENALTY * np.maximum(off - _INDEX_SLACK_PX, 0.0) / len(held)
    return np.asarray(total)
