"""By whose hand a card was laid, from all that was seen of hands about it."""

from dataclasses import replace

import pytest

from table.directions import angle_between
from table.tracking.hands.carrier_assignment import CarrierEvidence, assign_carriers, several_hands
from table.tracking.scene.arm_detection import UNKNOWN_DIRECTION, Direction

SOUTH, WEST = 180.0, 270.0


def seen(
    *touches: tuple[float, float],
    came: Direction = UNKNOWN_DIRECTION,
    lies: float = 0.0,
) -> CarrierEvidence:
    """What was seen about one card; ``touches``: directions of arms, and in how many frames they touched it."""
    contacts = [Direction(angle, weight) for angle, weight in touches]
    return CarrierEvidence(contacts, (came,), lies)


def angle_of(direction: Direction) -> float:
    assert direction.angle is not None
    return direction.angle


def test_the_only_hand_at_a_card_laid_it() -> None:
    (told,) = assign_carriers([seen((SOUTH - 3, 2.0), (SOUTH + 3, 2.0))])
    assert angle_between(angle_of(told), SOUTH) < 1
    assert told.confidence > 0.95


def test_nothing_seen_is_nothing_told() -> None:
    assert assign_carriers([seen()]) == [UNKNOWN_DIRECTION]


def test_little_seen_of_a_hand_is_told_less_surely() -> None:
    (little,) = assign_carriers([seen((SOUTH, 0.3))])
    (much,) = assign_carriers([seen((SOUTH, 1.5))])
    assert 0.3 < little.confidence < 0.9 < much.confidence


def test_what_hand_and_place_both_tell_is_sure_and_what_they_dispute_is_less_so() -> None:
    came = Direction(SOUTH, 0.97)
    (agreed,) = assign_carriers([seen((SOUTH, 1.0), (WEST, 1.0), came=came, lies=45.0)])
    (disputed,) = assign_carriers([seen((WEST, 2.0), came=came, lies=45.0)])
    assert angle_between(angle_of(agreed), SOUTH) < 1
    assert agreed.confidence > 0.85
    assert disputed.confidence < 0.7


def test_of_two_hands_at_two_cards_each_laid_the_one_that_lies_along_its_arm() -> None:
    """Arms that cross touch both cards alike."""
    both = ((SOUTH, 1.0), (WEST, 1.0))
    first, then = assign_carriers([seen(*both, lies=WEST - 180), seen(*both, lies=SOUTH)])
    assert angle_between(angle_of(first), WEST) < 1
    assert angle_between(angle_of(then), SOUTH) < 1
    assert min(first.confidence, then.confidence) > 0.9


def test_what_is_known_of_one_hand_tells_of_the_other() -> None:
    both = ((SOUTH, 1.0), (WEST, 1.0))
    (alone,) = assign_carriers([seen(*both, lies=45.0)])
    known = seen(*both, came=Direction(SOUTH, 0.94), lies=45.0)
    told = assign_carriers([known, seen(*both, lies=45.0)])[1]
    assert alone.confidence == pytest.approx(0.5, abs=0.05)
    assert angle_between(angle_of(told), WEST) < 1
    assert told.confidence > 0.7


def test_more_cards_at_once_than_can_be_weighed_together_are_still_told() -> None:
    told = assign_carriers([seen((SOUTH, 2.0)) for _ in range(7)])
    assert all(one.confidence > 0.9 for one in told)


def test_two_hands_that_end_at_each_others_cards_are_told_apart_by_where_the_cards_came_from() -> None:
    first = seen((SOUTH, 2.0), (WEST, 0.2), came=Direction(WEST + 6, 0.98))
    then = seen((WEST, 2.0), (SOUTH, 0.2), came=Direction(SOUTH - 6, 0.98))
    one, other = assign_carriers([first, then])
    assert angle_between(angle_of(one), WEST) < 5
    assert angle_between(angle_of(other), SOUTH) < 5
    assert min(one.confidence, other.confidence) > 0.9


def test_a_card_that_came_from_where_no_hand_was_seen_is_no_seen_hands() -> None:
    """A sleeve of the cloth's own colour."""
    (told,) = assign_carriers([seen((WEST, 0.4), came=Direction(SOUTH, 0.98))])
    assert angle_between(angle_of(told), SOUTH) < 3
    (disputed,) = assign_carriers([seen((WEST, 2.0), came=Direction(SOUTH, 0.9))])
    assert disputed.confidence < 0.95


def test_one_hand_is_not_several() -> None:
    assert not several_hands([seen((SOUTH, 1.0), (SOUTH + 12, 1.0))])
    assert several_hands([seen((SOUTH, 1.0)), seen((WEST, 1.0))])
    assert not several_hands([seen()])


def test_a_card_that_was_dealt_from_a_pack_is_of_the_hand_that_laid_it() -> None:
    """It comes from the pack, where no arm is."""
    came = Direction(WEST, 0.97)
    (told,) = assign_carriers([seen((SOUTH, 4.0), came=came, lies=0.0)])
    assert angle_between(angle_of(told), SOUTH) < 1
    assert told.confidence > 0.9


def test_the_way_of_a_card_tells_of_the_hand_that_was_not_seen_if_the_other_one_laid_another_card() -> None:
    """An arm of the cloth's colour is not seen: then its card touches, and hangs together with, the other one alone."""
    other = seen((SOUTH, 2.0), came=Direction(SOUTH, 0.97), lies=0.0)
    _, told = assign_carriers([other, seen((SOUTH, 2.0), came=Direction(WEST, 0.97), lies=90.0)])
    assert angle_between(angle_of(told), WEST) < 1


def test_two_sights_of_one_way_count_once() -> None:
    both = ((SOUTH, 1.0), (WEST, 1.0))
    one = seen(*both, came=Direction(WEST, 0.9), lies=45.0)
    two = replace(one, approach_directions=(Direction(WEST, 0.9), Direction(WEST, 0.9)))
    once, twice = assign_carriers([one])[0], assign_carriers([two])[0]
    assert angle_between(angle_of(once), WEST) < 3
    assert once.confidence == pytest.approx(twice.confidence)
