"""What the camera sees of the mark: facts of perfect sight, before anything is damaged."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import hypot

from table.cards import Card
from table.observed_facts import CardGone, CardLanded, Reading
from tests.referee.faults.world import World

FRAME_NS = 33_333_333
SURE = 0.99
"""The confidence of a plain reading."""
ARM_SURE = 0.9
ARM_DEG = 4.0
"""An arm comes from its player's direction, give or take so much (one standard deviation)."""
ARM_UNSEEN = 0.15
"""The share of pick-ups whose arm is not seen."""
TOUCH_MM = 60.0
"""Cards whose centres are nearer than this overlap."""

Place = tuple[float, float]


@dataclass(slots=True, eq=False)
class Laid:
    """A card that somebody really laid on the mark."""

    seat: str
    card: Card
    place: Place


@dataclass(slots=True)
class Seen:
    """A card that the camera takes for lying on the mark; ``laid`` None: it sees what is not there."""

    id: int
    laid: Laid | None
    place: Place


class Eye:
    """Knows what the camera sees lying, and tells the referee what changes."""

    def __init__(self, world: World, angles: Mapping[str, float], rng: random.Random) -> None:
        self.world = world
        self.angles = angles
        self.rng = rng
        self.lying: dict[int, Seen] = {}
        self._next = 1

    def numbers(self, laid: Laid) -> list[int]:
        """The numbers under which a real card is seen to lie."""
        return [one.id for one in self.lying.values() if one.laid is laid]

    def laid_as(self, number: int) -> Laid | None:
        """The real card that the referee knows by this number."""
        seen = self.lying.get(number)
        return seen.laid if seen else None

    def arm(self, seat: str) -> float:
        """The direction of a player's arm."""
        off = max(-12.0, min(12.0, self.rng.gauss(0, ARM_DEG)))
        return (self.angles[seat] + off) % 360

    def take_number(self) -> int:
        """The number of the next card that is seen to land."""
        self._next += 1
        return self._next - 1

    def land(
        self,
        t_ns: int,
        laid: Laid | None,
        readings: Iterable[Reading],
        arm: tuple[float | None, float],
        place: Place,
        *,
        number: int | None = None,
        order: tuple[tuple[int, ...], tuple[int, ...]] | None = None,
    ) -> None:
        """A card is seen to come to rest now. ``order``: what it lies upon and what it overlaps, if not plain."""
        number = self.take_number() if number is None else number
        beneath = tuple(one.id for one in self.lying.values() if near(one.place, place))
        upon, overlaps = order or (beneath, beneath)
        self.lying[number] = Seen(number, laid, place)
        self.world.tell(
            CardLanded(
                t_ns,
                number,
                tuple(readings),
                place,
                0.0,
                *arm,
                t_ns // FRAME_NS,
                tuple(upon),
                tuple(overlaps),
            )
        )

    def go(self, t_ns: int, numbers: Iterable[int], arm: float | None) -> None:
        """Cards are seen to leave together now."""
        gone = [number for number in numbers if self.lying.pop(number, None) is not None]
        for number in gone:
            self.world.tell(CardGone(t_ns, number, arm, not self.lying))


def near(one: Place, other: Place) -> bool:
    """Whether cards with these centres overlap."""
    return hypot(one[0] - other[0], one[1] - other[1]) < TOUCH_MM


def plain(card: Card) -> tuple[Reading, ...]:
    """A card read as it is."""
    return (Reading(str(card), SURE),)
