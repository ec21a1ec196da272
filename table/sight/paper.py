"""What paper looks like in this light, by the cards that lie there, and where else there is some: in a hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.facts import Image
from table.sight.gate import Mask, Planar
from table.sight.recent import LEVELS, colour_of
from table.sight.tracked import TrackedCard
from table.sight.view import View

Colour = NDArray[np.float64]
"""Blue, green and red, levels."""
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class PaperNumbers:
    """The numbers of this module; chosen on the scene bench's tuning set."""

    shown_px: int = 30
    """So little of a card tells how paper looks now."""
    light: tuple[float, float] = (0.6, 1.35)
    """Paper is so much darker or lighter than that of the cards that lie there (a shadow, a lamp) ..."""
    tint: float = 0.05
    """... and of the same colour: the shares of blue, green and red are the same but for so much, together."""
    nothing: float = 0.03
    """Hands over the mark hold no card if they show less of one (of 79 in which one was read 76 showed more)."""


NUMBERS: Final = PaperNumbers()


def paper_of(view: View, cards: Sequence[TrackedCard]) -> Colour | None:
    """The colour of paper: of the lighter half, but for glare, of what shows of ``cards``; None if too little does.

    Of those that lie face up: nobody knows what a back looks like.
    """
    place = np.zeros_like(view.square)
    for card in cards:
        if card.readings:
            inner = cv2.erode(view.geometry.polygon_in_small(card.quad), np.ones((5, 5), np.uint8))
            place |= np.asarray(inner, np.uint8)
    for arm in view.arms():
        place &= ~arm.mask
    shown = colour_of(view.now.small)[place > 0].astype(np.float64)
    if len(shown) < NUMBERS.shown_px:
        return None
    light = np.argsort(shown.sum(axis=1))
    return np.asarray(shown[light[len(light) // 2 : len(light) * 19 // 20]].mean(axis=0))


def where_paper(small: Planar, paper: Colour) -> Mask:
    """Where a small picture shows paper of that colour."""
    colours = small.reshape(3, small.shape[0] // 3, small.shape[1]).astype(np.float32)
    light = colours[0] + colours[1] + colours[2]
    dark, bright = (share * paper.sum() for share in NUMBERS.light)
    own = (paper / paper.sum()).astype(np.float32)
    # (Shares of the light, against the paper's, without dividing by it.)
    off = sum(np.abs(colour - share * light) for colour, share in zip(colours, own, strict=True))
    alike = (off < NUMBERS.tint * light) & (light > dark) & (light < bright)
    return np.asarray(alike.view(np.uint8) * np.uint8(255), dtype=np.uint8)


def unlike_paper(view: View, picture: Image) -> Bools:
    """Where a ``picture`` of the mark is plainly of another colour than paper is, by what shows of all cards there.

    Nowhere, if too little of them does.
    """
    paper = paper_of(view, view.pile.all)
    if paper is None:
        return np.zeros(picture.shape[:2], np.bool_)
    return np.asarray((np.abs(picture.astype(np.float64) - paper) >= 2 * LEVELS).any(axis=2))


def no_paper(view: View) -> bool:
    """Whether what is over the mark holds no card, as far as it is known how paper looks."""
    cards = view.pile.all
    paper = paper_of(view, cards)
    if paper is None:
        return False
    other = cv2.bitwise_and(where_paper(view.now.small, paper), view.strange(cards))
    whole = cv2.countNonZero(view.geometry.polygon_in_small(cards[-1].quad))
    return cv2.countNonZero(other) < NUMBERS.nothing * whole
