"""Where sight begins in the middle of a trick, its first picture may show a hand: that leaves no ghost behind."""

from __future__ import annotations

import pytest

from table.directions import angle_between
from table.observed_facts import END_NS, CardLanded
from tests.tracking.stage import Stage, Watched, frame_of, watch

NORTH_EAST, SOUTH, WEST = 40.0, 165.0, 280.0


def landed(seen: Watched, name: str) -> CardLanded:
    """The landing of the only card of that name."""
    [fact] = [fact for fact in seen.landed if fact.readings[0].card == name]
    return fact


@pytest.mark.thorough
@pytest.mark.parametrize("table", ["cloth", "wood", "pattern"])
def test_a_hand_that_lays_a_card_in_the_first_picture_hides_nothing_that_follows(table: str) -> None:
    stage = Stage(table)
    stage.lie("7H", (5, 22), 12)
    stage.play("10C", WEST, -2, (-25, -8), 80)
    stage.take(["10C"], WEST, 45)
    stage.play("KD", NORTH_EAST, 80, (22, -18), -30)
    stage.take(["7H", "KD"], SOUTH, 120)
    seen = watch(stage, 160)
    assert seen.names() == ["7H", "10C", "KD"]
    assert seen.left() == ["10C", "7H", "KD"]
    assert [round(frame_of(fact.t_ns)) for fact in seen.gone] == pytest.approx([45, 120, 120], abs=2)
    assert [fact.mark_empty for fact in seen.gone] == [False, True, True]
    king = landed(seen, "KD")
    assert frame_of(king.t_ns) == pytest.approx(80, abs=1.01)
    assert king.arm_deg is not None
    assert angle_between(king.arm_deg, NORTH_EAST) < 25


def test_what_a_hand_carries_off_in_the_first_picture_does_not_lie_there() -> None:
    stage = Stage()
    stage.play("7H", SOUTH, -90, (5, 22), 12)
    stage.play("10C", WEST, -60, (-25, -8), 80)
    stage.take(["7H", "10C"], SOUTH, -4)
    stage.play("KD", NORTH_EAST, 40, (22, -18), -30)
    seen = watch(stage, 80)
    assert seen.names() == ["KD"]
    assert not seen.gone


def test_a_hand_that_rests_over_the_mark_in_the_first_picture_leaves_no_ghost() -> None:
    stage = Stage()
    stage.lie("7H", (5, 22), 12)
    stage.hand(NORTH_EAST, -20, (30, -20), 60)
    stage.take(["7H"], WEST, 90)
    seen = watch(stage, 120)
    assert seen.names() == ["7H"]
    assert [round(frame_of(fact.t_ns)) for fact in seen.gone] == pytest.approx([90], abs=2)
    arm = seen.gone[0].arm_deg
    assert arm is not None
    assert angle_between(arm, WEST) < 25


def test_a_card_that_comes_to_rest_while_sight_begins_has_its_moment_and_its_arm() -> None:
    stage = Stage()
    stage.lie("7H", (5, 22), 12)
    stage.play("10C", WEST, 6, (-45, -30), 80)
    seen = watch(stage, 50)
    before, lately = landed(seen, "7H"), landed(seen, "10C")
    assert (frame_of(before.t_ns), before.arm_deg, before.unseen_ns) == (0, None, END_NS)
    assert frame_of(lately.t_ns) == pytest.approx(6, abs=1.01)
    assert lately.arm_deg is not None
    assert angle_between(lately.arm_deg, WEST) < 25


def test_a_card_that_lies_in_the_first_picture_has_lain_there_though_a_hand_rests_over_it_then() -> None:
    stage = Stage()
    stage.lie("7H", (-15, 5), 80)
    stage.hand(WEST, -5, (-25, 5), 30)
    seen = watch(stage, 60)
    card = landed(seen, "7H")
    assert (frame_of(card.t_ns), card.arm_deg, card.unseen_ns) == (0, None, END_NS)
    assert seen.known[seen.facts.index(card)] < 30  # (the hand is still there)


def test_a_card_that_a_hand_carries_in_the_first_picture_lies_where_it_lands() -> None:
    stage = Stage()
    stage.play("10C", WEST, 3, (-25, -8), 80)
    card = landed(watch(stage, 50), "10C")
    assert card.place_mm == pytest.approx((-25, -8), abs=1)


def test_a_card_that_is_laid_before_the_eyes_of_sight_was_not_found() -> None:
    stage = Stage()
    stage.play("7H", SOUTH, 30, (5, 22), 12)
    assert [fact.unseen_ns for fact in watch(stage, 60).landed] == [0]
