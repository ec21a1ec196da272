"""Whether a homography is one that a table can be played with: pure geometry, no picture needed.

The homography takes millimetres on the table (origin: the mark; x right, y down as in the picture) to pixels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from table.config import Matrix
from table.errors import TableError
from table.phrase import Phrase, say
from table.sight.geometry import CARD_MM

LEAST_CARD_PX: Final = 60.0
"""A card's short side in the camera's picture. The reader names 85 of 100 indices at 60 px, 71 at 40 px and 93 at 80 px
(models/README.md) ..."""
GOOD_CARD_PX: Final = 85.0
"""... and no more at 100 px than at this."""
LEAST_MARGIN_MM: Final = 150.0
"""From the mark to the picture's border: a trick's cards reach 110 mm, and an arm must be seen beside them before it
crosses the border."""
MOST_STRETCH: Final = 1.4
"""A camera that looks down at 45 degrees sees a circle so much longer than wide; indices of far cards are then lost."""
MOST_TURN_DEG: Final = 45.0
"""Seats' angles count from the picture's top edge: a plane turned farther means another edge."""


@dataclass(frozen=True, slots=True)
class View:
    """What a homography says of the camera's view of the table."""

    size: tuple[int, int]
    """The picture's width and height."""
    mark_px: tuple[float, float]
    """Where the mark is in the picture."""
    card_px: float
    """A card's short side at the mark."""
    margin_mm: float
    """From the mark to the nearest place of the picture's border; 0 when the mark is outside the picture."""
    stretch: float
    """Long to short axis of a small circle on the mark, as the picture shows it; 1: seen from straight above."""
    turn_deg: float
    """How far the table's x axis is turned clockwise from the picture's, -180..180."""
    mirrored: bool


def measure(homography: Matrix, size: tuple[int, int]) -> View:
    """What a camera of ``size`` (width, height) sees; ``TableError`` where it can't see the mark at all."""
    matrix = np.array(homography, dtype=np.float64)
    if abs(matrix[2, 2]) < 1e-9 * float(np.abs(matrix).max()):
        raise TableError(say("view.horizon"))
    matrix = matrix / matrix[2, 2]
    x, y = float(matrix[0, 2]), float(matrix[1, 2])
    # The derivative at the mark of (a x + b y + c) / (g x + h y + 1).
    local = matrix[:2, :2] - np.outer(matrix[:2, 2], matrix[2, :2])
    determinant = float(np.linalg.det(local))
    long, short = (float(value) for value in np.linalg.svd(local, compute_uv=False))
    if not math.isfinite(determinant) or short <= 1e-9 * long:
        raise TableError(say("view.edge_on"))
    return View(
        size=size,
        mark_px=(x, y),
        card_px=math.sqrt(abs(determinant)) * CARD_MM[0],
        margin_mm=_margin(np.linalg.inv(matrix), (x, y), size),
        stretch=long / short,
        turn_deg=math.degrees(math.atan2(local[1, 0] - local[0, 1], local[0, 0] + local[1, 1])),
        mirrored=determinant < 0,
    )


def _margin(inverse: np.ndarray, mark: tuple[float, float], size: tuple[int, int]) -> float:
    width, height = size
    if not (0 <= mark[0] < width and 0 <= mark[1] < height):
        return 0.0
    along = np.linspace(0.0, 1.0, 201)
    across, down = along * (width - 1), along * (height - 1)
    zero = np.zeros_like(along)
    border = np.concatenate(
        [
            np.column_stack([across, zero]),
            np.column_stack([across, zero + height - 1]),
            np.column_stack([zero, down]),
            np.column_stack([zero + width - 1, down]),
        ]
    )
    places = np.column_stack([border, np.ones(len(border))]) @ inverse.T
    seen = places[places[:, 2] > 0]  # the others show what is beyond the horizon
    if not len(seen):
        return math.inf
    return float(np.hypot(seen[:, 0] / seen[:, 2], seen[:, 1] / seen[:, 2]).min())


def fault(view: View) -> Phrase | None:
    """Why a table can't be played with this view, and what to do about it; None when it can."""
    x, y = view.mark_px
    width, height = view.size
    if not (0 <= x < width and 0 <= y < height):
        return say("view.mark_outside", x=x, y=y, width=width, height=height)
    if view.mirrored:
        return say("view.mirrored")
    if abs(view.turn_deg) > MOST_TURN_DEG:
        return say("view.turned", turn=view.turn_deg, most=MOST_TURN_DEG)
    if view.card_px < LEAST_CARD_PX:
        return say("view.far", card=view.card_px, least=LEAST_CARD_PX, good=GOOD_CARD_PX)
    if view.stretch > MOST_STRETCH:
        return say("view.flat", stretch=view.stretch, most=MOST_STRETCH)
    if view.margin_mm < LEAST_MARGIN_MM:
        return say("view.narrow", margin=view.margin_mm, least=LEAST_MARGIN_MM)
    return None


def sentence(view: View) -> Phrase:
    """A good view."""
    code = "view.small" if view.card_px < GOOD_CARD_PX else "view.good"
    return say(code, card=view.card_px, good=GOOD_CARD_PX, margin=view.margin_mm)
