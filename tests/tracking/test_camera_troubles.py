"""What is wrong with the camera's pictures is said, and nothing is decided from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from table.detection.card_detections import Box, CardDetection
from table.observed_facts import END_NS, CardFact, CardLanded, Frame, Image
from table.phrase import Phrase
from table.table_geometry import Geometry
from table.tracking.imaging.camera_troubles import BLIND, COLOURLESS, MIRRORED, MOVED, ImageFitness
from table.tracking.imaging.motion_detection import to_planar
from table.tracking.tracker import CardTracker
from tests.tracking.stage import CAMERA, MarkerReader, Stage

SOUTH = 180.0


def watched(
    stage: Stage, pictures: int, change: object = None
) -> tuple[list[tuple[Phrase, ...]], CardTracker, list[object]]:
    """What is said after each picture, and the facts; ``change`` makes of a picture and its number another one."""
    sight = CardTracker(CAMERA, MarkerReader())
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


@pytest.mark.thorough
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


def test_a_table_that_was_dark_at_first_is_seen_once_the_lamp_is_on() -> None:
    stage = Stage("wood")
    stage.light = lambda number: 0.08 if number < 40 else 1.0
    stage.lie("8H", (-60, 0))
    stage.play("7H", SOUTH, 110, (30, 10))
    said, _, facts = watched(stage, 150)
    assert set(said[80:]) == {()}, "a second is a lamp that is switched, and no longer"
    landed = [fact for fact in facts if isinstance(fact, CardLanded)]
    assert [fact.readings[0].card for fact in landed] == ["8H", "7H"]
    assert landed[0].unseen_ns == END_NS
    assert landed[1].arm_deg is not None


def test_a_light_that_dazzles_the_camera_for_a_while_takes_no_card_away() -> None:
    stage = Stage("cloth")
    stage.light = lambda number: 6.0 if 60 <= number < 110 else 0.4
    stage.play("7H", SOUTH, 20, (0, 10))
    said, _, facts = watched(stage, 130)
    assert said[100] == (BLIND,)
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


def test_the_mark_is_cut_out_where_a_nudged_camera_sees_it() -> None:
    def nudged(image: Image, number: int) -> Image:
        by = min(max(number - 20, 0), 3) * 2.0
        moved = cv2.warpAffine(
            image, np.array([[1.0, 0, by], [0, 1, by]]), image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(moved, dtype=np.uint8)

    stage = Stage("wood")
    stage.lie("7H", (20, 10))
    _, sight, _ = watched(stage, 60, nudged)
    still = stage.frame(59).image
    expected, seen, ignored = (
        crop.rectify_grey().astype(int)
        for crop in (
            Geometry(CAMERA).crop_mark(still),
            sight.crop_mark(nudged(still, 59)),
            Geometry(CAMERA).crop_mark(nudged(still, 59)),
        )
    )
    assert np.abs(seen - expected).mean() < np.abs(ignored - expected).mean() / 2


def test_a_mirrored_picture_is_told_by_cards_that_read_well_in_a_mirror() -> None:
    stage = Stage("wood")
    stage.play("7H", SOUTH, 20, (0, 10))
    said, _, _ = watched(stage, 80, lambda image, _: image[:, ::-1])
    assert MIRRORED in said[-1]


class BlindToMirrors(MarkerReader):
    """Reads markers in a mirror, too, as a namer reads an 8 or a heart."""

    def read(self, image: Image, card_px: float = 100.0) -> Sequence[CardDetection]:
        """The cards of the picture and of its mirror image, where they are in the picture."""
        width = image.shape[1] - 1
        mirrored = super().read(np.ascontiguousarray(image[:, ::-1]), card_px)
        return [*super().read(image, card_px), *(_in_mirror(one, width) for one in mirrored)]


def _in_mirror(one: CardDetection, width: int) -> CardDetection:
    def flip(point: tuple[float, float]) -> tuple[float, float]:
        return width - point[0], point[1]

    def flipped(box: Box) -> Box:
        return width - box[2], box[1], width - box[0], box[3]

    assert one.quad is not None
    left_top, right_top, right_low, left_low = map(flip, one.quad)
    indices = (
        replace(index, rank=flip(index.rank), suit=flip(index.suit), box=flipped(index.box))
        for index in one.indices
    )
    return replace(
        one,
        box=flipped(one.box),
        quad=(right_top, left_top, left_low, right_low),
        angle_deg=-one.angle_deg % 360.0,
        indices=tuple(indices),
    )


@pytest.mark.parametrize("turned", [1, -1], ids=["as it is", "mirrored"])
def test_cards_whose_indices_stand_on_the_wrong_side_are_not_told(turned: int) -> None:
    """The first is, in that picture: a hand lies on one of its indices, and the other one does not tell."""
    stage = Stage("wood")
    stage.play("8H", SOUTH, 20, (-50, 10))
    stage.play("8S", SOUTH, 60, (50, 0), turn=30)
    sight = CardTracker(CAMERA, BlindToMirrors())
    facts: list[CardFact] = []
    said: set[tuple[Phrase, ...]] = set()
    for number in range(120):
        frame = stage.frame(number)
        seen = sight.see(Frame(frame.t_ns, np.ascontiguousarray(frame.image[:, ::turned]), frame.index))
        facts += seen.facts
        said.add(seen.troubles)
    facts += sight.end().facts
    assert [fact.readings[0].card for fact in facts if isinstance(fact, CardLanded)] == ["8H", "8S"][
        : 1 + (turned > 0)
    ]
    assert ((MIRRORED,) in said) == (turned < 0)


@pytest.mark.parametrize("tint", [(0, 0, 0), (3, 0, 2)], ids=["grey", "tinted by a converter"])
def test_a_picture_without_colours_is_said(tint: tuple[int, int, int]) -> None:
    def grey(image: Image, _: int) -> Image:
        plain = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        return np.asarray(cv2.add(plain, np.array([*tint, 0.0])), np.uint8)

    stage = Stage("wood")
    stage.play("7H", SOUTH, 20, (0, 10))
    said, _, _ = watched(stage, 60, grey)
    assert COLOURLESS in said[-1]


def test_a_grey_table_is_no_camera_without_colours() -> None:
    """A codec leaves no colours on it; but hands had some, which brought the card."""
    table = np.full((90, 160, 3), 60, np.uint8)
    with_card = table.copy()
    with_card[30:65, 70:95] = 240
    with_hand = with_card.copy()
    with_hand[50:89, 80:95] = (90, 120, 180)
    fitness = ImageFitness()
    for picture, cards in ((table, False), (with_hand, False), (with_card, True)):
        fitness.check_colours(to_planar(picture), cards=cards)
        assert fitness.troubles == ()
