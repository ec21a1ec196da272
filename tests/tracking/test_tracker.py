from __future__ import annotations

import pytest

from table.directions import angle_between
from table.observed_facts import CardFact, CardLanded
from table.tracking.tracker import CardTracker
from tests.speeds import first_quick
from tests.tracking.stage import CAMERA, FRAME_NS, MarkerReader, Stage, Watched, frame_of, watch

NORTH_EAST, SOUTH, WEST = 40.0, 165.0, 280.0


def near(a: float, b: float, by: float) -> bool:
    return abs(a - b) <= by


def one(watched: Watched, name: str, frame: int, seat: float | None) -> None:
    """``name`` landed exactly once, in that frame, from that seat."""
    found = [fact for fact in watched.landed if fact.readings and fact.readings[0].card == name]
    assert len(found) == 1, watched.names()
    assert near(frame_of(found[0].t_ns), frame, 1.01)
    if seat is not None:
        assert found[0].arm_deg is not None
        assert angle_between(found[0].arm_deg, seat) < 25


def test_a_card_played_lands_once_when_it_lies_and_from_its_arm() -> None:
    stage = Stage()
    stage.play("7H", SOUTH, 30, (5, 10), 12)
    seen = watch(stage, 60)
    assert seen.names() == ["7H"]
    one(seen, "7H", 30, SOUTH)
    fact = seen.landed[0]
    assert near(fact.place_mm[0], 5, 3)
    assert near(fact.place_mm[1], 10, 3)
    assert near(fact.angle_deg, 12, 3)
    assert fact.arm_sure > 0.6
    assert not seen.gone


@first_quick("table", ["pattern", "cloth", "white", "wood"])
def test_a_trick_is_followed_and_picked_up_on_any_table(table: str) -> None:
    stage = Stage(table)
    stage.play("7H", SOUTH, 30, (5, 22), 12)
    stage.play("10C", WEST, 70, (-25, -8), 80)
    stage.play("KD", NORTH_EAST, 110, (22, -18), -30)
    stage.take(["7H", "10C", "KD"], SOUTH, 160)
    seen = watch(stage, 200)
    assert seen.names() == ["7H", "10C", "KD"]
    one(seen, "7H", 30, SOUTH)
    one(seen, "10C", 70, WEST)
    one(seen, "KD", 110, NORTH_EAST)
    assert sorted(seen.left()) == sorted(["7H", "10C", "KD"])
    assert all(fact.mark_empty for fact in seen.gone)
    assert all(near(frame_of(fact.t_ns), 160, 2) for fact in seen.gone)
    assert all(fact.arm_deg is not None and angle_between(fact.arm_deg, SOUTH) < 25 for fact in seen.gone)
    second, third = seen.landed[1:]
    assert second.upon == (1,)
    assert set(third.upon) == {1, 2}


def test_a_withdrawn_card_goes_alone_and_the_rest_stay() -> None:
    stage = Stage()
    stage.play("7H", SOUTH, 30, (0, 15))
    stage.play("10C", NORTH_EAST, 70, (18, -10), -30)
    stage.take(["10C"], NORTH_EAST, 110)
    seen = watch(stage, 150)
    assert seen.left() == ["10C"]
    gone = seen.gone[0]
    assert near(frame_of(gone.t_ns), 110, 2)
    assert not gone.mark_empty
    assert gone.arm_deg is not None
    assert angle_between(gone.arm_deg, NORTH_EAST) < 25


def test_a_card_taken_back_and_played_again_lands_twice() -> None:
    stage = Stage()
    stage.play("7H", SOUTH, 30, (0, 15))
    stage.take(["7H"], SOUTH, 70)
    seen = watch(stage, 110)
    assert (seen.names(), seen.left()) == (["7H"], ["7H"])
    assert seen.gone[0].mark_empty


@first_quick("gap", [1, 2, 4, 8], quick=2)
def test_two_arms_at_once_keep_their_own_cards_and_the_order_of_landing(gap: int) -> None:
    stage = Stage()
    stage.play("9C", SOUTH, 40, (6, 12), -10, hold=5)
    stage.play("8D", NORTH_EAST, 40 + gap, (14, -8), 38, hold=5)
    seen = watch(stage, 80)
    assert seen.names() == ["9C", "8D"]
    one(seen, "9C", 40, SOUTH)
    one(seen, "8D", 40 + gap, NORTH_EAST)
    first, second = seen.landed
    assert second.upon == (first.id,)
    assert first.upon == ()
    assert near(second.frame - first.frame, gap, 1)


def test_tied_leads_that_lie_apart_do_not_overlap() -> None:
    stage = Stage()
    stage.play("9C", SOUTH, 40, (0, 60), 0, hold=5)
    stage.play("8D", NORTH_EAST, 43, (20, -50), 20, hold=5)
    seen = watch(stage, 80)
    assert seen.names() == ["9C", "8D"]
    assert all(fact.upon == () and fact.overlaps == () for fact in seen.landed)
    assert near(seen.landed[1].frame - seen.landed[0].frame, 3, 1)


def test_a_nudge_is_no_new_card() -> None:
    stage = Stage()
    stage.play("7H", SOUTH, 30, (0, 10))
    stage.nudge("7H", 70, (25, -8), 9)
    seen = watch(stage, 120)
    assert seen.names() == ["7H"]
    assert not seen.gone


def test_a_hand_that_passes_over_the_mark_is_nothing() -> None:
    stage = Stage()
    stage.play("7H", SOUTH, 30, (0, 10))
    stage.hand(WEST, 60, (0, 0), 0)
    seen = watch(stage, 110)
    assert (seen.names(), seen.left()) == (["7H"], [])


def test_a_hand_that_rests_over_the_cards_hides_them_and_they_stay() -> None:
    stage = Stage()
    stage.play("7H", SOUTH, 30, (0, 10))
    stage.hand(WEST, 60, (10, 5), 90)
    seen = watch(stage, 200)
    assert (seen.names(), seen.left()) == (["7H"], [])


def test_an_arm_over_an_empty_mark_is_nothing() -> None:
    stage = Stage()
    stage.hand(WEST, 20, (10, 5), 60)
    seen = watch(stage, 130)
    assert not seen.facts


def test_a_card_under_a_resting_hand_is_told_after_a_second() -> None:
    stage = Stage()
    stage.play("7H", SOUTH, 30, (0, 10), hold=75)
    seen = watch(stage, 130)
    assert seen.names() == ["7H"]
    assert near(frame_of(seen.landed[0].t_ns), 30, 2)
    assert seen.known[0] <= 30 + 45


def test_a_covered_card_is_still_there() -> None:
    stage = Stage()
    stage.play("7H", SOUTH, 30, (0, 0))
    stage.play("10C", WEST, 70, (3, 2), 4)
    stage.take(["10C"], WEST, 110)
    seen = watch(stage, 150)
    assert seen.names() == ["7H", "10C"]
    assert seen.left() == ["10C"]
    assert not seen.gone[0].mark_empty


@pytest.mark.thorough
def test_a_shadow_and_a_slow_light_change_are_nothing() -> None:
    stage = Stage("wood")
    stage.play("7H", SOUTH, 30, (0, 10))
    stage.shadow(60, 100, [(-400, -300), (0, -300), (60, 300), (-400, 300)])
    stage.light = lambda frame: 1.0 - 0.001 * frame
    seen = watch(stage, 150)
    assert (seen.names(), seen.left()) == (["7H"], [])


@pytest.mark.thorough
def test_the_lamp_switched_on_and_off_takes_no_card_away() -> None:
    stage = Stage("wood")
    stage.play("7H", SOUTH, 30, (0, 10))
    stage.light = lambda frame: (0.55, 0.5, 0.6) if 60 <= frame < 100 else 1.0
    stage.play("10C", WEST, 80, (-25, -5), 80)
    stage.take(["7H", "10C"], SOUTH, 140)
    seen = watch(stage, 180)
    assert seen.names() == ["7H", "10C"]
    one(seen, "10C", 80, WEST)
    assert sorted(seen.left()) == ["10C", "7H"]


@pytest.mark.thorough
@pytest.mark.parametrize(("noise", "shake"), [(8.0, 0.0), (2.0, 1.0)])
def test_noise_and_a_trembling_camera_change_nothing(noise: float, shake: float) -> None:
    stage = Stage("wood", noise=noise, shake=shake)
    stage.play("7H", SOUTH, 30, (5, 22), 12)
    stage.play("10C", WEST, 70, (-25, -8), 80)
    stage.take(["7H", "10C"], WEST, 110)
    seen = watch(stage, 150)
    assert seen.names() == ["7H", "10C"]
    assert sorted(seen.left()) == ["10C", "7H"]
    for fact, frame in zip(seen.landed, (30, 70), strict=True):
        assert near(frame_of(fact.t_ns), frame, 2)
    assert seen.sight.detection_count < 30


def test_sleeves_in_the_colour_of_cards_are_arms() -> None:
    stage = Stage()
    stage.sleeve = (240, 240, 240)
    stage.play("7H", SOUTH, 30, (5, 22), 12)
    stage.play("10C", WEST, 70, (-25, -8), 80)
    seen = watch(stage, 110)
    assert seen.names() == ["7H", "10C"]
    one(seen, "10C", 70, WEST)


def test_nothing_is_looked_at_while_nothing_happens() -> None:
    stage = Stage()
    seen = watch(stage, 120)
    assert seen.reader.asked <= 1


@pytest.mark.thorough
def test_a_hand_that_leaves_the_cards_as_they_were_calls_for_no_look() -> None:
    def looks(frames: int) -> int:
        stage = Stage()
        stage.play("7H", SOUTH, 30, (5, 22), 12)
        stage.hand(WEST, 90, (-10, 0), 14)
        seen = watch(stage, frames)
        assert seen.names() == ["7H"]
        assert not seen.gone
        return seen.sight.detection_count

    withdrawn = 90 + 8 + 14 + 8
    assert looks(withdrawn + 50) == looks(withdrawn)


def test_the_same_frames_give_the_same_facts() -> None:
    def facts() -> list[object]:
        stage = Stage()
        stage.play("7H", SOUTH, 30, (5, 22), 12)
        stage.take(["7H"], SOUTH, 60)
        return list(watch(stage, 90).facts)

    assert facts() == facts()


def test_cards_that_lie_there_from_the_start_are_told_at_once() -> None:
    stage = Stage()
    stage.lie("7H", (0, 10))
    stage.take(["7H"], SOUTH, 40)
    seen = watch(stage, 80)
    assert seen.names() == ["7H"]
    assert frame_of(seen.landed[0].t_ns) == 0
    assert seen.landed[0].arm_deg is None
    assert seen.left() == ["7H"]


def test_a_mark_that_is_bare_again_is_not_read_once_more() -> None:
    """That the card has gone was seen while the hand was still there."""
    stage = Stage()
    stage.play("7H", 250.0, 24, (2.0, 4.0), 20.0)
    stage.take(["7H"], 40.0, 70)
    before, after = watch(stage, 79), watch(stage, 100)
    assert len(after.gone) == 1
    assert 79 < after.known[-1] < 100
    assert after.reader.asked == before.reader.asked


def test_of_cards_that_landed_while_no_pictures_came_the_fact_says_for_how_long() -> None:
    stage = Stage()
    stage.play("7H", SOUTH, 30, (5, 22), 12)
    stage.play("10C", WEST, 80, (-25, -8), 80)
    sight = CardTracker(CAMERA, MarkerReader())
    facts: list[CardFact] = []
    for number in range(130):
        if not 60 < number < 95:
            facts += sight.see(stage.frame(number)).facts
    watched, unwatched = (fact for fact in facts if isinstance(fact, CardLanded))
    assert watched.unseen_ns == 0
    assert frame_of(unwatched.t_ns) == pytest.approx(95)
    assert unwatched.unseen_ns == pytest.approx(35 * FRAME_NS)
