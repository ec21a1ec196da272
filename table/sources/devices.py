"""The kinds of camera, each opened and read in its own way, and given back.

How well a frame's stamp is known depends on the kind of ``camera.source``:

- ``"picamera"``: libcamera's ``SensorTimestamp``, the start of the exposure, of the kernel's monotonic clock;
- a V4L2 index or device: the kernel's stamp of the buffer, of the same clock with nearly every driver; where a driver
  has another clock, the moment at which the frame was handed over;
- a URL: the moment of arrival, late by what the network takes; pictures of a burst are spaced by the stream's rate;
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

from table.config import CameraConfig, kind_of
from table.errors import TableError
from table.facts import MS, Image
from table.files.films import next_picture, open_film
from table.files.reading import exists, is_file
from table.phrase import Phrase, say
from table.sources.held import LEFT_ALONE, Holder, Knobs, brightness_of
from table.sources.jitter import JitterBuffer
from table.sources.picamera import WAIT_S, PiCamera, picamera2
from table.sources.plugged import cameras, device_path, stable_name
from table.sources.v4l2 import V4L2Knobs

SETTLE_NS = 700 * MS
"""So long after its first picture a camera that is left to itself shows colours and brightness as they stay."""


class Device(Protocol):
    """An opened camera."""

    @property
    def accuracy(self) -> Phrase:
        """How exact its stamps are."""
        ...

    @property
    def held(self) -> Phrase:
        """How still its light, white and focus are held."""
        ...

    @property
    def live(self) -> bool:
        """Whether its pictures are of now; those of a film are as they were filmed."""
        ...

    def read(self) -> tuple[int, Image] | None:
        """The next picture with its stamp; blocks until there is one. None: the camera has stopped.

        ``EOFError`` at a film's end: opening it again would start it anew.
        """
        ...

    def close(self) -> None:
        """Give the camera back."""
        ...


Opener: TypeAlias = Callable[[CameraConfig], Device]


# --- the kinds of camera ----------------------------------------------------------------------------------


BAD_IN_A_ROW: Final = 10
"""A camera of which so many pictures in a row can't be decoded has stopped: a third of a second at 30 a second."""
VIDEO_MAJOR: Final = 81
"""The number by which Linux knows video devices."""


def check_source(camera: CameraConfig) -> None:
    """``TableError`` for a source that can't ever give a picture here, whatever is plugged in."""
    kind = kind_of(camera.source)
    if kind == "file" and not is_file(Path(str(camera.source))):
        fault = "file.not_regular" if exists(Path(str(camera.source))) else "source.no_file"
        raise TableError(fault, at=_source(camera), expected=say("expected.video"))
    if kind == "v4l2" and not _may_be_camera(device_path(camera.source)):
        raise TableError("source.no_camera", at=_source(camera))
    if kind == "picamera":
        picamera2()


def _source(camera: CameraConfig) -> tuple[str, str]:
    return "camera.source", repr(camera.shown)


def _may_be_camera(path: str) -> bool:
    """Whether a video device lies there, or nothing: a camera may still be plugged in."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return True
    return stat.S_ISCHR(found.st_mode) and os.major(found.st_rdev) == VIDEO_MAJOR


def open_device(camera: CameraConfig) -> Device:
    """Open what ``camera.source`` names; ``TableError`` says why it can't be."""
    kind = kind_of(camera.source)
    if kind == "picamera":
        module = PiCamera(camera)
        return Settled(module, _holding(camera, lambda: module.knobs))
    if kind == "v4l2":
        return Settled(V4L2Camera(camera), _holding(camera, lambda: V4L2Knobs(device_path(camera.source))))
    return UrlCamera(camera) if kind == "url" else Film(camera)


class StableOpener:
    """Opens one camera again and again: by its stable name, once it is known, whatever its number is by then."""

    def __init__(self, open_: Opener = open_device) -> None:
        """``open_``: opens it by one name, for tests."""
        self._open = open_
        self._stable: str | None = None

    def __call__(self, camera: CameraConfig) -> Device:
        """Open it; ``TableError`` says why it can't be."""
        if kind_of(camera.source) != "v4l2":
            return self._open(camera)
        if self._stable is not None and os.path.exists(self._stable):
            return self._open(replace(camera, source=self._stable))
        device = self._open(camera)
        self._stable = stable_name(camera.source)
        return device


def _holding(camera: CameraConfig, knobs: Callable[[], Knobs]) -> Callable[[], Holder] | None:
    return (lambda: Holder(knobs(), camera.mains_hz, camera.fps)) if camera.mains_hz else None


def next_decodable(capture: Any, stamp: Callable[[], int]) -> tuple[int, Image] | None:
    """The next picture that can be decoded, with its stamp; None where nothing can be grabbed, or too many are bad.

    ``capture``: OpenCV's. ``stamp``: the time of the picture that was grabbed last. A single picture that was damaged
    on its way is left out.
    """
    for _ in range(BAD_IN_A_ROW):
        if not capture.grab():
            return None
        t_ns = stamp()
        try:
            good, image = capture.retrieve()
        except cv2.error:
            continue
        if good and image is not None and image.size:
            return t_ns, np.asarray(image, dtype=np.uint8)
    return None


class V4L2Camera:
    """A USB camera, through OpenCV."""

    held = LEFT_ALONE
    live = True

    def __init__(
        self, camera: CameraConfig, capture: Any = None, clock: Callable[[], int] = time.monotonic_ns
    ) -> None:
        """``capture``: OpenCV's, for tests."""
        source = camera.source
        if isinstance(source, str) and source.isdigit():
            source = int(source)
        self._clock = clock
        self._capture = capture or cv2.VideoCapture(source, cv2.CAP_V4L2)
        if not self._capture.isOpened():
            self._capture.release()
            raise _unopened(camera.source)
        # Over USB only compressed pictures of this size come often enough.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, camera.size[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, camera.size[1])
        self._capture.set(cv2.CAP_PROP_FPS, camera.fps)
        self._kernel = True

    @property
    def accuracy(self) -> Phrase:
        """How exact its stamps are."""
        return say("stamped.bus") if self._kernel else say("stamped.handed_over")

    def read(self) -> tuple[int, Image] | None:
        """The next picture; None when the camera has gone."""
        return next_decodable(self._capture, self._stamp)

    def _stamp(self) -> int:
        now = self._clock()
        stamp = round(self._capture.get(cv2.CAP_PROP_POS_MSEC) * MS)
        # A stamp of another clock is far from now. (Some drivers stamp the end of a frame before it has come.)
        self._kernel = now - 2_000 * MS < stamp < now + 200 * MS
        return min(stamp, now) if self._kernel else now

    def close(self) -> None:
        """Give the device back."""
        self._capture.release()


def _unopened(source: str | int) -> TableError:
    """What is wrong with a V4L2 camera that can't be opened, and what to do about it."""
    path, there = device_path(source), cameras()
    if os.path.exists(path):
        code = "source.in_use" if os.access(path, os.R_OK | os.W_OK) else "source.not_allowed"
        return TableError(code, source=path)
    return TableError("source.others_there" if there else "source.none_there", source=path, cameras=there)


class Settled:
    """A camera whose first pictures are left out: it is finding its light, and then it is held still.

    What a camera won't have set is left to itself; it is then used as it is.
    """

    live = True

    def __init__(
        self, device: Device, hold: Callable[[], Holder] | None = None, held: Phrase = LEFT_ALONE
    ) -> None:
        """``hold``: holds it still; ``ValueError`` for a camera that can't be. ``held``: what is said without it."""
        self._device = device
        self._since_ns: int | None = None
        self._holder: Holder | None = None
        self._held = held
        if hold is not None:
            self._try(hold)

    def _try(self, hold: Callable[[], Holder]) -> None:
        try:
            self._holder = hold()
        except (ValueError, OSError, RuntimeError) as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        self._holder = None
        self._held = say("held.not_holdable", error=error)

    @property
    def accuracy(self) -> Phrase:
        """How exact its stamps are."""
        return self._device.accuracy

    @property
    def held(self) -> Phrase:
        """How still it is held."""
        return self._holder.description if self._holder is not None else self._held

    def read(self) -> tuple[int, Image] | None:
        """The next picture after the first while."""
        while True:
            got = self._device.read()
            if got is None or self._usable(*got):
                return got

    def _usable(self, t_ns: int, image: Image) -> bool:
        if self._since_ns is None:
            self._since_ns = t_ns
        if self._holder is not None:
            try:
                return self._holder.take(t_ns, brightness_of(image))
            except (OSError, RuntimeError) as error:
                self._give_up(error)
        return t_ns - self._since_ns >= SETTLE_NS

    def close(self) -> None:
        """Give the camera back."""
        self._device.close()


class UrlCamera:
    """A camera in the network, through OpenCV's FFmpeg."""

    accuracy = say("stamped.arrival")
    held = say("held.by_network")
    live = True

    def __init__(
        self, camera: CameraConfig, capture: Any = None, clock: Callable[[], int] = time.monotonic_ns
    ) -> None:
        """``capture``: OpenCV's, for tests."""
        wait_ms = int(WAIT_S * 1000)
        limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, wait_ms, cv2.CAP_PROP_READ_TIMEOUT_MSEC, wait_ms]
        self._clock = clock
        self._jitter = JitterBuffer(camera.fps)
        self._capture = capture or cv2.VideoCapture(str(camera.source), cv2.CAP_FFMPEG, limits)
        if not self._capture.isOpened():
            self._capture.release()
            raise TableError("source.not_reached", source=camera.shown)

    def read(self) -> tuple[int, Image] | None:
        """The next picture; None when the line has broken. The first one after a gap comes with its follower."""
        while (ready := self._jitter.pop()) is None:
            got = next_decodable(self._capture, self._clock)
            if got is None:
                self._jitter.flush()
                return self._jitter.pop()
            self._jitter.push(*got)
        return ready

    def close(self) -> None:
        """Hang up."""
        self._capture.release()


class Film:
    """A file, as if its camera were here: frame by frame at its own speed, stamped with today's clock."""

    accuracy = say("stamped.film")
    held = say("held.film")
    live = False

    def __init__(self, camera: CameraConfig) -> None:
        film = open_film(Path(str(camera.source)), say("expected.video"))
        if film is None:
            raise TableError("source.no_film", source=camera.source)
        self._capture = film
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self._step_ns = round(1e9 / (fps if 1 <= fps <= 1000 else camera.fps))
        self._start_ns = time.monotonic_ns()
        self._count = 0

    def read(self) -> tuple[int, Image] | None:
        """The next picture, in its time; ``EOFError`` at the end."""
        image = next_picture(self._capture)
        if image is None:
            raise EOFError
        due = self._start_ns + self._count * self._step_ns
        self._count += 1
        time.sleep(max(0, due - time.monotonic_ns()) / 1e9)
        return due, image

    def close(self) -> None:
        """Close the file."""
        self._capture.release()
