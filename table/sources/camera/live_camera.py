"""The live camera: frames as they are exposed, read by a thread of its own so that nothing waits for them.

A camera that stops is reported (:attr:`NextFrame.trouble`) and opened again and again until it is back.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from statistics import median

from table.config.settings import CameraConfig
from table.errors import TableError
from table.observed_facts import END_NS, MS, Frame, Image
from table.phrase import Phrase, make_phrase
from table.sources.camera.camera_kinds import Device, Opener, StableOpener, check_source
from table.sources.camera.picamera import READ_TIMEOUT_S
from table.sources.camera.picture_and_stamp_checks import FrozenImageDetector, TimestampChecks

MAX_QUEUED_FRAMES = 45
"""The most frames that wait for the table (1.5 s at 30 a second); then the oldest is dropped."""
SILENT_NS = 1_000 * MS
"""A camera that has given nothing for this long has stopped: later frames get later stamps."""
REOPEN_INTERVAL_S = 1.0
PATIENCE_S = 10.0
"""The time for which consumers that need frames wait for one before giving up."""
WARM_UP_S = 8.0
"""The longest that the first picture takes of a camera that adjusts its exposure."""
DROP_NOTICE_NS = 5_000 * MS
MIN_FPS = 7.0
"""With fewer pictures a second hands and cards are lost between two of them, and leads can't be told apart."""
RATE_WINDOW = 15
"""The number of pictures whose median interval gives the frame rate: a single gap does not change it."""
STOPPED = make_phrase("camera.stopped")
FROZEN = make_phrase("camera.frozen")
OTHER_CLOCK = make_phrase("camera.other_clock")


@dataclass(frozen=True, slots=True)
class NextFrame:
    """The result of waiting for the next frame."""

    frame: Frame | None
    until_ns: int
    """The watermark: no frame stamped before this will come any more; ``END_NS`` once a film has ended."""
    trouble: Phrase | None = None
    """What is wrong with the camera now, for the screen."""


class LiveCamera:
    """The camera of ``table.toml``: a context manager that reads while it is open, and an iterator of frames.

    Frames are numbered as the camera gave them, dropped ones included; their stamps always grow.
    """

    def __init__(
        self,
        camera: CameraConfig,
        *,
        opener: Opener | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
        kept: int = MAX_QUEUED_FRAMES,
        again_s: float = REOPEN_INTERVAL_S,
    ) -> None:
        """``kept``: the most frames that wait; ``again_s``: between attempts to open. ``opener``: for tests."""
        self._config = camera
        self._check_source_first = opener is None
        self._opener = opener or StableOpener()
        self._clock = clock
        self._max_queued = kept
        self._retry_s = again_s
        self.tap: Callable[[Frame], None] | None = None
        """Called with every frame, in the reading thread (for a recorder); to be set before the start."""
        self._condition = threading.Condition()
        self._frames: deque[Frame] = deque()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        # All of these are read and written under the condition's lock.
        self._trouble: Phrase | None = None
        self._ended = False
        self._until_ns = 0
        self._latest_ns = 0
        self._last_read_ns = 0
        self._had_picture = False
        """Whether a picture has come since the camera was opened."""
        self._dropped_ns: int | None = None
        self._count = 0
        self._stamps = TimestampChecks()
        self._frozen_detector = FrozenImageDetector()
        self._intervals: deque[int] = deque(maxlen=RATE_WINDOW)
        """The intervals between the last pictures."""
        self.dropped_frames = 0
        """The number of frames that nobody took in time."""
        self.accuracy: Phrase | None = None
        """The accuracy of the stamps; None before the camera has been opened."""
        self.exposure_state: Phrase | None = None
        """The state of exposure, white balance and focus, in words; None before the camera has been opened."""

    def start(self) -> None:
        """Start the reading thread; ``TableError`` for a source that can never work here."""
        if self._thread is None:
            if self._check_source_first:
                check_source(self._config)
            self._last_read_ns = self._clock()
            self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
            self._thread.start()

    def change_camera(self, camera: CameraConfig) -> None:
        """Read another camera from now on; until it gives pictures there is none."""
        self._config = camera

    def close(self) -> None:
        """Stop reading and release the camera."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=READ_TIMEOUT_S + 1)

    def __enter__(self) -> LiveCamera:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def next_frame(self, timeout_s: float = 0.0) -> NextFrame:
        """Return the oldest frame in the queue, after waiting for one at most ``timeout_s``."""
        with self._condition:
            if not self._frames and timeout_s > 0 and not self._ended:
                self._condition.wait(timeout_s)
            now = self._clock()
            frame = self._frames.popleft() if self._frames else None
            if frame is not None:
                self._until_ns = max(self._until_ns, frame.t_ns + 1)
            elif self._ended:
                self._until_ns = END_NS
            elif now - self._last_read_ns > SILENT_NS:
                # The camera is silent: a frame that comes later with an earlier stamp is dropped.
                self._until_ns = max(self._until_ns, now - SILENT_NS)
            return NextFrame(frame, self._until_ns, self._current_trouble(now))

    def __iter__(self) -> Iterator[Frame]:
        """Yield frames as they come, to a film's end; ``TableError`` when none has come for ten seconds."""
        self.start()
        since = time.monotonic()
        while True:
            taken = self.next_frame(0.2)
            if taken.frame is not None:
                yield taken.frame
                since = time.monotonic()
            elif taken.until_ns >= END_NS:
                return
            elif time.monotonic() - since > PATIENCE_S:
                raise TableError(make_phrase("camera.none_came", trouble=taken.trouble or STOPPED))

    def _current_trouble(self, now: int) -> Phrase | None:
        if self._trouble is not None or self._ended:
            return self._trouble
        if now - self._last_read_ns > (READ_TIMEOUT_S if self._had_picture else WARM_UP_S) * 1e9:
            return STOPPED
        if self._dropped_ns is not None and now - self._dropped_ns < DROP_NOTICE_NS:
            return make_phrase("camera.slow")
        fps = 1e9 / median(self._intervals) if len(self._intervals) == RATE_WINDOW else MIN_FPS
        return make_phrase("camera.few", fps=fps, least=MIN_FPS) if fps < MIN_FPS else None

    # --- the reading thread -------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._stop.is_set():
            # An exception is whatever a driver's binding raises: the table must live on without a camera.
            config = self._config
            try:
                device = self._opener(config)
            except TableError as error:
                self._set_trouble(make_phrase("camera.error", error=error))
            except Exception as error:
                self._set_trouble(make_phrase("camera.unopened", error=error))
            else:
                with self._condition:
                    self.accuracy, self.exposure_state = device.accuracy, device.held
                    self._last_read_ns, self._had_picture = self._clock(), False
                try:
                    if (trouble := self._read(device, config)) is not None:
                        self._set_trouble(trouble)
                except EOFError:
                    with self._condition:
                        self._ended = True
                        self._condition.notify_all()
                    return
                except Exception as error:
                    self._set_trouble(make_phrase("camera.stopped_by", error=error))
                finally:
                    with suppress(Exception):  # it was unplugged: nothing is left to be closed
                        device.close()
            self._stop.wait(self._retry_s)

    def _read(self, device: Device, config: CameraConfig) -> Phrase | None:
        """Read until the camera is closed or changed, or has trouble that opening it again may end."""
        while not self._stop.is_set() and self._config is config:
            picture = device.read()
            if picture is None:
                return STOPPED
            t_ns, image = picture
            (wide, high), (height, width) = config.size, image.shape[:2]
            if (width, height) != (wide, high):
                return make_phrase("camera.other_size", width=width, height=height, wide=wide, high=high)
            if device.live and self._frozen_detector.check_image(self._clock(), image):
                return FROZEN
            self._queue_frame(t_ns, image, device)
        return None

    def _queue_frame(self, t_ns: int, image: Image, device: Device) -> None:
        with self._condition:
            self._last_read_ns, self._had_picture = self._clock(), True
            self.accuracy, self.exposure_state = device.accuracy, device.held
            stamp = self._stamps.correct_stamp(t_ns, self._last_read_ns) if device.live else t_ns
            self._trouble = OTHER_CLOCK if self._stamps.has_other_clock else None
            index, self._count = self._count, self._count + 1
            if stamp is None or max(stamp, self._latest_ns + 1) < self._until_ns:
                self.dropped_frames += 1
                return
            frame = Frame(max(stamp, self._latest_ns + 1), image, index)
            self._intervals.append(frame.t_ns - self._latest_ns)
            self._latest_ns = frame.t_ns
            self._frames.append(frame)
            if len(self._frames) > self._max_queued:
                self._frames.popleft()
                self.dropped_frames += 1
                self._dropped_ns = self._last_read_ns
            self._condition.notify_all()
        if self.tap is not None:
            self.tap(frame)

    def _set_trouble(self, trouble: Phrase) -> None:
        with self._condition:
            self._trouble = trouble
