"""What is told by cards that were seen on their way to the mark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from table.directions import angle_between
from table.observed_facts import MS, Reading
from table.table_geometry import Geometry, Points, card_quad, transform_points
from table.tracking.hands.carried_card_evidence import CarriedObservations
from table.tracking.scene.arm_detection import Arm
from table.tracking.scene.detections import Detection, may_be_same_card
from tests.tracking.stage import CAMERA

GEOMETRY = Geometry(CAMERA)
LANDS_NS = 900 * MS


def found(name: str, x: float, y: float, corners: int = 2, confidence: float = 0.98) -> Detection:
    """A card of that name seen upright at a place in mm."""
    (centre,) = transform_points(np.linalg.inv(GEOMETRY.mark_to_table), np.array([[x, y]]))
    quad = card_quad((float(centre[0]), float(centre[1])), 0)
    (left, top), (right, bottom) = quad[0] + (6, 8), quad[2] - (6, 8)
    spots = [(left, top, left + 12, top + 24), (right - 12, bottom - 24, right, bottom)][:corners]
    box = (left, top, right, bottom)
    return Detection(
        (Reading(name, confidence),),
        quad,
        box,
        tuple((float(a), float(b), float(c), float(d)) for a, b, c, d in spots),
    )


def arm(*entries: float) -> Arm:
    """Something over the whole table that enters from there."""
    mask = np.full(GEOMETRY.small_size[::-1], 255, np.uint8)
    return Arm(mask, entries, (0.0, 0.0))


def seen(*glimpses: tuple[int, Sequence[Detection], Sequence[Arm]]) -> CarriedObservations:
    carried = CarriedObservations(GEOMETRY)
    for at_ms, cards, arms in glimpses:
        carried.add_frame(at_ms * MS, cards, arms)
    return carried


def outline(x: float, y: float) -> Points:
    return found("7H", x, y).quad


def test_a_card_in_one_hand_is_that_hands() -> None:
    carried = seen((700, [found("7H", 60, 0)], [arm(90.0)]))
    assert carried.carrier_angle("7H", LANDS_NS, outline(5, 5)) == 90.0


def test_two_indices_of_one_side_are_placed_by_a_look_at_others() -> None:
    """Of a card with four indices two were left in sight, and taken for those of its other side."""
    before = found("7H", 0, 0)
    (left, top, right, bottom), width = before.index_boxes[0], before.box[2] - before.box[0]
    low = before.box[3] - (bottom - top)
    spots = ((left, top, right, bottom), (left, low, right, low + bottom - top))
    guessed = Detection(before.readings, before.quad - (width - (right - left), 0.0), before.box, spots)
    carried = seen((870, [before], [arm()]))
    assert np.allclose(carried.with_better_pose(guessed).quad, before.quad)
    moved = Detection(
        guessed.readings,
        guessed.quad + 40.0,
        guessed.box,
        tuple((a + 40, b + 40, c + 40, d + 40) for a, b, c, d in spots),
    )
    assert carried.with_better_pose(moved) is moved  # (it was elsewhere then)


def test_an_arm_that_seems_to_hold_two_cards_is_neithers() -> None:
    """The other one's own arm is not seen; an earlier look at one of them alone tells."""
    both = [found("7H", 60, 0), found("KS", 60, 40)]
    carried = seen((750, both, [arm(90.0)]))
    assert carried.carrier_angle("7H", LANDS_NS, outline(5, 5)) is None
    assert carried.carrier_angle("KS", LANDS_NS, outline(5, 5)) is None
    carried.add_frame(700 * MS, both[:1], [arm(90.0)])
    assert carried.carrier_angle("7H", LANDS_NS, outline(5, 5)) == 90.0
    assert carried.carrier_angle("KS", LANDS_NS, outline(5, 5)) is None


def test_until_when_a_card_was_elsewhere_is_told_by_what_was_surely_read() -> None:
    looks = [(766, 75.0, 0.98), (800, 30.0, 0.98), (833, 28.0, 0.5), (866, 5.0, 0.98)]
    carried = seen(*((at, [found("7H", x, 5, confidence=sure)], [arm()]) for at, x, sure in looks))
    assert carried.tracklet_of("7H").last_moving_ns(outline(5, 5), LANDS_NS) == 800 * MS
    assert carried.tracklet_of("7H").last_moving_ns(outline(5, 5), 800 * MS) == 766 * MS
    assert carried.tracklet_of("KS").last_moving_ns(outline(5, 5), LANDS_NS) is None


def test_of_a_card_that_lay_already_it_is_not_told_from_where_it_came() -> None:
    """("tied, mostly covered:1330": then it had been elsewhere before, and what had been it was another one.)"""
    end = outline(5, 5)
    lay = seen((800, [found("7H", 5, 6)], [arm()]), (833, [found("7H", 5, 5)], [arm()]))
    assert lay.tracklet_of("7H").position_range_at(766 * MS, end) is None
    came = seen((800, [found("7H", 60, 5)], [arm()]), (833, [found("7H", 40, 5)], [arm()]))
    assert came.tracklet_of("7H").position_range_at(766 * MS, end) is not None


def test_a_way_that_is_one_cards_counts_for_it_however_it_was_read() -> None:
    carried = seen((800, [found("6C", 60, 0)], [arm(90.0)]), (833, [found("6S", 20, 0)], [arm()]))
    assert carried.carrier_angle("6S", LANDS_NS, None) is None
    assert carried.approach_direction("6S", LANDS_NS, None).angle is None
    carried.relabel(carried.since(0), "6S")
    assert carried.carrier_angle("6S", LANDS_NS, None) == 90.0
    assert carried.approach_direction("6S", LANDS_NS, None).angle is not None


@pytest.mark.parametrize(("at_ms", "x"), [(880, 8), (950, 60)], ids=["all but at its place", "afterwards"])
def test_a_hand_at_a_card_that_lies_may_be_anyones(at_ms: int, x: float) -> None:
    carried = seen((at_ms, [found("7H", x, 5)], [arm(90.0)]))
    assert carried.carrier_angle("7H", LANDS_NS, outline(5, 5)) is None


def test_an_arm_that_hardly_touches_a_card_is_not_the_one_that_holds_it() -> None:
    holds, passes = arm(90.0), arm(270.0)
    middle = GEOMETRY.small_size[0] // 2
    holds.mask[:, :middle] = 0
    passes.mask[:, middle - 12 :] = 0
    carried = seen((700, [found("7H", 0, 0)], [holds, passes]))
    assert carried.carrier_angle("7H", LANDS_NS, None) == 90.0


def test_of_two_arms_that_have_become_one_the_way_tells_which_brought_the_card() -> None:
    carried = seen((800, [found("7H", 55, 10), found("KS", -60, 0)], [arm(92.0, 268.0)]))
    for name, angle in (("7H", 92.0), ("KS", 268.0)):
        assert carried.carrier_angle(name, LANDS_NS, outline(0, 0)) is None
        way = carried.approach_direction(name, LANDS_NS, outline(0, 0))
        assert way.angle is not None
        assert angle_between(way.angle, angle) < 15
        assert way.confidence > 0.9


def test_a_card_that_no_arm_held_came_from_where_it_flew() -> None:
    carried = seen((800, [found("7H", 0, 80)], [arm()]))
    way = carried.approach_direction("7H", LANDS_NS, outline(0, 0))
    assert way.angle is not None
    assert angle_between(way.angle, 180) < 1


def test_what_was_seen_to_go_back_was_placed_wrongly() -> None:
    """By one index alone a card of four was taken to lie on its other side, between two looks that saw it lie."""
    near, wrong = found("7H", 1, 0), found("7H", 70, 0)
    carried = seen((800, [near], [arm()]), (830, [wrong], [arm()]), (860, [near], [arm()]))
    assert carried.approach_direction("7H", LANDS_NS, outline(0, 0)).angle is None


def test_a_card_read_by_indices_that_it_has_where_it_lies_was_not_elsewhere() -> None:
    lies = found("7H", 0, 0)
    guessed = Detection(lies.readings, lies.quad + (80.0, 0.0), lies.box, lies.index_boxes)
    carried = seen((800, [guessed], [arm(90.0)]))
    assert carried.approach_direction("7H", LANDS_NS, lies.quad).angle is None
    assert carried.carrier_angle("7H", LANDS_NS, lies.quad) is None


def test_a_way_whose_end_nobody_saw_is_told_less_surely() -> None:
    carried = seen((800, [found("7H", 60, 0)], [arm()]), (833, [found("7H", 20, 0)], [arm()]))
    known = carried.approach_direction("7H", LANDS_NS, outline(0, 0))
    guessed = carried.approach_direction("7H", LANDS_NS, None)
    assert known.angle is not None
    assert guessed.angle is not None
    assert angle_between(known.angle, guessed.angle) < 10
    assert guessed.confidence < known.confidence


def test_where_a_card_was_between_two_looks_is_known() -> None:
    carried = seen((800, [found("7H", 60, 0)], [arm()]), (900, [found("7H", 0, 0)], [arm()]))
    between = carried.tracklet_of("7H").position_range_at(850 * MS, outline(0, 0))
    assert between is not None
    assert np.allclose(
        between, [found("7H", 30, 0).centre, found("7H", 15, 0).centre]
    )  # as fast; or slowing down
    assert carried.tracklet_of("7H").position_range_at(950 * MS, outline(0, 0)) is None


@pytest.mark.parametrize("at_ms", [-300, 1100], ids=["long before", "afterwards"])
def test_what_was_seen_at_another_time_tells_nothing(at_ms: int) -> None:
    carried = seen((at_ms, [found("7H", 60, 0)], [arm(90.0)]))
    assert carried.carrier_angle("7H", LANDS_NS, outline(0, 0)) is None
    assert carried.approach_direction("7H", LANDS_NS, outline(0, 0)).angle is None


def test_two_cards_that_were_seen_at_once_are_two() -> None:
    carried = CarriedObservations(GEOMETRY)
    carried.record_together(0, [found("4C", 0, 0), found("5C", 60, 0)])
    assert carried.seen_together_with("4C") == {"5C"}


def test_two_corners_of_one_card_read_differently_are_not_two_cards() -> None:
    carried = CarriedObservations(GEOMETRY)
    king = found("KS", 4, 2)
    carried.record_together(
        0, [found("AS", 0, 0, corners=1), replace(king, index_boxes=king.index_boxes[1:])]
    )
    assert carried.seen_together_with("AS") == set()


def test_indices_nearer_than_two_of_one_card_are_two_cards() -> None:
    carried = CarriedObservations(GEOMETRY)
    carried.record_together(0, [found("AS", 0, 0, corners=1), found("KS", 4, 10, corners=1)])
    assert carried.seen_together_with("AS") == {"KS"}


def test_more_corners_than_a_card_has_are_two_cards() -> None:
    carried = CarriedObservations(GEOMETRY)
    carried.record_together(0, [found("4C", 0, 0), found("5C", 4, 2, corners=1)])
    assert carried.seen_together_with("4C") == {"5C"}


@pytest.mark.parametrize(("name", "one"), [("5C", True), ("KH", False)])
def test_what_is_read_alike_where_each_would_hide_the_other_is_one_card(name: str, one: bool) -> None:
    """A card in motion, of which a corner was read twice; a card at whose very place two are read is two otherwise."""
    readings = (Reading("4C", 0.96), Reading("5C", 0.03))
    moving = replace(found("4C", 0, 0), readings=readings)
    assert may_be_same_card(moving, found(name, 3, 3, corners=1)) is one


def test_of_two_cards_one_of_which_hides_nothing_of_the_other_neither_is_the_other() -> None:
    readings = (Reading("4C", 0.96), Reading("5C", 0.03))
    lower = replace(found("4C", 0, 0, corners=1), readings=readings)
    assert not may_be_same_card(lower, found("5C", 12, 20, corners=1))
    assert may_be_same_card(replace(found("4C", 0, 0), readings=readings), found("5C", 12, 20, corners=1))


def test_a_card_seen_by_one_corner_lies_where_both_were_seen() -> None:
    carried = seen((800, [found("7H", 0, 0)], [arm(90.0)]))
    one = found("7H", 0, 0, corners=1)
    guessed = Detection(one.readings, one.quad + (70.0, 0.0), one.box, one.index_boxes)
    assert np.array_equal(carried.with_better_pose(guessed).quad, one.quad)
    elsewhere = found("7H", 80, 0, corners=1)
    assert carried.with_better_pose(elsewhere) is elsewhere


def test_from_how_a_card_went_on_it_is_known_where_it_was_a_moment_before() -> None:
    carried = seen((800, [found("7H", 30, 0)], [arm()]), (833, [found("7H", 20, 0)], [arm()]))
    before = carried.tracklet_of("7H").position_range_at(767 * MS, outline(0, 0))
    assert before is not None
    assert np.allclose(before[0], found("7H", 40, 0).centre, atol=1.0)
    assert before[1][0] > before[0][0]  # a hand slows down
    assert carried.tracklet_of("7H").position_range_at(600 * MS, outline(0, 0)) is None


def test_two_sightings_long_apart_tell_no_speed() -> None:
    """It may have lain there for most of the time between."""
    carried = seen((800, [found("7H", 30, 0)], [arm()]), (1100, [found("7H", 0, 0)], [arm()]))
    assert carried.tracklet_of("7H").position_range_at(767 * MS, outline(0, 0)) is None


def test_more_corners_seen_at_another_place_since_are_not_the_outline() -> None:
    """An index of a card on its way may be seen, by chance, where one of it lies in the end."""
    lies, passed = found("7H", 0, 0, corners=1), found("7H", 0, 0)
    (x1, y1, x2, y2) = lies.index_boxes[0]
    moved = replace(
        passed, quad=passed.quad + 40, index_boxes=(lies.index_boxes[0], (x1 + 90, y1, x2 + 90, y2))
    )
    assert seen((800, [moved], [arm()])).find_better_pose(lies) is not None
    assert seen((800, [moved], [arm()]), (850, [found("7H", 40, 40)], [arm()])).find_better_pose(lies) is None


def test_a_card_is_still_for_as_long_as_its_indices_were_read_at_one_place() -> None:
    lies = found("7H", 0, 0)
    carried = seen(
        (700, [found("7H", 20, 0)], [arm()]), (800, [lies], [arm()]), (900, [found("7H", 0.5, 0)], [arm()])
    )
    assert carried.tracklet_of("7H").static_since(lies, 1000 * MS) == 800 * MS
    assert carried.tracklet_of("7H").static_since(lies, 750 * MS) == 750 * MS


def test_corners_of_one_side_and_one_of_the_other_may_be_one_card() -> None:
    """Read differently: of the two on one side nobody knows which side that is."""
    card = found("8H", 0, 0)
    left, top, right, bottom = card.box
    one_side = ((left, top, left + 12, top + 24), (left, bottom - 24, left + 12, bottom))
    other = ((right - 12, top, right, top + 24),)
    knave = replace(found("JH", 0, 0), quad=card.quad - (84, 0), index_boxes=one_side)
    assert may_be_same_card(knave, replace(card, index_boxes=other))
