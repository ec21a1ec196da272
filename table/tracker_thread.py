"""A tracker in its own thread, for the live table: lamps and bids are served while the detector runs.

It publishes the same facts as :class:`table.tracking.tracker.CardTracker`, only later. Facts carry stamps, and the
watermark waits for them, so no ruling depends on the delay. Networks and OpenCV release Python's lock while they run.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from typing import Protocol, TypeAlias

from table.observed_facts import END_NS, MS, CardFact, Frame
from table.phrase import Phrase
from table.tracking.frame_report import TrackingReport

WAITING = 15
"""The most frames that wait for the tracker; a caller who brings another one waits."""
STEP_NS = 100 * MS
"""Watermarks without a frame are passed on in steps of this length."""


class Tracker(Protocol):
    """Tracks cards frame by frame; :class:`table.tracking.tracker.CardTracker` implements it."""

    def see(self, frame: Frame) -> TrackingReport:
        """Process the next frame; return the facts that it yields."""
        ...

    def without_frames(self, until_ns: int) -> TrackingReport:
        """Advance the watermark: no frame stamped before ``until_ns`` will come."""
        ...

    def end(self) -> TrackingReport:
        """Finish: no more frames will come."""
        ...


Task: TypeAlias = Frame | int | None
"""A frame, a watermark, or None for the end."""


class TrackerThread:
    """Runs a tracker in a thread: takes frames, returns reports on earlier frames. To be used by one thread only."""

    def __init__(self, tracker: Tracker) -> None:
        self._tracker = tracker
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
        """Whether the queue is full, so that another frame would have to wait."""
        return self._tasks.full()

    def see(self, frame: Frame) -> TrackingReport:
        """Queue the next frame; return the report on earlier ones."""
        self._put(frame)
        return self._take_report()

    def without_frames(self, until_ns: int) -> TrackingReport:
        """Queue a watermark: no frame before ``until_ns`` will come; return the report on earlier frames."""
        if until_ns >= self._passed_ns + STEP_NS and not self.is_full:
            self._passed_ns = until_ns
            self._put(until_ns)
        return self._take_report()

    def end(self) -> TrackingReport:
        """Wait until all queued frames are processed; return the last report."""
        self._put(None)
        self._thread.join()
        return self._take_report()

    def close(self) -> None:
        """Stop the thread without processing what is queued."""
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

    def _take_report(self) -> TrackingReport:
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
                    self._store(self._tracker.end())
                    return
                if isinstance(task, Frame):
                    self._store(self._tracker.see(task))
                else:
                    self._store(self._tracker.without_frames(task))
        except Exception as error:  # raised anew where its facts are asked for
            with self._lock:
                self._error = error

    def _store(self, report: TrackingReport) -> None:
        with self._lock:
            self._facts += report.facts
            self._troubles = report.troubles
            self._until_ns = END_NS if report.until_ns >= END_NS else max(self._until_ns, report.until_ns)
