"""Sizes and boxes: the unit of length, and cutting a box into parts.

Measures are in units of a screen of 1280 x 720 or 720 x 1280, and scaled by :func:`pixels_per_unit`. A layout is made
by cutting pieces off a side of a box, so that the same steps lay things out side by side or below one another.
"""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import pygame

Size: TypeAlias = tuple[int, int]
Side: TypeAlias = Literal["left", "right", "top", "bottom"]

MIN_TEXT = 20
"""The smallest text height in units: at 24 inches and from three metres about twice what good eyes need."""


def pixels_per_unit(size: Size) -> float:
    """Return the pixels per unit of length on a screen of ``size`` (1 at 1280 x 720 and at 720 x 1280)."""
    return min(max(size) / 1280, min(size) / 720)


def far_text_height(size: Size) -> int:
    """Return the least text height in pixels that is readable from afar: a 25th of the screen's shorter side."""
    return math.ceil(min(size) / 25)


def is_upright(box: pygame.Rect | Size) -> bool:
    """Return whether a box is higher than wide; then things stand below one another instead of side by side."""
    width, height = box.size if isinstance(box, pygame.Rect) else box
    return height > width


def cut(box: pygame.Rect, side: Side, length: int, gap: int = 0) -> tuple[pygame.Rect, pygame.Rect]:
    """Cut ``length`` pixels off a side of a box; return that piece and the rest, with a ``gap`` between them."""
    piece, rest = box.copy(), box.copy()
    if side in ("left", "right"):
        piece.width, rest.width = length, box.width - length - gap
    else:
        piece.height, rest.height = length, box.height - length - gap
    last = rest if side in ("left", "top") else piece
    last.bottomright = box.bottomright
    return piece, rest


def split(box: pygame.Rect, side: Side, share: float, gap: int = 0) -> tuple[pygame.Rect, pygame.Rect]:
    """Cut a share of its length off a side of a box, as :func:`cut` does."""
    length = box.width if side in ("left", "right") else box.height
    return cut(box, side, round(length * share), gap)


def centred(size: Size | int, centre: tuple[int, int]) -> pygame.Rect:
    """Return a box of ``size`` (a square: of its side) around ``centre``."""
    box = pygame.Rect((0, 0), (size, size) if isinstance(size, int) else size)
    box.center = centre
    return box


def rotate_box(box: pygame.Rect, size: Size, quarters: int) -> pygame.Rect:
    """Return where ``box`` lies after a picture of ``size`` is rotated clockwise by ``quarters`` quarter turns."""
    rotated = pygame.Rect(box)
    for _ in range(quarters % 4):
        rotated = pygame.Rect(size[1] - rotated.bottom, rotated.left, rotated.height, rotated.width)
        size = size[::-1]
    return rotated
