"""The live camera: frames as they are exposed, read by a thread of its own so that nothing waits for them.

A camera that stops is said (:attr:`Taken.trouble`) and opened again and again until it is back.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from types import TracebackType

from table.config import CameraConfig
from table.errors import TableError
from table.facts import END_NS, MS, Frame, Image
from table.phrase import Phrase, say
from table.sources.devices import Device, Opener, StableOpener, check_source
from table.sources.frozen import Frozen
from table.sources.picamera import WAIT_S
from table.sources.stamps import Stamps

KEPT = 45
"""So many frames wait for the table at most (1.5 s at 30 a second); then the oldest is dropped."""
SILENT_NS = 1_000 * MS
"""A camera that has given nothing for so long has stopped: what it gives later is stamped later."""
AGAIN_S = 1.0
"""So long after a failure the camera is opened again."""
PATIENCE_S = 10.0
"""Who only wants frames waits this long for one before giving up."""
WARM_S = 8.0
"""The first picture of a camera that finds its light takes so long at most."""
BEHIND_NS = 5_000 * MS
"""That pictures were dropped is said for this long."""
LEAST_FPS = 7.0
"""With fewer pictures a second hands and cards are lost between two of them, and leads can't be told apart."""
RATE_OF = 15
"""The rate is that of the median interval of so many pictures: a single gap is none."""
STOPPED = say("camera.stopped")
FROZEN = say("camera.frozen")
OTHER_CLOCK = say("camera.other_clock")


# --- the camera -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Taken:
    """What a look for the next frame brought."""

    frame: Frame | None
    until_ns: int
    """No frame stamped before this will come any more; ``END_NS`` once a film is at its end."""
    trouble: Phrase | None = None
    """What is wrong with the camera now, for the screen."""


class Camera:
    """The camera of ``table.toml``: a context manager that reads while it is open, and an iterator of frames.

    Frames are numbered as the camera gave them, dropped ones included; their stamps always grow.
    """

    def __init__(
        self,
        camera: CameraConfig,
        *,
        opener: Opener | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
        kept: int = KEPT,
        again_s: float = AGAIN_S,
    ) -> None:
        """``kept``: the most frames that wait; ``again_s``: between attempts to open. ``opener``: for tests."""
        self._config = camera
        self._checks = opener is None
        self._opener = opener or StableOpener()
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
        self._trouble: Phrase | None = None
        self._accuracy: Phrase | None = None
        self._held: Phrase | None = None
        self._ended = False
        self._until_ns = 0
        self._latest_ns = 0
        self._heard_ns = 0
        self._warm = False
        """Whether a picture has come since the camera was opened."""
        self._dropped_ns: int | None = None
        self._count = 0
        self._stamps = Stamps()
        self._frozen = Frozen()
        self._steps: deque[int] = deque(maxlen=RATE_OF)
        """The intervals between the last pictures."""
        self.dropped = 0
        """Frames that nobody took in time."""

    @property
    def accuracy(self) -> Phrase | None:
        """How exact the stamps are; None before the camera has been opened."""
        with self._came:
            return self._accuracy

    @property
    def held(self) -> Phrase | None:
        """How still its light, white and focus are held, in words; None before the camera has been opened."""
        with self._came:
            return self._held

    def start(self) -> None:
        """Begin to read; ``TableError`` for a source that can't ever work here."""
        if self._thread is None:
            if self._checks:
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
                raise TableError(say("camera.none_came", trouble=taken.trouble or STOPPED))

    def _said(self, now: int) -> Phrase | None:
        if self._trouble is not None or self._ended:
            return self._trouble
        if now - self._heard_ns > (WAIT_S if self._warm else WARM_S) * 1e9:
            return STOPPED
        if self._dropped_ns is not None and now - self._dropped_ns < BEHIND_NS:
            return say("camera.slow")
        fps = 1e9 / median(self._steps) if len(self._steps) == RATE_OF else LEAST_FPS
        return say("camera.few", fps=fps, least=LEAST_FPS) if fps < LEAST_FPS else None

    # --- the reading thread -------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                device = self._opener(self._config)
            except TableError as error:
                self._say(say("camera.error", error=error))
            except (
                Exception
            ) as error:  # whatever a driver's binding raises: the table must live on without a camera
                self._say(say("camera.unopened", error=error))
            else:
                with self._came:
                    self._accuracy, self._held = device.accuracy, device.held
                    self._heard_ns, self._warm = self._clock(), False
                try:
                    self._read(device)
                except EOFError:
                    with self._came:
                        self._ended = True
                        self._came.notify_all()
                    return
                except Exception as error:  # as above
                    self._say(say("camera.stopped_by", error=error))
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
                self._say(say("camera.other_size", width=width, height=height, wide=wide, high=high))
                return
            if device.live and self._frozen.take(self._clock(), image):
                self._say(FROZEN)
                return
            self._put(t_ns, image, device)

    def _put(self, t_ns: int, image: Image, device: Device) -> None:
        with self._came:
            self._heard_ns, self._warm = self._clock(), True
            self._accuracy, self._held = device.accuracy, device.held
            stamp = self._stamps.take(t_ns, self._heard_ns) if device.live else t_ns
            self._trouble = OTHER_CLOCK if self._stamps.moved else None
            number, self._count = self._count, self._count + 1
            if stamp is None or max(stamp, self._latest_ns + 1) < self._until_ns:
                self.dropped += 1
                return
            frame = Frame(max(stamp, self._latest_ns + 1), image, number)
            self._steps.append(frame.t_ns - self._latest_ns)
            self._latest_ns = frame.t_ns
            self._frames.append(frame)
            if len(self._frames) > self._kept:
                self._frames.popleft()
                self.dropped += 1
                self._dropped_ns = self._heard_ns
            self._came.notify_all()
        if self.tap is not None:
            self.tap(frame)

    def _say(self, trouble: Phrase) -> None:
        with self._came:
            self._trouble = trouble


def _close(device: Device) -> None:
    try:
        device.close()
    except Exception:  # it has gone: nothing is left to be closed
        return
