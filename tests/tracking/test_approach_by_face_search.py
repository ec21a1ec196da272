"""From which side a card came: its face is known again on its way."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from table.directions import angle_between, direction_deg
from table.observed_facts import MS, Image
from table.table_geometry import card_quad, polygon_mask
from table.tracking.hands.approach_by_face_search import FaceTemplate, find_approach_directions
from tests.tracking.cards_on_cloth import cloth, lay

LANDS_NS = 1_000 * MS
FRAME_NS = 33 * MS
STEPS_PX = (0.0, 8.0, 30.0, 70.0, 110.0, 150.0)
"""How far before its place a card is, picture by picture, back from the one in which it lies."""


def coarse(mark: Image) -> Image:
    """A mark picture in coarse pixels."""
    return np.asarray(cv2.resize(mark, (85, 85), interpolation=cv2.INTER_AREA), dtype=np.uint8)


class Flight:
    """A card that comes to lie at a place from a side."""

    def __init__(self, name: str, at: tuple[float, float], from_deg: float, turn: float = 0.0) -> None:
        self.name, self.at, self.turn = name, at, turn
        self.side = (np.sin(np.radians(from_deg)), -np.cos(np.radians(from_deg)))
        self.seen = polygon_mask(card_quad(at, turn))

    def draw(self, picture: Image, back: int) -> None:
        far = STEPS_PX[back]
        lay(picture, self.name, self.at[0] + far * self.side[0], self.at[1] + far * self.side[1], self.turn)


def pictures(*flights: Flight, lying: tuple[str, float, float] | None = None) -> list[tuple[int, Image]]:
    """The mark while the cards come, blurred as fast things are, oldest first; of two the first is the lower."""
    told: list[tuple[int, Image]] = []
    for back in range(len(STEPS_PX)):
        picture = cloth()
        if lying is not None:
            lay(picture, *lying, 0.0)
        for one in flights:
            one.draw(picture, back)
        if back:
            picture = np.asarray(cv2.blur(picture, (9, 9)), dtype=np.uint8)
        told.insert(0, (LANDS_NS - back * FRAME_NS, coarse(picture)))
    return told


def faces(shown: list[tuple[int, Image]], *flights: Flight) -> list[FaceTemplate]:
    """How the cards look now, the first one covered by those after it."""
    told: list[FaceTemplate] = []
    above = np.zeros((512, 512), np.uint8)
    for one in reversed(flights):
        told.insert(0, FaceTemplate(shown[-1][1], one.seen & ~above, one.at, LANDS_NS))
        above = above | one.seen
    return told


@pytest.mark.parametrize("side", [0.0, 77.0, 190.0, 301.0])
def test_a_card_came_from_where_its_face_is_seen_before(side: float) -> None:
    flight = Flight("10D", (270, 240), side, turn=12.0)
    shown = pictures(flight)
    (came,) = find_approach_directions(faces(shown, flight), shown)
    assert came.angle is not None
    assert angle_between(came.angle, side) < 12


@pytest.mark.parametrize(
    ("red", "black"),
    [
        pytest.param(("10D", (256, 300)), ("4C", (262, 200)), id="of other looks"),
        pytest.param(("8D", (250, 262)), ("8S", (262, 230)), id="alike but for the tint of their print"),
    ],
)
def test_two_cards_that_pass_each_other_each_came_from_their_own_side(
    red: tuple[str, tuple[float, float]], black: tuple[str, tuple[float, float]]
) -> None:
    """Each hand ends at the other's card: what touches the cards tells the wrong way round."""
    flights = Flight(*red, 0.0), Flight(*black, 180.0)
    shown = pictures(*flights)
    first, second = find_approach_directions(faces(shown, *flights), shown)
    assert first.angle is not None
    assert second.angle is not None
    assert angle_between(first.angle, 0.0) < 15
    assert angle_between(second.angle, 180.0) < 15


def test_of_a_card_that_shows_little_nothing_is_told() -> None:
    lower, upper = Flight("10D", (256, 250), 90.0), Flight("4C", (262, 256), 270.0)
    shown = pictures(lower, upper)
    hidden, seen = find_approach_directions(faces(shown, lower, upper), shown)
    assert hidden.angle is None
    assert seen.angle is not None
    assert angle_between(seen.angle, 270.0) < 15


def test_a_card_of_like_looks_that_lies_there_is_not_the_one_that_came() -> None:
    """It lay there before and lies there now."""
    flight = Flight("9H", (200, 240), 270.0)
    shown = pictures(flight, lying=("10H", 330.0, 240.0))
    (came,) = find_approach_directions(faces(shown, flight), shown)
    assert came.angle is not None
    assert angle_between(came.angle, 270.0) < 15
    still = [(t_ns, shown[-1][1]) for t_ns, _ in shown]
    (nowhere,) = find_approach_directions(faces(shown, flight), still)
    assert nowhere.angle is None


def test_a_side_is_the_one_of_the_place_and_not_of_the_mark() -> None:
    """A card that lies to the right, and came from below, moved straight up."""
    flight = Flight("QS", (380, 200), 180.0)
    shown = pictures(flight)
    (came,) = find_approach_directions(faces(shown, flight), shown)
    assert came.angle is not None
    assert angle_between(came.angle, direction_deg(0, 1)) < 12
