"""Reads photographs: pictures whose scale is known only roughly, and that may show cards from the side.

At the table the camera's picture is rectified and a look has to be quick (`Detector.read`). Here there is time: several
scales are looked at, every doubtful index twice, and the picture is drawn out for cards that look squeezed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.reader import jokers
from table.reader.corners import Mark
from table.reader.detector import Detector, check
from table.reader.evidence import SURE, SURE_ALONE, averaged
from table.reader.grouping import card_width, group
from table.reader.labels import CARDS, JOKER, OF_63
from table.reader.sightings import Sighting, worth

LONGEST: Final = 8000
"""Pictures are looked at up to this side, in pixels, as if their cards were 100 wide."""
_SCALES: Final = (1.0, 1.6, 0.625)
"""At which a photograph is looked at; at the squares of these too, where it seems worth it."""
_BESIDE: Final = 2.0
"""Scales that differ by less than this factor show the same indices."""
_DRAWN_OUT: Final = ((1.7, 1.0), (1.0, 1.7))
"""How a photograph is drawn out, across and along, to see cards that lie far aside and look squeezed."""
_AGAIN: Final = 0.1
"""How much a card that is surely seen elsewhere in a photograph is expected a second time."""
_NO_CARDS: Final = 0.7
"""How far a lone index is believed in a picture where nothing is plainly a card."""
_APART: Final = 0.6
"""Indices nearer than this, in distances from rank to suit, are the same one."""


@dataclass(frozen=True)
class _Look:
    """What one scale gave of a photograph, and how much that is worth."""

    worth: float
    px: float
    marks: list[Mark]


def read_still(detector: Detector, image: NDArray[np.uint8], card_px: float = 100.0) -> list[Sighting]:
    """Read the cards in a photograph.

    Looks at the given scale and at neighbouring ones and gives what was read at the best of them, where the
    readings' confidences sum to most, with the sure indices of its neighbours and of the picture drawn out. Some
    ten times the work of `Detector.read`; more where nothing is read, or more at a neighbouring scale.

    Args:
        detector: reads each look.
        image: (H, W, 3) BGR.
        card_px: the short side of a card in the picture, in pixels; within a factor of two of the truth will do.

    Returns:
        As `Detector.read` does.
    """
    check(image, card_px)
    looks = _looks(detector, image, [card_px * factor for factor in _SCALES])
    if not looks:
        return []
    # Of equals the first: the given scale, then its neighbours.
    best = max(looks, key=lambda look: look.worth)
    if best.worth <= 0.0 or best.px != card_px:
        far = [card_px * factor**2 for factor in _SCALES[1:]]
        looks += _looks(detector, image, [px for px in far if best.worth <= 0.0 or _beside(px, best.px)])
        best = max(looks, key=lambda look: look.worth)
    marks = list(best.marks)
    beside = [look for look in looks if look is not best and _beside(look.px, best.px)]
    for look in beside:
        for mark in look.marks:
            if mark.sureness > SURE_ALONE and not any(_same_place(mark, other) for other in marks):
                marks.append(mark)
    marks = averaged(marks, [look.marks for look in beside])
    for mark in _squeezed(detector, image, best.px):
        near = [other for other in marks if _same_place(mark, other)]
        # What was read less surely there before gives way.
        if all(other.sureness <= SURE_ALONE for other in near):
            marks = [other for other in marks if not any(other is one for one in near)] + [mark]
    width = card_width(marks) or best.px
    seen = detector.gather(marks, width, flat=False)
    return _believed(detector.gather(as_of_one_pack(marks, seen), width, flat=False))


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
        if mark.sureness < SURE_ALONE and tuple(mark.rank) not in theirs:
            chances = mark.probabilities * weights
            mark = replace(mark, probabilities=chances / chances.sum())
        result.append(mark)
    return result


def _believed(seen: list[Sighting]) -> list[Sighting]:
    """What was seen, each as far as the rest of the picture lets it be believed; the surest first.

    Where nothing is surely a card it is most likely a picture without cards, for of one with cards some index is plain:
    then lone weak indices are believed less. So are weak jokers where many other cards are plain.
    """
    plain = [one for one in seen if one.confidence > SURE_ALONE]
    many = sum(one.card != JOKER for one in plain) >= jokers.MANY

    def share(one: Sighting) -> float:
        if not plain:
            return _NO_CARDS if len(one.indices) == 1 else 1.0
        return jokers.HARDLY if many and one.card == JOKER and one.confidence < jokers.PLAIN else 1.0

    believed = [_believed_less(one, share(one)) for one in seen]
    return sorted(believed, key=lambda one: -one.confidence)


def _believed_less(one: Sighting, share: float) -> Sighting:
    if share == 1.0:
        return one
    return replace(one, readings=tuple(replace(r, confidence=r.confidence * share) for r in one.readings))


def _beside(px: float, other: float) -> bool:
    return 1 / _BESIDE < px / other < _BESIDE


def _looks(detector: Detector, image: NDArray[np.uint8], scales: list[float]) -> list[_Look]:
    """What is read at each scale, as far as a picture of this size can be looked at so."""
    looks = []
    for px in scales:
        if not 5.0 <= px <= 5000.0 or max(image.shape) * 100.0 / px > LONGEST:
            continue
        marks = detector.look(image, px, still=True)
        # The indices' distances tell the scale better than the caller does.
        seen = detector.gather(marks, card_width(marks) or px, flat=False)
        looks.append(_Look(worth(seen), px, marks))
    return looks


def _squeezed(detector: Detector, image: NDArray[np.uint8], px: float) -> list[Mark]:
    """Indices of cards so far aside that they look squeezed: seen in the picture drawn out one way or the other.

    Only what is surely read at two corners of a card or more: drawn out, much may look like another index.
    """
    found = []
    for across, along in _DRAWN_OUT:
        if max(image.shape[1] * across, image.shape[0] * along) * 100.0 / px > LONGEST:
            continue
        wide = np.asarray(cv2.resize(image, None, fx=across, fy=along), np.uint8)
        marks = [mark for mark in detector.look(wide, px, still=True) if mark.sureness > SURE]
        back = np.array([1 / across, 1 / along])
        for members in group(marks, card_width(marks) or px, flat=False):
            cards = {int(marks[k].probabilities.argmax()) for k in members}
            if len(members) > 1 and len(cards) == 1:
                found += [_drawn_back(marks[k], back) for k in members]
    return found


def _drawn_back(mark: Mark, factors: NDArray[np.float64]) -> Mark:
    """The index in the picture's own pixels again."""
    box = mark.box * np.tile(factors, 2)
    return replace(mark, rank=mark.rank * factors, suit=mark.suit * factors, box=box)


def _same_place(mark: Mark, other: Mark) -> bool:
    """Whether the other index lies where this one does."""
    return float(np.hypot(*(mark.middle - other.middle))) <= _APART * mark.reach
