"""GPIO lines requested from the kernel in one request, and their edges as the kernel stamped them.

One request has one queue for all its lines, so no line's edges wait behind another's reader, and each event
carries, besides its stamp, two numbers: one counted over the request in the interrupt itself, one counted over
the line when the event is queued. Gaps in them show what never came (see :class:`Losses`).

Needs libgpiod's Python binding (``gpiod``, 2.x): the extra ``pi``.
"""

from __future__ import annotations

import glob
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from table.errors import TableError
from table.phrase import Phrase, say

PI_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""The labels of the chip that has the 40-pin header: Raspberry Pi 5, 4, and older. Chip numbers have changed with
kernels; labels have not."""
QUEUE = 1024
"""Events that the kernel keeps for us, all that it allows (``GPIO_V2_LINES_MAX * 16``)."""


@dataclass(frozen=True, slots=True)
class LineEvent:
    """An edge of a line."""

    t_ns: int
    """CLOCK_MONOTONIC, from the interrupt handler."""
    line: int
    level: int
    """1 active (pressed, for an active-low line), 0 not."""


@dataclass(slots=True)
class Losses:
    """Edges that were stamped but never came, by the gaps in the kernel's numbers.

    A gap in a line's own numbers is an event that the full queue threw away. A gap in the request's numbers
    beyond those is an edge that came before the kernel had queued the line's last one: of the two only the later
    stamp is left. That happens in a bounce and within the time the kernel takes to run a thread.
    """

    dropped: int = 0
    highest: int = 0
    counted: int = 0

    @property
    def merged(self) -> int:
        """Edges merged into a later one of the same line, up to the last event read."""
        return max(0, self.highest - self.counted - self.dropped)


def load_gpiod() -> Any:
    """The binding; ``TableError`` says how to get it."""
    try:
        gpiod = import_module("gpiod")
    except ImportError:
        raise TableError("gpio.no_binding") from None
    if not hasattr(gpiod, "request_lines"):
        raise TableError("gpio.old_binding", version=getattr(gpiod, "__version__", ""))
    return gpiod


def find_chip(
    labels: Sequence[str] = PI_LABELS, gpiod: Any = None, paths: Iterable[str] | None = None
) -> str:
    """The device of the chip with one of these labels; ``TableError`` names the chips there are."""
    gpiod = gpiod or load_gpiod()
    found: dict[str | Phrase, str] = {}
    for path in sorted(glob.glob("/dev/gpiochip*")) if paths is None else paths:
        try:
            with gpiod.Chip(path) as chip:
                found.setdefault(chip.get_info().label, path)
        except OSError as error:
            found.setdefault(say("gpio.unread", error=error), path)
    for label in labels:
        if label in found:
            return found[label]
    there = tuple(say("gpio.chip", path=path, label=label) for label, path in found.items())
    raise TableError("gpio.no_chip", labels=tuple(labels), there=there or (say("gpio.none"),))


class EdgeRequest:
    """One request for the edges of several lines."""

    def __init__(self, chip: str, settings: dict[int, Any], gpiod: Any, consumer: str = "cardtable") -> None:
        """``settings``: the binding's ``LineSettings`` for each line."""
        self._numbers: dict[int, int] = {}
        self.losses = Losses()
        config = {(line,): given for line, given in settings.items()}
        try:
            self._request = gpiod.request_lines(
                chip, consumer=consumer, config=config, event_buffer_size=QUEUE
            )
        except OSError as error:
            raise TableError("gpio.lines", at=chip, lines=tuple(settings), error=error) from None
        self._rising = gpiod.EdgeEvent.Type.RISING_EDGE

    def fileno(self) -> int:
        """The file to wait on."""
        return int(self._request.fd)

    def ready(self, timeout_s: float | None) -> bool:
        """Whether there are events to read, after waiting for them at most that long (None: for ever)."""
        return bool(self._request.wait_edge_events(timeout_s))

    def read(self) -> list[LineEvent]:
        """The events that are queued (at least one: it waits), in the order in which the kernel queued them."""
        return [self._count(event) for event in self._request.read_edge_events(QUEUE)]

    def levels(self) -> dict[int, int]:
        """Each line's level now."""
        lines = list(self._request.offsets)
        values = self._request.get_values(lines)
        return {line: int(bool(value)) for line, value in zip(lines, values, strict=True)}

    def close(self) -> None:
        """Give the lines back."""
        self._request.release()

    def _count(self, event: Any) -> LineEvent:
        line, losses = int(event.line_offset), self.losses
        losses.dropped += event.line_seqno - self._numbers.get(line, 0) - 1
        self._numbers[line] = event.line_seqno
        losses.counted += 1
        losses.highest = max(losses.highest, event.global_seqno)
        return LineEvent(event.timestamp_ns, line, int(event.event_type == self._rising))


def button_settings(gpiod: Any) -> Any:
    """How a button's line is requested: to ground when pressed, pulled up, both edges, no debounce below us.

    The kernel's debounce would stamp the end of a bounce, not the press.
    """
    line = gpiod.line
    return gpiod.LineSettings(
        direction=line.Direction.INPUT,
        edge_detection=line.Edge.BOTH,
        bias=line.Bias.PULL_UP,
        active_low=True,
        event_clock=line.Clock.MONOTONIC,
    )
