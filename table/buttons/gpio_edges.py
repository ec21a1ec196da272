"""The real table's buttons: raw edges with the kernel's stamps, and the watermark up to which they are complete.

There are two readers behind one interface. :class:`KernelButtons` asks the kernel itself, for all lines at
once. :class:`PinButtons` takes what gpiozero's pins report, with their ticks: the fall-back where libgpiod's
binding is missing (gpiozero then uses lgpio), and the way in for gpiozero's mock pins in tests.
"""

from __future__ import annotations

import atexit
import os
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from table.buttons.gpio_lines import (
    EdgeRequest,
    LineEvent,
    find_gpio_chip,
    load_gpiod,
    make_button_settings,
)
from table.config.settings import SeatConfig
from table.errors import TableError
from table.files.atomic_writing import make_temporary_folder
from table.observed_facts import MS, Control, Edge
from table.phrase import Phrase, expected_error, make_phrase

MAX_QUEUE_DELAY_NS = 20 * MS
"""The longest that the kernel's thread may take to queue an edge that its interrupt has stamped."""
MAX_PIN_DELAY_NS = 60 * MS
"""The longest that an edge may take through lgpio, whose own thread passes the edges on."""
LAST_HEADER_LINE = 27
"""The last BCM number of the 40-pin header; the lines above it belong to the board itself."""
MAX_EVENTS = 8192
"""The most events that one reading takes, so that a line that never rests can't hold up the table."""
LGPIO_FOLDER_VARIABLE = "LG_WD"
"""lgpio reads it when it is first imported, which gpiozero does when it chooses lgpio's pins."""

ButtonPlace = tuple[str, Control]
"""A button, by its seat and control."""


@dataclass(frozen=True, slots=True)
class EdgeReading:
    """The result of one reading of the buttons."""

    edges: tuple[Edge, ...]
    until_ns: int
    """The watermark: every edge stamped before this has been delivered."""
    lost: int = 0
    """The number of edges newly known to be lost; the buttons' levels have then been read again."""


class ButtonReader(Protocol):
    """A live source of button edges."""

    accuracy: Phrase
    """The accuracy of the stamps, for `cardtable doctor`."""

    def read(self, timeout_s: float) -> EdgeReading:
        """Return the edges that have come, after waiting at most ``timeout_s`` for the first."""

    def close(self) -> None:
        """Release the GPIO lines."""


def map_gpio_lines(seats: Sequence[SeatConfig]) -> dict[int, ButtonPlace]:
    """Return the button of each GPIO line; ``TableError`` names a seat without a line, or a line not of the header."""
    places: dict[int, ButtonPlace] = {}
    for number, seat in enumerate(seats, start=1):
        place = make_phrase("at.seat", number=number, name=seat.name)
        if seat.bid is None:
            raise TableError("gpio.no_line", at=(place, "bid"))
        lines: dict[Control, int | None] = {"bid": seat.bid, "rap": seat.rap}
        for control, line in lines.items():
            if line is None:
                continue
            if line > LAST_HEADER_LINE:
                wrong = expected_error("expected.whole", low=0, high=LAST_HEADER_LINE, instead=line)
                raise TableError(wrong, at=(place, control))
            places[line] = (seat.name, control)
    return places


class KernelButtons:
    """All buttons in one request to the kernel's character device."""

    accuracy = make_phrase("stamped.edges", ms=MAX_QUEUE_DELAY_NS // MS)

    def __init__(
        self,
        seats: Sequence[SeatConfig],
        *,
        chip: str | None = None,
        gpiod: Any = None,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """``chip``: the device to use, instead of the one that has the 40-pin header."""
        gpiod = gpiod or load_gpiod()
        self._places = map_gpio_lines(seats)
        self._clock = clock
        settings = {line: make_button_settings(gpiod) for line in self._places}
        self.request = EdgeRequest(chip or find_gpio_chip(gpiod), settings, gpiod)
        self._levels = self.request.read_levels()
        self._until_ns = 0

    def pressed_buttons(self) -> tuple[ButtonPlace, ...]:
        """Return the buttons that are down, by their last edge (before any edge: by their level at the start)."""
        return tuple(place for line, place in self._places.items() if self._levels[line])

    def read(self, timeout_s: float) -> EdgeReading:
        """Return the edges that have come, after waiting at most ``timeout_s`` for the first."""
        dropped = self.request.dropped
        events: list[LineEvent] = []
        self.request.wait_for_events(timeout_s)
        # The clock is read before the queue is found empty: an edge stamped earlier (by SETTLE_NS) was in it.
        checked_ns = self._clock()
        ready = self.request.wait_for_events(0)
        while ready and len(events) < MAX_EVENTS:
            events += self.request.read_events()
            checked_ns = self._clock()
            ready = self.request.wait_for_events(0)
        if not ready:
            self._until_ns = max(self._until_ns, checked_ns - MAX_QUEUE_DELAY_NS)
        events.sort(key=lambda event: event.t_ns)
        for event in events:
            self._levels[event.line] = event.level
        lost = self.request.dropped - dropped
        if lost:
            events += self._resync_levels()
        edges = (Edge(event.t_ns, *self._places[event.line], event.level) for event in events)
        return EdgeReading(tuple(edges), self._until_ns, lost)

    def close(self) -> None:
        """Release the GPIO lines."""
        self.request.close()

    def _resync_levels(self) -> list[LineEvent]:
        """After a loss, return an event stamped now for each line whose level differs from its last edge."""
        now = self._clock()
        levels = self.request.read_levels()
        changed = [line for line in self._places if levels[line] != self._levels[line]]
        self._levels = levels
        return [LineEvent(now, line, levels[line]) for line in changed]


class PinButtons:
    """The buttons as gpiozero's pins, whatever its pin factory, with the pins' own ticks as stamps.

    Not gpiozero's ``Button``: its ``when_pressed`` has no stamp, and its debounce would stamp the end of a
    bounce.
    """

    accuracy = make_phrase("stamped.edges_by_pins", ms=MAX_PIN_DELAY_NS // MS)

    def __init__(
        self, seats: Sequence[SeatConfig], factory: Any, *, clock: Callable[[], int] = time.monotonic_ns
    ) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._edges: list[Edge] = []
        self._edges_came = threading.Event()
        self._until_ns = 0
        self._pins: dict[ButtonPlace, Any] = {}
        self._handlers = []
        for line, place in map_gpio_lines(seats).items():
            pin = self._pins[place] = factory.pin(f"GPIO{line}")
            handler = partial(self._add_edge, place)
            self._handlers.append(handler)  # pins keep no more than a weak reference
            pin.input_with_pull("up")
            pin.bounce = None
            pin.edges = "both"
            pin.when_changed = handler

    def pressed_buttons(self) -> tuple[ButtonPlace, ...]:
        """Return the buttons that are down."""
        return tuple(place for place, pin in self._pins.items() if not pin.state)  # to ground when pressed

    def read(self, timeout_s: float) -> EdgeReading:
        """Return the edges that have come, after waiting at most ``timeout_s`` for the first."""
        self._edges_came.wait(timeout_s)
        self._edges_came.clear()
        self._until_ns = max(self._until_ns, self._clock() - MAX_PIN_DELAY_NS)
        with self._lock:
            edges = sorted(self._edges, key=lambda edge: edge.t_ns)
            self._edges.clear()
        return EdgeReading(tuple(edges), self._until_ns)

    def close(self) -> None:
        """Close the pins."""
        for pin in self._pins.values():
            pin.when_changed = None
            pin.close()

    def _add_edge(self, place: ButtonPlace, ticks: Any, state: Any) -> None:
        edge = Edge(self._stamp(ticks), *place, 0 if state else 1)  # to ground when pressed
        with self._lock:
            self._edges.append(edge)
        self._edges_came.set()

    def _stamp(self, ticks: Any) -> int:
        """Convert ticks to nanoseconds of the monotonic clock; they are seconds as a float, or nanoseconds already."""
        stamp = ticks if isinstance(ticks, int) else round(ticks * 1e9)
        now = self._clock()
        if stamp - now > 10**17:  # since 1970, as lgpio gives them on old kernels
            stamp -= time.time_ns() - now
        return stamp


def set_lgpio_folder() -> None:
    """Give lgpio's pipe a temporary folder instead of the current one, unless the user has named a folder."""
    if LGPIO_FOLDER_VARIABLE in os.environ:
        return
    with suppress(TableError):
        folder = make_temporary_folder()
        os.environ[LGPIO_FOLDER_VARIABLE] = str(folder)
        atexit.register(shutil.rmtree, folder, ignore_errors=True)


def open_buttons(seats: Sequence[SeatConfig]) -> KernelButtons | PinButtons:
    """Open the best button reader that this machine has; ``TableError`` says why there is none."""
    try:
        return KernelButtons(seats)
    except TableError as error:
        kernel_error = error
    set_lgpio_folder()
    try:
        from gpiozero.pins.lgpio import LGPIOFactory

        return PinButtons(seats, LGPIOFactory())
    except TableError:
        raise
    except Exception:  # whatever lgpio and gpiozero raise where there is no Raspberry Pi
        raise TableError("gpio.no_buttons", wrong=kernel_error) from None
