"""A jitter buffer: pictures that a network delivers in a burst are stamped as far apart as they were exposed.

A network delivers a picture some time after its exposure, and never before. After a stall it delivers all
that was filmed meanwhile at once. Stamped on arrival, these pictures would be a millisecond apart, and
whatever happened in them would have happened at the same time. The stream's own time does not help: of MJPEG
over HTTP it counts pictures at a nominal rate. So a burst is spaced backwards from its last picture, by the
stream's usual rate.
"""

from __future__ import annotations

from collections import deque
from statistics import median
from typing import Final

from table.observed_facts import Image

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


class JitterBuffer:
    """Takes pictures as they arrive, and returns them with the pictures of a burst spaced."""

    def __init__(self, fps: float) -> None:
        """``fps``: the expected rate, used until the stream's own is known."""
        self._nominal_ns = round(1e9 / fps)
        self._arrivals: deque[int] = deque(maxlen=SPAN + SPANS)
        self._burst: list[tuple[int, Image]] = []
        """The pictures of a possible burst with their stamps of arrival; more may come."""
        self._ready: deque[tuple[int, Image]] = deque()
        self._stamped_ns: int | None = None
        """The last stamp that was given."""

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
