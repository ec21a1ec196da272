"""The state of a button's line, and its faults: it stays down, or changes faster than a finger can."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum
from typing import Final

from table.observed_facts import MS, Control
from table.phrase import Phrase, make_phrase

STUCK_NS: Final = 10_000 * MS
"""A button held for this long is stuck (or something lies on it): no gesture takes that long."""
MAX_BURST_NS: Final = 20_000 * MS
"""A burst of taps that lasts longer than this is a fault: the auction's longest takes half of it."""
RECOVERY_NS: Final = 2_000 * MS
"""A line that chattered is trusted again after this long without a change."""
BUTTON_LIMIT: Final = 16, 1_000 * MS
"""This many presses within this time are no finger: the fastest tap about ten times a second."""
KNOCK_LIMIT: Final = 60, 3_000 * MS
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
    other_takes_over: bool
    """Whether the seat's other button now works as the one button of a one-button table."""

    @property
    def message(self) -> Phrase:
        """The message to the players about this fault."""
        alone = "_alone" if self.other_takes_over else ""
        return make_phrase(f"button.{self.fault.value}{alone}", seat=self.seat, control=self.control)


class LineState:
    """The state of one of a seat's lines: its last change, its recent presses, and its fault, if any."""

    def __init__(self, knock: bool) -> None:
        self._max_presses, self._within_ns = KNOCK_LIMIT if knock else BUTTON_LIMIT
        self._presses: deque[int] = deque()
        self.down_ns: int | None = None
        self.changed_ns = 0
        self.fault: LineFault | None = None

    def add_press(self, t_ns: int) -> bool:
        """Add a press at ``t_ns``; return whether the line is pressed more often than a player can."""
        self._presses.append(t_ns)
        while self._presses[0] <= t_ns - self._within_ns:
            self._presses.popleft()
        return len(self._presses) >= self._max_presses

    def find_next_step(self) -> int | None:
        """Return when the line becomes stuck, or has recovered, if it does not change; None: never."""
        if self.fault is None and self.down_ns is not None:
            return self.down_ns + STUCK_NS
        if self.fault is LineFault.CHATTERS and self.down_ns is None:
            return self.changed_ns + RECOVERY_NS
        return None
