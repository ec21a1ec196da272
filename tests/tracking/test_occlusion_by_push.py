"""A pile that is squared up: what is beneath its topmost card has not gone."""

from __future__ import annotations

import numpy as np
import pytest

from table.table_geometry import MARK_PX, Geometry, card_quad
from table.tracking.cards.missed_cards import find_departed, judge_missed_card
from table.tracking.scene.scene_state import SceneState
from table.tracking.scene.tracked_card import TrackedCard
from tests.speeds import first_quick
from tests.tracking.stage import CAMERA, Stage, Watched, frame_of, watch

PILE = (
    ("7H", 250.0, (-28.0, 4.0), 20.0),
    ("8S", 40.0, (2.0, -6.0), -65.0),
    ("9C", 140.0, (26.0, 18.0), 100.0),
)
NAMES = [name for name, *_ in PILE]
SQUARED = 110
TAKEN = 160


def squared() -> Stage:
    """Three cards are laid upon one another and pushed together, all along the topmost."""
    stage = Stage()
    for number, (name, seat, place, turn) in enumerate(PILE):
        stage.play(name, seat, 24 + 26 * number, place, turn)
    stage.square(NAMES, SQUARED, [(1.5, 8.0), (10.0, 2.0), (6.0, 5.0)])
    for name, _, _, turn in PILE[:-1]:
        stage.turn(name, SQUARED, PILE[-1][3] + (3.0 if turn > 0 else -2.0), 6)
    return stage


def left_in(seen: Watched) -> dict[str, float]:
    """The frame in which each card is said to have left."""
    names = {fact.id: fact.readings[0].card for fact in seen.landed}
    return {names[fact.id]: frame_of(fact.t_ns) for fact in seen.gone}


@pytest.mark.thorough
def test_what_was_squared_up_leaves_with_the_card_that_hides_it() -> None:
    stage = squared()
    stage.take(NAMES, 250.0, TAKEN)
    seen = watch(stage, 210)
    assert seen.names() == NAMES
    left = left_in(seen)
    assert set(left) == set(NAMES)
    assert all(abs(frame - TAKEN) <= 2 for frame in left.values()), left
    assert seen.gone[0].mark_empty


def test_a_squared_pile_that_lies_loses_nothing() -> None:
    seen = watch(squared(), 240)
    assert seen.names() == NAMES
    assert not seen.gone


@pytest.mark.thorough
def test_a_card_drawn_from_beneath_two_that_move_with_it_has_gone() -> None:
    stage = Stage()
    for number, (name, seat, place, turn) in enumerate(PILE):
        stage.play(name, seat, 24 + 26 * number, place, turn)
    for name, _, (x, y), _ in PILE[1:]:
        stage.drag(name, 116, (x - 9.0, y + 6.0), 6)
    stage.take(["7H"], 250.0, 116)
    left = left_in(watch(stage, 180))
    assert list(left) == ["7H"]
    assert abs(left["7H"] - 116) <= 3


@pytest.mark.thorough
def test_the_topmost_card_of_a_squared_pile_leaves_alone_and_the_next_one_comes_to_light() -> None:
    stage = squared()
    stage.take(NAMES[2:], 250.0, TAKEN)
    stage.take(NAMES[:2], 250.0, TAKEN + 70)
    left = left_in(watch(stage, 280))
    assert abs(left["9C"] - TAKEN) <= 2
    assert all(abs(left[name] - TAKEN - 70) <= 2 for name in NAMES[:2]), left


def test_a_card_laid_squarely_upon_another_leaves_when_it_is_taken_back() -> None:
    stage = Stage()
    stage.play("7H", 250.0, 24, (2.0, 4.0), 20.0)
    stage.play("8S", 40.0, 60, (4.0, 6.0), 22.0)
    stage.take(["8S"], 40.0, 110)
    left = left_in(watch(stage, 170))
    assert list(left) == ["8S"]
    assert abs(left["8S"] - 110) <= 2


@pytest.mark.thorough
def test_a_card_pushed_beneath_one_that_nobody_moves_stays() -> None:
    stage = Stage()
    stage.play("7H", 250.0, 24, (-4.0, 0.0), 20.0)
    stage.play("8S", 40.0, 60, (4.0, 6.0), 22.0)
    stage.hand(250.0, 100, (-20.0, 8.0), 10)
    stage.drag("7H", 110, (4.0, 6.0), 6)
    stage.take(["7H", "8S"], 250.0, 200)
    left = left_in(watch(stage, 260))
    assert sorted(left) == ["7H", "8S"]
    assert all(abs(at - 200) <= 2 for at in left.values()), left


@first_quick("by", [(9.0, -4.0), (-16.0, 10.0)])
def test_a_card_drawn_from_beneath_one_that_moves_with_it_has_gone(by: tuple[float, float]) -> None:
    stage = Stage()
    for number, (name, seat, place, turn) in enumerate(PILE[:2]):
        stage.play(name, seat, 24 + 26 * number, place, turn)
    x, y = PILE[1][2]
    stage.drag("8S", 90, (x + by[0], y + by[1]), 6)
    stage.take(["7H"], 250.0, 90)
    left = left_in(watch(stage, 150))
    assert list(left) == ["7H"]
    assert abs(left["7H"] - 90) <= 3


def test_a_card_whose_look_at_its_place_nobody_has_seen_has_gone_when_that_is_bare() -> None:
    """One of a pile was read by a corner as it was pushed on, and lay beneath the others there."""
    view = SceneState(Geometry(CAMERA), Stage().frame(0))
    middle = (MARK_PX - 1) / 2
    card = TrackedCard(card_quad((middle, middle), 20.0), 0, id=3, mark_before=view.render_staying())
    upon = TrackedCard(card_quad((middle + 4, middle), 23.0), 0, id=4, mark_before=view.render_staying())
    opened = np.full((MARK_PX, MARK_PX), 255, np.uint8)

    def looks(unseen: list[TrackedCard]) -> None:
        for _ in range(3):
            gone = find_departed(view, unseen, opened)
            for one in unseen:
                judge_missed_card(view, one, False, opened, gone)

    view.tracks.published = [card, upon]
    looks([card])
    assert card.missing_since_ns is None
    looks([card, upon])
    assert card.missing_since_ns is not None
    assert upon.missing_since_ns is not None
