"""The live table as a source: the camera's frames and the buttons' edges, as they come."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Protocol

from table.buttons.gpio_edges import ButtonReader, EdgeReading, open_buttons
from table.config.settings import CameraConfig, TableConfig
from table.errors import TableError
from table.observed_facts import END_NS, Delivery, Frame
from table.phrase import make_phrase
from table.sources.camera.camera_kinds import check_source
from table.sources.camera.live_camera import PATIENCE_S, STOPPED, LiveCamera, NextFrame
from table.sources.source import edges_by_player

IDLE_INTERVAL_S = 0.005
"""The interval of deliveries while nothing happens: windows close, lamps blink."""
FILM_OVER = make_phrase("camera.film_over")


class Listener(Protocol):
    """Receives all that comes from camera and buttons; neither call may wait."""

    def add_frame(self, frame: Frame) -> None:
        """Take a frame, in the camera's thread."""

    def add_reading(self, read: EdgeReading) -> None:
        """Take a reading of the buttons."""


class LiveTable:
    """Camera and buttons in one stream; neither waits for the other.

    Each of them has its own watermark: for the buttons' reader the time at which it saw its queue empty, for
    the camera its latest frame (for a camera that has stopped: the time for which it has been silent).
    """

    def __init__(
        self,
        camera: LiveCamera,
        buttons: ButtonReader | None = None,
        *,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """``buttons``: None for a table without any."""
        self._camera = camera
        self._buttons = buttons
        self._clock = clock
        self._listeners: list[tuple[Listener, Mapping[str, str] | None]] = []
        self._stop = threading.Event()
        self.continues_after_film = False
        """Whether a film that replaces a camera is followed by deliveries without pictures."""
        self.holds_frames: Callable[[], bool] = lambda: False
        """Whether frames are left with the camera now, which drops the oldest when it has too many."""
        self._last_taken = NextFrame(None, 0)

    def add_listener(self, listener: Listener, seated: Mapping[str, str] | None = None) -> None:
        """Pass all that comes from now on to ``listener``, with edges named by the players ``seated`` in chairs."""
        self._listeners.append((listener, seated))
        self._camera.tap = self._pass_on_frame

    def remove_listener(self, listener: Listener) -> None:
        """Remove a listener."""
        self._listeners = [entry for entry in self._listeners if entry[0] is not listener]

    def _pass_on_frame(self, frame: Frame) -> None:
        for listener, _ in self._listeners:
            listener.add_frame(frame)

    def _pass_on_reading(self, reading: EdgeReading) -> None:
        for listener, seated in self._listeners:
            edges = reading.edges if seated is None else edges_by_player(reading.edges, seated)
            listener.add_reading(replace(reading, edges=edges))

    def change_camera(self, camera: CameraConfig) -> None:
        """Take the pictures of another camera from now on."""
        self._camera.change_camera(camera)

    def stop(self) -> None:
        """End the deliveries soon; may be called by a signal's handler or another thread.

        The last delivery then carries no ``END_NS``: what is undecided stays so, for a game that is to be
        resumed.
        """
        self._stop.set()

    def deliveries(self) -> Iterator[Delivery]:
        """Yield frames and edges as they come, every few milliseconds without any, to the end of a film."""
        try:
            with self._camera:
                while not self._stop.is_set():
                    delivery = self._delivery()
                    yield delivery
                    if delivery.frames_until_ns >= END_NS and not self.continues_after_film:
                        return
        finally:
            if self._buttons is not None:
                self._buttons.close()

    def _delivery(self) -> Delivery:
        # Calls are delivered while the tracker is busy.
        held = self.holds_frames()
        taken = replace(self._last_taken, frame=None) if held else self._camera.next_frame()
        self._last_taken = taken
        reading = self._read(0.0 if taken.frame is not None else IDLE_INTERVAL_S)
        self._pass_on_reading(reading)
        film_over = taken.until_ns >= END_NS
        trouble = FILM_OVER if film_over else taken.trouble
        return Delivery(
            self._clock(),
            reading.edges,
            taken.frame,
            END_NS if film_over and not self.continues_after_film else reading.until_ns,
            taken.until_ns,
            reading.lost,
            (trouble,) if trouble is not None else (),
        )

    def _read(self, timeout_s: float) -> EdgeReading:
        if self._buttons is not None:
            return self._buttons.read(timeout_s)
        if timeout_s:
            self._stop.wait(timeout_s)
        return EdgeReading((), self._clock())


def require_frames(deliveries: Iterator[Delivery]) -> Iterator[Delivery]:
    """Yield the deliveries for a consumer that needs pictures; ``TableError`` when none has come for ten seconds."""
    latest_ns: int | None = None
    for delivery in deliveries:
        if latest_ns is None or delivery.frame is not None:
            latest_ns = delivery.now_ns
        elif delivery.now_ns - latest_ns > PATIENCE_S * 1e9:
            raise TableError("camera.none_came", trouble=next(iter(delivery.troubles), STOPPED))
        yield delivery


def open_live(config: TableConfig, *, keyboard: bool = False) -> LiveTable:
    """Open the table (``keyboard``: without buttons) or raise ``TableError``; a missing camera may still come."""
    check_source(config.camera)
    try:
        buttons = None if keyboard else open_buttons(config.seats)
    except TableError as error:
        raise TableError("gpio.or_without", wrong=error) from None
    return LiveTable(LiveCamera(config.camera), buttons)
