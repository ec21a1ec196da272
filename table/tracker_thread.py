"""A tracker in its own thread, for the live table: lamps and bids are served while the detector runs.

It publishes the same facts as :class:`table.tracking.tracker.CardTracker`, only later. Facts carry stamps, and the
watermark waits for them, so no ruling depends on the delay. Networks and OpenCV release Python's lock while they run.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Protocol

from table.observed_facts import END_NS, MS, CardFact, Frame
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


class TrackerThread:
    """Runs a tracker in a thread: takes frames, returns reports on earlier frames. To be used by one thread only."""

    def __init__(self, tracker: Tracker) -> None:
        self._tracker = tracker
        self._thread = ThreadPoolExecutor(1, "tracker")
        self._reports: deque[Future[TrackingReport]] = deque()
        """The reports that have not been taken, of tasks in their order."""
        self._latest = TrackingReport((), 0)
        """What was reported last, without its facts."""
        self._passed_ns = 0

    @property
    def is_full(self) -> bool:
        """Whether as many frames wait as may, so that another one would have to wait to be taken."""
        return sum(not report.done() for report in self._reports) > WAITING

    def see(self, frame: Frame) -> TrackingReport:
        """Queue the next frame; return the report on earlier ones."""
        if self.is_full:
            wait([report for report in self._reports if not report.done()], return_when=FIRST_COMPLETED)
        self._reports.append(self._thread.submit(self._tracker.see, frame))
        return self._take_report()

    def without_frames(self, until_ns: int) -> TrackingReport:
        """Queue a watermark: no frame before ``until_ns`` will come; return the report on earlier frames."""
        if until_ns >= self._passed_ns + STEP_NS and not self.is_full:
            self._passed_ns = until_ns
            self._reports.append(self._thread.submit(self._tracker.without_frames, until_ns))
        return self._take_report()

    def end(self) -> TrackingReport:
        """Wait until all queued frames are processed; return the last report."""
        if self._latest.until_ns < END_NS:
            self._reports.append(self._thread.submit(self._tracker.end))
            self._thread.shutdown()
        return self._take_report()

    def close(self) -> None:
        """Stop the thread without processing what is queued."""
        self._thread.shutdown(cancel_futures=True)

    def _take_report(self) -> TrackingReport:
        """Return the report on what has been processed since the last one; raise what the tracker raised."""
        facts: list[CardFact] = []
        shows_cards = True
        while self._reports and self._reports[0].done():
            report = self._reports.popleft().result()
            facts += report.facts
            shows_cards &= report.shows_cards
            until_ns = max(self._latest.until_ns, report.until_ns)
            self._latest = replace(report, facts=(), until_ns=until_ns)
        return replace(self._latest, facts=tuple(facts), shows_cards=shows_cards and self._latest.shows_cards)
