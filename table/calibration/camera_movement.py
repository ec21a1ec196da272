"""Detects that the camera has moved, by the markers of the mat that it was calibrated with, and recalibrates tracking.

The markers lie on the table, and so does the mark: where the picture shows them now gives the current homography in the
table's original axes, so seats and mark stay valid. (A pushed mat can't be told from a pushed camera; the mark is
printed on the mat, so it moves with it either way.)

Like tracking itself this is a function of the frames and their stamps, so a recording shows what the live table did.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from table.calibration.homography.homography_checks import find_view_fault, measure_view
from table.calibration.homography.mat_design import RULER_MM
from table.calibration.homography.mat_finder import find_mat
from table.config.settings import CameraConfig, Matrix
from table.errors import TableError
from table.observed_facts import MS, Frame, Image
from table.phrase import Phrase, make_phrase
from table.table_geometry import transform_points
from table.tracking.frame_report import TrackingReport
from table.tracking.imaging.camera_troubles import MOVED
from table.tracking.tracker import CardTracker

MOVED_MM: Final = 4.0
"""A larger shift is a movement.

The markers are found within 0.3 mm even in a blurred picture, and the detector's outlines are good to a few mm.
"""
AGREE_MM: Final = 1.0
"""Two measurements in a row that differ by less show a camera at rest."""
CHECK_EVERY_NS: Final = 2_000 * MS
"""The interval between two marker checks; a check takes some 20 ms of a desktop's core at 1280 x 720 ..."""
_UNSEEN_NS: Final = 10_000 * MS
"""... and the longer interval while the mat is not visible."""
_ANNOUNCE_NS: Final = 20_000 * MS
"""How long a recalibration is announced."""
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
    """Compares the mat's markers with the homography in use; to be called now and then while nothing covers the mat."""

    def __init__(self, camera: CameraConfig, homography: Matrix) -> None:
        """Watch the mat with which the camera was calibrated."""
        self._homography = homography
        self._paper = camera.mat
        self._mat_turn_deg = camera.mat_turn
        self._print_scale = camera.mat_ruler / RULER_MM
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
        return cls(camera, camera.homography)

    def check_image(self, image: Image) -> CameraMoved | None:
        """Return a movement once, when a second picture has confirmed it; its homography is in use from then on."""
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


class RecalibratingTracker:
    """A card tracker with a watch for camera movement; used like the tracker itself."""

    def __init__(self, tracker: CardTracker, camera: CameraConfig, marker_watch: MarkerWatch) -> None:
        """Wrap ``tracker``; ``marker_watch`` is of the same ``camera``."""
        self._tracker = tracker
        self._camera = camera
        self._marker_watch = marker_watch
        self._next_check_ns = 0
        self._pending_move: CameraMoved | None = None
        """The new view, until the tracker uses it."""
        self._view_fault: Phrase | None = None
        self._recalibrated: tuple[int, float] | None = None
        """The time of the last recalibration and the shift in millimetres."""
        self._now_ns = 0

    def see(self, frame: Frame) -> TrackingReport:
        """Process the next frame and return the tracker's report."""
        self._now_ns = frame.t_ns
        if frame.t_ns >= self._next_check_ns:
            self._check_markers(frame)
        if self._pending_move is not None:
            self._recalibrate(self._pending_move)
        return self._with_camera_trouble(self._tracker.see(frame))

    def without_frames(self, until_ns: int) -> TrackingReport:
        """Tell the tracker that no frame stamped before ``until_ns`` will come any more."""
        return self._with_camera_trouble(self._tracker.without_frames(until_ns))

    def end(self) -> TrackingReport:
        """End the input: no more frames come."""
        return self._tracker.end()

    def _check_markers(self, frame: Frame) -> None:
        """Compare the markers in a frame, and plan the next check."""
        moved = self._marker_watch.check_image(frame.image)
        interval_ns = CHECK_EVERY_NS if self._marker_watch.mat_visible else _UNSEEN_NS
        self._next_check_ns = frame.t_ns + interval_ns
        if moved is None:
            return
        try:
            self._view_fault = find_view_fault(measure_view(moved.homography, self._camera.size))
        except TableError as error:
            self._view_fault = error.phrase
        self._pending_move = None if self._view_fault else moved

    def _recalibrate(self, moved: CameraMoved) -> None:
        """Have the tracker use the new view, if it is at rest."""
        camera = replace(self._camera, homography=moved.homography)
        if self._tracker.aim(camera):
            self._camera, self._pending_move = camera, None
            self._recalibrated = (self._now_ns, moved.shift_mm)

    def _with_camera_trouble(self, report: TrackingReport) -> TrackingReport:
        """Replace the tracker's guess that the camera was moved by what is known here."""
        camera_trouble = self._camera_trouble()
        if camera_trouble is None:
            return report
        others = tuple(trouble for trouble in report.troubles if trouble != MOVED)
        # In a new view the cards are found anew, from its first frame on.
        waits = self._view_fault is not None or self._pending_move is not None
        begins = self._recalibrated is not None and self._recalibrated[0] == self._now_ns
        shows_cards = report.shows_cards and not (waits or begins)
        return replace(report, troubles=(camera_trouble, *others), shows_cards=shows_cards)

    def _camera_trouble(self) -> Phrase | None:
        """Return what to report about the camera, or None."""
        if self._view_fault is not None:
            return make_phrase("camera.unfit", why=self._view_fault)
        if self._pending_move is not None:
            return make_phrase("camera.moved_by", mm=self._pending_move.shift_mm)
        if self._recalibrated is not None and self._now_ns - self._recalibrated[0] < _ANNOUNCE_NS:
            return make_phrase("camera.righted", mm=self._recalibrated[1])
        return None
