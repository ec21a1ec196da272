"""The layout of the screen: plain geometry, in pixels.

A band above and one below hold the four corner boxes, the headline and the rulings; the table is between them. On an
upright screen headline and rulings each have a band of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pygame

from table.display.drawing.colours_and_sizes import Size, pixels_per_unit

MARGIN = 12
"""The margin around the screen, in units of a 1280 x 720 screen."""
TOP_HEIGHT = 96
"""The height of the band above, in units."""
BOTTOM_HEIGHT = 84
"""The height of the band below, in units."""
CORNER_WIDTH = 262
"""The width of a corner box, in units."""
UPRIGHT_TOP_HEIGHT, UPRIGHT_CORNER_HEIGHT, UPRIGHT_BOTTOM_HEIGHT = 108, 84, 96
"""The heights of the headline, the corner boxes and the rulings on an upright screen, in units."""
GAP = 8
"""The gap between boxes, in units."""


@dataclass(frozen=True)
class ScreenLayout:
    """The boxes of a screen, in pixels."""

    top_left: pygame.Rect
    headline: pygame.Rect
    top_right: pygame.Rect
    middle: pygame.Rect
    bottom_left: pygame.Rect
    rulings: pygame.Rect
    bottom_right: pygame.Rect

    @property
    def footer(self) -> pygame.Rect:
        """The box of the whole band below the table."""
        return self.bottom_left.unionall([self.rulings, self.bottom_right])


def is_upright(box: pygame.Rect | Size) -> bool:
    """Return whether a box is higher than wide; then things stand below one another instead of side by side."""
    width, height = box.size if isinstance(box, pygame.Rect) else box
    return height > width


def layout_screen(size: Size) -> ScreenLayout:
    """Return the boxes of a screen of ``size``."""
    scale = pixels_per_unit(size)

    def px(units: float) -> int:
        return round(units * scale)

    inside = pygame.Rect((0, 0), size).inflate(-2 * px(MARGIN), -2 * px(MARGIN))
    if is_upright(size):
        return _layout_upright(inside, px)
    corner, gap = px(CORNER_WIDTH), px(GAP)
    top = pygame.Rect(inside.left, inside.top, inside.width, px(TOP_HEIGHT))
    bottom = pygame.Rect(inside.left, inside.bottom - px(BOTTOM_HEIGHT), inside.width, px(BOTTOM_HEIGHT))
    between = inside.width - 2 * (corner + gap)
    return ScreenLayout(
        top_left=pygame.Rect(top.left, top.top, corner, top.height),
        headline=pygame.Rect(top.left + corner + gap, top.top, between, top.height),
        top_right=pygame.Rect(top.right - corner, top.top, corner, top.height),
        middle=pygame.Rect(inside.left, top.bottom + gap, inside.width, bottom.top - top.bottom - 2 * gap),
        bottom_left=pygame.Rect(bottom.left, bottom.top, corner, bottom.height),
        rulings=pygame.Rect(bottom.left + corner + gap, bottom.top, between, bottom.height),
        bottom_right=pygame.Rect(bottom.right - corner, bottom.top, corner, bottom.height),
    )


def _layout_upright(inside: pygame.Rect, px: Callable[[float], int]) -> ScreenLayout:
    """Return the boxes of an upright screen."""
    gap, corner = px(GAP), px(UPRIGHT_CORNER_HEIGHT)
    half = (inside.width - gap) // 2
    headline = pygame.Rect(inside.left, inside.top, inside.width, px(UPRIGHT_TOP_HEIGHT))
    rulings = pygame.Rect(
        inside.left, inside.bottom - px(UPRIGHT_BOTTOM_HEIGHT), inside.width, px(UPRIGHT_BOTTOM_HEIGHT)
    )
    above, below = headline.bottom + gap, rulings.top - gap - corner
    right = inside.right - half
    return ScreenLayout(
        top_left=pygame.Rect(inside.left, above, half, corner),
        headline=headline,
        top_right=pygame.Rect(right, above, half, corner),
        middle=pygame.Rect(inside.left, above + corner + gap, inside.width, below - above - corner - 2 * gap),
        bottom_left=pygame.Rect(inside.left, below, half, corner),
        rulings=rulings,
        bottom_right=pygame.Rect(right, below, half, corner),
    )
