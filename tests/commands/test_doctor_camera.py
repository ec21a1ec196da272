"""The doctor looks at what the camera gives, not only at whether it is there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.calibration.homography.calibrate_from_mat import calibrate_from_mat
from table.commands.setup import doctor
from table.config.settings import CameraConfig, SeatConfig, TableConfig
from table.i18n.terminal_output import phrase_text
from table.sources.camera import v4l2
from tests.calibration.photographed import Shot, photograph
from tests.wrong import wrong


def table(tmp_path: Path, *, fps: float, wanted: float, size: tuple[int, int] = (32, 24)) -> TableConfig:
    """A table whose camera is a film of that many pictures a second."""
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (32, 24))
    for _ in range(min(30, round(3 * fps))):
        writer.write(np.full((24, 32, 3), 90, np.uint8))
    writer.release()
    camera = CameraConfig(source=str(path), size=size, fps=wanted)
    return TableConfig("whysteria", {}, (SeatConfig("Ada", 0), SeatConfig("Ben", 180)), camera)


def test_pictures_and_stamps_are_told(tmp_path: Path) -> None:
    told = phrase_text(doctor._camera(table(tmp_path, fps=100, wanted=100), []))
    assert "gives 100 pictures of 32 x 24 a second" in told
    assert "a film" in told


def test_a_camera_that_is_too_slow_is_a_fault(tmp_path: Path) -> None:
    with wrong("doctor.slow_camera", wanted=200) as caught:
        doctor._camera(table(tmp_path, fps=100, wanted=200), [])
    assert round(caught.value.what.fields["fps"]) == 100


@pytest.mark.thorough
def test_a_camera_of_few_pictures_is_a_fault_though_it_gives_all_that_it_should(tmp_path: Path) -> None:
    with wrong("doctor.few_pictures", least=7.0) as caught:
        doctor._camera(table(tmp_path, fps=5, wanted=5), [])
    assert round(caught.value.what.fields["fps"]) == 5


def test_a_camera_named_by_its_number_is_told_the_name_that_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_id = tmp_path / "by-id"
    by_id.mkdir()
    (tmp_path / "video0").touch()
    name = by_id / "usb-Acme-video-index0"
    name.symlink_to(tmp_path / "video0")
    monkeypatch.setattr(v4l2, "BY_ID", by_id)
    monkeypatch.setattr(v4l2, "DEVICES", tmp_path)

    def told(source: str | int) -> list[str]:
        return [finding.text for finding in doctor._named_by_number(CameraConfig(source=source))]

    (said,) = told(0)
    assert str(name) in said
    assert told(str(name)) == told("picamera") == told("/dev/video9") == []


def test_a_camera_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    config = table(tmp_path, fps=100, wanted=100)
    Path(str(config.camera.source)).unlink()
    with wrong("source.no_file"):
        doctor._camera(config, [])


def test_a_camera_that_was_pushed_since_it_was_calibrated_is_a_fault(tmp_path: Path) -> None:
    shot = Shot(turn=10)
    found = calibrate_from_mat([photograph(shot)])
    config = table(tmp_path, fps=100, wanted=100, size=shot.size)
    camera = replace(config.camera, homography=found.homography, mat="A4", mat_turn=found.mat.turn_deg)
    config = replace(config, camera=camera)

    def film(seen: Shot) -> None:
        writer = cv2.VideoWriter(str(camera.source), cv2.VideoWriter.fourcc(*"MJPG"), 100, shot.size)
        for _ in range(3):
            writer.write(photograph(seen))
        writer.release()

    film(shot)
    assert "pictures of 1280 x 720" in phrase_text(doctor._camera(config, []))
    film(replace(shot, middle=(658, 360)))
    with wrong("doctor.moved") as caught:
        doctor._camera(config, [])
    assert round(caught.value.what.fields["mm"]) == 10
