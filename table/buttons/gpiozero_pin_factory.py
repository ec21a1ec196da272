"""A gpiozero pin factory on libgpiod's Python binding, for any gpiozero program.

``GPIOZERO_PIN_FACTORY=gpiod`` selects it (gpiozero finds it by the entry point ``gpiozero_pin_factories``).
All pins that watch for edges share one request to the kernel, so their callbacks run in the order of their
edges' stamps; ticks are those stamps, in nanoseconds of the monotonic clock.
"""

from __future__ import annotations

import threading
import time
from datetime import timedelta
from typing import Any

from gpiozero.exc import PinFixedPull, PinInvalidBounce, PinInvalidFunction, PinInvalidPull, PinSetInput
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

from table.buttons.gpio_lines import EdgeRequest, find_gpio_chip, load_gpiod

BATCH_WAIT_S = 0.002
"""After the first event of a batch, the time to wait for other events that were stamped earlier."""


class GpiodFactory(LocalPiFactory):  # type: ignore[misc]  # gpiozero has no types
    """Pins of the Raspberry Pi's header, on the chip that has the header's label.

    ``chip``: the device to use instead (``/dev/gpiochip0``). Whenever a pin begins or ends to watch for
    edges, or its settings change while it watches, all such pins are requested again in one request; edges
    within that moment are lost.
    """

    def __init__(self, chip: str | None = None, gpiod: Any = None) -> None:
        super().__init__()
        self.gpiod = gpiod or load_gpiod()
        self.chip = chip or find_gpio_chip(self.gpiod)
        self.pin_class = GpiodPin
        self._watched: dict[int, GpiodPin] = {}
        self._request: EdgeRequest | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.RLock()
        self._stopping = threading.Event()

    @staticmethod
    def ticks() -> int:
        """Return the current time in nanoseconds of the monotonic clock."""
        return time.monotonic_ns()

    @staticmethod
    def ticks_diff(later: int, earlier: int) -> float:
        """Return the seconds between two ticks."""
        return (later - earlier) / 1e9

    def close(self) -> None:
        """Release all lines."""
        super().close()
        with self._lock:
            self._watched.clear()
            self._request_again()

    def watch(self, pin: GpiodPin) -> None:
        """Report the edges of a pin from now on."""
        with self._lock:
            self._watched[pin.line] = pin
            self._request_again()

    def unwatch(self, pin: GpiodPin) -> None:
        """Stop reporting the edges of a pin."""
        with self._lock:
            if self._watched.pop(pin.line, None) is not None:
                self._request_again()

    def level(self, pin: GpiodPin) -> int | None:
        """Return the level of a watched pin; None where the pin is not watched."""
        with self._lock:
            if self._request is None or pin.line not in self._watched:
                return None
            return self._request.read_levels()[pin.line]

    @property
    def dropped(self) -> int:
        """The number of edges lost since the last request because nobody read them in time."""
        with self._lock:
            return self._request.dropped if self._request else 0

    def _request_again(self) -> None:
        """Request all watched lines again in one request, and read their edges in a thread."""
        if self._request is not None:
            self._stop_listening()
        if self._watched:
            settings = {line: pin.settings() for line, pin in self._watched.items()}
            request = EdgeRequest(self.chip, settings, self.gpiod, consumer="gpiozero")
            self._request = request
            self._stopping = threading.Event()
            self._thread = threading.Thread(target=self._listen, args=(request, self._stopping), daemon=True)
            self._thread.start()

    def _stop_listening(self) -> None:
        request, thread = self._request, self._thread
        self._request = self._thread = None
        self._stopping.set()
        if thread is not None and thread is not threading.current_thread():
            self._lock.release()  # its callback may be waiting for the lock
            try:
                thread.join()
            finally:
                self._lock.acquire()
        if request is not None:
            request.close()

    def _listen(self, request: EdgeRequest, stop: threading.Event) -> None:
        while not stop.is_set():
            if not request.wait_for_events(0.05):
                continue
            events = request.read_events()
            while request.wait_for_events(BATCH_WAIT_S) and len(events) < 1000:
                events += request.read_events()
            for event in sorted(events, key=lambda event: event.t_ns):
                pin = self._watched.get(event.line)
                if pin is not None and not stop.is_set():
                    pin.changed(event.t_ns, event.level)


class GpiodPin(LocalPiPin):  # type: ignore[misc]
    """A line of the GPIO chip as a gpiozero pin."""

    def __init__(self, factory: GpiodFactory, info: Any) -> None:
        super().__init__(factory, info)
        self.line: int = self._number
        self._function = "input"
        self._pull = info.pull or "floating"
        self._bounce: float | None = None
        self._edges = "both"
        self._own_request: Any = None
        self._request_alone()

    def settings(self) -> Any:
        """Return the binding's ``LineSettings`` of this pin."""
        gpiod, line = self._factory.gpiod, self._factory.gpiod.line
        if self._function == "output":
            return gpiod.LineSettings(direction=line.Direction.OUTPUT)
        bias = {"up": line.Bias.PULL_UP, "down": line.Bias.PULL_DOWN, "floating": line.Bias.DISABLED}
        watched = self._when_changed is not None
        edges = {"both": line.Edge.BOTH, "rising": line.Edge.RISING, "falling": line.Edge.FALLING}
        return gpiod.LineSettings(
            direction=line.Direction.INPUT,
            edge_detection=edges[self._edges] if watched else line.Edge.NONE,
            bias=bias[self._pull],
            debounce_period=timedelta(seconds=self._bounce or 0),
            event_clock=line.Clock.MONOTONIC,
        )

    def close(self) -> None:
        """Make the pin an input that nobody watches, and release its line."""
        self.when_changed = None
        self._function = "input"
        self._release_line()

    def changed(self, t_ns: int, level: int) -> None:
        """Pass an edge stamped ``t_ns`` to the pin's callback."""
        if self._when_changed is not None:
            self._call_when_changed(t_ns, level)

    # --- the line, while it is not watched ----------------------------------------------------------------

    def _request_alone(self) -> None:
        self._release_line()
        config = {(self.line,): self.settings()}
        request_lines = self._factory.gpiod.request_lines
        self._own_request = request_lines(self._factory.chip, consumer="gpiozero", config=config)

    def _release_line(self) -> None:
        if self._own_request is not None:
            self._own_request.release()
            self._own_request = None

    def _apply_settings(self) -> None:
        """Request the line again with its new settings, alone or with the other watched lines."""
        if self._when_changed is not None:
            self._factory.watch(self)
        else:
            self._request_alone()

    # --- what gpiozero asks of a pin ----------------------------------------------------------------------

    def _get_function(self) -> str:
        return self._function

    def _set_function(self, value: str) -> None:
        if value not in ("input", "output"):
            raise PinInvalidFunction(f'invalid function "{value}" for pin {self!r}')
        if value == "output":
            self.when_changed = None
        self._function = value
        self._apply_settings()

    def _get_state(self) -> int:
        if self._own_request is None:
            return self._factory.level(self) or 0
        return int(bool(self._own_request.get_value(self.line)))

    def _set_state(self, value: float) -> None:
        if self._function != "output":
            raise PinSetInput(f"cannot set state of pin {self!r}")
        values = self._factory.gpiod.line.Value
        self._own_request.set_value(self.line, values.ACTIVE if value else values.INACTIVE)

    def _get_pull(self) -> str:
        return self._pull

    def _set_pull(self, value: str) -> None:
        if self._function != "input":
            raise PinFixedPull(f"cannot set pull on non-input pin {self!r}")
        if self.info.pull not in (value, ""):
            raise PinFixedPull(f"{self!r} has a physical pull-{self.info.pull} resistor")
        if value not in ("up", "down", "floating"):
            raise PinInvalidPull(f'invalid pull "{value}" for pin {self!r}')
        self._pull = value
        self._apply_settings()

    def _get_bounce(self) -> float | None:
        return self._bounce

    def _set_bounce(self, value: float | None) -> None:
        if value is not None and value < 0:
            raise PinInvalidBounce("bounce must be 0 or greater")
        self._bounce = value or None
        self._apply_settings()

    def _get_edges(self) -> str:
        return self._edges

    def _set_edges(self, value: str) -> None:
        self._edges = value
        self._apply_settings()

    def _enable_event_detect(self) -> None:
        self._release_line()
        self._factory.watch(self)

    def _disable_event_detect(self) -> None:
        self._factory.unwatch(self)
        self._when_changed = None
        self._request_alone()
