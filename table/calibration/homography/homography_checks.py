"""Checks whether a homography is fit for play: pure geometry, without a picture.

The homography takes millimetres on the table (origin: the mark; x right, y down as in the picture) to pixels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.calibration.homography.check_findings import Finding
from table.config.settings import Matrix
from table.errors import TableError
from table.phrase import Phrase, make_phrase
from table.table_geometry import CARD_MM

MIN_CARD_PX: Final = 60.0
"""The least short side of a card in the camera's picture.

The detector names 85 of 100 indices at 60 px, 71 at 40 px and 93 at 80 px (models/README.md) ...
"""
GOOD_CARD_PX: Final = 85.0
"""... and no more at 100 px than at this."""
MIN_MARGIN_MM: Final = 150.0
"""The least distance from the mark to the picture's border.

A trick's cards reach 110 mm, and an arm must be visible beside them before it crosses the border.
"""
MAX_STRETCH: Final = 1.4
"""The largest ratio of a circle's axes in the picture.

A camera that looks down at 45 degrees sees a circle that much longer than wide; indices of far cards are then lost.
"""
MAX_TURN_DEG: Final = 45.0
"""The largest turn of the table's axes.

Seats' angles count from the picture's top edge: a plane turned farther means another edge.
"""


@dataclass(frozen=True, slots=True)
class CameraView:
    """The camera's view of the table, as its homography gives it."""

    size: tuple[int, int]
    mark_px: tuple[float, float]
    card_px: float
    """A card's short side at the mark."""
    margin_mm: float
    """The distance from the mark to the picture's border; 0 when the mark is outside the picture."""
    stretch: float
    """The ratio of long to short axis of a small circle on the mark in the picture; 1: seen from straight above."""
    turn_deg: float
    """The turn of the table's x axis clockwise from the picture's, -180..180."""
    mirrored: bool


def derivative_at_mark(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the 2 x 2 derivative at the mark of (a x + b y + c) / (g x + h y + 1), the homography ``matrix``."""
    return np.asarray(matrix[:2, :2] - np.outer(matrix[:2, 2], matrix[2, :2]))


def turn_at_mark(derivative: NDArray[np.float64]) -> float:
    """Return the turn of the table's x axis clockwise from the picture's, in radians.

    This is the rotation nearest to the homography's derivative (the orthogonal part of its polar decomposition).
    """
    return math.atan2(derivative[1, 0] - derivative[0, 1], derivative[0, 0] + derivative[1, 1])


def turn_table(matrix: NDArray[np.float64], angle: float) -> Matrix:
    """Return the homography of a table whose axes are turned back by ``angle`` (radians)."""
    cos, sin = math.cos(angle), math.sin(angle)
    matrix = matrix @ np.array([[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]])
    a, b, c = ((float(row[0]), float(row[1]), float(row[2])) for row in matrix / matrix[2, 2])
    return a, b, c


def measure_view(homography: Matrix, size: tuple[int, int]) -> CameraView:
    """Return the view of a camera of ``size`` (width, height); raise `TableError` if it cannot see the mark."""
    matrix = np.array(homography, dtype=np.float64)
    if abs(matrix[2, 2]) < 1e-9 * float(np.abs(matrix).max()):
        raise TableError(make_phrase("view.horizon"))
    matrix = matrix / matrix[2, 2]
    x, y = float(matrix[0, 2]), float(matrix[1, 2])
    local = derivative_at_mark(matrix)
    determinant = float(np.linalg.det(local))
    long, short = (float(value) for value in np.linalg.svd(local, compute_uv=False))
    if not math.isfinite(determinant) or short <= 1e-9 * long:
        raise TableError(make_phrase("view.edge_on"))
    return CameraView(
        size=size,
        mark_px=(x, y),
        card_px=math.sqrt(abs(determinant)) * CARD_MM[0],
        margin_mm=_margin_mm(np.linalg.inv(matrix), (x, y), size),
        stretch=long / short,
        turn_deg=math.degrees(turn_at_mark(local)),
        mirrored=determinant < 0,
    )


def _margin_mm(inverse: np.ndarray, mark: tuple[float, float], size: tuple[int, int]) -> float:
    """Return the distance from the mark to the picture's border on the table; 0 if the mark is outside."""
    width, height = size
    if not (0 <= mark[0] < width and 0 <= mark[1] < height):
        return 0.0
    along = np.linspace(0.0, 1.0, 201)[:, None]
    corners = np.array([(0, 0), (width - 1, 0), (width - 1, height - 1), (0, height - 1)], np.float64)
    sides = zip(corners, np.roll(corners, -1, axis=0), strict=True)
    border = np.concatenate([start + along * (end - start) for start, end in sides])
    points = np.column_stack([border, np.ones(len(border))]) @ inverse.T
    visible = points[points[:, 2] > 0]  # the others are beyond the horizon
    if not len(visible):
        return math.inf
    return float(np.hypot(visible[:, 0] / visible[:, 2], visible[:, 1] / visible[:, 2]).min())


def find_view_fault(view: CameraView) -> Phrase | None:
    """Return why a table can't be played with this view, and what to do about it; None if it can."""
    x, y = view.mark_px
    width, height = view.size
    if not (0 <= x < width and 0 <= y < height):
        return make_phrase("view.mark_outside", x=x, y=y, width=width, height=height)
    if view.mirrored:
        return make_phrase("view.mirrored")
    if abs(view.turn_deg) > MAX_TURN_DEG:
        return make_phrase("view.turned", turn=view.turn_deg, most=MAX_TURN_DEG)
    if view.card_px < MIN_CARD_PX:
        return make_phrase("view.far", card=view.card_px, least=MIN_CARD_PX, good=GOOD_CARD_PX)
    if view.stretch > MAX_STRETCH:
        return make_phrase("view.flat", stretch=view.stretch, most=MAX_STRETCH)
    if view.margin_mm < MIN_MARGIN_MM:
        return make_phrase("view.narrow", margin=view.margin_mm, least=MIN_MARGIN_MM)
    return None


def check_view(view: CameraView) -> Finding:
    """Return the finding about a camera's view."""
    fault = find_view_fault(view)
    return Finding("view", fault is None, fault or describe_view(view))


def describe_view(view: CameraView) -> Phrase:
    """Return the phrase that describes a good view."""
    code = "view.small" if view.card_px < GOOD_CARD_PX else "view.good"
    return make_phrase(code, card=view.card_px, good=GOOD_CARD_PX, margin=view.margin_mm)
