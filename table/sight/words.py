"""A joker's word set across the card: found as a word that runs down it, and read once it is turned.

Seen by itself, a word does not tell whether it runs along its card or across; only the reading does. The finder gives
its two points in the word's own direction, so for a word across they lie a quarter turn off.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.sight.labels import CARDS, JOKER, NONE
from table.sight.naming import Naming, expect

_DROP: Final = 1.2
"""How far below such a word its second point is put, in distances between the two points along it (as in training)."""
_LIKELY: Final = 0.25
"""What is read as a card so surely is no word."""
_MOST: Final = 12
"""So many finds of a picture are looked at as words at most, the finder's surest."""
_JOKER: Final = CARDS.index(JOKER)
_PLAYED: Final = np.array([card not in (JOKER, NONE) for card in CARDS])


def quarter_turns(found: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each find as a word set across would have it, with the card's foot to one side and to the other.

    Args:
        found: (n, 9) rows of the finder.

    Returns:
        (2 * n, 9): two for each, one after the other.
    """
    rank, suit = found[:, 5:7], found[:, 7:9]
    middle, step = (rank + suit) / 2, suit - rank
    down = _DROP * np.stack([-step[:, 1], step[:, 0]], axis=1)
    turned = np.repeat(found, 2, axis=0)
    turned[:, 5:7] = np.repeat(middle, 2, axis=0)
    turned[0::2, 7:9] = middle + down
    turned[1::2, 7:9] = middle - down
    return turned


def as_words(
    naming: Naming,
    image: NDArray[np.uint8],
    found: NDArray[np.float32],
    chances: NDArray[np.float64],
    expected: NDArray[np.float64],
) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.float64]]:
    """Look at what reads as no card, or as a joker, as a word set across too.

    Much that is printed looks like some word from some side. So such a joker is expected less, by its share once
    more: alone it is a guess, at two corners of a card it is one (`evidence.once_a_card`).

    Args:
        naming: reads them.
        image: the picture.
        found: (n, 9) rows of the finder, best first.
        chances: (n, len(CARDS)) what they read as.
        expected: (n, len(CARDS)) how much each card was expected, which `chances` contain.

    Returns:
        The three of them, where a word across is likelier with its place and its reading.
    """
    maybe = np.flatnonzero(chances[:, _PLAYED].max(axis=1) < _LIKELY)[:_MOST]
    if not len(maybe):
        return found, chances, expected
    turned = quarter_turns(found[maybe])
    read, shares, _ = naming.name(image, turned, thorough=True)
    read = expect(read, shares)
    found, chances, expected = found.copy(), chances.copy(), expected.copy()
    for k, one in enumerate(maybe):
        best = 2 * k + int(read[2 * k : 2 * k + 2, _JOKER].argmax())
        if read[best, _JOKER] > chances[one, _JOKER]:
            found[one], chances[one], expected[one] = turned[best], read[best], shares[best] ** 2
    return found, chances, expected
