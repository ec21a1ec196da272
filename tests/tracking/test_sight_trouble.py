"""What happens at real tables: hands that drag, cards thrown, dropped, slid, misread; things that are no cards."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from table.config.settings import CameraConfig
from table.directions import angle_between
from table.observed_facts import CardGone, CardReread, Frame, Reading
from table.phrase import size_phrase
from table.tracking.tracker import CardTracker
from tests.tracking.stage import CAMERA, MarkerReader, Stage, frame_of, watch
from tests.wrong import wrong

NORTH_EAST, SOUTH, WEST = 40.0, 165.0, 280.0


def test_a_card_dragged_by_the_withdrawing_hand_is_one_card_and_lies_where_it_was_left() -> None:
    stage = Stage()
    stage.play("7H", SOUTH, 30, (0, 0), 10, hold=4)
    stage.drag("7H", 34, (4, 14), 4)
    seen = watch(stage, 70)
    assert seen.names() == ["7H"]
    assert abs(frame_of(seen.landed[0].t_ns) - 38) <= 1.01
    assert abs(seen.landed[0].place_mm[1] - 14) < 4
    assert not seen.gone


def test_a_thrown_card_is_of_the_side_from_which_it_was_seen_to_fly() -> None:
    """No arm was over it."""
    stage = Stage()
    stage.throw("7H", WEST, 30, (0, 5), 20)
    seen = watch(stage, 60)
    assert seen.names() == ["7H"]
    assert abs(frame_of(seen.landed[0].t_ns) - 30) <= 1.01
    arm = seen.landed[0].arm_deg
    assert arm is not None
    assert angle_between(arm, WEST) < 30
    assert seen.landed[0].arm_sure > 0.9


def test_a_card_dropped_face_down_lands_without_a_reading() -> None:
    stage = Stage()
    stage.play("7H", SOUTH, 30, (0, 5), 20, hidden=True)
    stage.take(["7H"], SOUTH, 100)
    seen = watch(stage, 140)
    assert len(seen.landed) == 1
    assert seen.landed[0].readings == ()
    assert abs(frame_of(seen.landed[0].t_ns) - 30) <= 2
    assert len(seen.gone) == 1
    assert seen.gone[0].mark_empty


def test_a_card_laid_face_down_squarely_upon_another_lands_when_it_was_laid() -> None:
    """It changed nothing but the look of a known place: it was forgotten, or found when the next hand came."""
    stage = Stage()
    stage.play("9C", WEST, 30, (0, 5), 20)
    stage.play("7H", SOUTH, 70, (2, 7), 22, hidden=True)
    stage.play("10C", NORTH_EAST, 95, (4, 2), 18)
    seen = watch(stage, 150)
    assert seen.names() == ["9C", "", "10C"]
    down = seen.landed[1]
    assert abs(frame_of(down.t_ns) - 70) <= 2
    assert down.arm_deg is not None
    assert angle_between(down.arm_deg, SOUTH) < 25


def test_two_cards_dropped_by_one_hand_are_two() -> None:
    stage = Stage()
    stage.play("7H", SOUTH, 30, (-15, 5), -10)
    stage.play("8H", SOUTH, 30, (22, 0), 15)
    seen = watch(stage, 70)
    assert sorted(seen.names()) == ["7H", "8H"]
    assert all(fact.arm_deg is not None and angle_between(fact.arm_deg, SOUTH) < 25 for fact in seen.landed)


def test_a_new_lead_right_after_the_pick_up_comes_after_it() -> None:
    stage = Stage()
    stage.play("7H", SOUTH, 30, (0, 10))
    stage.play("10C", WEST, 60, (-20, -8), 80)
    stage.take(["7H", "10C"], SOUTH, 95)
    stage.play("KD", NORTH_EAST, 108, (10, -15), -30)
    seen = watch(stage, 140)
    assert seen.names() == ["7H", "10C", "KD"]
    assert sorted(seen.left()) == ["10C", "7H"]
    assert all(fact.mark_empty for fact in seen.gone)
    assert max(fact.t_ns for fact in seen.gone) < seen.landed[2].t_ns


@pytest.mark.thorough
def test_the_permanent_joker_under_the_pile_is_no_card() -> None:
    def joker(_: int, name: str) -> str:
        return "JOKER" if name == "AS" else name

    for lenient in (False, True):
        stage = Stage()
        stage.lie("AS", (0, 0), 5)
        stage.play("7H", SOUTH, 30, (8, 12), 30)
        stage.take(["7H"], SOUTH, 70)
        seen = watch(stage, 110, reader=MarkerReader(joker), joker=lenient)
        kept = [name for name in seen.names() if name != "JOKER"]
        assert kept == ["7H"]
        assert seen.left() == ["7H"]
        if not lenient:
            assert seen.names() == ["7H"]
            assert seen.gone[0].mark_empty


def test_a_card_misread_under_the_hand_is_named_rightly_once_it_is_clear() -> None:
    def wrong(look: int, name: str) -> str:
        return "KS" if look == 3 else name

    stage = Stage()
    stage.play("7H", SOUTH, 30, (0, 10))
    seen = watch(stage, 70, reader=MarkerReader(wrong))
    last = {fact.id: fact.readings for fact in seen.facts if isinstance(fact, CardReread)}
    named = [last.get(fact.id, fact.readings)[0].card for fact in seen.landed]
    assert named == ["7H"]


def test_a_better_reading_is_told_when_the_card_above_is_taken_away() -> None:
    """The lower card is unsure while it is mostly covered."""

    class Doubting(MarkerReader):
        def read(self, image, card_px=100.0):  # type: ignore[no-untyped-def]
            found = list(super().read(image, card_px))
            for k, one in enumerate(found):
                width = one.box[2] - one.box[0]
                height = one.box[3] - one.box[1]
                if width * height < 60 * 60:  # one corner in sight
                    weak = (Reading(one.readings[0].card, 0.7), Reading("2S", 0.3))
                    found[k] = replace(one, readings=weak, indices=())
            return found

    stage = Stage()
    stage.play("7H", SOUTH, 30, (0, 10), hold=30)
    seen = watch(stage, 110, reader=Doubting())
    assert seen.names() == ["7H"]
    final = seen.landed[0].readings[0].confidence
    for fact in seen.facts:
        if isinstance(fact, CardReread):
            final = fact.readings[0].confidence
    assert final > 0.8


def test_a_second_card_of_the_same_name_gives_way_to_its_next_best_reading() -> None:
    def twin(_: int, name: str) -> str:
        return "7H" if name == "8H" else name

    class Second(MarkerReader):
        def read(self, image, card_px=100.0):  # type: ignore[no-untyped-def]
            found = []
            for one in super().read(image, card_px):
                if one.readings[0].card == "8H":
                    readings = (Reading("7H", 0.6), Reading("8H", 0.35))
                    one = replace(one, readings=readings, indices=())
                found.append(one)
            return found

    assert twin(0, "8H") == "7H"
    stage = Stage()
    stage.play("7H", SOUTH, 30, (-40, 20), 0)
    stage.play("8H", WEST, 70, (50, -70), 10)
    seen = watch(stage, 110, reader=Second())
    assert seen.names() == ["7H", "8H"]
    assert not seen.gone


def test_two_corners_of_one_card_read_differently_are_one_card() -> None:
    class Split(MarkerReader):
        def read(self, image, card_px=100.0):  # type: ignore[no-untyped-def]
            found = []
            for one in super().read(image, card_px):
                found.append(one)
                assert one.quad is not None
                # The other corner, read as another card, whose outline is turned: its middle is two centimetres off.
                quad = np.array(one.quad)
                index = quad[2] + 0.12 * (quad[0] - quad[2])
                turn = cv2.getRotationMatrix2D((float(index[0]), float(index[1])), 15.0, 1.0)
                turned = (quad @ turn[:, :2].T + turn[:, 2])[[2, 3, 0, 1]]
                box = (index[0] - 8, index[1] - 12, index[0] + 8, index[1] + 12)
                queen = (Reading("QH", 0.68), Reading("JH", 0.1))
                other = tuple((float(x), float(y)) for x, y in turned)
                spot = (float(box[0]), float(box[1]), float(box[2]), float(box[3]))
                found.append(replace(one, readings=queen, quad=other, box=spot, indices=()))
            return found

    stage = Stage("wood")
    stage.play("7H", SOUTH, 30, (0, 10))
    stage.take(["7H"], SOUTH, 70)
    seen = watch(stage, 100, reader=Split())
    assert (seen.names(), seen.left()) == (["7H"], ["7H"])


def test_ornaments_of_a_lying_card_are_no_new_card_when_another_falls_between_them() -> None:
    """Two axes on a German jack passed for the corners of an ace of clubs."""

    class Ornaments(MarkerReader):
        def read(self, image, card_px=100.0):  # type: ignore[no-untyped-def]
            found = list(super().read(image, card_px))
            by_name = {one.readings[0].card: one for one in found}
            seven = by_name.get("7H")
            if "9C" in by_name and seven is not None and len(seven.index_boxes) == 2:
                quad = tuple((x + 20.0, y - 20.0) for x, y in seven.quad or ())
                box = (*np.min(quad, axis=0), *np.max(quad, axis=0))
                ace = (Reading("AC", 0.9), Reading("JC", 0.1))
                found.append(replace(seven, readings=ace, box=box, quad=quad))
                self.hidden += 1
            # What fell between is not read at once.
            return [one for one in found if self.hidden > 2 or one.readings[0].card != "9C"]

        hidden = 0

    stage = Stage()
    stage.play("7H", SOUTH, 30, (0, 0), 0)
    stage.play("9C", WEST, 70, (60, 0), 0)
    assert watch(stage, 110, reader=Ornaments()).names() == ["7H", "9C"]


def test_a_look_that_misses_a_lying_card_does_not_take_it_away() -> None:
    def blind(look: int, name: str) -> str:
        return "" if name == "7H" and look > 8 else name

    stage = Stage()
    stage.play("7H", SOUTH, 30, (0, 20))
    stage.play("10C", WEST, 70, (-25, -20), 80)
    stage.hand(NORTH_EAST, 90, (20, -20), 3)
    seen = watch(stage, 140, reader=MarkerReader(blind))
    assert seen.names() == ["7H", "10C"]
    assert not seen.gone


def test_a_look_taken_with_a_hand_over_the_card_does_not_keep_it_on_the_bare_mark() -> None:
    """The lines of dark fingers are so faint that bare cloth fits them: a card picked up lay there for ever."""
    stage = Stage()
    stage.play("KD", NORTH_EAST, 20, (30, -30), 20)
    stage.play("7H", SOUTH, 50, (0, 0))
    stage.take(["KD", "7H"], SOUTH, 100)
    sight = CardTracker(CAMERA, MarkerReader())
    gone = []
    for number in range(140):
        gone += [fact for fact in sight.see(stage.frame(number)).facts if isinstance(fact, CardGone)]
        if number == 99:
            assert sight._scene is not None
            _, seven = sight._scene.tracks.published
            bare = sight._scene.background.grey
            fingers = bare.astype(np.int16) + 29
            fingers[np.arange(len(fingers)) % 8 < 4] -= 24
            seven.capture_template(np.clip(fingers, 0, 255).astype(np.uint8), seven.outline_mask, 0)
    assert [fact.mark_empty for fact in gone] == [True, True]


@pytest.mark.thorough
def test_a_glass_put_down_beside_the_pile_is_no_card_and_hides_nothing() -> None:
    stage = Stage()
    stage.play("7H", SOUTH, 30, (0, 20))
    stage.glass(60, (90, -60))
    stage.play("10C", WEST, 110, (-25, -20), 80)
    stage.take(["7H", "10C"], SOUTH, 150)
    seen = watch(stage, 190)
    assert seen.names() == ["7H", "10C"]
    assert sorted(seen.left()) == ["10C", "7H"]


def test_a_card_slid_beneath_the_pile_is_seen() -> None:
    stage = Stage()
    stage.lie_order = ["10C", "7H"]
    stage.play("7H", SOUTH, 30, (0, 0))
    stage.play("10C", WEST, 70, (-50, 6), 80)
    seen = watch(stage, 110)
    assert seen.names() == ["7H", "10C"]
    first, second = seen.landed
    assert second.overlaps == (first.id,)


def test_three_tied_leads_are_three_cards_in_order() -> None:
    stage = Stage()
    stage.play("9C", SOUTH, 40, (0, 25), -10, hold=6)
    stage.play("8D", NORTH_EAST, 42, (25, -25), 38, hold=6)
    stage.play("KD", WEST, 45, (-35, -10), 85, hold=6)
    seen = watch(stage, 90)
    assert seen.names() == ["9C", "8D", "KD"]
    for fact, seat in zip(seen.landed, (SOUTH, NORTH_EAST, WEST), strict=True):
        assert fact.arm_deg is not None
        assert angle_between(fact.arm_deg, seat) < 25


def test_the_watermark_goes_on_while_nothing_happens() -> None:
    stage = Stage()
    sight = CardTracker(CAMERA, MarkerReader())
    for number in range(20):
        seen = sight.see(stage.frame(number))
    assert stage.frame(19).t_ns - seen.until_ns <= 4 * 33_333_334


def test_a_restless_hand_holds_the_watermark_back_two_seconds_at_most() -> None:
    stage = Stage()
    for k in range(12):
        stage.hand(WEST, 10 + 10 * k, (10 * (k % 2), 5), 4)
    watch(stage, 150)  # `watch` asserts the bound on every frame


def test_frames_of_another_size_and_a_missing_homography_are_said_in_one_line() -> None:
    sight = CardTracker(CAMERA, MarkerReader())
    with wrong("set_up.frame_size", at="camera.size", size=size_phrase((640, 360))):
        sight.see(Frame(0, np.zeros((360, 640, 3), np.uint8), 0))
    with wrong("set_up.not_calibrated", at="camera.homography"):
        CardTracker(CameraConfig(), MarkerReader())
