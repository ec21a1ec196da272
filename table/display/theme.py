"""Colours and measures of the screen.

The colours are those of Okabe and Ito that colour-blind people can tell apart, on a dark ground that is kind to a
living room; nothing is said by colour alone (a shape or a word always says it too). Measures are given for a
screen of 1280 x 720, or of 720 x 1280, and scaled by :func:`unit`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypeAlias

Colour: TypeAlias = tuple[int, int, int]
Size: TypeAlias = tuple[int, int]

GROUND: Colour = (14, 20, 24)
FELT: Colour = (22, 74, 66)
FELT_EDGE: Colour = (48, 112, 98)
PANEL: Colour = (30, 40, 47)
PANEL_DEEP: Colour = (20, 27, 32)
STRIPE: Colour = (25, 33, 39)
EDGE: Colour = (74, 90, 100)
TEXT: Colour = (247, 244, 234)
DIM: Colour = (176, 187, 191)
AMBER: Colour = (255, 190, 61)
"""Whose turn it is."""
SKY: Colour = (116, 196, 240)
"""Who may act as well."""
MADE: Colour = (64, 201, 157)
OVER: Colour = (240, 125, 74)
INK: Colour = (20, 24, 30)
"""Text on a light ground, and the black suits."""
RED: Colour = (205, 34, 44)
"""The red suits on a card."""
RED_ON_DARK: Colour = (255, 122, 110)
GREEN: Colour = (0, 112, 60)
"""Clubs, where the suits have four colours ..."""
GREEN_ON_DARK: Colour = (96, 214, 130)
BLUE: Colour = (16, 84, 190)
"""... and diamonds."""
BLUE_ON_DARK: Colour = (120, 186, 255)
PAPER: Colour = (253, 252, 247)
PAPER_DIM: Colour = (200, 202, 196)
BACK: Colour = (44, 86, 140)

SMALLEST = 20
"""The smallest letters, for 720 lines: at 24 inches and from three metres about twice what good eyes need."""


def unit(size: Size) -> float:
    """How many pixels one unit of the measures is on a screen of ``size`` (1 at 1280 x 720, and at 720 x 1280)."""
    return min(max(size) / 1280, min(size) / 720)


def far(size: Size) -> int:
    """The least height in pixels of letters that are read from afar: a 25th of the height.

    A screen that stands upright is the same screen turned: a 25th of its shorter side.
    """
    return math.ceil(min(size) / 25)


def suit_colour(
    suit: str | None, *, on_dark: bool, four: bool = False, other: Colour | None = None
) -> Colour:
    """The colour of a suit's sign (and of the joker's) on paper or on the dark ground.

    ``four``: each suit has one of its own. ``other``: what a suit without one has, such as that of the text around it.
    """
    colours = (_FOUR if four else _TWO).get(suit or "")
    if colours is not None:
        return colours[on_dark]
    return other or (TEXT if on_dark else INK)


_TWO: Mapping[str, tuple[Colour, Colour]] = {"H": (RED, RED_ON_DARK), "D": (RED, RED_ON_DARK)}
"""On paper, and on the dark ground."""
_FOUR: Mapping[str, tuple[Colour, Colour]] = {
    "H": (RED, RED_ON_DARK),
    "D": (BLUE, BLUE_ON_DARK),
    "C": (GREEN, GREEN_ON_DARK),
}
