"""Two hands lay cards upon one another within a third of a second: which cards, in which order, by whose hand.

In Whysteria that is a tie of leads, and who is told to take a card back hangs on it. Each scene is one that sight got
wrong once: a card that was never told of, or two cards with their owners changed about.
"""

from __future__ import annotations

from dataclasses import dataclass

from table.directions import angle_between
from tests.speeds import first_quick
from tests.tracking.stage import Stage, frame_of, watch

FIRST_LANDS = 30


@dataclass(frozen=True)
class Hand:
    """One hand that lays a card: from which seat, where, how turned, for how many frames it stays and travels."""

    seat: float
    place: tuple[float, float]
    turn: float
    stays: int
    travels: int = 10


SCENES = {
    "the second covers most of the first, both hands stay": (
        4,
        Hand(40, (12, 0), 40, 8),
        Hand(280, (22, 20), 0, 6),
    ),
    "the second lies squarely upon the first, long after": (
        10,
        Hand(165, (10, 3), -8, 2, 14),
        Hand(330, (13, 21), 8, 12, 6),
    ),
    "two slivers of the first are all that is left in sight": (
        6,
        Hand(280, (13, -10), -55, 12),
        Hand(330, (22, -3), 52, 8),
    ),
    "the first is read while the second is still under its hand": (
        8,
        Hand(40, (1, -11), 130, 2, 6),
        Hand(100, (-18, -9), 162, 4, 14),
    ),
    "both hands are at both cards": (4, Hand(220, (-5, 9), -6, 2, 14), Hand(330, (-5, 28), -147, 4)),
    "hands from opposite sides reach across each other's card": (
        5,
        Hand(220, (-6, -12), 119, 2, 6),
        Hand(40, (-9, 27), 32, 12),
    ),
    "the first comes to light when its hand goes, long after": (
        1,
        Hand(330, (11, 6), -103, 12, 6),
        Hand(165, (10, 9), -115, 2, 6),
    ),
    "a hand lies on both for a second": (2, Hand(330, (-10, -11), -68, 30, 6), Hand(280, (-11, -15), 146, 4)),
    "a hand lies on both and shows the first as it goes": (
        2,
        Hand(165, (-6, 5), 2, 30),
        Hand(330, (8, -19), 67, 4),
    ),
    "two frames apart": (2, Hand(280, (14, 5), -165, 8), Hand(220, (-14, -6), 78, 2)),
    "two frames apart, both hands stay": (
        2,
        Hand(220, (-12, -6), -150, 12, 6),
        Hand(330, (-3, 19), 175, 12, 6),
    ),
    "a third of a second apart": (10, Hand(220, (11, -8), 170, 4), Hand(10, (20, 9), 85, 4)),
    "a sixth of a second apart": (5, Hand(280, (7, 0), 151, 4, 14), Hand(40, (-4, -12), -106, 2, 6)),
}


@first_quick(("apart", "first", "second"), SCENES.values(), quick=3, ids=SCENES)
def test_cards_laid_upon_one_another_are_both_told_of_in_order_with_their_owners(
    apart: int, first: Hand, second: Hand
) -> None:
    stage = Stage()
    for card, lands, hand in (("7H", FIRST_LANDS, first), ("8H", FIRST_LANDS + apart, second)):
        stage.play(card, hand.seat, lands, hand.place, hand.turn, hold=hand.stays, travel=hand.travels)
    seen = watch(stage, 95)
    assert seen.names() == ["7H", "8H"]
    assert not seen.gone
    for fact, hand in zip(seen.landed, (first, second), strict=True):
        assert fact.arm_deg is not None
        assert angle_between(fact.arm_deg, hand.seat) < 20
        assert fact.arm_sure >= 0.7
    assert abs(frame_of(seen.landed[0].t_ns) - FIRST_LANDS) <= 4.01
    assert abs(frame_of(seen.landed[1].t_ns) - FIRST_LANDS - apart) <= 1.01


def test_a_card_shown_over_the_mark_and_taken_away_again_is_not_beneath_the_one_that_lies() -> None:
    """What sight saw come and then misses is looked for under the others; it must show there."""
    stage = Stage()
    stage.play("7H", 280.0, 30, (14, 5), 20, hold=2)
    stage.take(["7H"], 280.0, 36)
    stage.play("8H", 40.0, 50, (10, 0), -30, hold=6)
    seen = watch(stage, 110)
    assert [name for name in seen.names() if name not in seen.left()] == ["8H"]
