"""A jitter buffer: pictures that a network delivers in a burst are stamped as far apart as they were exposed.

A network delivers a picture some time after its exposure, and never before. After a stall it delivers all that was
filmed meanwhile at once. Stamped on arrival, these pictures would lie a millisecond apart, and whatever happened in
them would have happened at the same time. The stream's own time does not help: of MJPEG over HTTP it counts pictures at
a nominal rate. So a burst is spaced backwards from its last picture, by the stream's usual rate.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from statistics import median
from typing import Final

from table.facts import Image


@dataclass(frozen=True, slots=True)
class JitterNumbers:
    """The numbers of this module. Intervals are in usual intervals of the stream."""

    late: float = 1.5
    """A picture that comes so long after the one before may begin a burst: it waits for the next one ..."""
    close: float = 0.7
    """... which belongs to the same burst if it comes as soon as this."""
    most: int = 30
    """The longest burst, in pictures. A camera that was silent for longer than a second has stopped anyway."""
    span: int = 20
    """The usual interval is the median of what so many in a row take, which a burst or a gap seldom spoils ..."""
    spans: int = 80
    """... taken over so many of those. With fewer than a quarter of them `camera.fps` counts."""


NUMBERS: Final = JitterNumbers()


class JitterBuffer:
    """Takes pictures as they arrive, and gives them with the stamps of bursts spaced."""

    def __init__(self, fps: float) -> None:
        """``fps``: the rate that is expected, until the stream's own is known."""
        self._nominal_ns = round(1e9 / fps)
        self._arrivals: deque[int] = deque(maxlen=NUMBERS.span + NUMBERS.spans)
        self._burst: list[tuple[int, Image]] = []
        """With the stamps of arrival; more of the burst may come."""
        self._ready: deque[tuple[int, Image]] = deque()
        self._stamped_ns: int | None = None
        """The stamp that was given last."""

    def pop(self) -> tuple[int, Image] | None:
        """The next picture that need not wait any more, with its stamp."""
        return self._ready.popleft() if self._ready else None

    def push(self, t_ns: int, image: Image) -> None:
        """A picture arrived at that time."""
        gap_ns = t_ns - self._arrivals[-1] if self._arrivals else None
        usual_ns = self._usual_ns()
        self._arrivals.append(t_ns)
        if gap_ns is None or gap_ns >= NUMBERS.close * usual_ns or len(self._burst) == NUMBERS.most:
            self.flush()
        if self._burst or gap_ns is None or gap_ns > NUMBERS.late * usual_ns:
            self._burst.append((t_ns, image))
        else:
            self._give(t_ns, image)

    def flush(self) -> None:
        """A burst is over: nothing more of it can come."""
        if not self._burst:
            return
        last_ns, n = self._burst[-1][0], len(self._burst)
        step_ns = self._usual_ns()
        if self._stamped_ns is not None:
            step_ns = min(step_ns, (last_ns - self._stamped_ns) // n)
        for number, (_, image) in enumerate(self._burst, start=1):
            self._give(last_ns - (n - number) * step_ns, image)
        self._burst.clear()

    def _give(self, t_ns: int, image: Image) -> None:
        self._stamped_ns = t_ns
        self._ready.append((t_ns, image))

    def _usual_ns(self) -> int:
        n = NUMBERS.span
        starts = list(self._arrivals)
        if len(starts) < n + NUMBERS.spans // 4:
            return self._nominal_ns
        return round(median(after - before for before, after in zip(starts, starts[n:], strict=False)) / n)
