"""The doctor looks at what the camera gives, not only at whether it is there."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from table import doctor
from table.config import CameraConfig, SeatConfig, TableConfig
from table.errors import TableError


def table(tmp_path: Path, *, fps: float, wanted: float, size: tuple[int, int] = (32, 24)) -> TableConfig:
    """A table whose camera is a film of that many pictures a second."""
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (32, 24))
    for _ in range(30):
        writer.write(np.full((24, 32, 3), 90, np.uint8))
    writer.release()
    camera = CameraConfig(source=str(path), size=size, fps=wanted)
    return TableConfig("whysteria", {}, (SeatConfig("Ada", 0), SeatConfig("Ben", 180)), camera)


def test_pictures_and_stamps_are_told(tmp_path: Path) -> None:
    told = doctor._camera(table(tmp_path, fps=100, wanted=100))
    assert "gives 100 pictures of 32 x 24 a second" in told
    assert "a film" in told


def test_a_camera_that_is_too_slow_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"gives 100 pictures a second \(expected 200\)"):
        doctor._camera(table(tmp_path, fps=100, wanted=200))


def test_a_camera_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    config = table(tmp_path, fps=100, wanted=100)
    Path(str(config.camera.source)).unlink()
    with pytest.raises(TableError, match="no such file"):
        doctor._camera(config)
