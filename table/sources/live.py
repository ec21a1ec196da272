"""The live table as a source: the camera's frames and the buttons' edges, as they come."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

from table.buttons.gpio import ButtonReader, Read
from table.facts import END_NS, Delivery, Edge
from table.sources.camera import Camera

TICK_S = 0.005
"""While nothing happens the table is told so this often: windows close, lamps blink."""


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
        tap: Callable[[tuple[Edge, ...]], None] | None = None,
    ) -> None:
        """``buttons``: None for a table without any (a keyboard's). ``tap`` gets all edges (a recorder)."""
        self._camera = camera
        self._buttons = buttons
        self._clock = clock
        self._tap = tap
        self._stop = threading.Event()

    def stop(self) -> None:
        """End the deliveries soon; may be called by a signal's handler or another thread.

        The last delivery then carries no ``END_NS``: what is undecided stays so, for a game that is gone on with.
        """
        self._stop.set()

    def deliveries(self) -> Iterator[Delivery]:
        """Frames and edges as they come, and every few milliseconds that nothing came; a film comes to an end."""
        with self._camera:
            while not self._stop.is_set():
                taken = self._camera.take()
                read = self._read(0.0 if taken.frame is not None else TICK_S)
                if self._tap is not None and read.edges:
                    self._tap(read.edges)
                ended = taken.until_ns >= END_NS
                yield Delivery(
                    self._clock(),
                    read.edges,
                    taken.frame,
                    END_NS if ended else read.until_ns,
                    taken.until_ns,
                    read.lost,
                    (taken.trouble,) if taken.trouble is not None else (),
                )
                if ended:
                    return

    def _read(self, timeout_s: float) -> Read:
        if self._buttons is not None:
            return self._buttons.read(timeout_s)
        if timeout_s:
            self._stop.wait(timeout_s)
        return Read((), self._clock())
