"""What is told by cards that were seen on their way to the mark."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from table.facts import MS, Reading
from table.sight.arms import Arm
from table.sight.geometry import Geometry, angle_between, card_quad, transform
from table.sight.hands import Carried
from table.sight.pile import Found
from tests.sight.stage import CAMERA

GEOMETRY = Geometry(CAMERA)
LANDS_NS = 900 * MS


def found(name: str, x: float, y: float, corners: int = 2, confidence: float = 0.98) -> Found:
    """A card of that name seen upright at a place in mm."""
    (centre,) = transform(np.linalg.inv(GEOMETRY.mark_to_table), np.array([[x, y]]))
    quad = card_quad((float(centre[0]), float(centre[1])), 0)
    (left, top), (right, bottom) = quad[0] + (6, 8), quad[2] - (6, 8)
    spots = [(left, top, left + 12, top + 24), (right - 12, bottom - 24, right, bottom)][:corners]
    box = (left, top, right, bottom)
    return Found(
        (Reading(name, confidence),),
        quad,
        box,
        tuple((float(a), float(b), float(c), float(d)) for a, b, c, d in spots),
    )


def arm(*entries: float) -> Arm:
    """Something over the whole table that enters from there."""
    mask = np.full(GEOMETRY.small_size[::-1], 255, np.uint8)
    return Arm(mask, entries, (0.0, 0.0))


def seen(*glimpses: tuple[int, Sequence[Found], Sequence[Arm]]) -> Carried:
    carried = Carried(GEOMETRY)
    for at_ms, cards, arms in glimpses:
        carried.see(at_ms * MS, cards, arms)
    return carried


def test_a_card_in_one_hand_is_that_hands() -> None:
    carried = seen((700, [found("7H", 60, 0)], [arm(90.0)]))
    owner = carried.owner("7H", LANDS_NS, (5, 5))
    assert owner.angle == 90.0
    assert owner.sure > 0.9


def test_the_arm_seen_with_a_card_that_lies_already_may_be_the_next_ones() -> None:
    before = seen((880, [found("7H", 10, 0)], [arm(90.0)])).owner("7H", LANDS_NS, (5, 5))
    after = seen((950, [found("7H", 10, 0)], [arm(90.0)])).owner("7H", LANDS_NS, (5, 5))
    assert before.angle == after.angle == 90.0
    assert after.sure < before.sure - 0.1


def test_of_two_arms_that_have_become_one_the_one_on_whose_side_it_was_brought_it() -> None:
    carried = seen((800, [found("7H", 55, 10), found("KS", -60, 0)], [arm(92.0, 268.0)]))
    for name, angle in (("7H", 92.0), ("KS", 268.0)):
        owner = carried.owner(name, LANDS_NS, (0, 0))
        assert owner.angle == angle
        assert 0.9 <= owner.sure < 0.95


def test_a_card_that_no_arm_held_was_thrown_from_where_it_flew() -> None:
    carried = seen((800, [found("7H", 0, 80)], [arm()]))
    owner = carried.owner("7H", LANDS_NS, (0, 0))
    assert owner.angle is not None
    assert angle_between(owner.angle, 180) < 1
    assert owner.sure < 0.7


@pytest.mark.parametrize("at_ms", [-300, 1100], ids=["long before", "afterwards"])
def test_what_was_seen_at_another_time_tells_nothing(at_ms: int) -> None:
    carried = seen((at_ms, [found("7H", 60, 0)], [arm(90.0)]))
    assert carried.owner("7H", LANDS_NS, (0, 0)).angle is None


def test_two_cards_that_were_seen_at_once_are_two() -> None:
    carried = Carried(GEOMETRY)
    carried.see_at_once(0, [found("4C", 0, 0), found("5C", 60, 0)])
    assert carried.beside("4C") == {"5C"}


def test_two_corners_of_one_card_read_differently_are_not_two_cards() -> None:
    carried = Carried(GEOMETRY)
    carried.see_at_once(0, [found("AS", 0, 0, corners=1), found("KS", 4, 2, corners=1)])
    assert carried.beside("AS") == set()


def test_more_corners_than_a_card_has_are_two_cards() -> None:
    carried = Carried(GEOMETRY)
    carried.see_at_once(0, [found("4C", 0, 0), found("5C", 4, 2, corners=1)])
    assert carried.beside("4C") == {"5C"}


def test_a_card_seen_by_one_corner_lies_where_both_were_seen() -> None:
    carried = seen((800, [found("7H", 0, 0)], [arm(90.0)]))
    one = found("7H", 0, 0, corners=1)
    guessed = Found(one.readings, one.quad + (70.0, 0.0), one.box, one.spots)
    assert np.array_equal(carried.placed(guessed).quad, one.quad)
    elsewhere = found("7H", 80, 0, corners=1)
    assert carried.placed(elsewhere) is elsewhere
