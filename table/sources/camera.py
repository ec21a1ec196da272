"""The live camera: frames as they are exposed, read by a thread of its own so that nothing waits for them.

How well a frame's stamp is known depends on the kind of ``camera.source``:

- ``"picamera"``: libcamera's ``SensorTimestamp``, the start of the exposure, of the kernel's monotonic clock;
- a V4L2 index or device: the kernel's stamp of the buffer, of the same clock with nearly every driver; where a driver
  has another clock, the moment at which the frame was handed over;
- a URL: the moment of arrival, late by what the network takes;
- a file: as if it were filmed now, at the film's own speed.

A camera that stops is said (:attr:`Taken.trouble`) and opened again and again until it is back.
"""

from __future__ import annotations

import importlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Protocol, TypeAlias

import cv2
import numpy as np

from table.config import CameraConfig
from table.errors import TableError
from table.facts import END_NS, MS, Frame, Image
from table.files import is_file

KEPT = 45
"""So many frames wait for the table at most (1.5 s at 30 a second); then the oldest is dropped."""
SILENT_NS = 1_000 * MS
"""A camera that has given nothing for so long has stopped: what it gives later is stamped later."""
AGAIN_S = 1.0
"""So long after a failure the camera is opened again."""
PATIENCE_S = 10.0
"""Who only wants frames waits this long for one before giving up."""
WAIT_S = 3.0
"""A camera is asked for a picture for so long at a time."""
BEHIND_NS = 5_000 * MS
"""That pictures were dropped is said for this long."""
SETTLE_NS = 700 * MS
"""So long after its first picture a camera shows colours and brightness as they stay."""
STOPPED = "the camera has stopped: check its cable"


class Device(Protocol):
    """An opened camera."""

    @property
    def accuracy(self) -> str:
        """How exact its stamps are, in words."""
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


def kind_of(source: str | int) -> Literal["picamera", "v4l2", "url", "file"]:
    """What a ``camera.source`` names."""
    if source == "picamera":
        return "picamera"
    if isinstance(source, int) or source.isdigit() or source.startswith("/dev/"):
        return "v4l2"
    return "url" if "://" in source else "file"


def check_source(camera: CameraConfig) -> None:
    """``TableError`` for a source that can't ever give a picture here, whatever is plugged in."""
    kind = kind_of(camera.source)
    if kind == "file" and not is_file(Path(str(camera.source))):
        raise TableError(f"camera.source: {camera.source!r}: no such file")
    if kind == "picamera":
        _picamera2()


def open_device(camera: CameraConfig) -> Device:
    """Open what ``camera.source`` names; ``TableError`` says why it can't be."""
    kind = kind_of(camera.source)
    if kind == "picamera":
        return Settled(PiCamera(camera))
    if kind == "v4l2":
        return Settled(V4L2Camera(camera))
    return UrlCamera(camera) if kind == "url" else Film(camera)


def _picamera2() -> Any:
    try:
        return importlib.import_module("picamera2")
    except ImportError as error:
        raise TableError(
            f"camera.source: picamera2 can't be used ({error}): sudo apt install python3-picamera2, then make clean "
            "and make install, or name another camera.source"
        ) from None


class PiCamera:
    """A Raspberry Pi's camera module, through picamera2 (of the system's own packages)."""

    accuracy = "stamped in the kernel at the start of the exposure"

    def __init__(self, camera: CameraConfig, module: Any = None) -> None:
        """``module``: picamera2, for tests."""
        module = module or _picamera2()
        try:
            self._camera = module.Picamera2()
        except (RuntimeError, IndexError) as error:
            raise TableError(f"no camera module is found ({error})") from None
        try:
            # picamera2's "RGB888" has blue first in memory, as OpenCV has it.
            self._camera.configure(
                self._camera.create_video_configuration(
                    main={"size": camera.size, "format": "RGB888"},
                    controls={"FrameRate": camera.fps},
                    buffer_count=6,
                )
            )
            self._camera.start()
        except (RuntimeError, OSError) as error:
            self._camera.close()
            raise TableError(f"the camera module can't be started ({error})") from None

    def read(self) -> tuple[int, Image] | None:
        """The next picture; None after a while without one."""
        try:
            job = self._camera.capture_request(wait=False)
            request = self._camera.wait(job, timeout=WAIT_S)
        except (TimeoutError, RuntimeError, OSError):
            return None
        try:
            image = np.ascontiguousarray(request.make_array("main"), dtype=np.uint8)
            return int(request.get_metadata()["SensorTimestamp"]), image
        finally:
            request.release()

    def close(self) -> None:
        """Stop it."""
        self._camera.stop()
        self._camera.close()


class V4L2Camera:
    """A USB camera, through OpenCV."""

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
            raise TableError(f"{camera.source!r} can't be opened: check its cable and its name")
        # Over USB only compressed pictures of this size come often enough.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, camera.size[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, camera.size[1])
        self._capture.set(cv2.CAP_PROP_FPS, camera.fps)
        self._kernel = True

    @property
    def accuracy(self) -> str:
        """How exact its stamps are."""
        if self._kernel:
            return "stamped in the kernel as the picture came over the bus"
        return "stamped as the picture was handed over: its driver has another clock"

    def read(self) -> tuple[int, Image] | None:
        """The next picture; None when the camera has gone."""
        if not self._capture.grab():
            return None
        now = self._clock()
        stamp = round(self._capture.get(cv2.CAP_PROP_POS_MSEC) * MS)
        # A stamp of another clock is far from now. (Some drivers stamp the end of a frame before it has come.)
        self._kernel = now - 2_000 * MS < stamp < now + 200 * MS
        good, image = self._capture.retrieve()
        if not good:
            return None
        return (min(stamp, now) if self._kernel else now), np.asarray(image, dtype=np.uint8)

    def close(self) -> None:
        """Give the device back."""
        self._capture.release()


class Settled:
    """A camera whose first pictures are left out: it is finding its exposure and its white."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._since_ns: int | None = None

    @property
    def accuracy(self) -> str:
        """How exact its stamps are."""
        return self._device.accuracy

    def read(self) -> tuple[int, Image] | None:
        """The next picture after the first while."""
        while True:
            got = self._device.read()
            if got is None:
                return None
            if self._since_ns is None:
                self._since_ns = got[0]
            if got[0] - self._since_ns >= SETTLE_NS:
                return got

    def close(self) -> None:
        """Give the camera back."""
        self._device.close()


class UrlCamera:
    """A camera in the network, through OpenCV's FFmpeg."""

    accuracy = (
        "stamped on arrival, late by what the network takes: leads at the same time are judged less exactly"
    )

    def __init__(self, camera: CameraConfig) -> None:
        wait_ms = int(WAIT_S * 1000)
        limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, wait_ms, cv2.CAP_PROP_READ_TIMEOUT_MSEC, wait_ms]
        self._capture = cv2.VideoCapture(str(camera.source), cv2.CAP_FFMPEG, limits)
        if not self._capture.isOpened():
            self._capture.release()
            raise TableError(f"{camera.source!r} can't be reached")

    def read(self) -> tuple[int, Image] | None:
        """The next picture; None when the line has broken."""
        good, image = self._capture.read()
        return (time.monotonic_ns(), np.asarray(image, dtype=np.uint8)) if good else None

    def close(self) -> None:
        """Hang up."""
        self._capture.release()


class Film:
    """A file, as if its camera were here: frame by frame at its own speed, stamped with today's clock."""

    accuracy = "a film: stamped as if it were filmed now"

    def __init__(self, camera: CameraConfig) -> None:
        self._capture = cv2.VideoCapture(str(camera.source), cv2.CAP_FFMPEG)
        if not self._capture.isOpened():
            self._capture.release()
            raise TableError(f"{camera.source!r} can't be read as a film")
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self._step_ns = round(1e9 / (fps if 1 <= fps <= 1000 else camera.fps))
        self._start_ns = time.monotonic_ns()
        self._count = 0

    def read(self) -> tuple[int, Image] | None:
        """The next picture, in its time; ``EOFError`` at the end."""
        good, image = self._capture.read()
        if not good:
            raise EOFError
        due = self._start_ns + self._count * self._step_ns
        self._count += 1
        time.sleep(max(0, due - time.monotonic_ns()) / 1e9)
        return due, np.asarray(image, dtype=np.uint8)

    def close(self) -> None:
        """Close the file."""
        self._capture.release()


# --- the camera -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Taken:
    """What a look for the next frame brought."""

    frame: Frame | None
    until_ns: int
    """No frame stamped before this will come any more; ``END_NS`` once a film is at its end."""
    trouble: str | None = None
    """What is wrong with the camera now, for the screen."""


class Camera:
    """The camera of ``table.toml``: a context manager that reads while it is open, and an iterator of frames.

    Frames are numbered as the camera gave them, dropped ones included; their stamps always grow.
    """

    def __init__(
        self,
        camera: CameraConfig,
        *,
        opener: Opener = open_device,
        clock: Callable[[], int] = time.monotonic_ns,
        kept: int = KEPT,
        again_s: float = AGAIN_S,
    ) -> None:
        """``kept``: the most frames that wait; ``again_s``: between attempts to open."""
        self._config = camera
        self._opener = opener
        self._clock = clock
        self._kept = kept
        self._again_s = again_s
        self.tap: Callable[[Frame], None] | None = None
        """Gets every frame, in the reading thread (a recorder); to be set before the start."""
        self._came = threading.Condition()
        self._frames: deque[Frame] = deque()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        # All of these are read and written under the condition's lock.
        self._trouble: str | None = None
        self._accuracy: str | None = None
        self._ended = False
        self._until_ns = 0
        self._latest_ns = 0
        self._heard_ns = 0
        self._dropped_ns: int | None = None
        self._count = 0
        self.dropped = 0
        """Frames that nobody took in time."""

    @property
    def accuracy(self) -> str | None:
        """How exact the stamps are, in words; None before the camera has been opened."""
        with self._came:
            return self._accuracy

    def start(self) -> None:
        """Begin to read; ``TableError`` for a source that can't ever work here."""
        if self._thread is None:
            if self._opener is open_device:
                check_source(self._config)
            self._heard_ns = self._clock()
            self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Stop reading and give the camera back."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=WAIT_S + 1)

    def __enter__(self) -> Camera:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def take(self, timeout_s: float = 0.0) -> Taken:
        """The oldest frame that waits, after waiting for one at most ``timeout_s``."""
        with self._came:
            if not self._frames and timeout_s > 0 and not self._ended:
                self._came.wait(timeout_s)
            now = self._clock()
            frame = self._frames.popleft() if self._frames else None
            if frame is not None:
                self._until_ns = max(self._until_ns, frame.t_ns + 1)
            elif self._ended:
                self._until_ns = END_NS
            elif now - self._heard_ns > SILENT_NS:
                # Nothing comes: a frame that comes in spite of that, stamped earlier, is dropped.
                self._until_ns = max(self._until_ns, now - SILENT_NS)
            return Taken(frame, self._until_ns, self._said(now))

    def __iter__(self) -> Iterator[Frame]:
        """Frames as they come, to a film's end; ``TableError`` when none has come for ten seconds."""
        self.start()
        since = time.monotonic()
        while True:
            taken = self.take(0.2)
            if taken.frame is not None:
                yield taken.frame
                since = time.monotonic()
            elif taken.until_ns >= END_NS:
                return
            elif time.monotonic() - since > PATIENCE_S:
                raise TableError(f"camera: {taken.trouble or STOPPED}")

    def _said(self, now: int) -> str | None:
        if self._trouble is not None or self._ended:
            return self._trouble
        if now - self._heard_ns > WAIT_S * 1e9:
            return STOPPED
        if self._dropped_ns is not None and now - self._dropped_ns < BEHIND_NS:
            return "the table is too slow for its camera: pictures are left out"
        return None

    # --- the reading thread -------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                device = self._opener(self._config)
            except TableError as error:
                self._say(str(error))
            except (
                Exception
            ) as error:  # whatever a driver's binding raises: the table must live on without a camera
                self._say(f"the camera can't be opened ({_one_line(error)})")
            else:
                with self._came:
                    self._accuracy = device.accuracy
                try:
                    self._read(device)
                except EOFError:
                    with self._came:
                        self._ended = True
                        self._came.notify_all()
                    return
                except Exception as error:  # as above
                    self._say(f"the camera has stopped ({_one_line(error)})")
                finally:
                    _close(device)
            self._stop.wait(self._again_s)

    def _read(self, device: Device) -> None:
        while not self._stop.is_set():
            got = device.read()
            if got is None:
                self._say(STOPPED)
                return
            t_ns, image = got
            height, width = image.shape[:2]
            if (width, height) != self._config.size:
                wide, high = self._config.size
                self._say(
                    f"the camera gives {width} x {height} pixels: expected {wide} x {high} (camera.size)"
                )
                return
            self._put(t_ns, image, device.accuracy)

    def _put(self, t_ns: int, image: Image, accuracy: str) -> None:
        with self._came:
            self._heard_ns = self._clock()
            self._accuracy = accuracy
            self._trouble = None
            frame = Frame(max(t_ns, self._latest_ns + 1), image, self._count)
            self._count += 1
            if frame.t_ns < self._until_ns:
                self.dropped += 1
                return
            self._latest_ns = frame.t_ns
            self._frames.append(frame)
            if len(self._frames) > self._kept:
                self._frames.popleft()
                self.dropped += 1
                self._dropped_ns = self._heard_ns
            self._came.notify_all()
        if self.tap is not None:
            self.tap(frame)

    def _say(self, trouble: str) -> None:
        with self._came:
            self._trouble = trouble


def _close(device: Device) -> None:
    try:
        device.close()
    except Exception:  # it has gone: nothing is left to be closed
        return


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
