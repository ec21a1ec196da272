"""GPIO lines requested from the kernel in one request, and their edges with the kernel's stamps.

One request has one queue for all its lines, so no line's edges wait behind another's reader. Besides its
stamp each event carries two numbers: one counted over the request in the interrupt itself, one counted over
the line when the event is queued. Gaps in these numbers show lost events:

- A gap in a line's own numbers is an event that the full queue threw away.
- A gap in the request's numbers beyond those is an edge that came before the kernel had queued the line's last
  one: of the two only the later stamp is left. That happens in a bounce and within the time that the kernel takes
  to run a thread.

Needs libgpiod's Python binding (``gpiod``, 2.x): the extra ``pi``.
"""

from __future__ import annotations

import glob
from collections.abc import Iterable
from importlib import import_module
from typing import Any, NamedTuple

from table.errors import TableError, convert_errors
from table.phrase import Phrase, make_phrase

PI_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""The labels of the chip that has the 40-pin header: Raspberry Pi 5, 4, and older. Chip numbers have changed
with kernels; labels have not."""
EVENT_QUEUE_LENGTH = 1024
"""The length of the kernel's event queue: the most that it allows (``GPIO_V2_LINES_MAX * 16``)."""


class LineEvent(NamedTuple):
    """An edge of a GPIO line."""

    t_ns: int
    """The time of the interrupt handler, by CLOCK_MONOTONIC."""
    line: int
    level: int
    """1 active (pressed, for an active-low line), 0 not."""


def load_gpiod() -> Any:
    """Import libgpiod's Python binding; ``TableError`` says how to install it."""
    try:
        gpiod = import_module("gpiod")
    except ImportError:
        raise TableError("gpio.no_binding") from None
    if not hasattr(gpiod, "request_lines"):
        raise TableError("gpio.old_binding", version=getattr(gpiod, "__version__", ""))
    return gpiod


def find_gpio_chip(gpiod: Any, paths: Iterable[str] | None = None) -> str:
    """Return the path of the chip that has the 40-pin header; ``TableError`` names the chips that exist."""
    paths_by_label: dict[str | Phrase, str] = {}
    for path in sorted(glob.glob("/dev/gpiochip*")) if paths is None else paths:
        try:
            with gpiod.Chip(path) as chip:
                paths_by_label.setdefault(chip.get_info().label, path)
        except OSError as error:
            paths_by_label.setdefault(make_phrase("gpio.unread", error=error), path)
    for label in PI_LABELS:
        if label in paths_by_label:
            return paths_by_label[label]
    chips = tuple(make_phrase("gpio.chip", path=path, label=label) for label, path in paths_by_label.items())
    raise TableError("gpio.no_chip", labels=PI_LABELS, there=chips or (make_phrase("gpio.none"),))


class EdgeRequest:
    """One request to the kernel for the edges of several lines."""

    def __init__(self, chip: str, settings: dict[int, Any], gpiod: Any, consumer: str = "cardtable") -> None:
        """``settings``: the binding's ``LineSettings`` for each line."""
        self._line_numbers: dict[int, int] = {}
        self._counted_events = self._highest_number = 0
        self.dropped = 0
        """The number of edges lost so far because nobody read them in time."""
        config = {(line,): line_settings for line, line_settings in settings.items()}
        with convert_errors(OSError, "gpio.lines", at=chip, lines=tuple(settings)):
            self._request = gpiod.request_lines(
                chip, consumer=consumer, config=config, event_buffer_size=EVENT_QUEUE_LENGTH
            )
        self._rising = gpiod.EdgeEvent.Type.RISING_EDGE

    @property
    def merged(self) -> int:
        """The number of edges merged into a later one of the same line, up to the last event read."""
        return max(0, self._highest_number - self._counted_events - self.dropped)

    def wait_for_events(self, timeout_s: float | None) -> bool:
        """Return whether events can be read, after waiting for one at most ``timeout_s`` (None: without limit)."""
        return bool(self._request.wait_edge_events(timeout_s))

    def read_events(self) -> list[LineEvent]:
        """Return the queued events in the order in which the kernel queued them; blocks until there is an event."""
        return [self._track_event(event) for event in self._request.read_edge_events(EVENT_QUEUE_LENGTH)]

    def read_levels(self) -> dict[int, int]:
        """Return the current level of each line."""
        lines = list(self._request.offsets)
        values = self._request.get_values(lines)
        return {line: int(bool(value)) for line, value in zip(lines, values, strict=True)}

    def close(self) -> None:
        """Release the lines."""
        self._request.release()

    def _track_event(self, event: Any) -> LineEvent:
        line = int(event.line_offset)
        self.dropped += event.line_seqno - self._line_numbers.get(line, 0) - 1
        self._line_numbers[line] = event.line_seqno
        self._counted_events += 1
        self._highest_number = max(self._highest_number, event.global_seqno)
        return LineEvent(event.timestamp_ns, line, int(event.event_type == self._rising))


def make_button_settings(gpiod: Any) -> Any:
    """Return a button's line settings: no debounce by the kernel, which would stamp the end of a bounce."""
    line = gpiod.line
    return gpiod.LineSettings(
        direction=line.Direction.INPUT,
        edge_detection=line.Edge.BOTH,
        bias=line.Bias.PULL_UP,
        active_low=True,
        event_clock=line.Clock.MONOTONIC,
    )
