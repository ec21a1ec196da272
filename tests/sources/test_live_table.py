"""The live table: camera and buttons in one stream, whose watermarks hold."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.buttons.gpio_edges import EdgeReading
from table.config.settings import CameraConfig, SeatConfig, TableConfig
from table.detection.card_detections import CardDetection
from table.errors import TableError
from table.i18n.terminal_output import phrase_text
from table.observed_facts import END_NS, MS, Delivery, Edge, Frame, Image
from table.phrase import make_phrase
from table.pipeline import Pipeline
from table.sources.camera.live_camera import SILENT_NS, LiveCamera
from table.sources.live_table import FILM_OVER, LiveTable, open_live
from table.sources.source import RESUME_GAP_NS, ClockShiftedSource
from tests.wrong import check, wrong

CONFIG = TableConfig(
    "whysteria",
    {"hands": [1]},
    (SeatConfig("Ada", 0, bid=1, rap=2), SeatConfig("Ben", 180, bid=3, rap=4)),
    CameraConfig(source="/dev/video0", size=(320, 240), homography=((0.9, 0, 160), (0, 0.9, 120), (0, 0, 1))),
)


class Stage:
    """A clock, a camera that gives a frame when told, and a reader of the edges put in."""

    accuracy = held = make_phrase("stamped.film")
    live = True

    def __init__(self) -> None:
        self.now = 1_000_000 * MS
        self.edges: deque[Edge] = deque()
        self.lost = 0
        self.read_closed = False
        self._frames: deque[int | None] = deque()
        self._came = threading.Condition()
        self._over = False
        self.camera = LiveCamera(
            CONFIG.camera, opener=lambda _: _Device(self), clock=lambda: self.now, again_s=0.01
        )
        self.table = LiveTable(self.camera, self, clock=lambda: self.now)
        self.deliveries = self.table.deliveries()

    def expose(self, t_ns: int | None) -> None:
        with self._came:
            self._frames.append(t_ns)
            self._came.notify()

    def next_frame(self) -> int | None:
        with self._came:
            self._came.wait_for(lambda: self._frames or self._over, 5)
            return self._frames.popleft() if self._frames else None

    def end(self) -> None:
        with self._came:
            self._over = True
            self._came.notify()
        self.table.stop()

    # The reader of the buttons.

    def read(self, timeout_s: float) -> EdgeReading:
        threading.Event().wait(min(timeout_s, 0.001))
        edges = tuple(self.edges)
        self.edges.clear()
        lost, self.lost = self.lost, 0
        return EdgeReading(edges, self.now - 20 * MS, lost)

    def close(self) -> None:
        self.read_closed = True


class _Device:
    accuracy = held = make_phrase("stamped.film")
    live = True

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def read(self) -> tuple[int, Image] | None:
        t_ns = self._stage.next_frame()
        return None if t_ns is None else (t_ns, np.full((240, 320, 3), (60, 100, 80), np.uint8))

    def close(self) -> None:
        pass


def test_when_a_film_is_over_that_is_said_and_buttons_live_on(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 200, (320, 240))
    for level in range(3):
        writer.write(np.full((240, 320, 3), 40 * level, np.uint8))
    writer.release()
    film = replace(CONFIG.camera, source=str(path))
    short = LiveTable(LiveCamera(film))
    assert [one.frames_until_ns >= END_NS for one in short.deliveries()][-1], "it ends with the film"
    table = LiveTable(LiveCamera(film), stage := Stage())
    table.continues_after_film = True
    deliveries = table.deliveries()
    over = after(deliveries, "troubles")
    assert over.troubles == (FILM_OVER,)
    assert over.edges_until_ns < END_NS <= over.frames_until_ns
    edge = Edge(stage.now, "Ada", "bid", 1)
    stage.edges.append(edge)
    assert after(deliveries, "edges").edges == (edge,)
    table.stop()
    assert list(deliveries) == []


@pytest.fixture
def stage() -> Iterator[Stage]:
    stage = Stage()
    yield stage
    stage.end()
    stage.camera.close()


def after(deliveries: Iterator[Delivery], wanted: str) -> Delivery:
    """The next delivery with a frame, an edge, or a trouble."""
    for _, delivery in zip(range(5000), deliveries, strict=False):
        if {"frame": delivery.frame, "edges": delivery.edges, "troubles": delivery.troubles}[wanted]:
            return delivery
    raise AssertionError(f"no {wanted} came")


def test_calls_go_on_while_frames_wait_with_the_camera(stage: Stage) -> None:
    stage.expose(stage.now)
    seen = after(stage.deliveries, "frame")
    held = True
    stage.table.holds_frames = lambda: held
    stage.now += 40 * MS
    stage.expose(stage.now)
    edge = Edge(stage.now, "Ada", "bid", 1)
    stage.edges.append(edge)
    heard = after(stage.deliveries, "edges")
    assert heard.edges == (edge,)
    assert heard.frame is None
    assert heard.frames_until_ns == seen.frames_until_ns, "the frame that waits is still to come"
    held = False
    late = after(stage.deliveries, "frame")
    assert late.frame is not None
    assert late.frame.t_ns == stage.now


def test_frames_and_edges_come_with_right_watermarks(stage: Stage) -> None:
    deliveries = stage.deliveries
    first = next(deliveries)
    assert (first.frame, first.edges, first.edges_until_ns) == (None, (), stage.now - 20 * MS)
    stage.expose(stage.now - 30 * MS)
    delivery = after(deliveries, "frame")
    assert delivery.frame is not None
    assert delivery.frame.t_ns == stage.now - 30 * MS
    assert delivery.frames_until_ns == delivery.frame.t_ns + 1
    assert next(deliveries).frames_until_ns == delivery.frames_until_ns, "the next may come at any moment"
    stage.now += 100 * MS
    edge = Edge(stage.now - 1, "Ada", "bid", 1)
    stage.edges.append(edge)
    stage.lost = 3
    delivery = after(deliveries, "edges")
    assert (delivery.edges, delivery.lost) == ((edge,), 3)
    assert delivery.edges_until_ns == stage.now - 20 * MS
    assert delivery.now_ns == stage.now


def test_the_table_ends_when_told_without_deciding_what_is_undecided(stage: Stage) -> None:
    deliveries = stage.deliveries
    next(deliveries)
    stage.end()
    rest = list(deliveries)
    assert all(one.edges_until_ns < END_NS and one.frames_until_ns < END_NS for one in rest)
    assert stage.read_closed


def test_a_camera_that_stops_is_told_and_holds_up_no_bid(stage: Stage) -> None:
    pipeline = Pipeline(CONFIG, stage.table, reader=_NoCards())
    deliveries = stage.deliveries

    def until_said(event: str) -> None:
        for _, delivery in zip(range(5000), deliveries, strict=False):
            pipeline.process(delivery)
            if pipeline.referee.journal.lines[-1]["event"] == event:
                return
            stage.now += 20 * MS
        raise AssertionError(f"no {event}: {pipeline.referee.journal.lines}")

    stage.expose(stage.now - 30 * MS)
    pipeline.process(after(deliveries, "frame"))
    stage.expose(None)
    told = after(deliveries, "troubles")
    pipeline.process(told)
    assert [phrase_text(notice.phrase) for notice in pipeline.view(told.now_ns).notices][:1] == [
        "the camera has stopped: check its cable. Until it is back only buttons count"
    ]
    stage.now += 10 * SILENT_NS
    press = stage.now - 5 * MS
    stage.edges += [Edge(press, "Ada", "rap", 1), Edge(press + 60 * MS, "Ada", "rap", 0)]
    until_said("dealt")
    assert pipeline.referee.journal.lines[-1]["t_ns"] == press
    stage.expose(stage.now)
    pipeline.process(after(deliveries, "frame"))
    assert not pipeline.view(stage.now).notices


class _NoCards:
    def read(self, image: Image, card_px: float = 100.0) -> list[CardDetection]:
        return []


def test_without_buttons_a_keyboard_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(seats: object) -> object:
        raise TableError("gpio.no_buttons", wrong=TableError("gpio.no_binding"))

    monkeypatch.setattr("table.sources.live_table.open_buttons", none)
    with wrong("gpio.or_without") as caught:
        open_live(CONFIG)
    check(caught.value, "gpio.no_binding")
    table = open_live(CONFIG, keyboard=True)
    table.stop()
    assert list(table.deliveries()) == []


# --- a clock that has started anew ------------------------------------------------------------------------


class Recorded:
    """A source that gives what it was made of."""

    def __init__(self, *deliveries: Delivery) -> None:
        self._deliveries = deliveries

    def deliveries(self) -> Iterator[Delivery]:
        yield from self._deliveries


def some(start: int) -> Recorded:
    """An edge stamped a little before the first delivery, a frame, the end."""
    frame = Frame(start + 30 * MS, np.zeros((2, 2, 3), np.uint8), 0)
    return Recorded(
        Delivery(start, (Edge(start - 15 * MS, "Ada", "bid", 1),), None, start - 20 * MS, 0),
        Delivery(start + 33 * MS, (), frame, start + 10 * MS, frame.t_ns + 1),
        Delivery(start + 66 * MS, (), None, END_NS, END_NS),
    )


def test_after_a_restart_the_clock_goes_on_behind_the_journal() -> None:
    journal_ns = 5_000_000 * MS
    plain, shifted = list(some(0).deliveries()), list(ClockShiftedSource(some(0), journal_ns).deliveries())
    by = shifted[0].now_ns - plain[0].now_ns
    assert by == journal_ns + RESUME_GAP_NS
    assert shifted[0].edges[0].t_ns == plain[0].edges[0].t_ns + by > journal_ns
    assert shifted[1].frame is not None
    assert plain[1].frame is not None
    assert shifted[1].frame.t_ns == plain[1].frame.t_ns + by
    assert shifted[1].edges_until_ns == plain[1].edges_until_ns + by
    assert (shifted[2].edges_until_ns, shifted[2].frames_until_ns) == (END_NS, END_NS)


def test_a_clock_that_has_not_started_anew_is_left_alone() -> None:
    plain = some(9_000_000 * MS)
    assert list(ClockShiftedSource(plain, 5_000_000 * MS).deliveries()) == list(plain.deliveries())
