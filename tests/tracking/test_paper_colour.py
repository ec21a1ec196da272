"""Hands that hold no card need not be read; what paper looks like is known once a card lies face up."""

from __future__ import annotations

from table.tracking.hands.paper_colour import holds_no_card
from table.tracking.tracker import CardTracker
from tests.tracking.stage import CAMERA, MarkerReader, Stage

EAST, WEST = 80.0, 260.0


def empty_handed(stage: Stage, frames: int) -> bool:
    """Whether the hands over the mark hold nothing in the last of so many frames."""
    sight = CardTracker(CAMERA, MarkerReader())
    for number in range(frames):
        sight.see(stage.frame(number))
    return holds_no_card(sight._current_scene)


def test_a_hand_that_reaches_for_a_card_holds_none() -> None:
    stage = Stage()
    stage.play("7H", EAST, 30, (10, 5), 80)
    stage.hand(WEST, 80, (-40, 0), 20)
    assert empty_handed(stage, 92)


def test_a_hand_that_brings_one_holds_it() -> None:
    stage = Stage()
    stage.play("7H", EAST, 30, (10, 5), 80)
    stage.play("8H", WEST, 92, (-40, 0), 80)
    assert not empty_handed(stage, 90)


def test_by_a_card_that_lies_face_down_nobody_knows_paper() -> None:
    stage = Stage()
    stage.play("7H", EAST, 30, (10, 5), 80, hidden=True)
    stage.play("8H", WEST, 92, (-40, 0), 80)
    assert not empty_handed(stage, 90)
