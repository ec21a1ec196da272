"""What is wrong with the camera's pictures is said, and nothing is decided from it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from table.facts import Frame, Image
from table.phrase import Phrase
from table.sight.fitness import BLIND, COLOURLESS, MIRRORED, MOVED
from table.sight.sight import Sight
from tests.sight.stage import CAMERA, MarkerReader, Stage

SOUTH = 180.0


def watched(
    stage: Stage, pictures: int, change: object = None
) -> tuple[list[tuple[Phrase, ...]], Sight, list[object]]:
    """What is said after each picture, and the facts; ``change`` makes of a picture and its number another one."""
    sight = Sight(CAMERA, MarkerReader())
    said: list[tuple[Phrase, ...]] = []
    facts: list[object] = []
    for number in range(pictures):
        frame = stage.frame(number)
        image: Image = change(frame.image, number) if callable(change) else frame.image
        seen = sight.see(Frame(frame.t_ns, np.ascontiguousarray(image), frame.index))
        said.append(seen.troubles)
        facts += seen.facts
    return said, sight, facts


def test_a_camera_that_sees_the_table_is_not_complained_of() -> None:
    stage = Stage("wood")
    stage.play("7H", SOUTH, 20, (0, 10))
    stage.take(["7H"], SOUTH, 60)
    said, _, _ = watched(stage, 100)
    assert set(said) == {()}


@pytest.mark.parametrize("level", [0, 110, 255], ids=["black", "a cloth over it", "over-exposed"])
def test_a_camera_that_sees_nothing_is_said_until_it_sees_again_and_takes_no_card_away(level: int) -> None:
    def blinded(image: Image, number: int) -> Image:
        noise = np.random.default_rng(number).integers(-2, 3, image.shape)
        covered = np.clip(level + noise, 0, 255).astype(np.uint8)
        return covered if 70 <= number < 130 else image

    stage = Stage("wood")
    stage.play("7H", SOUTH, 20, (0, 10))
    said, _, facts = watched(stage, 160, blinded)
    assert said[69] == ()
    assert said[125] == (BLIND,)
    assert said[-1] == ()
    assert len(facts) == 1


def test_a_camera_that_was_pushed_away_is_said() -> None:
    def pushed(image: Image, number: int) -> Image:
        by = min(max(number - 30, 0), 8) * 3.0
        moved = cv2.warpAffine(
            image, np.array([[1.0, 0, by], [0, 1, 0]]), image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(moved, dtype=np.uint8)

    stage = Stage("wood")
    stage.play("7H", SOUTH, 15, (0, 10))
    stage.play("8H", SOUTH, 33, (40, -10))
    stage.hand(SOUTH, 100, (60, 60), 60)
    said, _, _ = watched(stage, 180, pushed)
    assert said[25] == ()
    assert MOVED in said[-1]


def test_a_mirrored_picture_is_told_by_cards_that_read_well_in_a_mirror() -> None:
    stage = Stage("wood")
    stage.play("7H", SOUTH, 20, (0, 10))
    said, _, _ = watched(stage, 80, lambda image, _: image[:, ::-1])
    assert MIRRORED in said[-1]


def test_a_picture_without_colours_is_said() -> None:
    def grey(image: Image, _: int) -> Image:
        return np.asarray(cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)

    stage = Stage("wood")
    stage.play("7H", SOUTH, 20, (0, 10))
    said, _, _ = watched(stage, 60, grey)
    assert COLOURLESS in said[-1]
