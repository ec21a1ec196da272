"""The picture by which the camera is aimed, and its place on the screen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pygame
import pytest

from table.__main__ import main
from table.calibration import calibration_picture
from table.calibration.calibration_picture import AimScreen, draw_aiming_view, draw_calibration
from table.calibration.homography.calibrate_from_mat import calibrate_from_mat
from table.config.settings import ScreenConfig, SeatConfig
from table.i18n.terminal_output import phrase_text
from table.observed_facts import Image
from tests.calibration.photographed import SIZE, Shot, photograph

SEATS = (SeatConfig("Ada", 90), SeatConfig("Ben", 270))


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is written into the pictures."""
    lines: list[str] = []
    drawn = draw_calibration

    def draw(image: Image, *rest: object) -> Image:
        lines[:] = rest[3]  # type: ignore[call-overload]
        return drawn(image, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr("table.calibration.calibration_picture.draw_calibration", draw)
    return lines


def test_the_mark_is_drawn_where_the_mat_in_the_picture_is(said: list[str]) -> None:
    shot = Shot(turn=10, middle=(700, 340))
    image = photograph(shot)
    picture = draw_aiming_view(image, None, SEATS, 100.0)
    assert said == ["This view will do.", phrase_text(calibration_picture.KEYS)]
    changed = np.abs(picture.astype(int) - image).max(axis=2) > 40
    # The mark's circle, of 60 mm at 1.8 pixels: on it, and not just within.
    turns = np.radians(np.arange(20, 70, 2))
    for radius, drawn in ((108, True), (103, False)):
        x, y = 700 + radius * np.cos(turns), 340 + radius * np.sin(turns)
        near = cv2.dilate(changed.astype(np.uint8), np.ones((3, 3), np.uint8))
        assert (near[np.rint(y).astype(int), np.rint(x).astype(int)].mean() > 0.9) == drawn


def test_what_is_wrong_with_the_view_is_written_into_it(said: list[str]) -> None:
    draw_aiming_view(photograph(Shot(middle=(640, 200))), None, SEATS, 100.0)
    assert said[0].startswith("view: the picture ends 11")


def test_without_a_mat_the_mark_of_table_toml_is_shown(said: list[str]) -> None:
    homography = calibrate_from_mat([photograph(Shot())]).homography
    cloth = np.full((720, 1280, 3), 90, np.uint8)
    assert (draw_aiming_view(cloth, homography, SEATS, 100.0)[360, 642] != cloth[360, 642]).any()
    assert said[0].startswith("The mark as table.toml has it")
    outside = (homography[0], (0.0, 1.8, 99_000.0), homography[2])
    draw_aiming_view(cloth, outside, SEATS, 100.0)
    assert "outside the picture" in said[1]
    # With neither: a cross in the picture's middle.
    assert (draw_aiming_view(cloth, None, SEATS, 100.0)[360, 600:680] != 90).any(axis=1).all()


def test_the_picture_fills_the_screen_as_far_as_its_shape_allows() -> None:
    with AimScreen(ScreenConfig(size=(640, 480))) as screen:
        screen.show_picture(np.full((720, 1280, 3), (10, 20, 200), np.uint8))
        window = pygame.display.get_surface()
        assert window is not None
        assert tuple(window.get_at((320, 240)))[:3] == (200, 20, 10)
        assert tuple(window.get_at((320, 65)))[:3] == (200, 20, 10)
        assert tuple(window.get_at((320, 55)))[:3] == (0, 0, 0)


def test_aiming_goes_on_to_a_films_end_and_changes_nothing(tmp_path: Path) -> None:
    film = str(tmp_path / "mat.avi")
    writer = cv2.VideoWriter(film, cv2.VideoWriter.fourcc(*"MJPG"), 100, SIZE)
    for seed in range(3):
        writer.write(photograph(replace(Shot(), seed=seed)))
    writer.release()
    config = tmp_path / "table.toml"
    assert main(["init", "--config", str(config), "--players", "Ada", "Ben", "--camera", film]) == 0
    before = config.read_text()
    assert main(["calibrate", "--aim", "--window", "--config", str(config)]) == 0
    assert config.read_text() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["mat.avi", "table.toml"]
