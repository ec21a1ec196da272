"""A dial on the screen for choosing a bid.

Taps step through the choices, a hold goes up a level, a rap or quiet calls the shown value.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from table.cards import Contract, parse_bid


@dataclass(frozen=True, slots=True)
class Dial:
    """One player's dial; ``shown`` is the chosen value, None until the first tap."""

    seat: str
    choices: tuple[str, ...]
    """Bids or suits as the journal has them."""
    shown: str | None = None
    calls_at_ns: int | None = None
    """When quiet will call the shown value; None while none is shown."""
    quiet_ns: int = 0
    """How long without a press until the shown value is called; 0 for a dial that only a rap calls."""
    first_press_ns: int | None = None
    """The first press that turned the dial: the stamp of the resulting call; None while no value is shown."""

    def with_first_press(self, t_ns: int) -> Dial:
        """Return the dial with ``t_ns`` noted as its first press, unless an earlier press turned it."""
        began = self.first_press_ns is not None or self.shown is None
        return self if began else replace(self, first_press_ns=t_ns)

    def step(self, taps: int, calls_at_ns: int | None) -> Dial:
        """Return the dial after some taps: the first sets the lowest choice, each further one goes up one."""
        if not self.choices:
            return self
        at = -1 if self.shown is None else self.choices.index(self.shown)
        shown = self.choices[min(at + taps, len(self.choices) - 1)]
        return replace(self, shown=shown, calls_at_ns=calls_at_ns)

    def level_up(self, calls_at_ns: int | None) -> Dial:
        """Return the dial after a hold: one level up in the same denomination; from nothing to the lowest choice."""
        if self.shown is None:
            return self.step(1, calls_at_ns)
        bid = parse_bid(self.shown)
        assert isinstance(bid, Contract)
        wanted = str(Contract(bid.tricks + 1, bid.trump))
        shown = wanted if wanted in self.choices else self.shown
        return replace(self, shown=shown, calls_at_ns=calls_at_ns)


def new_dial(seat: str, choices: Iterable[object], quiet_ns: int = 0) -> Dial:
    """Return a new dial of bids or suits that shows no value yet."""
    return Dial(seat, tuple(map(str, choices)), quiet_ns=quiet_ns)
