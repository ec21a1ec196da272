"""Finds the corner indices of cards that the owner shows, for `cardtable enrol`.

A picture that shows one card whose name is known needs no reading: its indices are the two finds that lie as opposite
corners of a card do. Of several cards in one picture each goes by its reading, helped by a list of what is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.facts import Image
from table.reader import jokers
from table.reader.corners import DIAGONAL, Corner, Mark, placement
from table.reader.cutout import cut_upright, upright_matrix
from table.reader.detector import Detector
from table.reader.enrolled import PATCH, Example
from table.reader.evidence import combine
from table.reader.labels import CARDS, JOKER, NONE
from table.reader.sightings import IndexSeen, Sighting
from table.reader.stills import LONGEST, read_still

_FAINT: Final = 0.03
"""The finder's score from which a find may be a shown card's index."""
_MOST: Final = 60
"""So many finds of a picture are looked at at most, the finder's surest."""
_SCALES: Final = (1.0, 1.6, 0.625, 2.5, 0.4)
"""A still picture is looked at in these sizes."""
_SLANT: Final = (0.7, 0.95)
"""How much of that way goes along the card: less is another card's corner, more the same side's."""
_REACH: Final = (0.07, 0.35)
"""From rank to suit, in card widths ..."""
_ALONE: Final = 0.8
"""One corner alone must be worth this much (2 is the most)."""
_FOUND: Final = 0.3
"""The finder's score that leaves no doubt that a shown card's index is one."""
_UNEVEN: Final = 1.35
"""The larger index of a card against the smaller one, as found ..."""
_NOWHERE: Final = 3
"""So many finds that are no index are kept of a picture, to tell indices from."""
_LISTED: Final = 0.1
"""A card that is known to be there must be read at least so surely to be told from the others."""
_SURELY: Final = 0.95
"""A reading against the name that a card was shown by counts when it is surer than this."""
_LETTERS: Final = frozenset("AJQK")
SURE: Final = 0.9
"""A reading on which a card is learned without being named."""


@dataclass(frozen=True)
class Shown:
    """A card that was shown: its indices, what else is to be told from them, and what the detector read."""

    card: str
    corners: tuple[Example, ...]
    nowhere: tuple[Example, ...]
    read: str
    confidence: float
    """Of ``read``."""
    place: tuple[float, float]
    """Where its first corner is, pixels."""

    @property
    def contradicts(self) -> bool:
        """Whether the detector is sure, by two corners, that it is another card."""
        return self.read != self.card and self.confidence > _SURELY and len(self.corners) > 1

    @property
    def refuted(self) -> bool:
        """Whether it surely is another card, and not just one with a letter of its own.

        Packs differ in the letters of aces and court cards; one that the detector has never seen is taken for a figure,
        in the right suit. Of jokers no reading says anything: no two packs' look alike.
        """
        if self.card == JOKER or self.read == self.card or self.confidence <= _SURELY:
            return False
        own_letter = self.card[:-1] in _LETTERS and self.read[:-1] not in _LETTERS
        return not (own_letter and self.card[-1] == self.read[-1])


@dataclass(frozen=True)
class _Look:
    """What the finder found at one scale, read."""

    marks: list[Mark]
    found: NDArray[np.float32]
    """(n,): how sure the finder is of each as far as that matters, 0 to 1."""
    worth: NDArray[np.float64]
    """(n,): how much each is an index, 0 to 1."""


class Learner:
    """Takes examples from pictures with a detector."""

    def __init__(self, detector: Detector) -> None:
        self._detector = detector

    def one(
        self, image: Image, card: str, card_px: float | None = None, fresh: NDArray[np.bool_] | None = None
    ) -> Shown | None:
        """The one card in a picture, whose name is known; None where no corner can be made out.

        Args:
            image: the picture, BGR.
            card: its name.
            card_px: its short side in pixels; None: any scale is tried.
            fresh: (H, W) only finds where this is set count; None: all.
        """
        best: tuple[float, list[int], _Look] | None = None
        scales = (1.0,) if card_px is not None else _SCALES
        for scale in scales:
            px = (card_px or 100.0) * scale
            if max(image.shape) * 100.0 / px > LONGEST:
                continue
            look = self._look(image, px, fresh)
            worth, members = _corners(look, CARDS.index(card), px if card_px is not None else None)
            if members and (best is None or worth > best[0]):
                best = (worth, members, look)
        if best is None:
            return None
        _, members, look = best
        chances = combine([look.marks[k].probabilities for k in members])
        read = int(chances[:-1].argmax())
        first = look.marks[members[0]].middle
        return Shown(
            card,
            tuple(Example(card, _patch(image, look.marks[k])) for k in members),
            tuple(Example(NONE, _patch(image, look.marks[k])) for k in _nowhere(look, members)),
            CARDS[read],
            float(chances[read]),
            (float(first[0]), float(first[1])),
        )

    def several(self, image: Image, cards: Sequence[str] | None) -> list[Shown]:
        """The cards in a picture by their readings.

        Args:
            image: the picture, BGR.
            cards: the names of those that are there, each as often as it is; None: only what is read surely counts.
        """
        seen = read_still(self._detector, image)
        if cards is None:
            chosen = [(s, s.card) for s in seen if s.confidence >= SURE and not s.doubt]
            doubled = {card for _, card in chosen if sum(card == other for _, other in chosen) > 1}
            chosen = [(sighting, card) for sighting, card in chosen if card not in doubled]
        else:
            chosen = _assign(seen, cards)
        shown = []
        for sighting, card in chosen:
            corners = [index for index in sighting.indices if _chance(index, card) >= _LISTED]
            if corners:
                examples = tuple(
                    Example(card, _patch(image, Corner(np.array(index.rank), np.array(index.suit))))
                    for index in corners
                )
                best = sighting.readings[0]
                shown.append(Shown(card, examples, (), best.card, best.confidence, corners[0].rank))
        return shown

    def _look(self, image: Image, px: float, fresh: NDArray[np.bool_] | None) -> _Look:
        found = self._detector.find(image, px, _FAINT)[:_MOST]
        if fresh is not None and len(found):
            middle = np.rint(found.middle).astype(int)
            height, width = fresh.shape
            x, y = np.clip(middle[:, 0], 0, width - 1), np.clip(middle[:, 1], 0, height - 1)
            found = found[fresh[y, x]]
        chances = self._detector.name(image, found) if len(found) else np.zeros((0, len(CARDS)))
        sure = np.minimum(found.score / _FOUND, 1.0)
        return _Look(found.marks(chances), sure, sure * (1.0 - chances[:, -1]))


def _corners(look: _Look, card: int, card_px: float | None) -> tuple[float, list[int]]:
    """Which finds are the one card's indices, and how much they are worth; none where it can't be told."""
    marks, worth = look.marks, look.worth
    joker = card == jokers.NUMBER
    if joker:
        # No two packs' jokers look alike: what the networks take it for says less than that the owner shows one.
        worth = (1.0 - jokers.ANY_SHOWN) * worth + jokers.ANY_SHOWN * look.found
    value = [worth[k] + float(mark.probabilities[card]) for k, mark in enumerate(marks)]
    best: tuple[float, list[int]] = (0.0, [])
    for a in range(len(marks)):
        for b in range(a + 1, len(marks)):
            width = _opposite(marks[a], marks[b], joker=joker)
            if width is None or (card_px is not None and not 0.75 < width / card_px < 1.3):
                continue
            together = value[a] + value[b]
            if together > max(best[0], 0.5):
                best = (together, [a, b, *_others(look, a, b, width)])
    if not best[1] and value:
        k = int(np.argmax(value))
        if value[k] >= _ALONE:
            best = (value[k] / 2, [k])
    return best


def _opposite(a: Mark, b: Mark, *, joker: bool) -> float | None:
    """The card's short side in pixels if two finds lie as its opposite corners do."""
    if a.down @ b.down > -0.9:
        return None
    step = b.rank - a.rank
    way = float(np.hypot(*step))
    along = float(step @ (a.down - b.down)) / 2
    width = way / DIAGONAL
    reaches = [a.reach, b.reach]
    longest = jokers.LONGEST if joker else _REACH[1]
    if not all(_REACH[0] < reach / max(width, 1e-9) < longest for reach in reaches):
        return None
    even = max(reaches) < (jokers.UNEVEN if joker else _UNEVEN) * min(reaches)
    return width if even and _SLANT[0] < along / way < _SLANT[1] else None


def _others(look: _Look, a: int, b: int, width: float) -> list[int]:
    """The other two indices of a pack that has four: they read like the first two, whatever those read as."""
    marks = look.marks
    like_these = (marks[a].probabilities + marks[b].probabilities)[:-1]
    reach = marks[a].reach
    found = []
    for k, mark in enumerate(marks):
        if k in (a, b) or look.worth[k] < 0.3 or float(mark.probabilities[:-1] @ like_these) < 0.3:
            continue
        like = 0.75 < mark.reach / reach < _UNEVEN
        if like and min(placement(mark, marks[a], width), placement(mark, marks[b], width)) < 1.0:
            found.append(k)
    return found[:2]


def _nowhere(look: _Look, members: list[int]) -> list[int]:
    """Finds that are no index, the finder's surest; none of a card of which one corner was not made out."""
    if len(members) < 2:
        return []
    mine = [look.marks[k] for k in members]
    reach = mine[0].reach
    return [
        k
        for k, mark in enumerate(look.marks)
        if mark.probabilities[-1] > 0.5
        and all(float(np.hypot(*(mark.middle - other.middle))) > reach for other in mine)
    ][:_NOWHERE]


def _assign(seen: list[Sighting], cards: Sequence[str]) -> list[tuple[Sighting, str]]:
    """Which sighting is which of the listed cards, the surest first."""
    pairs = [
        (reading.confidence, k, reading.card)
        for k, sighting in enumerate(seen)
        for reading in sighting.readings
        if reading.confidence >= _LISTED
    ]
    left = list(cards)
    taken: set[int] = set()
    chosen = []
    for _, k, card in sorted(pairs, key=lambda pair: -pair[0]):
        if k not in taken and card in left:
            taken.add(k)
            left.remove(card)
            chosen.append((seen[k], card))
    return chosen


def _chance(index: IndexSeen, card: str) -> float:
    return next((reading.confidence for reading in index.readings if reading.card == card), 0.0)


def _patch(image: Image, index: Corner) -> NDArray[np.uint8]:
    """What is kept of an index."""
    rank, suit = (float(index.rank[0]), float(index.rank[1])), (float(index.suit[0]), float(index.suit[1]))
    return cut_upright(image, upright_matrix(rank, suit, 0.0, 1.0, PATCH), PATCH)
