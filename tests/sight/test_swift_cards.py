"""Three cards of a trick within two seconds, the last one laid before the table has come to rest since the one before.

Each scene is of a game of the virtual table in which sight never told of the last card: a card beneath it had been
taken for pushed, and the new one's index for part of that card's own face.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from table.facts import MS, CardFact, CardGone, CardLanded
from table.sight.detector import Detector
from table.sight.sight import Sight
from table.virtual.scene import Lay, Pose
from table.virtual.setup import look_of, virtual_config
from table.virtual.source import VirtualTable
from table.virtual.world import World

START_NS = 1_000_000 * MS
FIRST_LANDS_NS = START_NS + 600 * MS


@dataclass(frozen=True)
class Laid:
    """A card that is laid: how long after the first, from which direction, where, and how long the hand takes."""

    card: str
    after_ms: int
    seat_deg: float
    place: tuple[float, float]
    turn: float
    brings_ms: int
    stays_ms: int
    leaves_ms: int


SCENES = {
    "the card beneath was first seen with the hand over it that laid it": (
        1,
        Laid("10H", 0, 157.4, (4.96, 29.95), 342.3, 460, 100, 303),
        Laid("5S", 966, 271.6, (-23.12, 1.26), 82.8, 403, 195, 358),
        Laid("QS", 1554, 34.7, (7.73, -18.59), 223.5, 345, 182, 353),
    ),
    "only a corner of the card beneath is left in sight": (
        16,
        Laid("6D", 0, 40.5, (11.87, -18.39), 214.7, 412, 171, 326),
        Laid("JC", 533, 154.8, (15.14, 18.87), 339.0, 360, 145, 321),
        Laid("6H", 1185, 281.9, (-27.96, -1.83), 89.4, 343, 194, 308),
    ),
}


@pytest.mark.parametrize(("seed", "first", "second", "third"), SCENES.values(), ids=SCENES)
def test_a_card_laid_before_the_table_has_come_to_rest_is_told_of(
    seed: int, first: Laid, second: Laid, third: Laid
) -> None:
    cards = (first, second, third)
    seen = watch(seed, cards)
    assert not [fact for fact in seen if isinstance(fact, CardGone)]
    landed = [fact for fact in seen if isinstance(fact, CardLanded)]
    assert [fact.readings[0].card for fact in landed] == [one.card for one in cards]
    assert [fact.upon for fact in landed] == [(), (1,), (1, 2)]
    for fact, one in zip(landed, cards, strict=True):
        assert abs(fact.t_ns - FIRST_LANDS_NS - one.after_ms * MS) <= 40 * MS
        assert fact.place_mm == pytest.approx(one.place, abs=8)


def watch(seed: int, cards: tuple[Laid, ...]) -> list[CardFact]:
    """What sight tells of cards that are laid upon one another, until a second after the last."""
    config = virtual_config(seed=seed)
    strokes = tuple(
        Lay(
            FIRST_LANDS_NS + one.after_ms * MS,
            config.names[number],
            one.seat_deg,
            number + 1,
            one.card,
            Pose(*one.place, one.turn),
            one.brings_ms * MS,
            one.stays_ms * MS,
            one.leaves_ms * MS,
        )
        for number, one in enumerate(cards)
    )
    end_ns = FIRST_LANDS_NS + (cards[-1].after_ms + 1000) * MS
    world = World(config, seed, START_NS, end_ns, (), strokes, (), (), ())
    sight = Sight(config.camera, Detector())
    facts: list[CardFact] = []
    for delivery in VirtualTable(world, look_of(seed)).deliveries():
        if delivery.frame is not None:
            facts += sight.see(delivery.frame).facts
    facts += sight.end().facts
    return sorted(facts, key=lambda fact: (fact.t_ns, fact.id))
