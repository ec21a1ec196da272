"""The detector with the committed weights, on cards drawn in the test."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from table.detection.detector import Detector
from table.detection.indices.keypoints import decode_finder_output
from tests.speeds import first_quick
from tests.tracking.cards_on_cloth import cloth, lay, names
from tests.wrong import wrong


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector()


def test_cards_at_any_angle_are_read(detector: Detector) -> None:
    picture = cloth()
    for name, x, y, angle in (
        ("AS", 110, 130, 20),
        ("10H", 320, 120, 135),
        ("QD", 120, 370, 250),
        ("7C", 370, 370, 310),
    ):
        lay(picture, name, x, y, angle)
    assert names(detector.read(picture)) == ["10H", "7C", "AS", "QD"]


def test_both_corners_of_a_card_are_one_entry_with_its_place_and_direction(detector: Detector) -> None:
    picture = cloth()
    lay(picture, "8D", 250, 260, 35)
    (seen,) = [s for s in detector.read(picture) if s.confidence >= 0.5]
    assert seen.card == "8D"
    assert len(seen.indices) == 2
    assert not seen.indices_disagree
    assert (
        abs((seen.angle_deg - 35 + 180) % 360 - 180) < 6 or abs((seen.angle_deg - 215 + 180) % 360 - 180) < 6
    )
    assert seen.quad is not None
    assert np.mean(seen.quad, axis=0) == pytest.approx([250, 260], abs=6)
    x1, y1, x2, y2 = seen.box
    assert x1 < 250 < x2
    assert y1 < 260 < y2


def test_a_pile_shows_the_card_on_top_and_the_corner_below(detector: Detector) -> None:
    picture = cloth()
    lay(picture, "KC", 230, 250, 0)
    lay(picture, "5H", 262, 262, 40)
    assert names(detector.read(picture)) == ["5H", "KC"]


def test_six_and_nine_are_told_apart_upside_down(detector: Detector) -> None:
    for suit in "SHDC":
        picture = cloth()
        lay(picture, "6" + suit, 120, 180, 0)
        lay(picture, "9" + suit, 260, 180, 180)
        lay(picture, "6" + suit, 400, 360, 180)
        lay(picture, "9" + suit, 150, 380, 5)
        assert names(detector.read(picture)) == ["6" + suit, "6" + suit, "9" + suit, "9" + suit]


@first_quick("suit", "SHDC")
def test_a_ten_whose_one_is_hidden_is_a_ten_or_a_doubt_but_never_surely_another_card(
    detector: Detector, suit: str
) -> None:
    """A white card lies over the index from the left, a pixel further each time; of the other corner nothing shows."""
    tens = 0
    for hidden in range(11):
        picture = cloth()
        lay(picture, "10" + suit, 250, 230, 0)
        lay(picture, "3D", 300, 330, 90)
        edge = 203 + hidden
        picture[150:420, edge - 60 : edge] = (228, 232, 234)
        picture[150:420, edge - 1] = 150
        seen = detector.read(picture)
        assert {s.card for s in seen if s.confidence >= 0.7} <= {"3D", "10" + suit}
        tens += any(s.card == "10" + suit for s in seen)
    assert tens >= 4


@pytest.mark.parametrize("lamp", [(0.55, 0.8, 1.0), (1.0, 0.9, 0.75)], ids=["warm lamp", "cold light"])
def test_suits_keep_their_colour_under_a_tinted_lamp(
    detector: Detector, lamp: tuple[float, float, float]
) -> None:
    picture = cloth()
    for name, x, y in (("4H", 110, 150), ("4S", 260, 150), ("4D", 110, 350), ("4C", 260, 350)):
        lay(picture, name, x, y, 10)
    lit = (picture * np.array(lamp)).astype(np.uint8)
    assert names(detector.read(lit)) == ["4C", "4D", "4H", "4S"]


def test_an_empty_table_reads_nothing(detector: Detector) -> None:
    assert detector.read(cloth()) == []
    assert detector.read(np.zeros((512, 512, 3), np.uint8)) == []
    assert detector.read(np.full((40, 30, 3), 255, np.uint8)) == []


@pytest.mark.parametrize("scale", [0.6, 2.0])
def test_the_scale_that_is_given_is_used(detector: Detector, scale: float) -> None:
    picture = cloth(round(512 * scale))
    lay(picture, "JS", 150 * scale, 200 * scale, 60, scale)
    lay(picture, "2D", 350 * scale, 300 * scale, 200, scale)
    assert names(detector.read(picture, 100 * scale)) == ["2D", "JS"]


def test_the_same_picture_reads_the_same(detector: Detector) -> None:
    picture = cloth()
    lay(picture, "9H", 250, 250, 77)
    lay(picture, "AD", 300, 300, 141)
    assert detector.read(picture) == detector.read(picture)
    assert detector.read(picture) == Detector().read(picture.copy())


def test_readings_are_probabilities_best_first(detector: Detector) -> None:
    picture = cloth()
    lay(picture, "7S", 200, 200, 12)
    for sighting in detector.read(picture):
        chances = [r.confidence for r in sighting.readings]
        assert chances == sorted(chances, reverse=True)
        assert 1 <= len(chances) <= 4
        assert 0 < sum(chances) <= 1 + 1e-9


def test_damaged_input_is_refused_in_one_line(detector: Detector, tmp_path: Path) -> None:
    with wrong("weights.none"):
        Detector(tmp_path)
    (tmp_path / "finder.onnx").write_bytes(b"not a network")
    with wrong("weights.no_network"):
        Detector(tmp_path)
    with wrong("expected.courts", at="courts", instead="XYZ"):
        Detector(courts="XYZ")
    with wrong("image.no_colour", shape="(10, 10)", dtype="uint8"):
        detector.read(np.zeros((10, 10), np.uint8))
    with wrong("image.card_size", px=0.0):
        detector.read(cloth(), 0.0)


def test_one_index_is_found_once() -> None:
    # Three neighbouring places of the grid mean the same index, a fourth the next card's of a fan.
    rows = [(50, 50, 20, 30, 0.9, 50, 42, 50, 56), (51, 50, 20, 30, 0.8, 51, 43, 51, 57)]
    rows += [(50, 52, 20, 30, 0.7, 50, 44, 50, 58), (62, 50, 20, 30, 0.6, 62, 42, 62, 56)]
    found = decode_finder_output(np.array(rows, np.float32).T, 0.5)
    assert found.score == pytest.approx([0.9, 0.6])
    assert found.box[0] == pytest.approx([40, 35, 60, 65])
