"""A camera that is pushed while people play: said, and put right as soon as nothing moves; no card is lost by it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from table.calibration.camera_movement import CHECK_EVERY_NS, CameraMoved, MarkerWatch, RecalibratingTracker
from table.config.settings import Matrix
from table.directions import angle_between
from table.i18n.terminal_output import phrase_text
from table.observed_facts import CardFact, CardGone, CardLanded, Frame, Image
from table.phrase import make_phrase
from table.tracking.frame_report import TrackingReport
from table.tracking.imaging.camera_troubles import MOVED
from table.tracking.tracker import CardTracker
from tests.tracking.stage import CAMERA, FRAME_NS, SIZE, MarkerReader, Stage

NORTH_EAST, SOUTH, WEST = 40.0, 165.0, 280.0


class GivenLookout(MarkerWatch):
    """A lookout that has seen the camera move by its second look."""

    def __init__(self, homography: Matrix) -> None:
        super().__init__(CAMERA, homography)
        self._where = homography
        self.looks = 0

    @property
    def mat_visible(self) -> bool:
        return True

    def check_image(self, image: Image) -> CameraMoved | None:
        self.looks += 1
        return CameraMoved(21.0, self._where) if self.looks == 2 else None


def pushed(shift: tuple[float, float], turn: float) -> NDArray[np.float64]:
    """What a push does to the picture: pixels before to pixels after."""
    matrix = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), turn, 1.0)
    matrix[:, 2] += np.array(shift)
    return np.vstack([matrix, [0.0, 0.0, 1.0]])


def seen_from(push: NDArray[np.float64]) -> Matrix:
    assert CAMERA.homography is not None
    matrix = push @ np.array(CAMERA.homography)
    a, b, c = ((float(row[0]), float(row[1]), float(row[2])) for row in matrix / matrix[2, 2])
    return a, b, c


def play(
    stage: Stage, frames: int, at: int, push: NDArray[np.float64]
) -> tuple[list[CardFact], dict[int, tuple[str, ...]]]:
    """Facts, and what was said by frame; from frame ``at`` on the camera stands elsewhere."""
    sight = CardTracker(CAMERA, MarkerReader())
    watched = RecalibratingTracker(sight, CAMERA, GivenLookout(seen_from(push)))
    facts: list[CardFact] = []
    said = {}
    until = 0
    for number in range(frames):
        frame = stage.frame(number)
        if number >= at:
            image = cv2.warpPerspective(frame.image, push, SIZE, borderMode=cv2.BORDER_REFLECT)
            frame = Frame(frame.t_ns, np.asarray(image, np.uint8), frame.index)
        seen = watched.see(frame)
        assert seen.until_ns >= until
        assert all(fact.t_ns >= until for fact in seen.facts)
        until = seen.until_ns
        facts += seen.facts
        said[number] = tuple(map(phrase_text, seen.troubles))
    facts += watched.end().facts
    return facts, said


ANOTHER = phrase_text(make_phrase("camera.colourless"))
RIGHTED = "the camera, or the mat, was moved by 21 mm: this has been put right"
WAITING = "the camera, or the mat, has been moved by 21 mm: this is put right as soon as nothing moves"
LOOK = 61  # the frame of the second look


def trick(stage: Stage) -> None:
    """Two cards, a pick-up, and the next lead."""
    stage.play("7H", SOUTH, 30, (0, 10))
    stage.play("10C", WEST, 100, (-20, -8), 80)
    stage.take(["7H", "10C"], SOUTH, 150)
    stage.play("KD", NORTH_EAST, 230, (10, -15), -30)


def check_trick(facts: list[CardFact]) -> None:
    """As it happened, each card known by one id, where it lies on the table and not in the picture."""
    landed = [fact for fact in facts if isinstance(fact, CardLanded)]
    assert [(fact.id, fact.readings[0].card) for fact in landed] == [(1, "7H"), (2, "10C"), (3, "KD")]
    for fact, place, seat in zip(
        landed, ((0, 10), (-20, -8), (10, -15)), (SOUTH, WEST, NORTH_EAST), strict=True
    ):
        assert np.hypot(fact.place_mm[0] - place[0], fact.place_mm[1] - place[1]) < 3
        assert fact.arm_deg is not None
        assert angle_between(fact.arm_deg, seat) < 15
    assert sorted(fact.id for fact in facts if isinstance(fact, CardGone)) == [1, 2]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("shift", "turn"), [((25.0, -14.0), 4.0), ((140.0, -60.0), 20.0)], ids=["a little", "far"]
)
def test_a_camera_pushed_in_the_middle_of_a_trick_loses_no_card(
    shift: tuple[float, float], turn: float
) -> None:
    stage = Stage()
    trick(stage)
    facts, said = play(stage, 260, 50, pushed(shift, turn))
    check_trick(facts)
    assert said[LOOK] == (RIGHTED,)


def test_a_push_is_put_right_only_when_the_hand_has_gone() -> None:
    stage = Stage()
    stage.play("7H", SOUTH, LOOK, (0, 10))
    facts, said = play(stage, 120, 200, pushed((0.0, 0.0), 0.0))
    assert [type(fact) for fact in facts] == [CardLanded]
    assert said[LOOK] == (WAITING,)
    righted = [number for number, told in said.items() if told == (RIGHTED,)]
    assert righted
    assert min(righted) > LOOK + 8


def test_the_markers_are_looked_for_now_and_then_only() -> None:
    stage = Stage()
    lookout = GivenLookout(seen_from(np.eye(3)))
    watched = RecalibratingTracker(CardTracker(CAMERA, MarkerReader()), CAMERA, lookout)
    for number in range(184):
        watched.see(stage.frame(number))
    assert lookout.looks == 1 + 183 * FRAME_NS // CHECK_EVERY_NS == 4


def test_a_view_that_nobody_can_play_with_is_said_and_not_gone_by() -> None:
    away = pushed((900.0, 0.0), 0.0)
    stage = Stage()
    stage.play("7H", SOUTH, 100, (0, 10))
    facts, said = play(stage, 140, 200, away)
    assert said[LOOK][0].startswith("the camera has been moved: the mark is at ")
    assert len(facts) == 1


def test_where_the_mat_tells_more_sight_does_not_guess() -> None:
    class Guessing(CardTracker):
        def see(self, frame: Frame) -> TrackingReport:
            return replace(super().see(frame), troubles=(MOVED, make_phrase("camera.colourless")))

    watched = RecalibratingTracker(
        Guessing(CAMERA, MarkerReader()), CAMERA, GivenLookout(seen_from(np.eye(3)))
    )
    stage = Stage()
    said = [tuple(map(phrase_text, watched.see(stage.frame(number)).troubles)) for number in range(0, 70, 5)]
    assert said[0] == (phrase_text(MOVED), ANOTHER)
    assert said[-1] == (RIGHTED, ANOTHER)


def test_a_camera_that_was_pushed_shows_the_cards_again_once_that_is_put_right() -> None:
    watched = RecalibratingTracker(
        CardTracker(CAMERA, MarkerReader()), CAMERA, GivenLookout(seen_from(np.eye(3)))
    )
    stage = Stage()
    shown = [watched.see(stage.frame(number)).shows_cards for number in range(0, 80, 5)]
    assert shown == [number != 65 for number in range(0, 80, 5)]
