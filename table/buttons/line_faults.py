"""Faults of button lines: a button that stays down, or changes faster than a finger can."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum

from table.observed_facts import MS, Control
from table.phrase import Phrase, make_phrase

STUCK_NS = 10_000 * MS
"""A button held for this long is stuck (or something lies on it): no gesture takes that long."""
MAX_BURST_NS = 20_000 * MS
"""A burst of taps that lasts longer than this is a fault: the auction's longest takes half of it."""
RECOVERY_NS = 2_000 * MS
"""A line that chattered is trusted again after this long without a change."""
MAX_BUTTON_PRESSES, BUTTON_WINDOW_NS = 16, 1_000 * MS
"""This many presses within this time are no finger: the fastest tap about ten times a second."""
MAX_KNOCK_PRESSES, KNOCK_WINDOW_NS = 60, 3_000 * MS
"""The limit for a knock sensor, which rings, and on which players drum: only a line that goes on and on is faulty."""


class LineFault(Enum):
    """The kind of fault of a line."""

    STUCK = "stuck"
    CHATTERS = "chatters"


@dataclass(frozen=True, slots=True)
class FaultyLine:
    """A line that is ignored until it behaves again."""

    seat: str
    control: Control
    fault: LineFault
    since_ns: int
    other_takes_over: bool
    """Whether the seat's other button now works as the one button of a one-button table."""

    @property
    def message(self) -> Phrase:
        """The message to the players about this fault."""
        alone = "_alone" if self.other_takes_over else ""
        return make_phrase(f"button.{self.fault.value}{alone}", seat=self.seat, control=self.control)


class PressRateLimit:
    """Detects when one line is pressed more often than a player can."""

    def __init__(self, knock: bool) -> None:
        self._max_presses, self._within_ns = (
            (MAX_KNOCK_PRESSES, KNOCK_WINDOW_NS) if knock else (MAX_BUTTON_PRESSES, BUTTON_WINDOW_NS)
        )
        self._presses: deque[int] = deque()

    def add_press(self, t_ns: int) -> bool:
        """Add a press at ``t_ns``; return whether there have been too many presses."""
        self._presses.append(t_ns)
        while self._presses[0] <= t_ns - self._within_ns:
            self._presses.popleft()
        return len(self._presses) >= self._max_presses
