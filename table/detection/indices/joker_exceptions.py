"""Corner indices of jokers: no two packs' look alike, and a star or a word takes the place of rank and suit.

A pack has two jokers, they are uncommon at a table, and anything colourful may look like one.
(table/detection/joker_words.py detects a word that is set across its card.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.detection.indices.class_labels import CARDS, JOKER
from table.detection.indices.index_pair_geometry import (
    ACROSS_RANGE,
    ALONG_RANGE,
    MIN_CORNER_DISTANCE,
    IndexKeypoints,
    ReadIndex,
    rank_distance,
)

JOKER_CLASS: Final = CARDS.index(JOKER)

MAX_JOKER_PRIOR: Final = 0.3
"""The highest prior of a joker where it is known that there are some."""

MIN_OTHER_CARDS: Final = 6
"""In a photograph that shows at least this many other cards with certainty ..."""
CERTAIN_JOKER: Final = 0.8
"""... a joker of lower confidence than this ..."""
WEAK_JOKER_FACTOR: Final = 0.5
"""... has its confidence multiplied by this: much print looks like a joker.

Chosen on photographs of real cards and no jokers, one of which showed one, at .75 beside 13 cards.
"""

MAX_PLACEMENT_ERROR: Final = 2.0
"""The highest placement error of two indices of one joker: packs have several kinds."""
_MAX_DIAGONAL: Final = 1.6
"""The largest distance between opposite corners' indices, in card widths."""

FINDER_ERROR_FACTOR: Final = 2.5
"""The factor on the finder's errors at a joker's star or word, which has no rank and no suit ..."""
VARIANTS_FACTOR: Final = 3
"""... so a shown joker gets this many times as many variants as another card."""
MAX_WORD_LENGTH: Final = 0.45
"""The largest length of a joker's word, in card widths."""
FINDER_SCORE_WEIGHT: Final = 0.4
"""The weight of the finder's score alone in the value of a shown joker's corners."""
MAX_SIZE_RATIO: Final = 1.7
"""The largest ratio of the sizes of a shown joker's two indices, as detected."""


def reads_joker(posterior: NDArray[np.float64]) -> bool:
    """Return whether a joker is the likeliest of (len(CARDS),) probabilities."""
    return int(posterior.argmax()) == JOKER_CLASS


def both_read_joker(a: ReadIndex, b: ReadIndex) -> bool:
    """Return whether two indices both read as jokers."""
    return reads_joker(a.probabilities) and reads_joker(b.probabilities)


def may_be_same_joker(a: IndexKeypoints, b: IndexKeypoints, card_px: float) -> bool:
    """Return whether two joker indices may be on one joker, by their distance and direction.

    A star has no up and down, so its direction is a guess; another joker beside it mostly lies the same way.
    """
    return (
        float(a.down @ b.down) < -0.5 and MIN_CORNER_DISTANCE < rank_distance(a, b) / card_px < _MAX_DIAGONAL
    )


def join_joker_pairs(indices: list[ReadIndex], groups: dict[int, list[int]], card_px: float) -> None:
    """Join pairs of joker indices that fit on one card together: they are its four corners.

    A word across may be too wide to stand where a card's indices do. Two jokers that show two corners each do not lie
    exactly on top of each other.

    Args:
        indices: the indices.
        groups: positions in them, by card; modified.
        card_px: the short side of a card.
    """
    pairs = [
        k
        for k, members in groups.items()
        if len(members) == 2 and all(reads_joker(indices[m].probabilities) for m in members)
    ]
    for k, a in enumerate(pairs):
        for b in pairs[k + 1 :]:
            if (
                a in groups
                and b in groups
                and _fit_one_card([indices[m] for m in groups[a] + groups[b]], card_px)
            ):
                groups[a] += groups.pop(b)


def _fit_one_card(corners: Sequence[IndexKeypoints], card_px: float) -> bool:
    """Return whether all these indices stand within one card, the same way up or upside down."""
    down = corners[0].down
    right = np.array([down[1], -down[0]])
    places = np.array([corner.rank for corner in corners]) / card_px
    across, along = float(np.ptp(places @ right)), float(np.ptp(places @ down))
    parallel = all(abs(float(corner.down @ down)) > 0.9 for corner in corners)
    return parallel and across < ACROSS_RANGE[2] and along < ALONG_RANGE[2]


def all_inside_joker(
    middles: Sequence[tuple[float, float]], joker: Sequence[tuple[float, float]] | None
) -> bool:
    """Return whether all these middles of indices lie inside a joker's outline.

    If they read as a joker, they are that joker's other two words, which may be too wide to stand where a card's
    indices do.
    """
    if joker is None:
        return False
    quad = np.array(joker, np.float32).reshape(-1, 1, 2)
    return all(cv2.pointPolygonTest(quad, middle, False) > 0 for middle in middles)
