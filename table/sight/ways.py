"""The ways of cards that hands bring, by what was read of them, and how much a way speaks for a card that nobody knows.

A card goes and turns no faster than a hand does. A glimpse counts for another card as far as none of those that are
known can have been read so: it was elsewhere at that time, or with another hand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from table.facts import MS
from table.sight.hands import NUMBERS as HANDS
from table.sight.hands import Carried
from table.sight.places import turned_by
from table.sight.route import Glimpse
from table.sight.tracked import CERTAIN, SURELY_READ, TrackedCard
from table.sight.view import View
from table.sight.whose import NUMBERS as WHOSE
from table.sight.whose import was_of


@dataclass(frozen=True, slots=True)
class WayNumbers:
    """The numbers of this module; chosen on the scene bench's tuning set."""

    told: tuple[tuple[float, float], ...] = ((SURELY_READ, 4.0), (CERTAIN, 2.0), (0.0, 0.7))
    """How much, in nats, each look at what is none of the known cards tells, by how surely that read anything, ..."""
    corner: float = 2.0
    """... each further corner that was read alike in one look, ..."""
    name: float = 0.55
    """... and of what may have been one of them the name alone: so much of the odds against its being wrong."""
    strides_px: float = 3.5
    """A card goes no farther in a millisecond: 2.2 metres a second."""
    turned_deg: float = 25.0
    """It is seen turned by so little when it was not, ..."""
    turns_deg: float = 0.3
    """... and turns no more in a millisecond."""


NUMBERS: Final = WayNumbers()


@dataclass(frozen=True, slots=True, eq=False)
class Telling:
    """A glimpse, and how much it speaks (nats) for another card than those that are known."""

    glimpse: Glimpse
    strange: float
    """As none of them was there, ..."""
    named: float
    """... or by what it was read as alone."""


def ways_of_others(
    cards: Sequence[TrackedCard], view: View, carried: Carried, enough: float
) -> list[tuple[list[Glimpse], float]]:
    """The ways of what was read and is none of the ``cards``, with how much tells of that (nats): the surest first.

    ``enough``: none of which less tells.
    """
    glimpses = carried.since(view.now_ns - HANDS.kept_ns)
    seen = [Telling(one, *_tells(one, cards, view, carried)) for one in glimpses]
    surest = sorted(ways([one for one in seen if one.strange or one.named]), key=_told, reverse=True)
    return [([one.glimpse for one in way], told) for way in surest if (told := _told(way)) >= enough]


def ways(glimpses: Sequence[Telling]) -> list[list[Telling]]:
    """The ways of single cards: glimpses, one after another, each so near to the last as a hand may be.

    One picture shows each card once: what is nearest to a way, and was read as there, goes on it first.
    """
    found: list[list[Telling]] = []
    for _, picture in groupby(glimpses, key=lambda one: one.glimpse.t_ns):
        fresh = list(picture)
        steps = [(off, one, way) for way in found for one in fresh if (off := _off(way, one)) is not None]
        for _, one, way in sorted(steps, key=lambda step: step[0]):
            if one in fresh and way[-1].glimpse.t_ns < one.glimpse.t_ns:
                way.append(one)
                fresh.remove(one)
        found += [[one] for one in fresh]
    return found


def _off(way: Sequence[Telling], one: Telling) -> float | None:
    """How far (mark pixels) a later glimpse is from a way, less what its name is worth; None where no card goes so."""
    here, past = one.glimpse.found, way[-1].glimpse.found
    far = math.dist(here.centre, past.centre)
    passed_ms = (one.glimpse.t_ns - way[-1].glimpse.t_ns) / MS
    reach = far <= WHOSE.same_px + NUMBERS.strides_px * passed_ms
    turns = turned_by(here.quad, past.quad) <= NUMBERS.turned_deg + NUMBERS.turns_deg * passed_ms
    if not (reach and turns):
        return None
    named = any(other.glimpse.name == one.glimpse.name for other in way)
    return far - WHOSE.same_px * named


def _told(way: Sequence[Telling]) -> float:
    """How much a way speaks (nats) for another card.

    Several looks at a card on its way misread it alike: names, unlike places, tell no more for being many.
    """
    return sum(one.strange for one in way) + max(one.named for one in way)


def _tells(one: Glimpse, cards: Sequence[TrackedCard], view: View, carried: Carried) -> tuple[float, float]:
    """How much a glimpse tells, beside the ``cards`` that are known, as what is in ``Telling``."""
    sure = one.found.readings[0].confidence
    known = [was_of(one, card, view, carried) for card in cards]
    if any(known):
        return 0.0, 0.0
    if None in known:
        return 0.0, -NUMBERS.name * math.log(1.005 - sure)
    told = next(nats for least, nats in NUMBERS.told if sure >= least)
    return told + NUMBERS.corner * (len(one.found.spots) - 1) * (sure >= SURELY_READ), 0.0
