"""The upright cut-out of a corner index, as the namers see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

REACH: Final = 25.0
"""Pixels in the cut-out from the rank's centre down to the suit's centre, in every window."""


@dataclass(frozen=True)
class Window:
    """How much of the picture a cut-out shows, pixels of the cut-out."""

    width: int
    height: int
    rank_at: tuple[int, int]
    """Where the rank's centre comes to lie."""


NARROW: Final = Window(48, 64, (24, 20))
"""The index alone: what the first look reads."""
WIDE: Final = Window(80, 104, (28, 28))
"""The card's corner too, with the first pips right of and below the index: what the second look reads."""


def upright_matrix(
    rank: tuple[float, float],
    suit: tuple[float, float],
    turn_deg: float = 0.0,
    zoom: float = 1.0,
    window: Window = NARROW,
) -> NDArray[np.float64]:
    """The 2 × 3 matrix that takes picture pixels to the cut-out.

    Args:
        rank: the rank's centre in the picture.
        suit: the suit's centre in the picture; rank to suit is "down" of the upright index.
        turn_deg: turns the cut-out further (training's jitter).
        zoom: over 1 shows less around the index (training's jitter).
        window: the cut-out's size.
    """
    down = np.array([suit[0] - rank[0], suit[1] - rank[1]], dtype=np.float64)
    reach = float(np.hypot(down[0], down[1]))
    if reach < 1e-6:
        down, reach = np.array([0.0, 1.0]), 1.0
    scale = zoom * REACH / reach
    # The picture's direction `down` becomes the cut-out's y axis: turn by its angle to (0, 1).
    angle = np.arctan2(down[0], down[1]) + np.deg2rad(turn_deg)
    cos, sin = np.cos(angle) * scale, np.sin(angle) * scale
    linear = np.array([[cos, -sin], [sin, cos]])
    # The middle of the index stays in place under turn and zoom.
    middle = np.array([(rank[0] + suit[0]) / 2, (rank[1] + suit[1]) / 2])
    target = np.array([window.rank_at[0], window.rank_at[1] + REACH / 2])
    return np.hstack([linear, (target - linear @ middle)[:, None]])


def cut_upright(
    image: NDArray[np.uint8], matrix: NDArray[np.float64], window: Window = NARROW
) -> NDArray[np.uint8]:
    """Cut the window's BGR cut-out from the picture; outside the picture its edge pixels are repeated."""
    shrink = float(np.hypot(matrix[0, 0], matrix[1, 0]))
    flags = cv2.INTER_LINEAR
    if shrink < 0.5:
        # Much smaller than the picture: average first, or thin strokes are lost between the samples.
        size = max(3, int(0.6 / shrink) * 2 + 1)
        wide, high = window.width, window.height
        corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], dtype=np.float64)
        back = np.asarray(cv2.invertAffineTransform(matrix))
        seen = corners @ back[:, :2].T + back[:, 2]
        x1, y1 = np.maximum(np.floor(seen.min(axis=0)).astype(int) - size, 0)
        x2, y2 = np.ceil(seen.max(axis=0)).astype(int) + size
        part = image[y1:y2, x1:x2]
        if part.size:
            image = np.asarray(cv2.blur(part, (size, size)), dtype=np.uint8)
            matrix = matrix.copy()
            matrix[:, 2] += matrix[:, :2] @ np.array([x1, y1], dtype=np.float64)
    return np.asarray(
        cv2.warpAffine(
            image, matrix, (window.width, window.height), flags=flags, borderMode=cv2.BORDER_REPLICATE
        ),
        dtype=np.uint8,
    )


def whiten(cutouts: NDArray[np.uint8], window: Window = NARROW) -> NDArray[np.float32]:
    """Turn cut-outs into the namer's input, with the card's own white as the reference.

    An index stands on white paper, so each channel's bright end is the paper under the lamp of the moment;
    dividing by it takes the lamp's colour and strength away, and red stays red under a warm lamp.

    Args:
        cutouts: (N, height, width, 3) BGR.
        window: theirs.

    Returns:
        (N, 3, height, width), paper at about 1.
    """
    # The paper is looked for around the index only: a wide window may show more table than card.
    left, top = window.rank_at[0] - NARROW.rank_at[0], window.rank_at[1] - NARROW.rank_at[1]
    near = cutouts[:, top : top + NARROW.height : 2, left : left + NARROW.width : 2]
    few = near.reshape(len(cutouts), -1, 3)  # every fourth pixel tells the paper well enough
    rank = few.shape[1] * 85 // 100
    paper = np.partition(few, rank, axis=1)[:, rank].astype(np.float32)
    gain = 1.0 / np.clip(paper, 64.0, 255.0)
    return np.ascontiguousarray((cutouts.astype(np.float32) * gain[:, None, None, :]).transpose(0, 3, 1, 2))
