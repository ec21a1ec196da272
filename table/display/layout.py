"""The boxes of a screen: plain geometry, in pixels.

A band above and one below hold the four corners, the headline and the rulings; between them is the table. On a screen
that stands upright headline and rulings have a band each of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pygame

from table.display.theme import Size, unit

MARGIN = 12
TOP = 96
BOTTOM = 84
CORNER = 262
UPRIGHT_TOP, UPRIGHT_CORNER, UPRIGHT_BOTTOM = 108, 84, 96
GAP = 8
"""Measures in units of a 1280 x 720 screen."""


@dataclass(frozen=True)
class Layout:
    """The boxes of a screen."""

    top_left: pygame.Rect
    headline: pygame.Rect
    top_right: pygame.Rect
    middle: pygame.Rect
    bottom_left: pygame.Rect
    rulings: pygame.Rect
    bottom_right: pygame.Rect

    @property
    def foot(self) -> pygame.Rect:
        """All that is below the table."""
        return self.bottom_left.unionall([self.rulings, self.bottom_right])


def upright(box: pygame.Rect | Size) -> bool:
    """Whether it is higher than wide: then things stand one under the other that otherwise stand side by side."""
    width, height = box.size if isinstance(box, pygame.Rect) else box
    return height > width


def layout(size: Size) -> Layout:
    """The boxes of a screen of ``size``."""
    scale = unit(size)

    def px(units: float) -> int:
        return round(units * scale)

    inside = pygame.Rect((0, 0), size).inflate(-2 * px(MARGIN), -2 * px(MARGIN))
    if upright(size):
        return _upright(inside, px)
    corner, gap = px(CORNER), px(GAP)
    top = pygame.Rect(inside.left, inside.top, inside.width, px(TOP))
    bottom = pygame.Rect(inside.left, inside.bottom - px(BOTTOM), inside.width, px(BOTTOM))
    between = inside.width - 2 * (corner + gap)
    return Layout(
        top_left=pygame.Rect(top.left, top.top, corner, top.height),
        headline=pygame.Rect(top.left + corner + gap, top.top, between, top.height),
        top_right=pygame.Rect(top.right - corner, top.top, corner, top.height),
        middle=pygame.Rect(inside.left, top.bottom + gap, inside.width, bottom.top - top.bottom - 2 * gap),
        bottom_left=pygame.Rect(bottom.left, bottom.top, corner, bottom.height),
        rulings=pygame.Rect(bottom.left + corner + gap, bottom.top, between, bottom.height),
        bottom_right=pygame.Rect(bottom.right - corner, bottom.top, corner, bottom.height),
    )


def _upright(inside: pygame.Rect, px: Callable[[float], int]) -> Layout:
    gap, corner = px(GAP), px(UPRIGHT_CORNER)
    half = (inside.width - gap) // 2
    headline = pygame.Rect(inside.left, inside.top, inside.width, px(UPRIGHT_TOP))
    rulings = pygame.Rect(inside.left, inside.bottom - px(UPRIGHT_BOTTOM), inside.width, px(UPRIGHT_BOTTOM))
    above, below = headline.bottom + gap, rulings.top - gap - corner
    right = inside.right - half
    return Layout(
        top_left=pygame.Rect(inside.left, above, half, corner),
        headline=headline,
        top_right=pygame.Rect(right, above, half, corner),
        middle=pygame.Rect(inside.left, above + corner + gap, inside.width, below - above - corner - 2 * gap),
        bottom_left=pygame.Rect(inside.left, below, half, corner),
        rulings=rulings,
        bottom_right=pygame.Rect(right, below, half, corner),
    )
