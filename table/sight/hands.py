"""What hands carry to the mark: cards are read on their way, and known by the arm that held them.

A card that is covered in the instant in which it lands, or laid by one of two arms that cross, tells nothing any more
once it lies. A moment before, it was in the open, in one hand that came from one side. So the reader looks a few times
while something moves over the mark, and every card that it sees there, and that does not lie there, is kept as a
*glimpse*: which card, when, where, and where the arm that it hangs together with enters the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np

from table.facts import MS
from table.reader.sightings import Box
from table.sight.arms import ASIDE_DEG, UNSEEN, Arm, Direction
from table.sight.geometry import Geometry, angle_between, direction_deg, mean_direction_deg
from table.sight.pile import CERTAIN, KNOWN_PX, Found, same_place


@dataclass(frozen=True, slots=True)
class HandNumbers:
    """The numbers of this module; chosen on the scene bench's tuning set."""

    kept_ns: int = 1500 * MS
    """A glimpse tells something for so long."""
    brings_ns: int = 1000 * MS
    """A card was on its way for so long before it lay, at most."""
    late_ns: int = 70 * MS
    """So long after a card lay its hand may still be seen with it."""
    sure: float = 0.985
    """How sure an owner is whose arm alone was seen with the card before it lay (106 of 107 in the tuning set's
    ties) ..."""
    late: float = 0.8
    """... and with it when it lay already: it may be the next hand's (70 of 80)."""
    unlike: float = 0.8
    """How sure an owner is where glimpses tell of several."""
    approach_mm: float = 25.0
    """A card seen so far from where it came to lie tells by that from which side it came: ..."""
    approach_deg: float = 45.0
    """... of several arms the one that enters within so much of there brought it ..."""
    approach_sure: float = 0.945
    """... so surely (126 of 128); ..."""
    flight_sure: float = 0.68
    """... and where no arm was at it, it was thrown from there."""
    hidden: float = 0.6
    """A card that was seen on its way, over a place of which now so much is covered, lies there."""


NUMBERS: Final = HandNumbers()


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A card seen on its way."""

    t_ns: int
    found: Found
    entries: tuple[float, ...]
    """Where the arms that it hangs together with enter the picture."""
    place: tuple[float, float]
    """Its centre on the table, mm."""


class Carried:
    """The glimpses of the last moments."""

    def __init__(self, geometry: Geometry) -> None:
        self._geometry = geometry
        self._glimpses: list[Glimpse] = []
        self._beside: dict[frozenset[str], int] = {}
        """When two cards were seen at once."""

    def see_at_once(self, t_ns: int, found: Iterable[Found]) -> None:
        """What one look read surely: different cards, unless they may be two corners of one, read differently."""
        for one, other in combinations(found, 2):
            corners = len(one.spots) + len(other.spots)
            if one.name != other.name and (corners > 2 or not same_place(one.quad, other.quad)):
                self._beside[frozenset((one.name, other.name))] = t_ns
        self._beside = {pair: at for pair, at in self._beside.items() if t_ns - at <= NUMBERS.kept_ns}

    def beside(self, name: str) -> set[str]:
        """The cards that were seen at once with the one of that name: no reading of theirs is one of it."""
        return {other for pair in self._beside if name in pair for other in pair if other != name}

    def see(self, t_ns: int, found: Iterable[Found], arms: Sequence[Arm]) -> None:
        """Cards that were seen to move at ``t_ns``, and what was over the table besides known cards."""
        self._glimpses = [one for one in self._glimpses if t_ns - one.t_ns <= NUMBERS.kept_ns]
        for one in found:
            place = self._geometry.place_mm(one.centre)
            self._glimpses.append(Glimpse(t_ns, one, self._entries(one, arms), place))

    def _entries(self, found: Found, arms: Sequence[Arm]) -> tuple[float, ...]:
        x1, y1, x2, y2 = found.box
        corners = np.array([[x1, y1], [x2, y1], [x2, y2], [x1, y2]], dtype=np.float64)
        where = self._geometry.polygon_in_small(corners, 1) > 0
        return tuple(angle for arm in arms if np.count_nonzero(arm.mask[where]) for angle in arm.angles)

    def latest(self, since_ns: int, known: Iterable[str]) -> list[Glimpse]:
        """Where each card read well on its way since then was seen last, but for those that are known to lie there.

        Of the glimpses of it there the one with the most of its corners: the next card may have hidden some since.
        """
        well = [one for one in self._glimpses if one.found.readings[0].confidence >= CERTAIN]
        last = {one.found.name: one for one in well if one.t_ns >= since_ns}
        best = []
        for name in sorted(set(last).difference(known)):
            quad = last[name].found.quad
            there = [one for one in well if one.found.name == name and same_place(one.found.quad, quad)]
            best.append(max(there, key=lambda one: (len(one.found.spots), one.t_ns)))
        return best

    def forget(self, name: str) -> None:
        """The card of that name was not laid down."""
        self._glimpses = [one for one in self._glimpses if one.found.name != name]

    def placed(self, found: Found) -> Found:
        """A sighting with the outline that more corners of it gave a moment ago at that place.

        Packs have two or four indices to a card: from those on one side none can tell which side that is.
        """
        same = [one.found for one in reversed(self._glimpses) if one.found.name == found.name]
        for one in same:
            seen = all(any(_one_spot(spot, other) for other in one.spots) for spot in found.spots)
            if len(one.spots) > len(found.spots) and seen:
                return replace(found, quad=one.quad)
        return found

    def entries(self, name: str) -> set[float]:
        """Where the arms enter that the card of that name was seen with."""
        return {angle for one in self._glimpses if one.found.name == name for angle in one.entries}

    def owner(self, name: str, rest_ns: int, place: tuple[float, float]) -> Direction:
        """By whose arm the card of that name, at rest since ``rest_ns`` at ``place`` (mm), was brought."""
        near = [
            one
            for one in self._glimpses
            if one.found.name == name and -NUMBERS.brings_ns <= one.t_ns - rest_ns <= NUMBERS.late_ns
        ]
        brought = (self._brought(glimpse, rest_ns, place) for glimpse in near)
        told = [one for one in brought if one.angle is not None]
        if not told:
            return UNSEEN
        best = max(told, key=lambda one: one.sure)
        agree = [one.angle for one in told if _alike(one, best) and one.angle is not None]
        mean = mean_direction_deg(agree, [1.0] * len(agree))
        sure = best.sure if len(agree) == len(told) else min(best.sure, NUMBERS.unlike)
        return Direction(round(mean, 1), sure)

    @staticmethod
    def _brought(glimpse: Glimpse, rest_ns: int, place: tuple[float, float]) -> Direction:
        """Whose a card was by one glimpse: of the arm alone that held it, or of the one on whose side it was."""
        if len(glimpse.entries) == 1:
            return Direction(glimpse.entries[0], NUMBERS.sure if glimpse.t_ns < rest_ns else NUMBERS.late)
        x, y = glimpse.place[0] - place[0], glimpse.place[1] - place[1]
        if np.hypot(x, y) < NUMBERS.approach_mm:
            return UNSEEN
        came = direction_deg(x, y)
        if not glimpse.entries:
            return Direction(round(came, 1), NUMBERS.flight_sure)
        angle = min(glimpse.entries, key=lambda entry: angle_between(entry, came))
        near = angle_between(angle, came) <= NUMBERS.approach_deg
        return Direction(angle, NUMBERS.approach_sure) if near else UNSEEN


def _one_spot(a: Box, b: Box) -> bool:
    """Whether two indices were seen at one place."""
    apart = np.hypot(a[0] + a[2] - b[0] - b[2], a[1] + a[3] - b[1] - b[3]) / 2
    return bool(apart < KNOWN_PX)


def _alike(a: Direction, b: Direction) -> bool:
    return a.angle is not None and b.angle is not None and angle_between(a.angle, b.angle) < ASIDE_DEG
