"""The cards that were seen: the indices of each put together, and the sightings that are but print on a card."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from table.facts import Image, Reading
from table.reader import jokers
from table.reader.corners import Corner, Mark, side
from table.reader.evidence import SURE, SURE_ALONE, of_one_card
from table.reader.grouping import group, outline
from table.reader.labels import CARDS, JOKER

Box = tuple[float, float, float, float]
"""x1, y1, x2, y2 in pixels."""

_MOST: Final = 4
"""So many readings of a card are told at most ..."""
_LEAST: Final = 0.001
"""... the best one, and others that are at least so likely."""
_DOUBT: Final = 0.5
"""A corner that reads so surely as another card leaves a doubt."""
_SQUARELY: Final = 0.15
_SQUARELY_DEG: Final = 15.0
"""Centres nearer than this (card widths) and directions nearer than this: one card lies squarely upon another."""
_NO_ORNAMENT: Final = 0.95
"""What is read more surely is a card (an outline may be guessed wrong, and a card that is turned shows corners) ..."""
_HIDDEN_DEG: Final = 7.5
"""... unless both are known by opposite corners, and turned so little that the one would hide the other's."""
_ONE_SIGN: Final = 0.35
"""Nearer than this (in distances from rank to suit) two signs are one."""


@dataclass(frozen=True)
class IndexSeen:
    """One corner index: rank centre, suit centre and box in pixels, the finder's score, the readings best first."""

    rank: tuple[float, float]
    suit: tuple[float, float]
    box: Box
    score: float
    readings: tuple[Reading, ...]

    @property
    def middle(self) -> tuple[float, float]:
        """Half way between rank and suit."""
        return (self.rank[0] + self.suit[0]) / 2, (self.rank[1] + self.suit[1]) / 2


@dataclass(frozen=True)
class Sighting:
    """One physical card.

    Attributes:
        readings: best first, at most four, calibrated.
        box: (x1, y1, x2, y2) pixels around what was seen of it.
        quad: the estimated outline of the whole card, TL TR BR BL of its upright face, or None.
        angle_deg: the reading direction, clockwise, 0 is upright.
        indices: what it was put together from.
        doubt: its corners read differently.
    """

    readings: tuple[Reading, ...]
    box: Box
    quad: tuple[tuple[float, float], ...] | None
    angle_deg: float
    indices: tuple[IndexSeen, ...]
    doubt: bool

    @property
    def card(self) -> str:
        """The likeliest reading's name."""
        return self.readings[0].card

    @property
    def confidence(self) -> float:
        """The likeliest reading's probability."""
        return self.readings[0].confidence

    @property
    def spots(self) -> tuple[Box, ...]:
        """The boxes of its indices."""
        return tuple(index.box for index in self.indices)

    @property
    def side(self) -> int:
        """1 where its indices stand as printed, -1 where they do as in a mirror, 0 where they don't tell.

        Of a pack that has them in all corners two may stand as in a mirror, but most cards show more than two.
        """
        if len(self.indices) != 2:
            return int(len(self.indices) > 2)
        first, second = (Corner(np.array(index.rank), np.array(index.suit)) for index in self.indices)
        return side(first, second)


class CardReader(Protocol):
    """Reads the cards in a picture: the `Detector`, or a test's own."""

    def read(self, image: Image, card_px: float = 100.0) -> Sequence[Sighting]:
        """One sighting for each physical card; ``card_px`` is a card's short side in the picture."""


def gather(marks: list[Mark], card_px: float, least: float, *, flat: bool = True) -> list[Sighting]:
    """Put indices together to cards.

    Args:
        marks: the indices.
        card_px: the short side of a card in the picture.
        least: what is read less surely is left out.
        flat: as in `grouping.group`.

    Returns:
        One for each card, the surest first.
    """
    cards = (_sighting([marks[k] for k in members], card_px) for members in group(marks, card_px, flat=flat))
    seen = [one for one in cards if one.confidence >= least]
    sure = [np.array(one.quad, np.float32) for one in seen if len(one.indices) > 1 and one.confidence > SURE]
    seen = [
        one
        for one in seen
        if not (len(one.indices) == 1 and one.confidence < SURE_ALONE and _within(one, sure))
    ]
    seen.sort(key=lambda sighting: -sighting.confidence)
    return [one for k, one in enumerate(seen) if not ornaments(one, seen[:k], card_px)]


def _sighting(marks: list[Mark], card_px: float) -> Sighting:
    """The card that some indices are of."""
    chances = of_one_card(marks)
    readings = _readings(chances)
    best = CARDS.index(readings[0].card)
    doubt = any(int(m.probabilities[:-1].argmax()) != best and m.sureness > _DOUBT for m in marks)
    quad = outline(marks, card_px)
    low = np.min([mark.box[:2] for mark in marks], axis=0)
    high = np.max([mark.box[2:] for mark in marks], axis=0)
    if len(marks) > 1:  # opposite corners seen: the card between them was
        low, high = np.minimum(low, quad.min(axis=0)), np.maximum(high, quad.max(axis=0))
    edge = quad[1] - quad[0]
    return Sighting(
        readings,
        (float(low[0]), float(low[1]), float(high[0]), float(high[1])),
        tuple((float(x), float(y)) for x, y in quad),
        float(np.degrees(np.arctan2(edge[1], edge[0])) % 360.0),
        tuple(_index(mark) for mark in marks),
        doubt,
    )


def _index(mark: Mark) -> IndexSeen:
    rx, ry, sx, sy, x1, y1, x2, y2 = (float(one) for one in (*mark.rank, *mark.suit, *mark.box))
    return IndexSeen((rx, ry), (sx, sy), (x1, y1, x2, y2), mark.score, _readings(mark.probabilities))


def _readings(chances: NDArray[np.float64]) -> tuple[Reading, ...]:
    order = np.argsort(-chances[:-1], kind="stable")[:_MOST]
    return tuple(Reading(CARDS[k], float(chances[k])) for k in order if k == order[0] or chances[k] >= _LEAST)


def _within(sighting: Sighting, outlines: list[NDArray[np.float32]]) -> bool:
    """Whether a sighting's first index lies within one of the outlines.

    A weak lone reading on a card whose corners are both surely read is a part of its picture.
    """
    middle = sighting.indices[0].middle
    return any(cv2.pointPolygonTest(quad.reshape(-1, 1, 2), middle, False) > 0 for quad in outlines)


def ornaments(sighting: Sighting, surer: list[Sighting], card_px: float) -> bool:
    """Whether a sighting is but parts of the print on a card that is read more surely.

    Either what it was read by is all part of other indices: a suit with a pip beside it, a joker's star found twice.
    Or all of it lies on a joker and reads as one: its word's other two corners, for words may be too wide to stand
    where a card's indices do. Or: courts and ornaments are point-symmetric about the card's centre as its corners are,
    but no two cards show opposite corners while they lie squarely upon each other, the same way up or upside down.
    """
    theirs = [(index, other.card == sighting.card) for other in surer for index in other.indices]
    if all(any(_share_print(mine, index, same) for index, same in theirs) for mine in sighting.indices):
        return True
    if sighting.card == JOKER:
        middles = [index.middle for index in sighting.indices]
        whole = [other.quad for other in surer if other.card == JOKER and len(other.indices) > 1]
        if any(jokers.further_corners(middles, quad) for quad in whole):
            return True
    if len(sighting.indices) < 2:
        return False
    others = [other for other in surer if len(other.indices) > 1]
    if sighting.confidence <= _NO_ORNAMENT:
        return any(_squarely(sighting, other, card_px, _SQUARELY_DEG) for other in others)
    known = [other for other in others if other.side and sighting.side]
    return any(_squarely(sighting, other, card_px, _HIDDEN_DEG) for other in known)


def _squarely(a: Sighting, b: Sighting, card_px: float, within_deg: float) -> bool:
    """Whether one card would lie squarely upon the other, the same way up or upside down."""
    if a.quad is None or b.quad is None:
        return False
    turn = abs((a.angle_deg - b.angle_deg + 90.0) % 180.0 - 90.0)
    apart = math.dist(np.mean(a.quad, axis=0), np.mean(b.quad, axis=0))
    return turn < within_deg and apart < _SQUARELY * card_px


def _share_print(a: IndexSeen, b: IndexSeen, same: bool) -> bool:
    """Whether a rank or suit of one index is the rank or suit of the other; of the `same` card nearness is enough."""
    reach = min(math.dist(one.rank, one.suit) for one in (a, b))
    gap = min(math.dist(p, q) for p in (a.rank, a.suit) for q in (b.rank, b.suit))
    return gap < _ONE_SIGN * reach or (same and math.dist(a.middle, b.middle) < reach)


def worth(seen: list[Sighting]) -> float:
    """How much a look told: sure readings count, a card's corners found to be one card count a little more, the
    same card in two places (corners too far apart for the scale) counts less."""
    best: dict[str, float] = {}
    extra = 0.0
    for sighting in seen:
        if sighting.confidence < 0.5:
            continue
        if sighting.card in best:
            extra -= 0.2
        best[sighting.card] = max(best.get(sighting.card, 0.0), sighting.confidence**2)
        extra += 0.1 * (len(sighting.indices) > 1) - 0.3 * sighting.doubt
    return sum(best.values()) + extra
