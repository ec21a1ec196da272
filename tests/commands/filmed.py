"""A real table that is a recording: a camera and a button reader that give what was recorded, as fast as it is taken.

``python -m tests.commands.filmed UNTIL EVENT ARGUMENT...`` runs a command at that table, whose camera stops when its
clock has reached UNTIL seconds, and pulls the plug (SIGKILL) as soon as a game that is kept has such an EVENT.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import cv2
import numpy as np

from table.buttons.gpio_edges import EdgeReading
from table.config.settings import CameraConfig, TableConfig
from table.errors import TableError
from table.observed_facts import Edge, Image
from table.phrase import make_phrase
from table.sources.camera.camera_kinds import Device
from table.sources.camera.live_camera import LiveCamera
from table.sources.live_table import LiveTable
from table.sources.recordings.recording import open_recording

RECORDING = Path(__file__).parents[1] / "recordings" / "virtual-3"
AHEAD = 8
"""The camera is so many frames ahead of the table at most."""


class FilmedTable:
    """Camera, buttons and clock of a recording from a moment on; ``boot_ns`` is what the clock shows then."""

    accuracy = make_phrase("stamped.edges", ms=0)
    held = make_phrase("held.film")

    def __init__(
        self,
        *,
        since_ns: int = 0,
        boot_ns: int | None = None,
        at_ns: int | None = None,
        then: Callable[[], None] = lambda: None,
        chairs: Mapping[str, str] | None = None,
    ) -> None:
        """``chairs``: what the table calls the seats of the recording, where that is another name.

        ``then`` is called before the first frame of ``at_ns`` or later, when all earlier ones are worked off; then
        the camera has stopped."""
        recording = open_recording(RECORDING)
        times = recording.frame_times or ()
        self._first = next(number for number, t_ns in enumerate(times) if t_ns >= since_ns)
        self._by = 0 if boot_ns is None else boot_ns - times[self._first]
        self._times = times
        self._edges = sorted(
            (edge for _, edge in recording.edges if edge.t_ns >= times[self._first]),
            key=lambda edge: -edge.t_ns,
        )
        self._capture = cv2.VideoCapture(str(recording.video), cv2.CAP_FFMPEG)
        self._count = 0
        self._permits = threading.Semaphore(AHEAD)
        self._given = self._taken = 0
        self._idle = threading.Event()
        self._chairs = chairs or {}
        self._at_ns = at_ns
        self._then = then
        self.now = times[self._first] + self._by
        self.closed = False

    def clock(self) -> int:
        """The machine's monotonic clock."""
        return self.now

    def live(self, config: TableConfig, *, keyboard: bool = False) -> LiveTable:
        """Stands in for :func:`table.sources.live_table.open_live`."""
        camera = LiveCamera(config.camera, opener=self._open, clock=self.clock)
        return LiveTable(camera, _Buttons(self), clock=self.clock)

    def _open(self, config: CameraConfig) -> Device:
        if self._given:
            raise TableError("the camera is gone")
        for _ in range(self._first):
            self._capture.grab()
        self._count = self._first
        return _Film(self)

    def next_frame(self) -> tuple[int, Image] | None:
        """The next frame, once the table has taken enough of the earlier ones."""
        self._permits.acquire(timeout=60)
        good, image = self._capture.read()
        if not good:
            raise EOFError
        t_ns = self._times[self._count]
        if self._at_ns is not None and t_ns >= self._at_ns:
            self._idle.clear()
            self._idle.wait(60)
            self._then()
            return None
        self._count += 1
        self._given += 1
        self.now = t_ns + self._by
        return self.now, np.asarray(image, dtype=np.uint8)

    def let_go(self) -> None:
        """Nobody takes its frames any more: who waits to bring one waits no longer."""
        self._permits.release(10_000)

    def edges(self, timeout_s: float) -> EdgeReading:
        """The edges up to now."""
        if not timeout_s:
            self._taken += 1
            self._permits.release()
        elif self._taken == self._given:
            self._idle.set()
            time.sleep(0.0005)
        now, found = self.now, []
        while self._edges and self._edges[-1].t_ns + self._by <= now:
            edge = self._edges.pop()
            seat = self._chairs.get(edge.seat, edge.seat)
            found.append(Edge(edge.t_ns + self._by, seat, edge.control, edge.level))
        return EdgeReading(tuple(found), now)


class _Film:
    accuracy = make_phrase("stamped.edges", ms=0)
    held = make_phrase("held.film")
    live = True

    def __init__(self, table: FilmedTable) -> None:
        self._table = table

    def read(self) -> tuple[int, Image] | None:
        return self._table.next_frame()

    def close(self) -> None:
        pass


class _Buttons:
    accuracy = make_phrase("stamped.edges", ms=0)
    held = make_phrase("held.film")
    live = True

    def __init__(self, table: FilmedTable) -> None:
        self._table = table

    def read(self, timeout_s: float) -> EdgeReading:
        return self._table.edges(timeout_s)

    def close(self) -> None:
        self._table.closed = True


def _main() -> int:
    from table.__main__ import main
    from table.commands import play
    from table.history.archive import games_folder, list_journals

    until_ns, event = int(float(sys.argv[1]) * 1e9), f'"event": "{sys.argv[2]}"'

    def pull() -> None:
        for _ in range(6000):
            if any(event in path.read_text() for path in list_journals(games_folder())):
                os.kill(os.getpid(), signal.SIGKILL)
            time.sleep(0.01)

    vars(play)["open_live"] = FilmedTable(at_ns=until_ns, then=pull).live
    return main(sys.argv[3:])


if __name__ == "__main__":
    sys.exit(_main())
