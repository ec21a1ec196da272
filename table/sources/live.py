"""The live table as a source: the camera's frames and the buttons' edges, as they come."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Protocol

from table.buttons.gpio import ButtonReader, Read, open_buttons
from table.config import TableConfig
from table.errors import TableError
from table.facts import END_NS, Delivery, Frame
from table.phrase import say
from table.sources.camera import PATIENCE_S, STOPPED, Camera, Taken
from table.sources.devices import check_source

TICK_S = 0.005
"""While nothing happens the table is told so this often: windows close, lamps blink."""


FILM_OVER = say("camera.film_over")


class Listener(Protocol):
    """What gets all that comes from camera and buttons; neither call may wait."""

    def frame(self, frame: Frame) -> None:
        """A frame, in the camera's thread."""
        ...

    def read(self, read: Read) -> None:
        """A reading of the buttons."""
        ...


class LiveTable:
    """Camera and buttons in one stream; nothing in it waits for the other.

    What is stamped is known to be complete as far as each of them says: the buttons' reader by when it found its
    queue empty, the camera by its latest frame (a camera that has stopped: by the time that it has been silent).
    """

    def __init__(
        self,
        camera: Camera,
        buttons: ButtonReader | None = None,
        *,
        clock: Callable[[], int] = time.monotonic_ns,
        tap: Callable[[Read], None] | None = None,
    ) -> None:
        """``buttons``: None for a table without any (a keyboard's). ``tap`` gets every reading of the
        buttons (a recorder)."""
        self._camera = camera
        self._buttons = buttons
        self._clock = clock
        self._listeners: list[Listener] = []
        self._stop = threading.Event()
        self._outlives = False
        self._taken = Taken(None, 0)
        self._held: Callable[[], bool] = lambda: False

    def hold_frames_while(self, held: Callable[[], bool]) -> None:
        """While ``held`` says so, frames stay with the camera, which drops the oldest when it has too many."""
        self._held = held

    def outlive_film(self) -> None:
        """Go on without pictures where a film that stands in for a camera is over; before the first delivery."""
        self._outlives = True

    def record(self, listener: Listener) -> None:
        """Let it have all that comes from now on, frames that the table has no time for included."""
        self._listeners.append(listener)
        self._camera.tap = self._tap

    def forget(self, listener: Listener) -> None:
        """It wants to hear no more."""
        self._listeners = [one for one in self._listeners if one is not listener]

    def _tap(self, frame: Frame) -> None:
        for listener in self._listeners:
            listener.frame(frame)

    def stop(self) -> None:
        """End the deliveries soon; may be called by a signal's handler or another thread.

        The last delivery then carries no ``END_NS``: what is undecided stays so, for a game that is gone on with.
        """
        self._stop.set()

    def deliveries(self) -> Iterator[Delivery]:
        """Frames and edges as they come, and every few milliseconds that nothing came; a film comes to an end."""
        try:
            with self._camera:
                while not self._stop.is_set():
                    delivery = self._delivery()
                    yield delivery
                    if delivery.frames_until_ns >= END_NS and not self._outlives:
                        return
        finally:
            if self._buttons is not None:
                self._buttons.close()

    def _delivery(self) -> Delivery:
        # Calls go on while sight has its hands full.
        taken = replace(self._taken, frame=None) if self._held() else self._camera.take()
        self._taken = taken
        read = self._read(0.0 if taken.frame is not None else TICK_S)
        for listener in self._listeners:
            listener.read(read)
        over = taken.until_ns >= END_NS
        trouble = FILM_OVER if over else taken.trouble
        return Delivery(
            self._clock(),
            read.edges,
            taken.frame,
            END_NS if over and not self._outlives else read.until_ns,
            taken.until_ns,
            read.lost,
            (trouble,) if trouble is not None else (),
        )

    def _read(self, timeout_s: float) -> Read:
        if self._buttons is not None:
            return self._buttons.read(timeout_s)
        if timeout_s:
            self._stop.wait(timeout_s)
        return Read((), self._clock())


def with_pictures(deliveries: Iterator[Delivery]) -> Iterator[Delivery]:
    """The deliveries, for who can do nothing without pictures; ``TableError`` when none has come for ten seconds."""
    latest_ns: int | None = None
    for delivery in deliveries:
        if latest_ns is None or delivery.frame is not None:
            latest_ns = delivery.now_ns
        elif delivery.now_ns - latest_ns > PATIENCE_S * 1e9:
            raise TableError("camera.none_came", trouble=next(iter(delivery.troubles), STOPPED))
        yield delivery


def open_live(config: TableConfig, *, keyboard: bool = False) -> LiveTable:
    """The table of ``table.toml``; ``TableError`` says what of it can't be had.

    ``keyboard``: without the buttons. A camera that is not there now may still come: that is told while playing.
    """
    check_source(config.camera)
    try:
        buttons = None if keyboard else open_buttons(config.seats)
    except TableError as error:
        raise TableError("gpio.or_without", wrong=error) from None
    return LiveTable(Camera(config.camera), buttons)
