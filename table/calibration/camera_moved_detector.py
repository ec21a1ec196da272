"""Detects that the camera has moved, by the markers of the mat that it was calibrated with.

The markers lie on the table, and so does the mark: where the picture shows them now gives the current homography in the
table's original axes, so seats and mark stay valid. (A pushed mat can't be told from a pushed camera; the mark is
printed on the mat, so it moves with it either way.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.calibration.homography.mat_design import RULER_MM
from table.calibration.homography.mat_finder import find_mat
from table.config.settings import CameraConfig, Matrix
from table.observed_facts import Image
from table.table_geometry import transform_points

MOVED_MM: Final = 4.0
"""A larger shift is a movement.

The markers are found within 0.3 mm even in a blurred picture, and the detector's outlines are good to a few mm.
"""
AGREE_MM: Final = 1.0
"""Two measurements in a row that differ by less show a camera at rest."""
_TEST_POINTS: Final = np.array([(0.0, 0.0), (100.0, 0.0), (0.0, 100.0), (-100.0, 0.0), (0.0, -100.0)])
"""The points on the table at which a movement is measured; the largest shift counts."""


@dataclass(frozen=True, slots=True)
class CameraMoved:
    """A movement of the camera."""

    shift_mm: float
    """The largest shift of a point on the table within 100 mm of the mark."""
    homography: Matrix
    """Millimetres on the table to pixels, after the movement."""


class MarkerWatch:
    """Compares the mat's markers with the homography in use; to be called now and then while nothing covers the mat.

    One call takes some 20 ms of a desktop's core at 1280 x 720.
    """

    def __init__(
        self, homography: Matrix, paper: str, mat_turn_deg: float, ruler_mm: float = RULER_MM
    ) -> None:
        """Create the watch.

        Args:
            homography: the homography in use.
            paper: the mat's paper size.
            mat_turn_deg: how far the mat is turned on the table.
            ruler_mm: the measured length of the mat's printed line of 100 mm.
        """
        self._homography = homography
        self._paper = paper
        self._mat_turn_deg = mat_turn_deg
        self._print_scale = ruler_mm / RULER_MM
        self._last_homography: Matrix | None = None

    @property
    def mat_visible(self) -> bool:
        """Whether the last picture showed the mat."""
        return self._last_homography is not None

    @classmethod
    def for_camera(cls, camera: CameraConfig) -> MarkerWatch | None:
        """Return a watch for a camera that was calibrated with a mat; None for another camera."""
        if camera.homography is None or camera.mat is None:
            return None
        return cls(camera.homography, camera.mat, camera.mat_turn, camera.mat_ruler)

    def check_image(self, image: Image) -> CameraMoved | None:
        """Check one picture; return a movement once it is over and confirmed by a second picture, else None.

        The reported homography is the one in use from then on, so a movement is reported once.
        """
        homography = self._find_homography(image)
        previous, self._last_homography = self._last_homography, homography
        if homography is None or previous is None or _largest_shift_mm(previous, homography) > AGREE_MM:
            return None
        shift_mm = _largest_shift_mm(self._homography, homography)
        if shift_mm <= MOVED_MM:
            return None
        self._homography = homography
        return CameraMoved(shift_mm, homography)

    def measure_shift_mm(self, image: Image) -> float | None:
        """Return the shift in this one picture against the homography in use; None if it does not show the mat."""
        homography = self._find_homography(image)
        return None if homography is None else _largest_shift_mm(self._homography, homography)

    def _find_homography(self, image: Image) -> Matrix | None:
        mat = find_mat(image, self._print_scale, mirrors=False)
        if mat is None or mat.sheet.paper != self._paper:
            return None
        return mat.table_homography(self._mat_turn_deg)


def _largest_shift_mm(first: Matrix, second: Matrix) -> float:
    """Return the largest distance, in mm on the table, between the test points under the two homographies."""
    to_table: NDArray[np.float64] = np.asarray(np.linalg.inv(np.array(second)), np.float64)
    shifts = transform_points(to_table, transform_points(np.array(first), _TEST_POINTS)) - _TEST_POINTS
    return float(np.hypot(shifts[:, 0], shifts[:, 1]).max())
