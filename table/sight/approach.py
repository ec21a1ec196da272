"""From which side a card came: its face, known once it lies, is found again in the pictures of its way.

The reader needs a corner's index, which blur and fingers take from it in flight. The whole face, made coarse, outlives
both. So where several hands were at the mark, or the one seen is unsure, each card's look is searched for around where
it came to lie, in the pictures before it lay: where it is found, there the hand came from that held it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.facts import MS, Image
from table.sight.arms import UNSEEN, Direction
from table.sight.gate import Mask, Planar
from table.sight.geometry import CARD_MM, MARK_PX, PX_PER_MM, Geometry, direction_deg
from table.sight.recent import colour_of


@dataclass(frozen=True, slots=True)
class ApproachNumbers:
    """The numbers of this module; chosen on the ties of the scene bench's tuning set."""

    coarse: int = 6
    """So many mark pixels become one: 4 mm."""
    before_ns: int = 400 * MS
    """A card is searched for in the pictures of so long before it lay."""
    reach_mm: tuple[float, float] = (18.0, 115.0)
    """Where it is searched for: nearer it tells nothing of a side, and farther out another hand may bring its like."""
    turns_deg: tuple[float, ...] = (-14.0, 0.0, 14.0)
    """A hand may hold it turned so against how it came to lie."""
    in_sight: float = 0.2
    """From so much of its face a card can be known again."""
    stays: int = 3
    """What looks like the card at one place in so many pictures does not fly."""
    tint: float = 1.5
    """By so much more than light the red of print tells: hearts and diamonds from spades and clubs (of 362 cards of the
    tuning set's ties 300 are found with it and 286 without, none on a wrong side)."""
    by_chance: float = 0.06
    """A place looks so much more like the card (see `_Searched.likeness`) than what stays there, by chance."""
    lead: float = 0.2
    """A side is told on which the card was seen so much more, over all pictures, than on any other; ..."""
    scale: float = 0.13
    sure: float = 0.985
    """... the greater its lead the surer it is, by this scale, up to this (of the tuning set's ties 300 of 300 with a
    lead of 0.3 or more were within 25 degrees, 11 of 14 with 0.2 to 0.3)."""
    sectors: int = 36
    """Into so many the sides are divided; ..."""
    one_side: int = 1
    """... so many on either hand of one are the same side to the eye, ..."""
    another: int = 5
    """... and from so many on it is another side."""


NUMBERS: Final = ApproachNumbers()
_SIDE: Final = MARK_PX // NUMBERS.coarse
_HALF: Final = round(math.hypot(*CARD_MM) * PX_PER_MM / 2 / NUMBERS.coarse) + 1
"""Half the side of a square, coarse pixels, that holds a card in any turn."""
_REACH: Final = round(NUMBERS.reach_mm[1] * PX_PER_MM / NUMBERS.coarse)
_LOOK_PX: Final = CARD_MM[0] * CARD_MM[1] * PX_PER_MM**2


def _ways() -> tuple[NDArray[np.float64], list[NDArray[np.intp]]]:
    """The ways, in coarse pixels, to the places of a map (N x 2), and which of them are searched on each side."""
    ways = np.stack(np.meshgrid(*[np.arange(-_REACH, _REACH + 1.0)] * 2), axis=-1).reshape(-1, 2)
    far_mm = np.hypot(*ways.T) * NUMBERS.coarse / PX_PER_MM
    near, most = NUMBERS.reach_mm
    side = np.rint(np.arctan2(ways[:, 0], -ways[:, 1]) / math.tau * NUMBERS.sectors) % NUMBERS.sectors
    searched = [(side == k) & (far_mm >= near) & (far_mm <= most) for k in range(NUMBERS.sectors)]
    return ways, [np.flatnonzero(one) for one in searched]


_WAYS, _SIDES = _ways()
_Look = NDArray[np.float32]
"""A picture in coarse pixels: light and tint, h x w x 2."""
_Map = NDArray[np.float32]
"""Of the places around where a card lies, coarse pixels, how much each looks like it."""


@dataclass(frozen=True, slots=True)
class Face:
    """The look of a card that lies, where it is in sight."""

    coarse: Image
    """A coarse mark picture with it (`coarse`) ..."""
    seen: Mask
    """... and where it is in sight."""
    centre: tuple[float, float]
    """Mark pixels."""
    rest_ns: int
    """Since when it has lain."""


def approaches(faces: Sequence[Face], pictures: Sequence[tuple[int, Image]]) -> list[Direction]:
    """From which side each card came, as seen from where it lies; ``UNSEEN`` where it was not found.

    Args:
        faces: the cards that came to lie at about the same time.
        pictures: stamps and coarse mark pictures (`coarse`) until then, oldest first.
    """
    searched = [_Searched(face) for face in faces]
    for t_ns, picture in pictures:
        due = [one for one in searched if one.may_fly(t_ns)]
        if due:
            mark = _look(picture)
            for one in due:
                one.look(t_ns, mark)
    return [one.side([other for other in searched if other is not one]) for one in searched]


class _Searched:
    """One card, and where it has been found."""

    def __init__(self, face: Face) -> None:
        self._rest_ns = face.rest_ns
        self._centre = (round(face.centre[0] / NUMBERS.coarse), round(face.centre[1] / NUMBERS.coarse))
        look = _look(face.coarse)
        seen = np.asarray(cv2.resize(face.seen, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA), np.uint8)
        share = min(1.0, np.count_nonzero(face.seen) / _LOOK_PX)
        self._tells = math.sqrt(share)
        known = share >= NUMBERS.in_sight
        self._patterns = [self._turned(look, seen, turn) for turn in NUMBERS.turns_deg] if known else []
        self._maps: dict[int, _Map] = {}
        """By the pictures' stamps."""

    def may_fly(self, t_ns: int) -> bool:
        """Whether the card may be on its way in the picture of that time, and can be known."""
        return bool(self._patterns) and 0 < self._rest_ns - t_ns <= NUMBERS.before_ns

    def look(self, t_ns: int, mark: _Look) -> None:
        """Search a coarse mark picture of that time."""
        self._maps[t_ns] = self.likeness(mark)

    def _turned(self, look: _Look, seen: Mask, turn_deg: float) -> tuple[_Look, _Look]:
        """The face, turned, in the middle of a small square, and where it is in sight there (0 or 1, for either)."""
        x, y = self._centre
        onto = cv2.getRotationMatrix2D((x, y), turn_deg, 1.0)
        onto[:, 2] += (_HALF - x, _HALF - y)
        size = (2 * _HALF + 1, 2 * _HALF + 1)
        where = np.asarray(cv2.warpAffine(seen, onto, size, flags=cv2.INTER_LINEAR)) > 200
        turned = np.asarray(cv2.warpAffine(look, onto, size, flags=cv2.INTER_LINEAR), dtype=np.float32)
        return turned, np.dstack([where.astype(np.float32)] * 2)

    def likeness(self, mark: _Look) -> _Map:
        """How much the places around where the card lies look like it in a coarse mark picture; 0 is by chance.

        The correlation, as Fisher's transform makes of it: the less of the face is known, the less it
        tells.
        """
        (x, y), border = self._centre, _HALF + _REACH
        padded = cv2.copyMakeBorder(mark, border, border, border, border, cv2.BORDER_REPLICATE)
        around = padded[y : y + 2 * border + 1, x : x + 2 * border + 1]
        best = np.zeros((2 * _REACH + 1, 2 * _REACH + 1), np.float32)
        for look, seen in self._patterns:
            found = np.asarray(cv2.matchTemplate(around, look, cv2.TM_CCOEFF_NORMED, mask=seen), np.float32)
            # (Where all is of one shade it divides by nothing.)
            np.maximum(best, np.where(found <= 1.0, found, 0.0), out=best)
        return np.asarray(np.arctanh(np.minimum(best, 0.999)) * self._tells, np.float32)

    def side(self, others: Sequence[_Searched]) -> Direction:
        """From where it came, the surer the greater its lead over any other side.

        What looks like it and stays there is something else, and so is what looks more like one of the ``others``.
        """
        if not self._maps:
            return UNSEEN
        seen_at_all = np.sort(np.stack(list(self._maps.values())), axis=0)
        stays = seen_at_all[-min(NUMBERS.stays, len(self._maps))]
        seen, arrows = np.zeros(NUMBERS.sectors), np.zeros((NUMBERS.sectors, 2))
        for t_ns, here in self._maps.items():
            like = [self._about(other, other._maps[t_ns]) for other in others if t_ns in other._maps]
            other = cv2.dilate(np.maximum.reduce([stays, *like]), np.ones((3, 3), np.uint8))
            gain = np.maximum(here - other - NUMBERS.by_chance, 0.0).ravel()
            best = [int(part[np.argmax(gain[part])]) for part in _SIDES]
            seen += np.maximum.reduce(_turned_by(gain[best]))
            arrows += np.add.reduce(_turned_by(gain[best, None] * _WAYS[best]))
        best_side = int(np.argmax(seen))
        rest = np.roll(seen, -best_side)[NUMBERS.another : NUMBERS.sectors - NUMBERS.another + 1]
        lead = float(seen[best_side] - rest.max())
        if lead < NUMBERS.lead:
            return UNSEEN
        x, y = arrows[best_side]
        sure = min(NUMBERS.sure, 1.0 - math.exp(-lead / NUMBERS.scale))
        return Direction(round(direction_deg(x, y), 1), round(sure, 3))

    def _about(self, other: _Searched, like: _Map) -> _Map:
        """The ``other`` card's map as one of the places around where this one lies."""
        aside, down = (theirs - mine for theirs, mine in zip(other._centre, self._centre, strict=True))
        onto = np.array([[1, 0, aside], [0, 1, down]], dtype=np.float64)
        size = (like.shape[1], like.shape[0])
        moved = cv2.warpAffine(like, onto, size, flags=cv2.INTER_NEAREST, borderValue=(0.0,))
        return np.asarray(moved, np.float32)


def _turned_by(values: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """What the sides show, as each of their neighbours sees it that are the same side to the eye."""
    return [np.roll(values, by, axis=0) for by in range(-NUMBERS.one_side, NUMBERS.one_side + 1)]


def coarse(geometry: Geometry, small: Planar) -> Image:
    """The mark in coarse pixels, in colour, from a small picture: that is not much finer."""
    half, size = NUMBERS.coarse / 2, (2 * _SIDE, 2 * _SIDE)
    onto = geometry.mark_to_small @ np.array(
        [[half, 0, (half - 1) / 2], [0, half, (half - 1) / 2], [0, 0, 1]]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    finer = cv2.warpPerspective(colour_of(small), onto, size, flags=flags)
    return np.asarray(cv2.resize(finer, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _look(mark: Image) -> _Look:
    """A coarse mark picture as cards are searched for in it."""
    blue, green, red = (part.astype(np.float32) for part in cv2.split(mark))
    return np.dstack([(blue + green + red) / 3, NUMBERS.tint * (red - (blue + green) / 2)])
