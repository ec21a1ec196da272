"""Calibrating by a card that is laid at four places, as the virtual camera sees it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from table.__main__ import main
from table.calibration.homography.calibrate_from_cards import calibrate_by_cards, find_card_outlines
from table.config.settings import load_config
from table.detection.detector import Detector
from table.observed_facts import Image
from table.simulation.rendering.camera_image import CLOTHS, RoomAppearance, SimulatedCamera
from table.simulation.rendering.motions_over_time import CardPose, SceneCard, Snapshot
from table.simulation.simulated_config import make_homography
from table.table_geometry import CARD_MM, Points, transform_points
from tests.wrong import expects, told, wrong

SIZE = (1280, 720)
PLACES = ((4.0, -3.0, 20.0), (170.0, -110.0, 100.0), (-190.0, 80.0, 200.0), (140.0, 120.0, 310.0))
"""Middle (mm) and turn of each card; the first is a little off the mark."""
GRID = np.stack(np.meshgrid(np.linspace(-110, 110, 5), np.linspace(-110, 110, 5)), axis=-1).reshape(-1, 2)


def truth(seed: int) -> NDArray[np.float64]:
    return np.array(make_homography(SIZE, np.random.default_rng((seed, 31))))


@cache
def picture(seed: int, *places: tuple[float, float, float]) -> Image:
    look = RoomAppearance(cloth=CLOTHS[list(CLOTHS)[seed % len(CLOTHS)]])
    camera = SimulatedCamera(SIZE, truth(seed).tolist(), ("Ada",), look, seed)
    names = ("7H", "QS", "3D", "AC")
    lying = tuple(SceneCard(number, names[number], CardPose(*place)) for number, place in enumerate(places))
    return camera.render_snapshot(Snapshot(resting=lying, carried=(), hands=()), seed)


def quads(seed: int) -> list[Points]:
    """Where the four cards' corners are in truth."""
    x, y = CARD_MM[0] / 2, CARD_MM[1] / 2
    card = np.array([(-x, -y), (x, -y), (x, y), (-x, y)])
    found = []
    for px, py, degrees in PLACES:
        cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        found.append(transform_points(truth(seed), card @ np.array([[cos, sin], [-sin, cos]]) + (px, py)))
    return found


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector()


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [0, 4])
def test_four_cards_in_one_picture_tell_scale_and_tilt_within_a_millimetre(
    seed: int, detector: Detector
) -> None:
    seen = find_card_outlines(picture(seed, *PLACES), detector)
    assert len(seen) == 4
    found = calibrate_by_cards(seen)
    assert found.residual_mm < 0.5
    # The first card is the mark and the picture's right is x: the same table but for where it begins.
    to_table = np.asarray(np.linalg.inv(truth(seed)), np.float64)
    places = transform_points(to_table, transform_points(np.array(found.homography), GRID))
    middle = places[len(GRID) // 2]
    assert middle == pytest.approx(PLACES[0][:2], abs=0.4)
    lengths = np.hypot(*(places - middle).T)
    assert lengths == pytest.approx(np.hypot(*GRID.T), abs=1.0)


def test_exact_corners_give_the_exact_homography() -> None:
    found = calibrate_by_cards(quads(3))
    assert found.residual_mm < 1e-3
    to_table = np.asarray(np.linalg.inv(truth(3)), np.float64)
    places = transform_points(to_table, transform_points(np.array(found.homography), GRID))
    lengths = np.hypot(*(places - places[len(GRID) // 2]).T)
    assert lengths == pytest.approx(np.hypot(*GRID.T), abs=0.01)


def test_cards_of_another_size_are_another_scale() -> None:
    one, other = (
        calibrate_by_cards(quads(1), size).homography for size in (CARD_MM, (CARD_MM[0] * 2, CARD_MM[1] * 2))
    )
    assert np.array(other)[:2, :2] == pytest.approx(np.array(one)[:2, :2] / 2, rel=1e-3)


def test_cards_that_are_none_of_that_size_don_t_fit() -> None:
    with wrong("calibrate.no_fit", width=50.0, height=88.9):
        calibrate_by_cards(quads(1), (50.0, 88.9))


def test_too_few_cards_or_two_at_one_place_are_one_line() -> None:
    with wrong("calibrate.few_places", n=3, least=4):
        calibrate_by_cards(quads(1)[:3])
    with wrong("calibrate.same_place"):
        calibrate_by_cards([*quads(1)[:3], quads(1)[0] + 5.0])


@pytest.mark.thorough
def test_the_command_takes_pictures_of_cards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "table.toml"
    assert main(["init", "--config", str(config), "--players", "Ada", "Ben"]) == 0
    paths = [str(tmp_path / "mark.png"), str(tmp_path / "around.png")]
    for path, places in zip(paths, (PLACES[:1], PLACES[1:]), strict=True):
        cv2.imwrite(path, picture(0, *places))
    assert main(["calibrate", "--cards", *paths[:1], "--config", str(config)]) == 2
    assert told("calibrate.few_places", n=1, least=4) in capsys.readouterr().err
    assert main(["calibrate", "--cards", *paths, "--config", str(config)]) == 0
    assert "cards:     4 places" in capsys.readouterr().out
    camera = load_config(config).camera
    assert camera.mat is None
    assert camera.homography is not None
    place = transform_points(np.array(camera.homography), np.zeros((1, 2)))
    assert place == pytest.approx(transform_points(truth(0), np.array([PLACES[0][:2]])), abs=1.0)


def test_without_pictures_and_without_a_terminal_it_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "table.toml"
    main(["init", "--config", str(config), "--players", "Ada", "Ben"])
    assert main(["calibrate", "--cards", "--config", str(config)]) == 2
    assert expects("expected.pictures_or_terminal", places=4) in capsys.readouterr().err
