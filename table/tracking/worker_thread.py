"""A tracker in its own thread, for the live table: lamps and bids are served while the detector runs.

It publishes the same facts as :class:`table.tracking.tracker.CardTracker`, only later. Facts carry stamps, and the
watermark waits for them, so no ruling depends on the delay. Networks and OpenCV release Python's lock while they run.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from typing import Protocol, TypeAlias

from table.facts import END_NS, MS, CardFact, Frame
from table.phrase import Phrase
from table.tracking.report import TrackingReport

WAITING = 15
"""So many frames wait for sight at most; whoever brings more waits."""
STEP_NS = 100 * MS
"""That no frames come is passed on in such steps."""


class Tracker(Protocol):
    """What sees the cards; :class:`table.tracking.tracker.CardTracker` does."""

    def see(self, frame: Frame) -> TrackingReport:
        """Take the next frame."""
        ...

    def without_frames(self, until_ns: int) -> TrackingReport:
        """No frame stamped before ``until_ns`` will come any more."""
        ...

    def end(self) -> TrackingReport:
        """No more frames come."""
        ...


Task: TypeAlias = Frame | int | None
"""A frame, a moment before which no frame comes any more, or the end."""


class TrackerThread:
    """Hands frames to a sight and brings what it has made of earlier ones; not for use by several threads."""

    def __init__(self, sight: Tracker) -> None:
        self._sight = sight
        self._tasks: queue.Queue[Task] = queue.Queue(WAITING)
        self._lock = threading.Lock()
        self._facts: list[CardFact] = []
        self._until_ns = 0
        self._troubles: tuple[Phrase, ...] = ()
        self._error: Exception | None = None
        self._passed_ns = 0
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sight", daemon=True)
        self._thread.start()

    @property
    def is_full(self) -> bool:
        """Whether whoever brings another frame now would have to wait."""
        return self._tasks.full()

    def see(self, frame: Frame) -> TrackingReport:
        """Hand on the next frame; what has been seen on earlier ones."""
        self._put(frame)
        return self._seen()

    def without_frames(self, until_ns: int) -> TrackingReport:
        """No frame stamped before ``until_ns`` will come any more; what has been seen on earlier ones."""
        if until_ns >= self._passed_ns + STEP_NS and not self.is_full:
            self._passed_ns = until_ns
            self._put(until_ns)
        return self._seen()

    def end(self) -> TrackingReport:
        """No more frames come: wait for the rest."""
        self._put(None)
        self._thread.join()
        return self._seen()

    def close(self) -> None:
        """Stop; what waits is not looked at."""
        self._closed.set()
        while True:
            try:
                self._tasks.get_nowait()
            except queue.Empty:
                break
        with contextlib.suppress(queue.Full):
            self._tasks.put_nowait(None)
        self._thread.join()

    def _put(self, task: Task) -> None:
        while self._thread.is_alive():
            try:
                self._tasks.put(task, timeout=0.5)
                return
            except queue.Full:
                continue

    def _seen(self) -> TrackingReport:
        with self._lock:
            if self._error is not None:
                raise self._error
            facts, self._facts = self._facts, []
            return TrackingReport(tuple(facts), self._until_ns, self._troubles)

    def _run(self) -> None:
        try:
            while not self._closed.is_set():
                task = self._tasks.get()
                if self._closed.is_set():
                    return
                if task is None:
                    self._keep(self._sight.end())
                    return
                if isinstance(task, Frame):
                    self._keep(self._sight.see(task))
                else:
                    self._keep(self._sight.without_frames(task))
        except Exception as error:  # raised anew where its facts are asked for
            with self._lock:
                self._error = error

    def _keep(self, seen: TrackingReport) -> None:
        with self._lock:
            self._facts += seen.facts
            self._troubles = seen.troubles
            self._until_ns = END_NS if seen.until_ns >= END_NS else max(self._until_ns, seen.until_ns)
