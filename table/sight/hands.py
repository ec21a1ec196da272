"""What hands carry to the mark: cards are read on their way, and known by the arm that held them.

A card that is covered in the instant in which it lands, or laid by one of two arms that cross, tells nothing any more
once it lies. A moment before, it was in the open, in one hand that came from one side. So the reader looks a few times
while something moves over the mark, and every card that it sees there, and that does not lie there, is kept as a
*glimpse*: which card, when, where, and where the arm that it hangs together with enters the picture.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np

from table.facts import MS
from table.sight.arms import ASIDE_DEG, TOUCH_PX, UNSEEN, Arm, Direction
from table.sight.found import Found, may_be_one
from table.sight.geometry import Geometry, Points, angle_between, direction_deg, mean_direction_deg
from table.sight.places import has_index_at, middle, one_spot
from table.sight.route import NUMBERS as ROUTE
from table.sight.route import Glimpse, Route
from table.sight.tracked import CERTAIN, SURELY_READ


@dataclass(frozen=True, slots=True)
class HandNumbers:
    """The numbers of this module; chosen on the scene bench's tuning set."""

    kept_ns: int = 1500 * MS
    """A glimpse tells something for so long."""
    brings_ns: int = 1000 * MS
    """A card was on its way for so long before it lay, at most."""
    sure: float = 0.985
    """How sure an owner is whose arm alone was seen with the card on its way (106 of 107 in the tuning set's ties)."""
    unlike: float = 0.8
    """How sure an owner is where glimpses tell of several."""
    apart_px: float = 60.0
    """Outlines guessed so far apart at once may be two cards', however roughly those are read; ..."""
    plainly: float = 0.8
    """... others only if they are read so surely."""
    alone: float = 0.3
    """An arm that touches a card by less than this, against another one, is not at it."""
    way_mm: tuple[tuple[float, float], ...] = ((25.0, 0.975), (15.0, 0.9))
    """Seen so far from where it came to lie a card tells from which side it came, so surely (of the tuning set's ties
    135 of 138 and 14 of 15 were within 17 degrees)."""
    guessed: float = 0.85
    """... and where nobody saw where it came to lie."""
    way_ns: int = 400 * MS
    """It was on that way for so long before it lay, at most."""


NUMBERS: Final = HandNumbers()


class Carried:
    """The glimpses of the last moments."""

    def __init__(self, geometry: Geometry) -> None:
        self._geometry = geometry
        self._glimpses: list[Glimpse] = []
        self._beside: dict[frozenset[str], int] = {}
        """When two cards were seen at once."""
        self.looked_ns = 0
        """The stamp of the newest picture in which cards on their way were looked for."""

    def see_at_once(self, t_ns: int, found: Iterable[Found]) -> None:
        """What one look read well: different cards, unless they may be two corners of one, read differently."""
        for one, other in combinations(found, 2):
            least = min(one.readings[0].confidence, other.readings[0].confidence)
            plain = least >= NUMBERS.plainly or math.dist(one.centre, other.centre) >= NUMBERS.apart_px
            if one.name != other.name and plain and not may_be_one(one, other):
                self._beside[frozenset((one.name, other.name))] = t_ns
        self._beside = {pair: at for pair, at in self._beside.items() if t_ns - at <= NUMBERS.kept_ns}

    def beside(self, name: str) -> set[str]:
        """The cards that were seen at once with the one of that name: no reading of theirs is one of it."""
        return {other for pair in self._beside if name in pair for other in pair if other != name}

    def see(self, t_ns: int, found: Iterable[Found], arms: Sequence[Arm]) -> None:
        """Cards that were seen to move at ``t_ns``, and what was over the table besides cards, those among them."""
        self.looked_ns = max(self.looked_ns, t_ns)
        self._glimpses = [one for one in self._glimpses if t_ns - one.t_ns <= NUMBERS.kept_ns]
        for one in found:
            place = self._geometry.place_mm(one.centre)
            self._glimpses.append(Glimpse(t_ns, one, self._entries(one, arms), place, one.name))
        self._glimpses.sort(key=lambda one: one.t_ns)

    def _entries(self, found: Found, arms: Sequence[Arm]) -> tuple[float, ...]:
        """Where the arm enters the picture that the card hangs together with, or those that touch it as much."""
        rim = self._geometry.polygon_in_small(found.quad, TOUCH_PX) > 0
        contacts = [np.count_nonzero(arm.mask[rim]) if arm.angles else 0 for arm in arms]
        least = max(1.0, NUMBERS.alone * max(contacts, default=0))
        return tuple(
            angle
            for arm, contact in zip(arms, contacts, strict=True)
            if contact >= least
            for angle in arm.angles
        )

    def since(self, t_ns: int) -> list[Glimpse]:
        """What was seen since then, in time, but for what came with cards that have been told of."""
        return [one for one in self._glimpses if one.t_ns >= t_ns and not one.told]

    def well(self, since_ns: int) -> set[str]:
        """The cards that were read well on their way since then."""
        return {one.name for one in self.since(since_ns) if one.found.readings[0].confidence >= CERTAIN}

    def route(self, name: str) -> Route:
        """Where the card of that name was seen."""
        return Route([one for one in self._glimpses if one.name == name])

    def surest(self, found: Found) -> float:
        """How surely a sighting was read, or that card on its way to lie there, if it has not been told of yet."""
        looks = [found, *(one.found for one in self.since(0) if one.name == one.found.name == found.name)]
        return max(one.readings[0].confidence for one in looks)

    def are_one(self, way: Sequence[Glimpse], name: str) -> None:
        """What was seen on that way was one card, of that name, however it was read."""
        seen = {id(one) for one in way}
        self._glimpses = [replace(one, name=name) if id(one) in seen else one for one in self._glimpses]

    def way_of_another(self, known: Collection[str]) -> list[Glimpse]:
        """What was read as one card that is none of the ``known``, if one such was surely read on its way.

        Not with a hand with which one of those was surely read as itself: a hand brings one card.
        """
        surely = [one for one in self.since(0) if one.found.readings[0].confidence >= SURELY_READ]
        names = {one.found.name for one in surely}.difference(known)
        way = [one for one in self.since(0) if names == {one.found.name}]
        own = [one for one in surely if one.found.name in known]
        hands = [one.entries[0] for one in way if len(one.entries) == 1]
        return [] if any(one.came_with(hand) for one in own for hand in hands) else way

    def told(self, name: str) -> None:
        """The card of that name has been told of: the way on which it came is no other's."""
        self._glimpses = [replace(one, told=True) if one.name == name else one for one in self._glimpses]

    def forget(self, name: str) -> None:
        """The card of that name was not laid down."""
        self._glimpses = [one for one in self._glimpses if one.name != name]

    def placed(self, found: Found) -> Found:
        """A sighting with the outline that more corners of it, or others, gave a moment ago at that place."""
        better = self.better(found)
        return replace(found, quad=better.found.quad) if better else found

    def better(self, found: Found) -> Glimpse | None:
        """When more corners of a sighting, or others, were seen a moment ago at that place, if they were.

        Packs have two or four indices to a card: from those on one side none can tell which side that is. It has lain
        there since then only if all that was seen of it meanwhile was where its indices are there.
        """
        since: list[Found] = []
        for glimpse in (one for one in reversed(self._glimpses) if one.name == found.name):
            one = glimpse.found
            there = [any(one_spot(spot, other) for other in one.spots) for spot in found.spots]
            more = all(there) and len(one.spots) > len(found.spots)
            others = any(there) and found.other_side(one.quad) and not one.other_side(found.quad)
            lay = all(has_index_at(one.quad, spot) for later in since for spot in later.spots)
            if (more or others) and lay:
                return glimpse
            since.append(one)
        return None

    def owner(self, name: str, rest_ns: int, quad: Points | None, least: float = 0.0) -> Direction:
        """The arm that the card of that name, which lies since then, was seen with on its way; ``quad`` as for ``way``.

        What is at a card that lies already, or all but, may be another hand: those are told by what touches it.
        ``least``: only looks that read it so surely count.
        """
        told = [
            one.entries[0]
            for one in self._seen_to_come(name, rest_ns - NUMBERS.brings_ns, rest_ns, quad)
            if len(one.entries) == 1
            and not self._shared(one)
            and one.found.readings[0].confidence >= least
            and (quad is None or math.dist(one.found.centre, middle(quad)) >= ROUTE.there_px)
        ]
        if not told:
            return UNSEEN
        agree = [angle for angle in told if angle_between(angle, told[-1]) < ASIDE_DEG]
        sure = NUMBERS.sure if len(agree) == len(told) else NUMBERS.unlike
        return Direction(round(mean_direction_deg(agree, [1.0] * len(agree)), 1), sure)

    def _shared(self, one: Glimpse) -> bool:
        """Whether that picture shows another card with its one hand too: which of them that brought is not told."""
        (hand,) = one.entries
        at_once = (other for other in self._glimpses if other.t_ns == one.t_ns and other.name != one.name)
        return any(other.came_with(hand) for other in at_once)

    def hand_at(self, name: str) -> float | None:
        """Where the arm enters the picture that was at the card of that name, alone, when that was seen first."""
        held = next((one.entries for one in self._glimpses if one.name == name), ())
        return held[0] if len(held) == 1 else None

    def brought_by(self, hand_deg: float) -> set[str]:
        """The cards that were surely read with that hand, which enters the picture there, alone."""
        surely = (one for one in self._glimpses if one.found.readings[0].confidence >= SURELY_READ)
        return {one.name for one in surely if one.came_with(hand_deg)}

    def way(self, name: str, rest_ns: int, quad: Points | None) -> Direction:
        """From which side the card of that name came, as seen from the mark.

        Args:
            name: what it is read as.
            rest_ns: since when it lies.
            quad: where, mark pixels; None where nobody saw that.
        """
        seen = self._seen_to_come(name, rest_ns - NUMBERS.way_ns, rest_ns, quad)
        if not seen:
            return UNSEEN
        x, y = self._geometry.place_mm(middle(quad)) if quad is not None else seen[-1].place
        aside = np.array([(one.place[0] - x, one.place[1] - y) for one in seen])
        off = np.hypot(*aside.T)
        # It came ever nearer: where it seems farther out than it was before, its outline was guessed wrongly.
        comes = off <= np.minimum.accumulate(off) + ROUTE.back_mm
        sure = next((sure for least, sure in NUMBERS.way_mm if off[comes].max() >= least), 0.0)
        if not sure:
            return UNSEEN
        aside = aside[comes]
        sure = sure if quad is not None else min(sure, NUMBERS.guessed)
        side = direction_deg(*(float(value) for value in aside.sum(axis=0)))
        return Direction(round(self._geometry.seen_from_mark((x, y), side), 1), sure)

    def _seen_to_come(self, name: str, from_ns: int, until_ns: int, quad: Points | None) -> list[Glimpse]:
        """The glimpses of a card that lies there now, but for those that took it to be elsewhere when it lay there.

        By indices of one side alone the outline is guessed.
        """
        seen = [one for one in self._glimpses if one.name == name and from_ns <= one.t_ns <= until_ns]
        if quad is None:
            return seen
        return [one for one in seen if not one.found.other_side(quad)]
