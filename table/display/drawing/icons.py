"""Icons: the suits, and symbols that distinguish things by shape.

pygame's default font has no suit symbols, so they are drawn here. Each icon is drawn four times too large and scaled
down, which smooths its edges, and cached.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import pygame

from table.display.drawing.colours_and_sizes import Colour
from table.display.drawing.surface_cache import cached_surface

_OVERSAMPLING = 4
"""The factor by which icons are drawn larger before they are scaled down."""

Point = tuple[float, float]
Pen = Callable[[pygame.Surface, float, Colour], None]
"""A function that draws an icon into a square surface with the given side."""


def _polygon(surface: pygame.Surface, side: float, colour: Colour, points: Sequence[Point]) -> None:
    pygame.draw.polygon(surface, colour, [(x * side, y * side) for x, y in points])


def _disc(surface: pygame.Surface, side: float, colour: Colour, x: float, y: float, radius: float) -> None:
    pygame.draw.circle(surface, colour, (x * side, y * side), radius * side)


def _curve(start: Point, control1: Point, control2: Point, end: Point, steps: int = 24) -> list[Point]:
    """Return points of a cubic Bézier curve, without its end point."""
    points = []
    for step in range(steps):
        t = step / steps
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        points.append(
            (
                sum(w * p[0] for w, p in zip(weights, (start, control1, control2, end), strict=True)),
                sum(w * p[1] for w, p in zip(weights, (start, control1, control2, end), strict=True)),
            )
        )
    return points


def _mirrored(half: Sequence[Point]) -> list[Point]:
    """Return a closed outline from its right half, given from top to bottom."""
    return [*half, *[(1 - x, y) for x, y in reversed(half)]]


_STEM = ((0.5, 0.55), (0.545, 0.80), (0.68, 0.96), (0.32, 0.96), (0.455, 0.80))


def _heart(surface: pygame.Surface, side: float, colour: Colour) -> None:
    right = [
        *_curve((0.5, 0.24), (0.56, 0.06), (0.76, 0.02), (0.87, 0.12)),
        *_curve((0.87, 0.12), (1.02, 0.26), (0.95, 0.45), (0.80, 0.62)),
        *_curve((0.80, 0.62), (0.68, 0.76), (0.58, 0.84), (0.5, 0.97)),
        (0.5, 0.97),
    ]
    _polygon(surface, side, colour, _mirrored(right))


def _broken(surface: pygame.Surface, side: float, colour: Colour) -> None:
    """A broken heart: a heart with a crack through it."""
    _heart(surface, side, colour)
    _stroke(surface, side, (0, 0, 0), ((0.5, 0.1), (0.39, 0.38), (0.6, 0.52), (0.42, 0.7), (0.5, 0.98)), 0.1)


def _diamond(surface: pygame.Surface, side: float, colour: Colour) -> None:
    right = [
        *_curve((0.5, 0.02), (0.60, 0.20), (0.72, 0.36), (0.88, 0.5)),
        *_curve((0.88, 0.5), (0.72, 0.64), (0.60, 0.80), (0.5, 0.98)),
        (0.5, 0.98),
    ]
    _polygon(surface, side, colour, _mirrored(right))


def _spade(surface: pygame.Surface, side: float, colour: Colour) -> None:
    right = [
        *_curve((0.5, 0.02), (0.58, 0.17), (0.70, 0.26), (0.82, 0.39)),
        *_curve((0.82, 0.39), (0.99, 0.56), (0.92, 0.77), (0.73, 0.78)),
        *_curve((0.73, 0.78), (0.63, 0.78), (0.56, 0.72), (0.5, 0.64)),
        (0.5, 0.64),
    ]
    _polygon(surface, side, colour, _mirrored(right))
    _polygon(surface, side, colour, _STEM)


def _club(surface: pygame.Surface, side: float, colour: Colour) -> None:
    for x, y in ((0.5, 0.245), (0.265, 0.575), (0.735, 0.575)):
        _disc(surface, side, colour, x, y, 0.218)
    _polygon(surface, side, colour, ((0.42, 0.3), (0.58, 0.3), (0.6, 0.62), (0.4, 0.62)))
    _polygon(surface, side, colour, _STEM)


def _star(surface: pygame.Surface, side: float, colour: Colour) -> None:
    points = []
    for corner in range(10):
        radius = 0.49 if corner % 2 == 0 else 0.205
        angle = math.radians(36 * corner - 90)
        points.append((0.5 + radius * math.cos(angle), 0.52 + radius * math.sin(angle)))
    _polygon(surface, side, colour, points)


def _crown(surface: pygame.Surface, side: float, colour: Colour) -> None:
    outline = ((0.08, 0.26), (0.3, 0.52), (0.5, 0.14), (0.7, 0.52), (0.92, 0.26), (0.82, 0.86), (0.18, 0.86))
    _polygon(surface, side, colour, outline)
    for x, y in ((0.08, 0.24), (0.5, 0.13), (0.92, 0.24)):
        _disc(surface, side, colour, x, y, 0.075)


def _stroke(
    surface: pygame.Surface, side: float, colour: Colour, points: Sequence[Point], width: float
) -> None:
    """Draw a polyline with round ends and joints."""
    for (x1, y1), (x2, y2) in pairwise(points):
        length = math.hypot(x2 - x1, y2 - y1)
        across = ((y1 - y2) / length * width / 2, (x2 - x1) / length * width / 2)
        corners = [
            (x1 + across[0], y1 + across[1]),
            (x2 + across[0], y2 + across[1]),
            (x2 - across[0], y2 - across[1]),
            (x1 - across[0], y1 - across[1]),
        ]
        _polygon(surface, side, colour, corners)
    for x, y in points:
        _disc(surface, side, colour, x, y, width / 2)


def _tick(surface: pygame.Surface, side: float, colour: Colour) -> None:
    _stroke(surface, side, colour, ((0.14, 0.54), (0.4, 0.8), (0.86, 0.22)), 0.17)


def _cross(surface: pygame.Surface, side: float, colour: Colour) -> None:
    _stroke(surface, side, colour, ((0.2, 0.2), (0.8, 0.8)), 0.17)
    _stroke(surface, side, colour, ((0.8, 0.2), (0.2, 0.8)), 0.17)


def _full(surface: pygame.Surface, side: float, colour: Colour) -> None:
    _disc(surface, side, colour, 0.5, 0.5, 0.46)


def _ring(surface: pygame.Surface, side: float, colour: Colour) -> None:
    pygame.draw.circle(surface, colour, (side / 2, side / 2), 0.46 * side, max(1, round(0.12 * side)))


def _excess(surface: pygame.Surface, side: float, colour: Colour) -> None:
    """The icon of a trick too many: a diamond with a cross-shaped hole."""
    _polygon(surface, side, colour, ((0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5)))
    _stroke(surface, side, (0, 0, 0), ((0.35, 0.35), (0.65, 0.65)), 0.1)
    _stroke(surface, side, (0, 0, 0), ((0.65, 0.35), (0.35, 0.65)), 0.1)


def _forbidden(surface: pygame.Surface, side: float, colour: Colour) -> None:
    """A crossed-out ring, drawn over a number."""
    pygame.draw.circle(surface, colour, (side / 2, side / 2), 0.49 * side, max(1, round(0.075 * side)))
    _stroke(surface, side, colour, ((0.17, 0.83), (0.83, 0.17)), 0.075)


def _arrow(surface: pygame.Surface, side: float, colour: Colour) -> None:
    """A triangle that points to the right."""
    _polygon(surface, side, colour, ((0.12, 0.08), (0.95, 0.5), (0.12, 0.92)))


def _up(surface: pygame.Surface, side: float, colour: Colour) -> None:
    _polygon(surface, side, colour, ((0.5, 0.1), (0.98, 0.88), (0.02, 0.88)))


def _down(surface: pygame.Surface, side: float, colour: Colour) -> None:
    _polygon(surface, side, colour, ((0.5, 0.9), (0.98, 0.12), (0.02, 0.12)))


def _ruling(surface: pygame.Surface, side: float, colour: Colour) -> None:
    """A pair of scales."""
    _stroke(surface, side, colour, ((0.5, 0.1), (0.5, 0.86)), 0.08)
    _stroke(surface, side, colour, ((0.28, 0.88), (0.72, 0.88)), 0.1)
    _stroke(surface, side, colour, ((0.16, 0.24), (0.84, 0.24)), 0.08)
    for x in (0.19, 0.81):
        _polygon(surface, side, colour, ((x - 0.18, 0.58), (x, 0.26), (x + 0.18, 0.58)))
        _polygon(surface, side, (0, 0, 0), ((x - 0.10, 0.55), (x, 0.37), (x + 0.10, 0.55)))
        bowl = [
            (x + 0.19 * math.cos(a / 12 * math.pi), 0.56 + 0.12 * math.sin(a / 12 * math.pi))
            for a in range(13)
        ]
        _polygon(surface, side, colour, bowl)


def _hint(surface: pygame.Surface, side: float, colour: Colour) -> None:
    """The letter i in a disc."""
    _disc(surface, side, colour, 0.5, 0.5, 0.46)
    _disc(surface, side, (0, 0, 0), 0.5, 0.26, 0.075)
    _stroke(surface, side, (0, 0, 0), ((0.5, 0.45), (0.5, 0.74)), 0.12)


def _trouble(surface: pygame.Surface, side: float, colour: Colour) -> None:
    """An exclamation mark in a triangle."""
    _polygon(surface, side, colour, ((0.5, 0.05), (0.99, 0.93), (0.01, 0.93)))
    _stroke(surface, side, (0, 0, 0), ((0.5, 0.36), (0.5, 0.62)), 0.1)
    _disc(surface, side, (0, 0, 0), 0.5, 0.79, 0.06)


_PENS: dict[str, Pen] = {
    "S": _spade,
    "H": _heart,
    "D": _diamond,
    "C": _club,
    "broken": _broken,
    "star": _star,
    "crown": _crown,
    "tick": _tick,
    "cross": _cross,
    "full": _full,
    "ring": _ring,
    "excess": _excess,
    "forbidden": _forbidden,
    "arrow": _arrow,
    "up": _up,
    "down": _down,
    "ruling": _ruling,
    "hint": _hint,
    "trouble": _trouble,
}

ICONS = tuple(_PENS)
"""The names of all icons."""


@cached_surface
def draw_icon(name: str, side: int, colour: Colour) -> pygame.Surface:
    """Draw the icon ``name`` (one of :data:`ICONS`) in a transparent square of ``side`` pixels.

    Callers must not draw on the cached result.
    """
    side = max(1, side)
    large = side * _OVERSAMPLING
    # The icon is drawn as a white-on-black mask, so that holes (black) and smooth edges become transparency.
    mask = pygame.Surface((large, large), depth=32)
    _PENS[name](mask, float(large), (255, 255, 255))
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
    """Draw a smooth filled rounded rectangle with an edge of ``width`` pixels (0: none).

    Callers must not draw on the cached result.
    """
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
