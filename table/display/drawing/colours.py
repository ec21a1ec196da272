"""Colours of the screen.

They are the palette of Okabe and Ito, which colour-blind people can tell apart, on a dark background that suits a
living room; colour is never the only cue (a shape or a word repeats it).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

Colour: TypeAlias = tuple[int, int, int]

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
"""The player on turn, and anything marked."""
SKY: Colour = (116, 196, 240)
"""Other players who may act."""
MADE: Colour = (64, 201, 157)
"""A bid that was made."""
OVER: Colour = (240, 125, 74)
"""A missed bid, too many tricks, or a warning."""
INK: Colour = (20, 24, 30)
"""Text on a light background, and the black suits."""
RED: Colour = (205, 34, 44)
"""The red suits on a card."""
RED_ON_DARK: Colour = (255, 122, 110)
GREEN: Colour = (0, 112, 60)
"""Clubs with four suit colours ..."""
GREEN_ON_DARK: Colour = (96, 214, 130)
BLUE: Colour = (16, 84, 190)
"""... and diamonds."""
BLUE_ON_DARK: Colour = (120, 186, 255)
PAPER: Colour = (253, 252, 247)
PAPER_DIM: Colour = (200, 202, 196)
BACK: Colour = (44, 86, 140)

_TWO_COLOURS: Mapping[str, tuple[Colour, Colour]] = {"H": (RED, RED_ON_DARK), "D": (RED, RED_ON_DARK)}
"""The colours of the suits on paper and on the dark background, with two suit colours."""
_FOUR_COLOURS: Mapping[str, tuple[Colour, Colour]] = {
    "H": (RED, RED_ON_DARK),
    "D": (BLUE, BLUE_ON_DARK),
    "C": (GREEN, GREEN_ON_DARK),
}


def suit_colour(
    suit: str | None, *, on_dark: bool, four: bool = False, default: Colour | None = None
) -> Colour:
    """Return the colour of a suit's icon (or the joker's) on paper or on the dark background.

    ``four``: four suit colours. ``default``: the colour of suits without their own, such as that of the text around.
    """
    colours = (_FOUR_COLOURS if four else _TWO_COLOURS).get(suit or "")
    if colours is not None:
        return colours[on_dark]
    return default or (TEXT if on_dark else INK)
