"""Lines in trouble: a button that stays down, or changes faster than a finger can."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum

from table.facts import MS, Control
from table.phrase import Phrase, say

STUCK_NS = 10_000 * MS
"""A button held this long is stuck (or something lies on it): no gesture takes that long."""
BURST_NS = 20_000 * MS
"""A burst of taps that still goes on after this long is none: the auction's longest takes half of it."""
QUIET_NS = 2_000 * MS
"""A line that chattered is trusted again after this much quiet."""
BUTTON_PRESSES, BUTTON_WITHIN_NS = 16, 1_000 * MS
"""So many presses within that time are no finger: the fastest tap about ten times a second."""
KNOCK_PRESSES, KNOCK_WITHIN_NS = 60, 3_000 * MS
"""A knock sensor rings, and players drum: only a line that goes on and on is in trouble."""


class Fault(Enum):
    """What is wrong with a line."""

    STUCK = "stuck"
    CHATTERS = "chatters"


@dataclass(frozen=True, slots=True)
class Trouble:
    """A line that is left out until it behaves again."""

    seat: str
    control: Control
    fault: Fault
    since_ns: int
    alone: bool
    """Whether the seat's other button now works as the one button of a one-button table."""

    @property
    def said(self) -> Phrase:
        """What people are told of it."""
        alone = "_alone" if self.alone else ""
        return say(f"button.{self.fault.value}{alone}", seat=self.seat, control=self.control)


class Chatter:
    """Counts the presses of one line."""

    def __init__(self, knock: bool) -> None:
        self._most, self._within_ns = (
            (KNOCK_PRESSES, KNOCK_WITHIN_NS) if knock else (BUTTON_PRESSES, BUTTON_WITHIN_NS)
        )
        self._presses: deque[int] = deque()

    def pressed(self, t_ns: int) -> bool:
        """A press at ``t_ns``: whether there have been too many."""
        self._presses.append(t_ns)
        while self._presses[0] <= t_ns - self._within_ns:
            self._presses.popleft()
        return len(self._presses) >= self._most
