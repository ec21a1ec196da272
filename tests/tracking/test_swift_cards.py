"""Cards laid and taken within two seconds, before the table has come to rest in between.

Each scene is of a game of the virtual table. In two of them sight never told of the last card: a card beneath it had
been taken for pushed, and the new one's index for part of that card's own face. In one it told of a card that never
was: half an index, the rest of which a hand hid as it took the card away.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from table.detection.detector import Detector
from table.games.registry import make_game
from table.observed_facts import MS, CardFact, CardGone, CardLanded
from table.simulation.players.simulated_game import World
from table.simulation.rendering.motions_over_time import CardPose, Lay, Take
from table.simulation.simulated_config import make_simulated_config, random_room
from table.simulation.simulated_source import SimulatedSource
from table.tracking.tracker import CardTracker

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


@pytest.mark.thorough
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


@pytest.mark.thorough
def test_half_an_index_under_a_hand_that_takes_the_card_away_is_no_other_card() -> None:
    cards = (
        Laid("QC", -84, 272.3, (-54.11, -1.76), 91.9, 353, 109, 269),
        Laid("10H", 90, 156.5, (36.84, 68.05), 325.6, 373, 117, 278),
    )
    taken = Take(FIRST_LANDS_NS + 944 * MS, "Ben", 156.5, (2,), (36.84, 68.05))
    told = [(type(fact), fact.id) for fact in watch(9, cards, taken)]
    assert told == [(CardLanded, 1), (CardLanded, 2), (CardGone, 2)]


def watch(seed: int, cards: tuple[Laid, ...], *taken: Take) -> list[CardFact]:
    """What sight tells of cards that are laid, and then taken, until a second and a half after the last is laid."""
    config = make_simulated_config(seed=seed)
    strokes = tuple(
        Lay(
            FIRST_LANDS_NS + one.after_ms * MS,
            config.names[number],
            one.seat_deg,
            number + 1,
            one.card,
            CardPose(*one.place, one.turn),
            one.brings_ms * MS,
            one.stays_ms * MS,
            one.leaves_ms * MS,
        )
        for number, one in enumerate(cards)
    )
    end_ns = FIRST_LANDS_NS + (cards[-1].after_ms + 1500) * MS
    world = World(config, seed, START_NS, end_ns, (), (*strokes, *taken))
    pack = [str(card) for card in make_game(config.game, config.names, {}).pack()]
    sight = CardTracker(config.camera, Detector(pack=pack))
    facts: list[CardFact] = []
    for delivery in SimulatedSource(world, random_room(seed)).deliveries():
        if delivery.frame is not None:
            facts += sight.see(delivery.frame).facts
    facts += sight.end().facts
    return sorted(facts, key=lambda fact: (fact.t_ns, fact.id))
