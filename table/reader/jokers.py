"""What is special about jokers: no two packs' look alike, and a star or a word stands where others have rank and suit.

They come two to a pack, are uncommon at a table, and anything colourful may look like one. (How a word is found that is
set across its card: table/reader/words.py.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.reader.corners import ACROSS, ALONG, NEAREST, Corner, Mark, apart
from table.reader.labels import CARDS, JOKER

NUMBER: Final = CARDS.index(JOKER)

IN_PLAY: Final = 0.3
"""How much a joker is expected at most where it is known that there are some."""

MANY: Final = 6
"""In a photograph that shows so many other cards plainly ..."""
PLAIN: Final = 0.8
"""... a joker that is read less surely than this ..."""
HARDLY: Final = 0.5
"""... is believed only so far: much that is printed looks like one. (Chosen on photographs of real cards and no jokers,
one of which showed one, at .75 beside 13 cards.)"""

REACH: Final = 2.0
"""How badly two jokers' indices may be placed (`placement`) and still be one joker's: packs have several."""
_DIAGONAL: Final = 1.6
"""Opposite corners' indices are nowhere farther apart than this, in card widths."""

VAGUE: Final = 2.5
"""The finder errs so much more at a joker's star or word, which has no rank and no suit ..."""
MORE_LOOKS: Final = 3
"""... so a shown joker is looked at so many times more often than another card."""
LONGEST: Final = 0.45
"""A joker's word is this long at most, in card widths."""
ANY_SHOWN: Final = 0.4
"""How much a shown joker's corners are worth by the finder's word alone."""
UNEVEN: Final = 1.7
"""The larger index of a shown joker against the smaller one, as found, at most."""


def reads_joker(chances: NDArray[np.float64]) -> bool:
    """Whether (len(CARDS),) probabilities read as a joker before all."""
    return int(chances.argmax()) == NUMBER


def both_jokers(a: Mark, b: Mark) -> bool:
    """Whether two indices read as jokers before all."""
    return reads_joker(a.probabilities) and reads_joker(b.probabilities)


def same_joker(a: Corner, b: Corner, card_px: float) -> bool:
    """Whether two jokers' indices are one joker's by nearness.

    A star has no up and down, so its direction is a guess; another joker beside it mostly lies the same way.
    """
    return float(a.down @ b.down) < -0.5 and NEAREST < apart(a, b) / card_px < _DIAGONAL


def join_words(marks: list[Mark], groups: dict[int, list[int]], card_px: float) -> None:
    """Join two pairs of jokers' indices that all have room on one card: then they are its four corners.

    A word across may be too wide to stand where a card's indices do. Two jokers that show two corners each don't lie so
    squarely upon each other.

    Args:
        marks: the indices.
        groups: numbers into them by card; changed.
        card_px: the short side of a card.
    """
    pairs = [
        k
        for k, members in groups.items()
        if len(members) == 2 and all(reads_joker(marks[m].probabilities) for m in members)
    ]
    for n, a in enumerate(pairs):
        for b in pairs[n + 1 :]:
            if a in groups and b in groups and _room([marks[m] for m in groups[a] + groups[b]], card_px):
                groups[a] += groups.pop(b)


def _room(corners: Sequence[Corner], card_px: float) -> bool:
    """Whether so many indices stand within one card, the same way up or upside down."""
    down = corners[0].down
    right = np.array([down[1], -down[0]])
    places = np.array([one.rank for one in corners]) / card_px
    across, along = float(np.ptp(places @ right)), float(np.ptp(places @ down))
    level = all(abs(float(one.down @ down)) > 0.9 for one in corners)
    return level and across < ACROSS[2] and along < ALONG[2]


def further_corners(
    middles: Sequence[tuple[float, float]], joker: Sequence[tuple[float, float]] | None
) -> bool:
    """Whether all of what reads as a joker (the middles of its indices) lies within the outline of another one.

    Then it is that one's other two words, which may be too wide to stand where a card's indices do.
    """
    if joker is None:
        return False
    quad = np.array(joker, np.float32).reshape(-1, 1, 2)
    return all(cv2.pointPolygonTest(quad, middle, False) > 0 for middle in middles)
