"""The kinds of camera, each with its own way to be opened, read and closed.

How well a frame's stamp is known depends on the kind of ``camera.source``:

- ``"picamera"``: libcamera's ``SensorTimestamp``, the start of the exposure, of the kernel's monotonic clock;
- a V4L2 index or device: the kernel's stamp of the buffer, of the same clock with nearly every driver; where
  a driver has another clock, the moment at which the frame was handed over;
- a URL: the moment of arrival, late by what the network takes; pictures of a burst are spaced by the stream's
  rate;
- a file: as if it were filmed now, at the film's own speed.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

import cv2
import numpy as np

from table.config.settings import CameraConfig, source_kind
from table.errors import TableError
from table.files.picture_and_video_reading import open_video, read_next_picture
from table.files.safe_reading import exists, is_file
from table.observed_facts import MS, Image
from table.phrase import Phrase, make_phrase
from table.sources.camera.exposure_lock import NOT_CONTROLLED, ExposureLock, mean_brightness
from table.sources.camera.picamera import READ_TIMEOUT_S, PiCamera, import_picamera2
from table.sources.camera.picture_and_stamp_checks import JitterBuffer
from table.sources.camera.v4l2 import V4L2Controls, device_path, find_stable_name, list_cameras

MAX_UNDECODABLE_FRAMES: Final = 10
"""After this many pictures in a row that can't be decoded a camera has stopped: a third of a second at 30 a second."""
VIDEO_MAJOR: Final = 81
"""The major device number of video devices under Linux."""
SETTLE_NS: Final = 700 * MS
"""The time after the first picture in which a camera that is not controlled adjusts its colours and brightness."""


class Device(Protocol):
    """An opened camera."""

    accuracy: Phrase
    held: Phrase
    """How exposure, white balance and focus are held fixed, or that they are not."""
    live: bool
    """Whether the pictures are live; those of a film are not."""

    def read(self) -> tuple[int, Image] | None:
        """Return the next picture with its stamp; blocks until there is one. None: the camera has stopped.

        ``EOFError`` at a film's end: opening it again would start it anew.
        """

    def close(self) -> None:
        """Release the camera."""


Opener: TypeAlias = Callable[[CameraConfig], Device]


def check_source(camera: CameraConfig) -> None:
    """Raise ``TableError`` for a source that can never give a picture here, whatever is plugged in."""
    kind = source_kind(camera.source)
    if kind == "file" and not is_file(Path(str(camera.source))):
        fault = "file.not_regular" if exists(Path(str(camera.source))) else "source.no_file"
        raise TableError(fault, at=_source_place(camera), expected=make_phrase("expected.video"))
    if kind == "v4l2" and not _may_be_camera(device_path(camera.source)):
        raise TableError("source.no_camera", at=_source_place(camera))
    if kind == "picamera":
        import_picamera2()


def _source_place(camera: CameraConfig) -> tuple[str, str]:
    return "camera.source", repr(camera.source_without_password)


def _may_be_camera(path: str) -> bool:
    """Return whether the path is a video device, or does not exist: a camera may still be plugged in."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return True
    return stat.S_ISCHR(status.st_mode) and os.major(status.st_rdev) == VIDEO_MAJOR


def open_device(camera: CameraConfig) -> Device:
    """Open the camera that ``camera.source`` names; ``TableError`` says why that fails."""
    kind = source_kind(camera.source)
    if kind in ("url", "file"):
        return UrlCamera(camera) if kind == "url" else FilmCamera(camera)
    device = PiCamera(camera) if kind == "picamera" else V4L2Camera(camera)
    if not camera.mains_hz:
        return WarmedUpCamera(device)
    return WarmedUpCamera(device, lambda: ExposureLock(device.controls, camera.mains_hz, camera.fps))


class StableOpener:
    """Opens a camera repeatedly: by its stable name, once that is known, whatever its number is by then."""

    def __init__(self, open_: Opener = open_device) -> None:
        self._open = open_
        self._stable_paths: dict[str | int, str | None] = {}

    def __call__(self, camera: CameraConfig) -> Device:
        """Open the camera; ``TableError`` says why that fails."""
        if source_kind(camera.source) != "v4l2":
            return self._open(camera)
        stable_path = self._stable_paths.get(camera.source)
        if stable_path is not None and os.path.exists(stable_path):
            return self._open(replace(camera, source=stable_path))
        device = self._open(camera)
        self._stable_paths[camera.source] = find_stable_name(camera.source)
        return device


class _OpenCvCamera:
    """What OpenCV captures."""

    live = True

    def __init__(self, capture: Any, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._capture = capture
        self._clock = clock

    def _read_decodable(self, stamp: Callable[[], int]) -> tuple[int, Image] | None:
        """Return the next decodable picture with its ``stamp``; None where there is none, or too many are bad."""
        for _ in range(MAX_UNDECODABLE_FRAMES):
            if not self._capture.grab():
                return None
            t_ns = stamp()
            try:
                good, image = self._capture.retrieve()
            except cv2.error:
                continue
            if good and image is not None and image.size:
                return t_ns, np.asarray(image, dtype=np.uint8)
        return None

    def close(self) -> None:
        """Release the device, the connection or the file."""
        self._capture.release()


class V4L2Camera(_OpenCvCamera):
    """A USB camera."""

    accuracy = make_phrase("stamped.bus")
    held = NOT_CONTROLLED

    def __init__(
        self, camera: CameraConfig, capture: Any = None, clock: Callable[[], int] = time.monotonic_ns
    ) -> None:
        """``capture``: OpenCV's, for tests."""
        source = camera.source
        if isinstance(source, str) and source.isdigit():
            source = int(source)
        super().__init__(capture or cv2.VideoCapture(source, cv2.CAP_V4L2), clock)
        self._path = device_path(source)
        if not self._capture.isOpened():
            self._capture.release()
            raise _open_error(self._path)
        # Over USB only compressed pictures of this size come often enough.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, camera.size[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, camera.size[1])
        self._capture.set(cv2.CAP_PROP_FPS, camera.fps)

    def read(self) -> tuple[int, Image] | None:
        """Return the next picture with its stamp; None when the camera was unplugged."""
        return self._read_decodable(self._stamp)

    @property
    def controls(self) -> V4L2Controls:
        """The camera's controls; ``ValueError`` where its exposure can't be set."""
        return V4L2Controls(self._path)

    def _stamp(self) -> int:
        now = self._clock()
        stamp = round(self._capture.get(cv2.CAP_PROP_POS_MSEC) * MS)
        # A stamp of another clock is far from now. (Some drivers stamp the end of a frame before it has come.)
        kernel_stamps = now - 2_000 * MS < stamp < now + 200 * MS
        self.accuracy = make_phrase("stamped.bus" if kernel_stamps else "stamped.handed_over")
        return min(stamp, now) if kernel_stamps else now


def _open_error(path: str) -> TableError:
    """Return the error for a V4L2 camera that can't be opened, with what to do about it."""
    cameras_present = list_cameras()
    if os.path.exists(path):
        code = "source.in_use" if os.access(path, os.R_OK | os.W_OK) else "source.not_allowed"
        return TableError(code, source=path)
    code = "source.others_there" if cameras_present else "source.none_there"
    return TableError(code, source=path, cameras=cameras_present)


class WarmedUpCamera:
    """A camera whose first pictures are left out while its exposure is adjusted, and then locked.

    A control that the camera refuses is left to the camera, whose pictures are used as they are.
    """

    live = True

    def __init__(self, device: Device, make_lock: Callable[[], ExposureLock] | None = None) -> None:
        """``make_lock`` raises ``ValueError`` for a camera that can't have an exposure lock."""
        self._device = device
        self.accuracy, self.held = device.accuracy, NOT_CONTROLLED
        self._since_ns: int | None = None
        self._exposure_lock: ExposureLock | None = None
        if make_lock is not None:
            try:
                self._exposure_lock = make_lock()
                self.held = self._exposure_lock.description
            except (ValueError, OSError, RuntimeError) as error:
                self.held = make_phrase("held.not_holdable", error=error)

    def read(self) -> tuple[int, Image] | None:
        """Return the next usable picture with its stamp; None when the camera has stopped."""
        while True:
            picture = self._device.read()
            self.accuracy = self._device.accuracy
            if picture is None or self._is_usable(*picture):
                return picture

    def _is_usable(self, t_ns: int, image: Image) -> bool:
        if self._since_ns is None:
            self._since_ns = t_ns
        if self._exposure_lock is not None:
            try:
                usable = self._exposure_lock.process_brightness(t_ns, mean_brightness(image))
                self.held = self._exposure_lock.description
                return usable
            except (OSError, RuntimeError) as error:
                self._exposure_lock = None
                self.held = make_phrase("held.not_holdable", error=error)
        return t_ns - self._since_ns >= SETTLE_NS

    def close(self) -> None:
        """Release the camera."""
        self._device.close()


class UrlCamera(_OpenCvCamera):
    """A network camera, through OpenCV's FFmpeg."""

    accuracy = make_phrase("stamped.arrival")
    held = make_phrase("held.by_network")

    def __init__(
        self, camera: CameraConfig, capture: Any = None, clock: Callable[[], int] = time.monotonic_ns
    ) -> None:
        """``capture``: OpenCV's, for tests."""
        wait_ms = int(READ_TIMEOUT_S * 1000)
        limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, wait_ms, cv2.CAP_PROP_READ_TIMEOUT_MSEC, wait_ms]
        super().__init__(capture or cv2.VideoCapture(str(camera.source), cv2.CAP_FFMPEG, limits), clock)
        self._jitter = JitterBuffer(camera.fps)
        if not self._capture.isOpened():
            self._capture.release()
            raise TableError("source.not_reached", source=camera.source_without_password)

    def read(self) -> tuple[int, Image] | None:
        """Return the next picture with its stamp; None when the connection has broken.

        The first picture after a gap comes together with its successor.
        """
        while (ready := self._jitter.pop()) is None:
            picture = self._read_decodable(self._clock)
            if picture is None:
                self._jitter.flush()
                return self._jitter.pop()
            self._jitter.push(*picture)
        return ready


class FilmCamera(_OpenCvCamera):
    """A video file as a camera: frame by frame at its own speed, stamped with the current clock."""

    accuracy = make_phrase("stamped.film")
    held = make_phrase("held.film")
    live = False

    def __init__(self, camera: CameraConfig) -> None:
        film = open_video(Path(str(camera.source)), make_phrase("expected.video"))
        if film is None:
            raise TableError("source.no_film", source=camera.source)
        super().__init__(film)
        fps = film.get(cv2.CAP_PROP_FPS)
        self._interval_ns = round(1e9 / (fps if 1 <= fps <= 1000 else camera.fps))
        self._start_ns = time.monotonic_ns()
        self._count = 0

    def read(self) -> tuple[int, Image] | None:
        """Return the next picture when it is due; ``EOFError`` at the end."""
        image = read_next_picture(self._capture)
        if image is None:
            raise EOFError
        due = self._start_ns + self._count * self._interval_ns
        self._count += 1
        time.sleep(max(0, due - time.monotonic_ns()) / 1e9)
        return due, image
