"""What the readings of several indices say together, and what else is known says of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.reader.grouping import Mark, placement
from table.reader.labels import CARDS, JOKER, OF_63
from table.reader.naming import expect
from table.reader.sightings import Sighting

SURE: Final = 0.95
"""A card read more surely than this is there."""
SURE_ALONE: Final = 0.9
"""An index seen at a neighbouring scale only has to be read this surely."""
_AGAIN: Final = 0.1
"""How much a card that is surely seen elsewhere in a photograph is expected a second time."""


def once_a_card(
    found: NDArray[np.float32],
    chances: NDArray[np.float64],
    expected: NDArray[np.float64],
    card_px: float,
) -> NDArray[np.float64]:
    """Count how common a card is once for a card, not once for each of its corners.

    That something printed looks like a joker is common; that two such things lie as a card's corners do is not. So
    indices that read as the same uncommon card, and are placed like its corners, share what holds that card back.

    Args:
        found: (n, 9) rows of the finder.
        chances: (n, len(CARDS)) probabilities, which contain `expected` once each.
        expected: (n, len(CARDS)) how much each card was expected.
        card_px: the short side of a card in the picture.
    """
    plain = expect(chances, 1.0 / expected)
    best = plain.argmax(axis=1)
    held = np.flatnonzero(expected[np.arange(len(found)), best] < 1.0)
    marks = {
        k: Mark(found[k, 5:7].astype(np.float64), found[k, 7:9].astype(np.float64), plain[k]) for k in held
    }
    corners = np.ones(len(found))
    for k in held:
        same = [j for j in held if best[j] == best[k] and placement(marks[j], marks[k], card_px) < 1.0]
        corners[k] += min(len(same), 3)  # (an index is never placed like another corner of itself)
    return expect(plain, expected ** (1.0 / corners[:, None]))


def averaged(marks: list[Mark], others: list[list[Mark]]) -> list[Mark]:
    """The marks, each with the mean of what it and the same index in other looks read.

    The finder's errors of place and angle differ from scale to scale, and with them the namers'.
    """
    result = []
    for mark in marks:
        reach = float(np.hypot(*(mark.suit - mark.rank)))
        readings = [mark.probabilities]
        for look in others:
            same = [
                other
                for other in look
                if float(np.hypot(*(other.middle - mark.middle))) < 0.35 * reach
                and other.down @ mark.down > 0.9
            ]
            readings += [other.probabilities for other in same[:1]]
        result.append(replace(mark, probabilities=np.mean(readings, axis=0)))
    return result


def as_of_one_pack(marks: list[Mark], seen: list[Sighting]) -> list[Mark]:
    """The marks, with the unsure ones weighed by what is surely seen elsewhere in the photograph.

    A pack has each card once (jokers come in pairs). And the more cards are seen of which none is an 11, 12 or 13, the
    less it is a pack of 63 cards: each is 52 / 63 times as likely from one.
    """
    sure = [s for s in seen if s.confidence > SURE and s.card != JOKER]
    theirs = {index.rank for s in sure for index in s.indices}
    weights = np.ones(len(CARDS))
    if not any(s.card in OF_63 for s in sure):
        weights[[CARDS.index(card) for card in OF_63]] = (52 / 63) ** len({s.card for s in sure})
    weights[[CARDS.index(s.card) for s in sure]] = _AGAIN
    result = []
    for mark in marks:
        if float(mark.probabilities[:-1].max()) < SURE_ALONE and tuple(mark.rank) not in theirs:
            chances = mark.probabilities * weights
            mark = replace(mark, probabilities=chances / chances.sum())
        result.append(mark)
    return result
