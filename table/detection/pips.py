"""The pips of a card's face: how likely they are for each card.

In a picture of low resolution, or where a corner is cut off or half covered, an index may look like another one. The
pips of the same card are larger and there are several, and packs with French suits lay them out alike. A court, an ace,
or a face that something covers fits no layout and leaves the posterior as it is.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.cards import PIP_LAYOUTS
from table.detection.indices.class_labels import CARDS, SUITS, log_softmax
from table.errors import TableError
from table.observed_facts import Image

Quad = NDArray[np.floating[Any]]
Ink = NDArray[np.float32]
"""How much ink each pixel shows: 0 is paper, 1 is black."""

_SIZE: Final = (64, 96)
"""Width and height of the rectified face in which the layout is searched for, pixels."""
_SEARCH_PX: Final = 4
"""The outline is wrong by at most this much, in pixels of that face."""
_MARGINS: Final = (0.17, 0.08)
"""Share of the width and the height on each side that is left out, because indices stand there."""
_COLUMN: Final = 0.205
_ROWS: Final = (0.325, 0.35)
"""Distances of the outer columns and rows from the face's centre, as shares of its width and height; the rows' differ
from pack to pack."""
_PIP: Final = 0.09
"""Diameter of a pip, as a share of the face's height."""
_PAPER_PERCENTILE: Final = 80.0
_INDEPENDENT_CELLS: Final = 20.0
"""Number of independent measurements in a face, for the likelihood of a correlation; ..."""
_NO_LAYOUT: Final = 0.45
"""... and the correlation that a face without any of the layouts reaches as easily. Both were fitted, with the
distances above, on 1,255 detections in synthesised scenes of the training packs."""

_DETAIL: Final = 2
"""A pip is looked at in a face of this many times the size."""
_PIP_PX: Final = 28
"""Side of the square around a pip, in pixels of that face."""
_CELLS: Final = 14
"""The square's cells each way, of which the outermost are left out."""

LAYOUTS: Final = {rank: pips for rank, pips in PIP_LAYOUTS.items() if rank != "A"}
"""The layouts that are searched for. An ace's is left out: packs for weak eyes show one large pip on every card."""
_LAYOUT_OF: Final = np.array(
    [(*LAYOUTS, "").index(card[:-1] if card[:-1] in LAYOUTS else "") for card in CARDS]
)
"""For each of `CARDS` the number of its layout; the number of layouts for a card without one."""
_SUITS: Final = np.array([SUITS.index(card[-1]) if card[-1] in SUITS else 0 for card in CARDS])


@dataclass(frozen=True, slots=True)
class LayoutFit:
    """How well a layout fits a face, and where its pips are."""

    correlation: float
    pips: tuple[tuple[float, float, bool], ...]
    """Centre of each pip (pixels of the rectified face), and whether it is upside down."""


class PipReader:
    """Reads the pips of faces."""

    def __init__(self, weights: Path) -> None:
        """Load the linear discriminants of the four suits; ``TableError`` if the file is missing or damaged."""
        try:
            stored = json.loads(weights.read_text())
            self._weights = np.array(stored["weights"], np.float64).reshape(4, -1)
            self._bias = np.array(stored["bias"], np.float64).reshape(4)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise TableError("weights.no_settings", at=weights, error=error) from None

    def likelihoods(self, image: Image, quad: Quad) -> NDArray[np.float64]:
        """Return for each of `CARDS` how likely a face is, relative to a face without pips.

        Of a correlation r with a layout in n independent measurements, the Gaussian likelihood ratio is
        (1 - r^2)^(-n/2). The suit is read from the mean of the pips of the layout that fits best.

        Args:
            image: (H, W, 3) BGR.
            quad: (4, 2) the card's outline in the picture, TL TR BR BL of its upright face.
        """
        fits = fit_layouts(image, quad)
        correlations = np.clip([fit.correlation for fit in fits], 0.0, 0.99)
        log_ratios = -_INDEPENDENT_CELLS / 2 * (np.log1p(-(correlations**2)) - np.log1p(-(_NO_LAYOUT**2)))
        ratios = np.exp([*log_ratios, -np.inf])  # the last for a card without a layout
        best = max(fits, key=lambda fit: fit.correlation)
        scores = self._weights @ describe_pip(average_pip(image, quad, best)) + self._bias
        suits = 4.0 * np.exp(log_softmax(scores))
        return np.asarray(1.0 + ratios[_LAYOUT_OF] * suits[_SUITS])


def fit_layouts(image: Image, quad: Quad) -> list[LayoutFit]:
    """Return the fit of each of `LAYOUTS` to a face, at the best place near the outline."""
    ink = np.asarray(cv2.GaussianBlur(_rectify_ink(image, quad, 1), (0, 0), 0.7), np.float32)
    ink = ink[_inner(_SEARCH_PX)]
    return [_fit_layout(ink, rank) for rank in LAYOUTS]


def average_pip(image: Image, quad: Quad, fit: LayoutFit) -> Ink:
    """Return the mean of a face's pips, upright and centred: a square of `_PIP_PX`."""
    ink = _rectify_ink(image, quad, _DETAIL)
    pips = []
    for x, y, upside_down in fit.pips:
        pip = _cut_centred(ink, x * _DETAIL, y * _DETAIL)
        pips.append(pip[::-1, ::-1] if upside_down else pip)
    return np.asarray(np.mean(pips, axis=0), np.float32)


def describe_pip(pip: Ink) -> NDArray[np.float64]:
    """Return what the discriminants weigh: the left half of the pip, made symmetric and normalized."""
    cells = cv2.resize(pip, (_CELLS, _CELLS), interpolation=cv2.INTER_AREA)[1:-1, 1:-1].astype(np.float64)
    half = ((cells + cells[:, ::-1]) / 2)[:, : (_CELLS - 2) // 2].ravel()
    return np.asarray((half - half.mean()) / (half.std() + 1e-6))


def _fit_layout(ink: Ink, rank: str) -> LayoutFit:
    best = LayoutFit(-1.0, ())
    for layout, pips in _draw_layouts(rank):
        _, correlation, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(ink, layout, cv2.TM_CCOEFF_NORMED))
        if correlation > best.correlation:
            dx, dy = x - _SEARCH_PX, y - _SEARCH_PX
            best = LayoutFit(correlation, tuple((px + dx, py + dy, turned) for px, py, turned in pips))
    return best


def _inner(margin_px: int) -> tuple[slice, slice]:
    """Return the rows and columns of the face without its margins, grown by ``margin_px``."""
    width, height = _SIZE
    x, y = round(_MARGINS[0] * width) - margin_px, round(_MARGINS[1] * height) - margin_px
    return slice(y, height - y), slice(x, width - x)


def _rectify_ink(image: Image, quad: Quad, scale: int) -> Ink:
    """Return the ink of the rectified face, of ``scale`` times the size."""
    width, height = _SIZE[0] * scale, _SIZE[1] * scale
    upright = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    onto = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), upright)
    face = cv2.warpPerspective(image, onto, (width, height), flags=cv2.INTER_LINEAR)
    rows, columns = _inner(0)
    inner = face[rows.start * scale : rows.stop * scale, columns.start * scale : columns.stop * scale]
    paper = np.percentile(inner.reshape(-1, 3), _PAPER_PERCENTILE, axis=0) + 1.0
    return np.asarray(np.clip(1.0 - (face / paper).min(axis=2), 0.0, 1.0), np.float32)


def _cut_centred(ink: Ink, x: float, y: float) -> Ink:
    """Return the square around a pip near (x, y), moved so that the ink's centroid is in its middle."""
    middle, border = (_PIP_PX - 1) / 2, 3
    for _ in range(2):
        square = cv2.getRectSubPix(ink, (_PIP_PX, _PIP_PX), (x - 0.5, y - 0.5))
        moments = cv2.moments(square[border:-border, border:-border])
        if moments["m00"] <= 1e-3:
            break
        x += moments["m10"] / moments["m00"] + border - middle
        y += moments["m01"] / moments["m00"] + border - middle
    return np.asarray(cv2.getRectSubPix(ink, (_PIP_PX, _PIP_PX), (x - 0.5, y - 0.5)), np.float32)


@cache
def _draw_layouts(rank: str) -> list[tuple[Ink, tuple[tuple[float, float, bool], ...]]]:
    """Return what the inner part of a rank's face may show, and its pips.

    The rows may be apart in several ways, and the whole face may be upside down.
    """
    width, height = _SIZE
    drawn = []
    for distance in _ROWS:
        for turn in (1, -1) if rank == "7" else (1,):  # (the others look the same)
            face, pips = np.zeros((height, width), np.float32), []
            for column, row in LAYOUTS[rank]:
                x, y = (0.5 + turn * column * _COLUMN) * width, (0.5 + turn * row * distance) * height
                cv2.circle(face, (round(x), round(y)), round(_PIP * height / 2), 1.0, -1, cv2.LINE_AA)
                # (Which way up a pip of the middle row stands depends on the side that the card is seen from.)
                if row:
                    pips.append((x, y, turn * row > 0))
            blurred = np.asarray(cv2.GaussianBlur(face, (0, 0), 1.2), np.float32)
            drawn.append((np.ascontiguousarray(blurred[_inner(0)]), tuple(pips)))
    return drawn
