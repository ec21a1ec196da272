"""A gpiozero pin factory on libgpiod's Python binding, for any gpiozero program.

``GPIOZERO_PIN_FACTORY=gpiod`` chooses it (gpiozero finds it by the entry point ``gpiozero_pin_factories``). All
pins that watch for edges share one request of the kernel, so their callbacks run in the order in which their
edges were stamped; ticks are those stamps, in nanoseconds of the monotonic clock.
"""

from __future__ import annotations

import threading
import time
from datetime import timedelta
from typing import Any

from gpiozero.exc import PinFixedPull, PinInvalidBounce, PinInvalidFunction, PinInvalidPull, PinSetInput
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

from table.buttons.lines import EdgeRequest, find_chip, load_gpiod

GATHER_S = 0.002
"""After the first event of a batch, how long others that were stamped earlier are waited for."""


class GpiodFactory(LocalPiFactory):  # type: ignore[misc]  # gpiozero has no types
    """Pins of the Raspberry Pi's header, found by the chip's label.

    ``chip``: the device instead (``/dev/gpiochip0``). Every time a pin begins or ends to watch for edges, or is
    set up anew while it does, all such pins are requested again in one; edges within that moment go unseen.
    """

    def __init__(self, chip: str | None = None, gpiod: Any = None) -> None:
        super().__init__()
        self.gpiod = gpiod or load_gpiod()
        self.chip = chip or find_chip(gpiod=self.gpiod)
        self.pin_class = GpiodPin
        self._watched: dict[int, GpiodPin] = {}
        self._request: EdgeRequest | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.RLock()
        self._stopping = threading.Event()

    @staticmethod
    def ticks() -> int:
        """Now, in nanoseconds of the monotonic clock."""
        return time.monotonic_ns()

    @staticmethod
    def ticks_diff(later: int, earlier: int) -> float:
        """Seconds between two ticks."""
        return (later - earlier) / 1e9

    def close(self) -> None:
        """Give all lines back."""
        super().close()
        with self._lock:
            self._watched.clear()
            self._renew()

    def watch(self, pin: GpiodPin) -> None:
        """Report the edges of a pin from now on."""
        with self._lock:
            self._watched[pin.line] = pin
            self._renew()

    def unwatch(self, pin: GpiodPin) -> None:
        """No longer report them."""
        with self._lock:
            if self._watched.pop(pin.line, None) is not None:
                self._renew()

    def level(self, pin: GpiodPin) -> int | None:
        """A watched pin's level; None where it isn't watched."""
        with self._lock:
            if self._request is None or pin.line not in self._watched:
                return None
            return self._request.levels()[pin.line]

    @property
    def dropped(self) -> int:
        """Edges lost since the last set-up because nobody read them in time."""
        with self._lock:
            return self._request.losses.dropped if self._request else 0

    def _renew(self) -> None:
        """Request the watched lines anew, all in one, and read them in a thread."""
        if self._request is not None:
            self._stop()
        if self._watched:
            settings = {line: pin.settings() for line, pin in self._watched.items()}
            request = EdgeRequest(self.chip, settings, self.gpiod, consumer="gpiozero")
            self._request = request
            self._stopping = threading.Event()
            self._thread = threading.Thread(target=self._listen, args=(request, self._stopping), daemon=True)
            self._thread.start()

    def _stop(self) -> None:
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
            if not request.ready(0.05):
                continue
            events = request.read()
            while request.ready(GATHER_S) and len(events) < 1000:
                events += request.read()
            for event in sorted(events, key=lambda event: event.t_ns):
                pin = self._watched.get(event.line)
                if pin is not None and not stop.is_set():
                    pin.changed(event.t_ns, event.level)


class GpiodPin(LocalPiPin):  # type: ignore[misc]
    """A line of the chip."""

    def __init__(self, factory: GpiodFactory, info: Any) -> None:
        super().__init__(factory, info)
        self.line: int = self._number
        self._function = "input"
        self._pull = info.pull or "floating"
        self._bounce: float | None = None
        self._edges = "both"
        self._held: Any = None
        self._hold()

    def settings(self) -> Any:
        """How this pin is to be requested."""
        gpiod = self._factory.gpiod
        line = gpiod.line
        bias = {"up": line.Bias.PULL_UP, "down": line.Bias.PULL_DOWN, "floating": line.Bias.DISABLED}
        if self._function == "output":
            return gpiod.LineSettings(direction=line.Direction.OUTPUT)
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
        """Back to an input that nobody watches."""
        self.when_changed = None
        self._function = "input"
        self._release()

    def changed(self, t_ns: int, level: int) -> None:
        """An edge was stamped."""
        if self._when_changed is not None:
            self._call_when_changed(t_ns, level)

    # --- the line, while it is not watched ----------------------------------------------------------------

    def _hold(self) -> None:
        self._release()
        gpiod = self._factory.gpiod
        self._held = gpiod.request_lines(
            self._factory.chip, consumer="gpiozero", config={(self.line,): self.settings()}
        )

    def _release(self) -> None:
        if self._held is not None:
            self._held.release()
            self._held = None

    def _set_up_again(self) -> None:
        """The line's settings have changed: request it anew, alone or with the others that are watched."""
        if self._when_changed is not None and self._held is None:
            self._factory.watch(self)
        else:
            self._hold()

    # --- what gpiozero asks of a pin ----------------------------------------------------------------------

    def _get_function(self) -> str:
        return self._function

    def _set_function(self, value: str) -> None:
        if value not in ("input", "output"):
            raise PinInvalidFunction(f'invalid function "{value}" for pin {self!r}')
        if value == "output":
            self.when_changed = None
        self._function = value
        self._set_up_again()

    def _get_state(self) -> int:
        if self._held is None:
            return self._factory.level(self) or 0
        return int(bool(self._held.get_value(self.line)))

    def _set_state(self, value: float) -> None:
        if self._function != "output":
            raise PinSetInput(f"cannot set state of pin {self!r}")
        values = self._factory.gpiod.line.Value
        self._held.set_value(self.line, values.ACTIVE if value else values.INACTIVE)

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
        self._set_up_again()

    def _get_bounce(self) -> float | None:
        return self._bounce

    def _set_bounce(self, value: float | None) -> None:
        if value is not None and value < 0:
            raise PinInvalidBounce("bounce must be 0 or greater")
        self._bounce = value or None
        self._set_up_again()

    def _get_edges(self) -> str:
        return self._edges

    def _set_edges(self, value: str) -> None:
        self._edges = value
        self._set_up_again()

    def _enable_event_detect(self) -> None:
        self._release()
        self._factory.watch(self)

    def _disable_event_detect(self) -> None:
        self._factory.unwatch(self)
        self._when_changed = None
        self._hold()
