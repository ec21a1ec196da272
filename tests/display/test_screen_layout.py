"""Where things stand: seats in their directions, nothing on top of anything else."""

from __future__ import annotations

import math
from itertools import combinations

import pygame
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from table.display.table_view.card_layout import find_free_spot, place_cards
from table.display.table_view.plate_positions import place_on_edge, place_plates, shrinking_sizes
from table.display.table_view.screen_layout import find_centre_box, layout_screen, layout_table

SIZES = [(1280, 720), (1920, 1080), (1024, 600)]
ANGLES = st.lists(st.integers(-360, 720), min_size=2, max_size=7, unique_by=lambda angle: angle % 360)


def by_name(angles: list[int]) -> dict[str, float]:
    return {f"seat {number}": float(angle) for number, angle in enumerate(angles)}


def overlapping(boxes: list[pygame.Rect]) -> list[tuple[pygame.Rect, pygame.Rect]]:
    return [(one, other) for one, other in combinations(boxes, 2) if one.colliderect(other)]


@pytest.mark.parametrize("size", SIZES)
def test_the_boxes_of_a_screen_do_not_overlap_and_stay_on_it(size: tuple[int, int]) -> None:
    boxes = [getattr(layout_screen(size), name) for name in layout_screen(size).__dataclass_fields__]
    assert not overlapping(boxes)
    assert all(pygame.Rect((0, 0), size).contains(box) for box in boxes)


@given(ANGLES, st.sampled_from(SIZES))
@example([0, -1, -2], (1280, 720))  # (were pushed past each other at the top, where the counting begins)
def test_plates_never_overlap_wherever_the_players_sit(angles: list[int], size: tuple[int, int]) -> None:
    middle = layout_screen(size).middle
    found = place_plates(size, middle, by_name(angles), {})
    assert len(found) == len(angles)
    assert not overlapping(list(found.values()))
    assert all(middle.contains(box) for box in found.values())


@given(ANGLES, st.sampled_from(SIZES))
def test_cards_of_a_trick_overlap_neither_each_other_nor_a_plate(
    angles: list[int], size: tuple[int, int]
) -> None:
    middle = layout_screen(size).middle
    seats = place_plates(size, middle, by_name(angles), {})
    cards = place_cards(size, middle, seats, {})
    assert cards.keys() == seats.keys()
    assert not overlapping(list(cards.values()))
    assert all(middle.contains(card) for card in cards.values())


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("count", range(2, 8))
def test_seats_evenly_around_the_table_are_drawn_in_their_true_directions(
    size: tuple[int, int], count: int
) -> None:
    middle = layout_screen(size).middle
    angles = {f"seat {number}": 360.0 * number / count for number in range(count)}
    for seat, box in place_plates(size, middle, angles, {}).items():
        # As seen on a screen that is wider than high, so only the sides must agree.
        x, y = math.sin(math.radians(angles[seat])), -math.cos(math.radians(angles[seat]))
        assert abs(x) < 0.35 or (box.centerx - middle.centerx) * x > 0
        assert abs(y) < 0.35 or (box.centery - middle.centery) * y > 0


@pytest.mark.parametrize("angle", [0, 39.2, 90, 161.0, 180, 270, 286.8])
def test_a_plate_with_room_stands_on_the_ray_from_the_middle(angle: float) -> None:
    middle = layout_screen((1280, 720)).middle
    box = place_plates((1280, 720), middle, {"one": angle, "other": angle + 180}, {})["one"]
    x, y = box.centerx - middle.centerx, box.centery - middle.centery
    assert math.degrees(math.atan2(x, -y)) % 360 == pytest.approx(angle % 360, abs=0.6)


@pytest.mark.parametrize("count", range(2, 8))
def test_cards_are_large_enough_to_be_read_across_a_room(count: int) -> None:
    middle = layout_screen((1280, 720)).middle
    seats = place_plates(
        (1280, 720), middle, {str(number): 180 + 360 * number / count for number in range(count)}, {}
    )
    assert min(card.height for card in place_cards((1280, 720), middle, seats, {}).values()) >= 120


def test_the_plates_keep_the_order_around_the_table() -> None:
    middle = layout_screen((1280, 720)).middle
    angles = {"a": 0.0, "b": 3.0, "c": 6.0, "d": 9.0}
    found = place_plates((1280, 720), middle, angles, {})
    clockwise = sorted(found, key=lambda seat: found[seat].centerx)
    assert clockwise == ["a", "b", "c", "d"]


def test_a_card_with_room_beside_it_is_moved_no_further_than_needed() -> None:
    middle = pygame.Rect(0, 0, 1000, 500)
    near = pygame.Rect(450, 200, 70, 100)
    found = find_free_spot(middle, near, [near], 4)
    assert found.size == near.size
    assert not found.colliderect(near)
    assert math.dist(found.center, near.center) < 130


def test_a_card_is_drawn_smaller_where_there_is_no_room_for_its_size() -> None:
    middle = pygame.Rect(0, 0, 300, 100)
    taken = [pygame.Rect(0, 0, 130, 100), pygame.Rect(190, 0, 110, 100)]
    found = find_free_spot(middle, pygame.Rect(100, 0, 70, 100), taken, 2)
    assert found.width < 70
    assert found.collidelist(taken) < 0


def test_the_box_in_the_centre_touches_no_plate() -> None:
    for count in range(2, 8):
        middle = layout_screen((1024, 600)).middle
        seats = place_plates(
            (1024, 600), middle, {str(number): 360 * number / count for number in range(count)}, {}
        )
        box = find_centre_box(middle, list(seats.values()), 8)
        assert box.collidelist(list(seats.values())) < 0
        assert box.width > 200
        assert box.height > 150


@pytest.mark.parametrize(
    "angles",
    [[58, 88, 98, 118], [66, 96, 106, 114, 156, 166], [45, 75, 85, 100, 115, 140, 250], [269, 281, 293, 359]],
)
@pytest.mark.parametrize("size", [(1280, 720), (720, 1280), (800, 480)])
def test_cards_of_players_who_sit_close_are_further_away_rather_than_too_small_to_be_read(
    size: tuple[int, int], angles: list[int]
) -> None:
    found = layout_table(size, by_name(angles))
    rank = 0.36 * min(spot.height for spot in found.spots.values())
    assert rank >= min(size) / 25
    assert not overlapping([*found.spots.values(), *found.plates.values()])


@given(ANGLES, st.sampled_from([*SIZES, (720, 1280)]))
@example([90, 270], (1280, 720))  # (nobody above or below: the rule stood upon the cloth's edge)
def test_what_stands_in_the_middle_keeps_off_the_felts_edge(angles: list[int], size: tuple[int, int]) -> None:
    places = layout_table(size, by_name(angles))
    assert places.felt.inflate(-8, -8).contains(places.centre)


@given(ANGLES, st.integers(150, 500), st.integers(150, 700))
@example([210, 261, 312, 3, 54, 106, 157], 450, 540)
def test_chairs_seen_from_above_never_overlap(angles: list[int], width: int, height: int) -> None:
    room = pygame.Rect(20, 30, width, height)
    found = place_on_edge(room, by_name(angles), shrinking_sizes((width * 0.4, 52), 8))
    assert found is not None
    assert not overlapping(list(found.values()))
    assert all(room.contains(box) for box in found.values())
