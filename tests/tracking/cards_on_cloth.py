"""Pictures of the virtual table's own cards on a cloth, drawn in the test."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from table.detection.card_detections import CardDetection
from table.simulation.rendering.card_artwork import render_face
from table.table_geometry import Points
from table.tracking.imaging.quad_geometry import INDEX_POSITION

PX_PER_MM = 100 / 63.5
"""The table's scale: a card's short side is 100 px."""
FACE_PX_PER_MM = 4.0


def cloth(size: int = 512) -> NDArray[np.uint8]:
    """A dark green cloth with a weave."""
    rng = np.random.default_rng(11)
    noise = rng.normal(0, 4, (size, size, 1))
    return np.clip(np.array([52, 84, 40]) + noise, 0, 255).astype(np.uint8)


def lay(picture: NDArray[np.uint8], name: str, x: float, y: float, angle: float, scale: float = 1.0) -> None:
    """Lay a card with its centre at (x, y), turned clockwise by `angle` degrees; `scale` 1 is the table's."""
    drawn = render_face(name, FACE_PX_PER_MM)
    lay_drawn(picture, drawn.image, drawn.alpha, x, y, angle, scale)


def lay_drawn(
    picture: NDArray[np.uint8],
    image: NDArray[np.uint8],
    alpha: NDArray[np.uint8],
    x: float,
    y: float,
    angle: float,
    scale: float = 1.0,
) -> None:
    """Lay a face that is drawn at `FACE_PX_PER_MM`, as `lay` does."""
    shrink = PX_PER_MM / FACE_PX_PER_MM * scale
    # Averaged to the size in which it will lie, as a lens would.
    small = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    mask = cv2.resize(alpha, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    height, width = small.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2 - 0.5, height / 2 - 0.5), -angle, 1.0)
    matrix[:, 2] += [x - width / 2 + 0.5, y - height / 2 + 0.5]
    size = (picture.shape[1], picture.shape[0])
    warped = cv2.warpAffine(small, matrix, size)
    share = cv2.warpAffine(mask, matrix, size).astype(np.float32)[..., None] / 255
    picture[:] = np.clip(picture * (1 - share) + warped * share, 0, 255).astype(np.uint8)


def names(sightings: list[CardDetection], least: float = 0.5) -> list[str]:
    """The cards that are read at least so surely, sorted."""
    return sorted(s.card for s in sightings if s.confidence >= least)


def index_box(quad: Points) -> tuple[float, float, float, float]:
    """The box of the upper left index of a card."""
    across, down = (quad[1] - quad[0]) / 2, (quad[3] - quad[0]) / 2
    x, y = quad.mean(axis=0) - INDEX_POSITION[0] * across - INDEX_POSITION[1] * down
    return float(x) - 9, float(y) - 9, float(x) + 9, float(y) + 9
