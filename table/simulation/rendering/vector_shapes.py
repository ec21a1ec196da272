"""Vector drawing in millimetres: a canvas, basic outlines, suit symbols and index letters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from table.observed_facts import Image

Points: TypeAlias = NDArray[np.float64]
"""Points of an outline, n x 2 (x right, y down)."""
Colour: TypeAlias = tuple[int, int, int]
"""Blue, green, red, 0..255."""
Mask: TypeAlias = NDArray[np.uint8]

_FRACTION_BITS = 6  # fractional bits of the fixed-point pixel coordinates that OpenCV draws with


class MillimetreCanvas:
    """Canvas with coordinates in millimetres; the origin is its centre, x right, y down."""

    def __init__(self, width_mm: float, height_mm: float, px_per_mm: float, paper: Colour) -> None:
        self.px_per_mm = px_per_mm
        self.size = (round(width_mm * px_per_mm), round(height_mm * px_per_mm))
        self.image: Image = np.empty((self.size[1], self.size[0], 3), np.uint8)
        cv2.rectangle(self.image, (0, 0), self.size, paper, cv2.FILLED)

    def blank(self, paper: Colour) -> MillimetreCanvas:
        """Return a blank canvas of the same size."""
        width, height = (side / self.px_per_mm for side in self.size)
        return MillimetreCanvas(width, height, self.px_per_mm, paper)

    def fill(self, points: Points | Sequence[tuple[float, float]], colour: Colour) -> None:
        """Fill an outline."""
        cv2.fillPoly(self.image, [self._to_fixed_point(points)], colour, cv2.LINE_AA, _FRACTION_BITS)

    def line(
        self,
        points: Points | Sequence[tuple[float, float]],
        colour: Colour,
        width_mm: float,
        *,
        closed: bool = False,
    ) -> None:
        """Draw a line through points, with round joints."""
        width = max(1, round(width_mm * self.px_per_mm))
        cv2.polylines(
            self.image, [self._to_fixed_point(points)], closed, colour, width, cv2.LINE_AA, _FRACTION_BITS
        )

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """Fill a circle."""
        self.fill(ellipse_points(x, y, radius, radius), colour)

    def stamp(self, mask: Mask, box: tuple[float, float, float, float], colour: Colour) -> None:
        """Print a mask (any size, 0..255) in a colour into a box (left, top, right, bottom)."""
        left, top, right, bottom = box
        scale = self.px_per_mm
        origin_px = ((left * scale + self.size[0] / 2), (top * scale + self.size[1] / 2))
        transform = np.array(
            [
                [(right - left) * scale / mask.shape[1], 0, origin_px[0]],
                [0, (bottom - top) * scale / mask.shape[0], origin_px[1]],
            ]
        )
        # Shrinking by warpAffine alone would alias: shrink to the wanted size first.
        size = (max(1, round((right - left) * scale)), max(1, round((bottom - top) * scale)))
        small = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
        transform[:, :2] = np.diag([(right - left) * scale / size[0], (bottom - top) * scale / size[1]])
        ink = cv2.warpAffine(small, transform, self.size, flags=cv2.INTER_LINEAR)
        x, y, width, height = cv2.boundingRect(ink)
        part = self.image[y : y + height, x : x + width]
        alpha = ink[y : y + height, x : x + width, None].astype(np.float32) / 255
        part[:] = (part * (1 - alpha) + np.array(colour, np.float32) * alpha + 0.5).astype(np.uint8)

    def _to_fixed_point(self, points: Points | Sequence[tuple[float, float]]) -> NDArray[np.int32]:
        places = np.asarray(points, np.float64) * self.px_per_mm + np.array(self.size) / 2 - 0.5
        return np.round(places * (1 << _FRACTION_BITS)).astype(np.int32)


def ellipse_points(
    x: float, y: float, rx: float, ry: float, start: float = 0, end: float = 360, steps: int = 48
) -> Points:
    """Return points of an ellipse or an elliptic arc; degrees run clockwise from the right, as seen."""
    angles = np.radians(np.linspace(start, end, steps))
    return np.stack([x + rx * np.cos(angles), y + ry * np.sin(angles)], axis=1)


def bezier_points(*knots: tuple[float, float]) -> Points:
    """Return points of a chain of cubic Bézier curves: knot, control, control, knot, control, control, knot ..."""
    t = np.linspace(0, 1, 16)[:, None]
    pieces = []
    for index in range(0, len(knots) - 3, 3):
        a, b, c, d = (np.array(knot) for knot in knots[index : index + 4])
        pieces.append(a * (1 - t) ** 3 + 3 * b * t * (1 - t) ** 2 + 3 * c * t**2 * (1 - t) + d * t**3)
    return np.concatenate(pieces)


def mirror_half(left: Points) -> Points:
    """Return a symmetric closed outline from its left half, given from top to bottom (or bottom to top)."""
    return np.concatenate([left, left[::-1] * np.array([-1, 1])])


def rounded_rectangle(width: float, height: float, radius: float) -> Points:
    """Return the outline of a rectangle with round corners, centred on the origin."""
    x, y = width / 2 - radius, height / 2 - radius
    corners = ((x, y, 0), (-x, y, 90), (-x, -y, 180), (x, -y, 270))
    return np.concatenate(
        [ellipse_points(cx, cy, radius, radius, start, start + 90, 12) for cx, cy, start in corners]
    )


@cache
def suit_outlines(suit: str) -> tuple[Points, ...]:
    """Return the outlines of a suit symbol of height 1, upright and centred on the origin."""
    if suit == "H":
        half = bezier_points(
            (0, -0.27), (-0.03, -0.4), (-0.13, -0.49), (-0.255, -0.49), (-0.4, -0.49), (-0.5, -0.36),
            (-0.5, -0.2), (-0.5, 0.08), (-0.14, 0.26), (0, 0.5),
        )  # fmt: skip
        return (mirror_half(half),)
    if suit == "D":
        half = bezier_points(
            (0, -0.5), (-0.12, -0.28), (-0.26, -0.12), (-0.4, 0), (-0.26, 0.12), (-0.12, 0.28), (0, 0.5)
        )
        return (mirror_half(half),)
    stem = mirror_half(bezier_points((-0.02, 0.1), (-0.03, 0.32), (-0.07, 0.44), (-0.19, 0.5)))
    if suit == "S":
        body = bezier_points(
            (0, -0.5), (-0.12, -0.27), (-0.47, -0.1), (-0.47, 0.15), (-0.47, 0.29), (-0.37, 0.38),
            (-0.25, 0.38), (-0.13, 0.38), (-0.05, 0.3), (0, 0.2),
        )  # fmt: skip
        return (mirror_half(body), stem)
    if suit == "C":
        leaves = (
            ellipse_points(0, -0.265, 0.235, 0.235),
            ellipse_points(-0.262, 0.1, 0.235, 0.235),
            ellipse_points(0.262, 0.1, 0.235, 0.235),
        )
        return (*leaves, np.array([(-0.1, -0.1), (0.1, -0.1), (0.12, 0.14), (-0.12, 0.14)]), stem)
    raise ValueError(f"no such suit: {suit!r}")


@cache
def render_bold_text(text: str) -> Mask:
    """Render text in the bold font that comes with pygame, as a mask cropped to its ink."""
    import pygame  # as a font renderer only: no other part of it is initialized

    pygame.font.init()
    surface = pygame.font.Font(None, 320).render(text, True, (255, 255, 255), (0, 0, 0))
    return _crop_to_ink(pygame.surfarray.array3d(surface)[..., 0].T)


_SIX = [
    bezier_points((0.46, 0.02), (0.2, 0.12), (0.0, 0.4), (0.0, 0.7)),
    ellipse_points(0.28, 0.7, 0.28, 0.3),
]
_STROKES: dict[str, tuple[float, Sequence[Points | Sequence[tuple[float, float]]]]] = {
    "0": (0.5, [ellipse_points(0.25, 0.5, 0.25, 0.5)]),
    "1": (0.2, [[(0.0, 0.2), (0.2, 0.0), (0.2, 1.0)]]),
    "2": (0.54, [[*ellipse_points(0.27, 0.27, 0.26, 0.27, 190, 390), (0.0, 1.0), (0.54, 1.0)]]),
    "3": (0.54, [ellipse_points(0.25, 0.25, 0.24, 0.25, 200, 450), ellipse_points(0.25, 0.73, 0.29, 0.27, 270, 515)]),
    "4": (0.6, [[(0.44, 1.0), (0.44, 0.0), (0.0, 0.7), (0.6, 0.7)]]),
    "5": (0.54, [[(0.48, 0.0), (0.08, 0.0), (0.04, 0.45)], ellipse_points(0.25, 0.68, 0.29, 0.32, 223, 510)]),
    "6": (0.56, _SIX),
    "7": (0.54, [[(0.0, 0.0), (0.54, 0.0), (0.2, 1.0)]]),
    "8": (0.56, [ellipse_points(0.28, 0.24, 0.23, 0.24), ellipse_points(0.28, 0.74, 0.28, 0.26)]),
    "9": (0.56, [(0.56, 1.0) - stroke for stroke in _SIX]),
    "A": (0.68, [[(0.0, 1.0), (0.34, 0.0), (0.68, 1.0)], [(0.13, 0.66), (0.55, 0.66)]]),
    "J": (0.42, [[(0.42, 0.0), *ellipse_points(0.21, 0.78, 0.21, 0.22, 0, 170)]]),
    "Q": (0.66, [ellipse_points(0.33, 0.5, 0.33, 0.5), [(0.4, 0.72), (0.66, 1.04)]]),
    "K": (0.58, [[(0.0, 0.0), (0.0, 1.0)], [(0.56, 0.0), (0.0, 0.6)], [(0.2, 0.4), (0.58, 1.0)]]),
    "O": (0.6, [ellipse_points(0.3, 0.5, 0.3, 0.5)]),
    "E": (0.44, [[(0.44, 0.0), (0.0, 0.0), (0.0, 1.0), (0.44, 1.0)], [(0.0, 0.5), (0.38, 0.5)]]),
    "R": (0.54, [
        [(0.0, 1.0), (0.0, 0.0), *ellipse_points(0.27, 0.26, 0.27, 0.26, 270, 450), (0.0, 0.52)],
        [(0.26, 0.52), (0.54, 1.0)],
    ]),
}  # fmt: skip
"""The letters of our own slim typeface, 1 high: the width and the strokes of each."""


@cache
def render_slim_text(text: str) -> Mask:
    """Render text in our own slim typeface of round strokes, as a mask cropped to its ink."""
    scale, thickness = 200, 30
    x = 0.0
    lines: list[NDArray[np.int32]] = []
    for letter in text:
        width, strokes = _STROKES[letter]
        lines += [
            np.round((np.add(stroke, (x, 0))) * scale + thickness).astype(np.int32) for stroke in strokes
        ]
        x += width + 0.24
    mask = np.zeros((scale + 2 * thickness, round(x * scale) + 2 * thickness), np.uint8)
    cv2.polylines(mask, lines, False, 255, thickness, cv2.LINE_AA)
    return _crop_to_ink(mask)


def _crop_to_ink(mask: NDArray[np.uint8]) -> Mask:
    ys, xs = np.nonzero(mask > 40)
    return np.ascontiguousarray(mask[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1])


def rotate_points(points: Points | Sequence[tuple[float, float]], degrees: float) -> Points:
    """Rotate points clockwise (as seen) about the origin."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    rotated: Points = np.asarray(points, np.float64) @ np.array([[c, s], [-s, c]])
    return rotated
