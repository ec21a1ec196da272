"""Upright crops of corner indices, the input of the classifiers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

RANK_TO_SUIT_PX: Final = 25.0
"""The distance from the rank's centre down to the suit's centre in every crop, in pixels of the crop."""


@dataclass(frozen=True)
class CropWindow:
    """The area around an index that a crop shows, in pixels of the crop."""

    width: int
    height: int
    rank_at: tuple[int, int]
    """The position of the rank's centre."""


NARROW_WINDOW: Final = CropWindow(48, 64, (24, 20))
"""The window of the first classifier: the index alone."""
WIDE_WINDOW: Final = CropWindow(80, 104, (28, 28))
"""The window of the second classifier: the card's corner too, with the first pips right of and below the index."""


def upright_crop_matrix(
    rank: tuple[float, float],
    suit: tuple[float, float],
    turn_deg: float = 0.0,
    zoom: float = 1.0,
    window: CropWindow = NARROW_WINDOW,
) -> NDArray[np.float64]:
    """Return the 2 × 3 affine matrix from picture pixels to pixels of the upright crop.

    Args:
        rank: the rank's centre in the picture.
        suit: the suit's centre in the picture; rank to suit is "down" of the upright index.
        turn_deg: turns the crop further (training's jitter).
        zoom: over 1 shows less around the index (training's jitter).
        window: the crop's size.
    """
    down = np.array([suit[0] - rank[0], suit[1] - rank[1]], dtype=np.float64)
    reach = float(np.hypot(down[0], down[1]))
    if reach < 1e-6:
        down, reach = np.array([0.0, 1.0]), 1.0
    scale = zoom * RANK_TO_SUIT_PX / reach
    # The picture's direction `down` becomes the crop's y axis: turn by its angle to (0, 1).
    angle = np.arctan2(down[0], down[1]) + np.deg2rad(turn_deg)
    cos, sin = np.cos(angle) * scale, np.sin(angle) * scale
    linear = np.array([[cos, -sin], [sin, cos]])
    # The middle of the index stays in place under turn and zoom.
    middle = np.array([(rank[0] + suit[0]) / 2, (rank[1] + suit[1]) / 2])
    target = np.array([window.rank_at[0], window.rank_at[1] + RANK_TO_SUIT_PX / 2])
    return np.hstack([linear, (target - linear @ middle)[:, None]])


def crop_upright(
    image: NDArray[np.uint8], matrix: NDArray[np.float64], window: CropWindow = NARROW_WINDOW
) -> NDArray[np.uint8]:
    """Crop the window (BGR) from the picture; outside the picture its edge pixels are repeated."""
    scale = float(np.hypot(matrix[0, 0], matrix[1, 0]))
    flags = cv2.INTER_LINEAR
    if scale < 0.5:
        # Much smaller than the picture: average first, or thin strokes are lost between the samples.
        size = max(3, int(0.6 / scale) * 2 + 1)
        width, height = window.width, window.height
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float64)
        inverse = np.asarray(cv2.invertAffineTransform(matrix))
        source_corners = corners @ inverse[:, :2].T + inverse[:, 2]
        x1, y1 = np.maximum(np.floor(source_corners.min(axis=0)).astype(int) - size, 0)
        x2, y2 = np.ceil(source_corners.max(axis=0)).astype(int) + size
        region = image[y1:y2, x1:x2]
        if region.size:
            image = np.asarray(cv2.blur(region, (size, size)), dtype=np.uint8)
            matrix = matrix.copy()
            matrix[:, 2] += matrix[:, :2] @ np.array([x1, y1], dtype=np.float64)
    return np.asarray(
        cv2.warpAffine(
            image, matrix, (window.width, window.height), flags=flags, borderMode=cv2.BORDER_REPLICATE
        ),
        dtype=np.uint8,
    )


def normalize_white(crops: NDArray[np.uint8], window: CropWindow = NARROW_WINDOW) -> NDArray[np.float32]:
    """Convert crops to the classifiers' input, scaled to the brightness of the card's own paper.

    An index stands on white paper, so each channel's bright end is the paper under the lamp of the moment; dividing by
    it takes the lamp's colour and strength away, and red stays red under a warm lamp.

    Args:
        crops: (N, height, width, 3) BGR.
        window: the crops' window.

    Returns:
        (N, 3, height, width), paper at about 1.
    """
    # The paper is measured around the index only: a wide window may show more table than card.
    left, top = window.rank_at[0] - NARROW_WINDOW.rank_at[0], window.rank_at[1] - NARROW_WINDOW.rank_at[1]
    around_index = crops[:, top : top + NARROW_WINDOW.height : 2, left : left + NARROW_WINDOW.width : 2]
    samples = around_index.reshape(len(crops), -1, 3)  # every fourth pixel is enough to measure the paper
    position = samples.shape[1] * 85 // 100
    paper = np.partition(samples, position, axis=1)[:, position].astype(np.float32)
    gain = 1.0 / np.clip(paper, 64.0, 255.0)
    return np.ascontiguousarray((crops.astype(np.float32) * gain[:, None, None, :]).transpose(0, 3, 1, 2))
