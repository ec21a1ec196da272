"""Checks of a camera's pictures and stamps: it is frozen, its stamps are impossible, or a network was late."""

from __future__ import annotations

from collections import deque
from statistics import median
from typing import Final

import numpy as np

from table.observed_facts import MS, Image

FROZEN_NS: Final = 5_000 * MS
"""The camera is frozen when it has given the identical picture for this long."""
PAUSE_NS: Final = 1_000 * MS
"""A longer gap than this between two pictures means that the camera had stopped: the comparison starts anew."""
AHEAD_NS: Final = 200 * MS
"""Stamps may be this far ahead of now: some drivers stamp the end of a picture before it has come."""
LATE_NS: Final = 2_000 * MS
"""A picture that comes later than this after its stamp is dropped."""
MIN_ODD_STAMPS: Final = 10
"""This many impossible stamps in a row show that the camera has another clock."""
ASTRAY_NS: Final = 500 * MS
"""If the offset of the other clock changes by this much, it is measured anew: the pictures are stamped as they come."""
LATE_GAP: Final = 1.5
"""In usual intervals of the stream: a picture that comes this long after the one before may begin a burst: it waits for
the next one ..."""
BURST_GAP: Final = 0.7
"""... which belongs to the same burst if it comes as soon as this."""
MAX_BURST: Final = 30
"""The longest burst, in pictures. A camera that was silent for longer than a second has stopped anyway."""
SPAN: Final = 20
"""The usual interval is the median time of this many pictures in a row, which a burst or a gap seldom changes ..."""
SPANS: Final = 80
"""... taken over this many such rows. With fewer than a quarter of them `camera.fps` counts."""


class FrozenImageDetector:
    """Detects a frozen camera: noise changes every live picture, so identical pictures mean that the camera hangs.

    It compares each picture with the one before, also after the camera has been opened again.
    """

    def __init__(self) -> None:
        self._image: Image | None = None
        self._since_ns = self._last_ns = 0
        self._is_frozen = False

    def check_image(self, t_ns: int, image: Image) -> bool:
        """Add a picture; return whether pictures have been identical for too long, until another one comes."""
        paused, self._last_ns = t_ns - self._last_ns > PAUSE_NS, t_ns
        same = self._image is not None and np.array_equal(self._image, image)
        if not same or (paused and not self._is_frozen):
            self._image, self._since_ns = image, t_ns
        self._is_frozen = same and (self._is_frozen or t_ns - self._since_ns >= FROZEN_NS)
        return self._is_frozen


class TimestampChecks:
    """Checks and corrects the stamps of one camera, in the order of its pictures.

    They should be of the kernel's monotonic clock, a little before the pictures arrive. A single picture with an
    impossible stamp (from the future, or from long ago) is dropped. If they go on like that the camera has another
    clock: then its stamps are shifted by the least delay of any of its pictures, because that one was the least late.
    """

    def __init__(self) -> None:
        self._impossible_count = 0
        self._offset_ns: int | None = None

    @property
    def has_other_clock(self) -> bool:
        """Whether the camera uses another clock than the kernel's monotonic one."""
        return self._offset_ns is not None

    def correct_stamp(self, t_ns: int, now_ns: int) -> int | None:
        """Return the corrected stamp of a picture that came at ``now_ns``; None for a picture to be dropped."""
        if now_ns - LATE_NS < t_ns < now_ns + AHEAD_NS:
            self._impossible_count, self._offset_ns = 0, None
            return min(t_ns, now_ns)
        self._impossible_count += 1
        if self._impossible_count < MIN_ODD_STAMPS:
            return None
        offset_ns = now_ns - t_ns
        if self._offset_ns is None or not 0 <= offset_ns - self._offset_ns < ASTRAY_NS:
            self._offset_ns = offset_ns
        return t_ns + self._offset_ns


class JitterBuffer:
    """Takes pictures as they arrive, and returns those of a burst stamped as far apart as they were exposed.

    A network delivers a picture some time after its exposure, and never before. After a stall it delivers all
    that was filmed meanwhile at once. Stamped on arrival, these pictures would be a millisecond apart, and
    whatever happened in them would have happened at the same time. The stream's own time does not help: of MJPEG
    over HTTP it counts pictures at a nominal rate. So a burst is spaced backwards from its last picture, by the
    stream's usual rate.
    """

    def __init__(self, fps: float) -> None:
        """``fps``: the expected rate, used until the stream's own is known."""
        self._nominal_ns = round(1e9 / fps)
        self._arrivals: deque[int] = deque(maxlen=SPAN + SPANS)
        self._burst: list[tuple[int, Image]] = []
        """The pictures of a possible burst with their stamps of arrival; more may come."""
        self._ready: deque[tuple[int, Image]] = deque()
        self._stamped_ns: int | None = None

    def pop(self) -> tuple[int, Image] | None:
        """Return the next picture that is ready, with its stamp; None where none is ready."""
        return self._ready.popleft() if self._ready else None

    def push(self, t_ns: int, image: Image) -> None:
        """Add a picture that arrived at ``t_ns``."""
        gap_ns = t_ns - self._arrivals[-1] if self._arrivals else None
        usual_ns = self._usual_interval_ns()
        self._arrivals.append(t_ns)
        if gap_ns is None or gap_ns >= BURST_GAP * usual_ns or len(self._burst) == MAX_BURST:
            self.flush()
        if self._burst or gap_ns is None or gap_ns > LATE_GAP * usual_ns:
            self._burst.append((t_ns, image))
        else:
            self._add_ready(t_ns, image)

    def flush(self) -> None:
        """End the current burst: stamp its pictures and make them ready."""
        if not self._burst:
            return
        last_ns, n = self._burst[-1][0], len(self._burst)
        step_ns = self._usual_interval_ns()
        if self._stamped_ns is not None:
            step_ns = min(step_ns, (last_ns - self._stamped_ns) // n)
        for number, (_, image) in enumerate(self._burst, start=1):
            self._add_ready(last_ns - (n - number) * step_ns, image)
        self._burst.clear()

    def _add_ready(self, t_ns: int, image: Image) -> None:
        self._stamped_ns = t_ns
        self._ready.append((t_ns, image))

    def _usual_interval_ns(self) -> int:
        starts = list(self._arrivals)
        if len(starts) < SPAN + SPANS // 4:
            return self._nominal_ns
        durations = (after - before for before, after in zip(starts, starts[SPAN:], strict=False))
        return round(median(durations) / SPAN)
