"""What the readings of several indices say together."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.reader.corners import Mark, placement
from table.reader.finder import Finds
from table.reader.labels import expect
from table.reader.naming import Names

SURE: Final = 0.95
"""A card read more surely than this is there."""
SURE_ALONE: Final = 0.9
"""An index by itself has to be read this surely to be there."""
_PLAIN: Final = 0.2
"""The finder's score from which an index is taken for one without further ado."""
_COVERED: Final = 0.2
"""How probably the reading of an index that the finder hardly believes in is of another card, because part of it is
hidden; it falls with the square of the distrust. In ten games on the virtual table, of the readings surer than .95,
2 of 18 were wrong at a score under .5, 2 of 173 from there to .8, and none of 4,925 above."""

Chances = NDArray[np.float64]
"""Probabilities over `CARDS`; the last is "none"."""


def agreement(a: Mark, b: Mark) -> float:
    """Probability that both are the same card by their readings (0 where both are sure of different cards)."""
    return float(a.probabilities[:-1] @ b.probabilities[:-1])


def combine(readings: list[Chances]) -> Chances:
    """Put the readings of one card's corners together.

    The corners share print, lamp and blur, so their errors are not independent: the product of the probabilities is
    taken to a power a little under 1.
    """
    if len(readings) == 1:
        return readings[0]
    logs = np.sum([np.log(np.maximum(chances, 1e-9)) for chances in readings], axis=0) * 0.85
    chances = np.exp(logs - logs.max())
    return np.asarray(chances / chances.sum())


def _believed(mark: Mark) -> Chances:
    """What an index says, where others of its card are there to say otherwise: perhaps part of it is covered."""
    covered = _COVERED * (1.0 - min(1.0, mark.score)) ** 2
    chances = mark.probabilities * (1.0 - covered)
    chances[:-1] += covered / (len(chances) - 1)
    return np.asarray(chances)


def of_one_card(marks: list[Mark]) -> Chances:
    """What a card's corners say of it.

    One index alone is worth less than its reading says where the finder was not sure of it, or the reading itself is
    not: with nothing to confirm it, it is more often no index at all.
    """
    if len(marks) > 1:
        return combine([_believed(mark) for mark in marks])
    chances = marks[0].probabilities
    worth = min(1.0, marks[0].score / _PLAIN) ** 0.3 * marks[0].sureness ** 0.5
    chances = chances * worth
    chances[-1] += 1.0 - worth
    return np.asarray(chances)


def once_a_card(found: Finds, names: Names, card_px: float) -> Chances:
    """Count how common a card is once for a card, not once for each of its corners.

    That something printed looks like a joker is common; that two such things lie as a card's corners do is not. So
    indices that read as the same uncommon card, and are placed like its corners, share what holds that card back.

    Args:
        found: the indices.
        names: what they read as.
        card_px: the short side of a card in the picture.

    Returns:
        (n, len(CARDS)) probabilities.
    """
    plain = names.plain
    best = plain.argmax(axis=1)
    held = np.flatnonzero(names.expected[np.arange(len(found)), best] < 1.0)
    places = dict(zip(held, found[held].corners(), strict=True))
    corners = np.ones(len(found))
    for k in held:
        same = [j for j in held if best[j] == best[k] and placement(places[j], places[k], card_px) < 1.0]
        corners[k] += min(len(same), 3)  # (an index is never placed like another corner of itself)
    return expect(plain, names.expected ** (1.0 / corners[:, None]))


def averaged(marks: list[Mark], others: list[list[Mark]]) -> list[Mark]:
    """The marks, each with the mean of what it and the same index in other looks read.

    The finder's errors of place and angle differ from scale to scale, and with them the namers'.
    """
    result = []
    for mark in marks:
        reach = mark.reach
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
