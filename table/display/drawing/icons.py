"""Icons: the suits, and symbols that distinguish things by shape.

pygame's default font has no suit symbols, so they are drawn here. Each icon is drawn four times too large and scaled
down, which smooths its edges, and cached.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

import pygame

from table.display.drawing.colours import Colour
from table.display.drawing.surface_cache import cached_surface

_OVERSAMPLING = 4
"""The factor by which icons are drawn larger before they are scaled down."""

Point: TypeAlias = tuple[float, float]


class Shape(NamedTuple):
    """A part of an icon: a filled polygon, or a circle; coordinates are shares of the icon's side."""

    points: Sequence[Point]
    """The corners of a polygon, or the centre of a circle."""
    radius: float = 0.0
    width: float = 0.0
    """The width of a circle's line; 0 for a disc."""
    hole: bool = False


def _polygon(*points: Point) -> Shape:
    return Shape(points)


def _disc(x: float, y: float, radius: float, *, hole: bool = False) -> Shape:
    return Shape(((x, y),), radius, hole=hole)


def _stroke(*points: Point, width: float, hole: bool = False) -> Iterator[Shape]:
    """Yield the shapes of a polyline with round ends and joints."""
    for (x1, y1), (x2, y2) in pairwise(points):
        length = math.hypot(x2 - x1, y2 - y1)
        x, y = ((y1 - y2) / length * width / 2, (x2 - x1) / length * width / 2)
        corners = ((x1 + x, y1 + y), (x2 + x, y2 + y), (x2 - x, y2 - y), (x1 - x, y1 - y))
        yield Shape(corners, hole=hole)
    for point in points:
        yield _disc(*point, width / 2, hole=hole)


def _symmetric(start: Point, *curves: tuple[Point, Point, Point]) -> Shape:
    """Return a closed outline from its right half, given from top to bottom.

    ``curves``: cubic Bézier curves, each from the end of the one before by its two control points and its end point.
    """
    half: list[Point] = []
    for curve in curves:
        corners = (start, *curve)
        for step in range(24):
            t = step / 24
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            x, y = (sum(w * c[axis] for w, c in zip(weights, corners, strict=True)) for axis in (0, 1))
            half.append((x, y))
        start = curve[-1]
    half.append(start)
    return _polygon(*half, *((1 - x, y) for x, y in reversed(half)))


def _star() -> Shape:
    corners = [(0.205 if corner % 2 else 0.49, math.radians(36 * corner - 90)) for corner in range(10)]
    return _polygon(*((0.5 + r * math.cos(angle), 0.52 + r * math.sin(angle)) for r, angle in corners))


def _scale_pan(x: float) -> Iterator[Shape]:
    yield _polygon((x - 0.18, 0.58), (x, 0.26), (x + 0.18, 0.58))
    yield Shape(((x - 0.10, 0.55), (x, 0.37), (x + 0.10, 0.55)), hole=True)
    angles = [twelfth / 12 * math.pi for twelfth in range(13)]
    yield _polygon(*((x + 0.19 * math.cos(angle), 0.56 + 0.12 * math.sin(angle)) for angle in angles))


_STEM = _polygon((0.5, 0.55), (0.545, 0.80), (0.68, 0.96), (0.32, 0.96), (0.455, 0.80))
_SPADE = _symmetric(
    (0.5, 0.02),
    ((0.58, 0.17), (0.70, 0.26), (0.82, 0.39)),
    ((0.99, 0.56), (0.92, 0.77), (0.73, 0.78)),
    ((0.63, 0.78), (0.56, 0.72), (0.5, 0.64)),
)
_HEART = _symmetric(
    (0.5, 0.24),
    ((0.56, 0.06), (0.76, 0.02), (0.87, 0.12)),
    ((1.02, 0.26), (0.95, 0.45), (0.80, 0.62)),
    ((0.68, 0.76), (0.58, 0.84), (0.5, 0.97)),
)
_DIAMOND = _symmetric(
    (0.5, 0.02), ((0.60, 0.20), (0.72, 0.36), (0.88, 0.5)), ((0.72, 0.64), (0.60, 0.80), (0.5, 0.98))
)
_LEAVES = [_disc(x, y, 0.218) for x, y in ((0.5, 0.245), (0.265, 0.575), (0.735, 0.575))]
_CRACK = _stroke((0.5, 0.1), (0.39, 0.38), (0.6, 0.52), (0.42, 0.7), (0.5, 0.98), width=0.1, hole=True)
_CROWN = _polygon(
    (0.08, 0.26), (0.3, 0.52), (0.5, 0.14), (0.7, 0.52), (0.92, 0.26), (0.82, 0.86), (0.18, 0.86)
)
_SHAPES: Final[Mapping[str, Sequence[Shape]]] = {
    "S": (_SPADE, _STEM),
    "H": (_HEART,),
    "D": (_DIAMOND,),
    "C": (*_LEAVES, _polygon((0.42, 0.3), (0.58, 0.3), (0.6, 0.62), (0.4, 0.62)), _STEM),
    "broken": (_HEART, *_CRACK),
    "star": (_star(),),
    "crown": (_CROWN, *(_disc(x, y, 0.075) for x, y in ((0.08, 0.24), (0.5, 0.13), (0.92, 0.24)))),
    "tick": (*_stroke((0.14, 0.54), (0.4, 0.8), (0.86, 0.22), width=0.17),),
    "cross": (
        *_stroke((0.2, 0.2), (0.8, 0.8), width=0.17),
        *_stroke((0.8, 0.2), (0.2, 0.8), width=0.17),
    ),
    "full": (_disc(0.5, 0.5, 0.46),),
    "ring": (Shape(((0.5, 0.5),), 0.46, 0.12),),
    # A trick too many: a diamond with a cross-shaped hole.
    "excess": (
        _polygon((0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5)),
        *_stroke((0.35, 0.35), (0.65, 0.65), width=0.1, hole=True),
        *_stroke((0.65, 0.35), (0.35, 0.65), width=0.1, hole=True),
    ),
    # A crossed-out ring, drawn over a number.
    "forbidden": (Shape(((0.5, 0.5),), 0.49, 0.075), *_stroke((0.17, 0.83), (0.83, 0.17), width=0.075)),
    "arrow": (_polygon((0.12, 0.08), (0.95, 0.5), (0.12, 0.92)),),
    "up": (_polygon((0.5, 0.1), (0.98, 0.88), (0.02, 0.88)),),
    "down": (_polygon((0.5, 0.9), (0.98, 0.12), (0.02, 0.12)),),
    # A pair of scales.
    "ruling": (
        *_stroke((0.5, 0.1), (0.5, 0.86), width=0.08),
        *_stroke((0.28, 0.88), (0.72, 0.88), width=0.1),
        *_stroke((0.16, 0.24), (0.84, 0.24), width=0.08),
        *_scale_pan(0.19),
        *_scale_pan(0.81),
    ),
    # The letter i in a disc.
    "hint": (
        _disc(0.5, 0.5, 0.46),
        _disc(0.5, 0.26, 0.075, hole=True),
        *_stroke((0.5, 0.45), (0.5, 0.74), width=0.12, hole=True),
    ),
    # An exclamation mark in a triangle.
    "trouble": (
        _polygon((0.5, 0.05), (0.99, 0.93), (0.01, 0.93)),
        *_stroke((0.5, 0.36), (0.5, 0.62), width=0.1, hole=True),
        _disc(0.5, 0.79, 0.06, hole=True),
    ),
}

ICONS = tuple(_SHAPES)


@cached_surface
def draw_icon(name: str, side: int, colour: Colour) -> pygame.Surface:
    """Draw the icon ``name`` (one of :data:`ICONS`) in a transparent square of ``side`` pixels."""
    side = max(1, side)
    large = side * _OVERSAMPLING
    # The icon is drawn as a white-on-black mask, so that holes (black) and smooth edges become transparency.
    mask = pygame.Surface((large, large), depth=32)
    for points, radius, width, hole in _SHAPES[name]:
        ink = (0, 0, 0) if hole else (255, 255, 255)
        corners = [(x * large, y * large) for x, y in points]
        if radius:
            line = max(1, round(width * large)) if width else 0
            pygame.draw.circle(mask, ink, corners[0], radius * large, line)
        else:
            pygame.draw.polygon(mask, ink, corners)
    small = pygame.transform.smoothscale(mask, (side, side))
    icon = pygame.Surface((side, side), pygame.SRCALPHA)
    icon.fill((*colour, 255))
    as_alpha = pygame.Surface((side, side), pygame.SRCALPHA)
    as_alpha.fill((255, 255, 255, 0))
    alpha = pygame.surfarray.pixels_alpha(as_alpha)
    alpha[:] = pygame.surfarray.pixels_red(small)
    del alpha
    icon.blit(as_alpha, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
    return icon


@cached_surface
def draw_rounded_rect(
    size: tuple[int, int], radius: int, fill: Colour, edge: Colour, width: int
) -> pygame.Surface:
    """Draw a smooth filled rounded rectangle with an edge of ``width`` pixels (0: none)."""
    scale = _OVERSAMPLING
    large = pygame.Surface((size[0] * scale, size[1] * scale), pygame.SRCALPHA)
    box = large.get_rect()
    outer = edge if width else fill
    # Transparent pixels with the edge's colour, so that scaling down darkens no corner.
    large.fill((*outer, 0))
    pygame.draw.rect(large, (*outer, 255), box, border_radius=radius * scale)
    if width:
        inner = box.inflate(-2 * width * scale, -2 * width * scale)
        pygame.draw.rect(large, (*fill, 255), inner, border_radius=max(0, radius - width) * scale)
    return pygame.transform.smoothscale(large, size)
