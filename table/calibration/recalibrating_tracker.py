"""Tracking with a movable camera: watches the mat's markers and recalibrates the tracker at the next rest.

Like tracking itself this is a function of the frames and their stamps, so a recording shows what the live table did.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from table.calibration.camera_moved_detector import CameraMoved, MarkerWatch
from table.calibration.homography.homography_checks import find_view_fault, measure_view
from table.config.settings import CameraConfig
from table.errors import TableError
from table.observed_facts import MS, Frame
from table.phrase import Phrase, make_phrase
from table.tracking.frame_report import TrackingReport
from table.tracking.imaging.camera_troubles import MOVED
from table.tracking.tracker import CardTracker


@dataclass(frozen=True, slots=True)
class RecalibrationParameters:
    """The parameters of recalibration."""

    every_ns: int = 2_000 * MS
    """The interval between two marker checks; a check takes some 20 ms of a desktop's core ..."""
    unseen_ns: int = 10_000 * MS
    """... and the longer interval while the mat is not visible."""
    announce_ns: int = 20_000 * MS
    """How long a recalibration is announced."""


NUMBERS: Final = RecalibrationParameters()


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
        self._view_fault: Phrase | str | None = None
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
        self._next_check_ns = frame.t_ns + (
            NUMBERS.every_ns if self._marker_watch.mat_visible else NUMBERS.unseen_ns
        )
        if moved is not None:
            self._view_fault = _find_view_fault(moved, self._camera)
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
        return replace(report, troubles=(camera_trouble, *others))

    def _camera_trouble(self) -> Phrase | None:
        """Return what to report about the camera, or None."""
        if self._view_fault is not None:
            return make_phrase("camera.unfit", why=self._view_fault)
        if self._pending_move is not None:
            return make_phrase("camera.moved_by", mm=self._pending_move.shift_mm)
        if self._recalibrated is not None and self._now_ns - self._recalibrated[0] < NUMBERS.announce_ns:
            return make_phrase("camera.righted", mm=self._recalibrated[1])
        return None


def _find_view_fault(moved: CameraMoved, camera: CameraConfig) -> Phrase | None:
    """Return why the new view is unfit for play, or None."""
    try:
        return find_view_fault(measure_view(moved.homography, camera.size))
    except TableError as error:
        return error.phrase
