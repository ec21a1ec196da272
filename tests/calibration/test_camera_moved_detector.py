"""A camera that is pushed is noticed by the mat's markers, and where the mark is now is known again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from table.calibration.camera_movement import MarkerWatch
from table.calibration.homography.calibrate_from_mat import calibrate_from_mat
from table.config.settings import CameraConfig, Matrix
from table.table_geometry import transform_points
from tests.calibration.photographed import Shot, photograph

HOME = Shot(turn=25, tilt=(1e-4, -5e-5))
PUSHED = replace(HOME, turn=31, middle=(668, 349), seed=4)


@pytest.fixture(scope="module")
def camera() -> CameraConfig:
    found = calibrate_from_mat([photograph(HOME)])
    return CameraConfig(homography=found.homography, mat="A4", mat_turn=round(found.mat.turn_deg, 2))


def lookout(camera: CameraConfig) -> MarkerWatch:
    found = MarkerWatch.for_camera(camera)
    assert found is not None
    return found


@pytest.mark.thorough
def test_a_camera_that_stands_still_is_never_said_to_have_moved(camera: CameraConfig) -> None:
    watch = lookout(camera)
    for seed in range(5):
        image = photograph(replace(HOME, seed=seed, noise=5.0, blur=0.6 + 0.3 * seed))
        off = watch.measure_shift_mm(image)
        assert off is not None
        assert off < 1.0
        assert watch.check_image(image) is None


def test_a_pushed_camera_is_told_once_when_it_has_come_to_rest(camera: CameraConfig) -> None:
    watch = lookout(camera)
    assert watch.check_image(photograph(HOME)) is None
    assert watch.check_image(photograph(replace(HOME, turn=28, middle=(655, 353)))) is None
    assert watch.check_image(photograph(PUSHED)) is None
    moved = watch.check_image(photograph(replace(PUSHED, seed=5)))
    assert moved is not None
    # 30 pixels at 1.8 a millimetre, and 6 degrees at 100 mm.
    assert 15 < moved.shift_mm < 30
    assert watch.check_image(photograph(replace(PUSHED, seed=6))) is None


def test_mark_and_seats_are_where_they_were_on_the_table(camera: CameraConfig) -> None:
    watch = lookout(camera)
    watch.check_image(photograph(PUSHED))
    moved = watch.check_image(photograph(replace(PUSHED, seed=5)))
    assert moved is not None
    assert camera.homography is not None
    places = np.array([[0.0, 0.0], [90.0, 0.0], [-60.0, 80.0]])
    for place in places:
        # The place on the mat that the table knew by these millimetres, and its pixel now.
        mat = through(inverse(HOME.homography), through(camera.homography, place))
        assert through(moved.homography, place) == pytest.approx(through(PUSHED.homography, mat), abs=0.6)


def test_nothing_is_said_where_the_mat_is_covered_or_is_another(camera: CameraConfig) -> None:
    watch = lookout(camera)
    covered = photograph(PUSHED)
    covered[:, :700] = 60
    other = photograph(replace(PUSHED, paper="letter"))
    for image in (covered, covered, other, other):
        assert watch.measure_shift_mm(image) is None
        assert watch.check_image(image) is None


def test_a_table_calibrated_without_a_mat_has_no_lookout(camera: CameraConfig) -> None:
    assert MarkerWatch.for_camera(replace(camera, mat=None)) is None
    assert MarkerWatch.for_camera(replace(camera, homography=None)) is None


def test_a_print_of_another_size_is_compared_in_its_own() -> None:
    small = replace(HOME, scale=1.8 * 0.94)
    found = calibrate_from_mat([photograph(small)], ruler_mm=94.0)
    camera = CameraConfig(homography=found.homography, mat="A4", mat_turn=found.mat.turn_deg, mat_ruler=94.0)
    off = lookout(camera).measure_shift_mm(photograph(replace(small, seed=3)))
    assert off is not None
    assert off < 1.0


def inverse(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.linalg.inv(matrix), np.float64)


def through(matrix: NDArray[np.float64] | Matrix, place: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(transform_points(np.array(matrix, np.float64), place[None])[0], np.float64)
