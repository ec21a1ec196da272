"""Sight in a thread of its own tells what it would have told, and holds nobody up."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from table.errors import TableError
from table.observed_facts import END_NS, CardGone, Frame
from table.tracker_thread import STEP_NS, WAITING, TrackerThread
from table.tracking.frame_report import TrackingReport
from table.tracking.tracker import CardTracker
from tests.wrong import wrong


class SlowSight:
    """Says of each frame that a card has gone, once it is allowed to."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.seen: list[Any] = []

    def see(self, frame: Frame) -> TrackingReport:
        self.go.wait(10)
        if frame.index == 99:
            raise TableError("set_up.frame_size")
        self.seen.append(frame.index)
        return TrackingReport((CardGone(frame.t_ns, frame.index, None, True),), frame.t_ns)

    def without_frames(self, until_ns: int) -> TrackingReport:
        self.seen.append(("none", until_ns))
        return TrackingReport((), until_ns)

    def end(self) -> TrackingReport:
        self.seen.append("end")
        return TrackingReport((), END_NS)


def frame(number: int) -> Frame:
    return Frame(1000 + number, np.zeros((2, 2, 3), np.uint8), number)


@pytest.fixture
def sight() -> SlowSight:
    return SlowSight()


def test_facts_and_watermarks_come_in_order_and_nobody_waits(sight: SlowSight) -> None:
    aside = TrackerThread(cast(CardTracker, sight))
    for number in range(5):
        assert aside.see(frame(number)) == TrackingReport((), 0), "the detector is still looking at the first"
    sight.go.set()
    facts = [*aside.end().facts]
    assert [fact.t_ns for fact in facts] == [1000, 1001, 1002, 1003, 1004]
    assert aside.end() == TrackingReport((), END_NS)
    assert sight.seen == [0, 1, 2, 3, 4, "end"]


def test_a_picture_without_the_cards_is_reported_with_those_that_show_them() -> None:
    class Hidden(SlowSight):
        def see(self, frame: Frame) -> TrackingReport:
            return replace(super().see(frame), shows_cards=frame.index != 1)

    hidden = Hidden()
    aside = TrackerThread(cast(CardTracker, hidden))
    for number in range(3):
        aside.see(frame(number))
    hidden.go.set()
    assert not aside.end().shows_cards
    assert aside.end().shows_cards


def test_that_no_frames_come_is_passed_on_after_the_frames_before(sight: SlowSight) -> None:
    aside = TrackerThread(cast(CardTracker, sight))
    aside.see(frame(1))
    for until_ns in (STEP_NS, STEP_NS + 1, 2 * STEP_NS):
        aside.without_frames(until_ns)
    sight.go.set()
    aside.end()
    assert sight.seen == [1, ("none", STEP_NS), ("none", 2 * STEP_NS), "end"]


def test_frames_that_there_is_no_time_for_wait_with_the_camera(sight: SlowSight) -> None:
    aside = TrackerThread(cast(CardTracker, sight))
    brought = threading.Semaphore(0)

    def bring() -> None:
        for number in range(WAITING + 5):
            aside.see(frame(number))
            brought.release()

    thread = threading.Thread(target=bring)
    thread.start()
    for _ in range(WAITING):
        assert brought.acquire(timeout=10)
    time.sleep(0.01)
    assert thread.is_alive()
    sight.go.set()
    thread.join(10)
    aside.end()
    assert sight.seen == [*range(WAITING + 5), "end"]


def test_it_says_when_it_is_full_and_nobody_waits_to_say_that_nothing_comes(sight: SlowSight) -> None:
    aside = TrackerThread(cast(CardTracker, sight))
    number = 0
    while not aside.is_full:
        aside.see(frame(number))
        number += 1
    assert number >= WAITING
    aside.without_frames(STEP_NS)
    sight.go.set()
    aside.end()
    assert sight.seen == [*range(number), "end"]


def test_what_goes_wrong_is_raised_where_the_facts_are_asked_for(sight: SlowSight) -> None:
    aside = TrackerThread(cast(CardTracker, sight))
    aside.see(frame(99))
    sight.go.set()
    with wrong("set_up.frame_size"):
        aside.end()
    aside.close()


def test_closing_does_not_look_at_what_waits(sight: SlowSight) -> None:
    aside = TrackerThread(cast(CardTracker, sight))
    for number in range(WAITING):
        aside.see(frame(number))
    threading.Timer(0.02, sight.go.set).start()
    aside.close()
    assert len(sight.seen) <= 1
