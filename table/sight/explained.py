"""Which of the known cards the picture shows: of all that may have gone, those are there that explain it best.

One card's going can't be judged for itself: what it lay upon may have gone with it, what lay upon it be there still.
So the picture is held against what it would look like with some of the cards and without the others, each seen as far
as its face is known, the upper ones before the lower ones, the bare mark behind. A card that is out of sight explains
nothing, and is taken to be where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.facts import Image
from table.sight.geometry import MARK_PX
from table.sight.recent import RecentFrame
from table.sight.rest import Mask
from table.sight.tracked import TrackedCard

_Costs = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Explaining:
    """The numbers of this module; chosen on the scene bench's tuning set."""

    coarse: int = 4
    """Pictures are compared this many times smaller: edges that are a pixel off say nothing."""
    most: float = 20.0
    """Levels from which a pixel shows something else altogether."""
    unknown: float = 9.0
    """What a pixel costs where nobody knows how a card looks: more than noise, less than another thing ..."""
    paper: float = 4.0
    """... and less still where it shows paper, as most of any card does, ..."""
    alike: float = 12.0
    """... to within so many levels as light ..."""
    light: float = 75.0
    """... as what is known of that card is: this percentile of it, for print is darker."""
    goes: float = 0.02
    """A card has gone if that explains so much of its area."""


NUMBERS: Final = Explaining()


def gone(
    now: RecentFrame,
    bare: Image,
    cards: Sequence[TrackedCard],
    doubtful: Collection[TrackedCard],
    opened: Mask,
) -> list[TrackedCard]:
    """Those of the ``doubtful`` cards without which the picture is explained best.

    Args:
        now: the mark now.
        bare: the mark without any card, in colour: a hand may be as bright as the table.
        cards: all that may lie there, the lowest first.
        doubtful: those of them that may have gone.
        opened: the pixels at rest before which there is no arm.
    """
    open_px = _coarse(opened) > 250
    table = _off(_coarse(now.mark), _coarse(bare)).max(axis=2)
    grey = _coarse(now.grey)
    shown = [_Shown(card, grey) for card in cards]

    def cost(away: Collection[TrackedCard]) -> float:
        total = table
        for one in shown:
            if one.card not in away:
                total = np.where(one.place, one.costs, total)
        leaves = sum(one.leaves for one in shown if one.card in away)
        return float(total[open_px].sum()) + leaves

    ways = [_downhill(start, doubtful, cost) for start in ([], list(doubtful))]
    away = min(ways, key=cost)
    return [card for card in cards if card in away]


def _downhill(
    start: list[TrackedCard],
    doubtful: Collection[TrackedCard],
    cost: Callable[[Collection[TrackedCard]], float],
) -> list[TrackedCard]:
    """From ``start`` on one card more or less at a time, as long as that explains more."""
    best, least = start, cost(start)
    better = True
    while better:
        better = False
        for card in doubtful:
            tried = [one for one in best if one is not card] if card in best else [*best, card]
            value = cost(tried)
            if value < least:
                best, least, better = tried, value, True
    return best


class _Shown:
    """A card as the coarse picture would show it."""

    def __init__(self, card: TrackedCard, now: _Costs) -> None:
        self.card = card
        self.place = _coarse(card.polygon) > 128
        self.leaves = NUMBERS.goes * NUMBERS.most * np.count_nonzero(self.place)
        self.costs = np.full_like(now, NUMBERS.unknown)
        if card.face is not None and card.face_mask is not None:
            known, face = _coarse(card.face_mask) > 250, _coarse(card.face)
            if known.any():
                paper = np.percentile(face[known], NUMBERS.light)
                self.costs[np.abs(now - paper) < NUMBERS.alike] = NUMBERS.paper
            self.costs = np.where(known, _off(now, face), self.costs)


def _off(now: _Costs, expected: _Costs) -> _Costs:
    return np.asarray(np.minimum(np.abs(now - expected), np.float32(NUMBERS.most)), dtype=np.float32)


def _coarse(picture: NDArray[np.uint8]) -> _Costs:
    # (By twos is the fast way.)
    side = MARK_PX // NUMBERS.coarse
    half = cv2.resize(picture, (MARK_PX // 2, MARK_PX // 2), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(half, (side, side), interpolation=cv2.INTER_AREA), dtype=np.float32)
