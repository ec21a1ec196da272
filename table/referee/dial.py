"""A dial on the screen: taps step through choices, a hold goes up a level, a rap or quiet calls what it shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from table.cards import NO_TRUMP
from table.events.happenings import BidValue


@dataclass(frozen=True, slots=True)
class Dial:
    """Somebody's dial; ``shown`` is None until the first tap."""

    seat: str
    choices: tuple[BidValue, ...]
    shown: BidValue | None = None
    calls_at_ns: int | None = None
    """When quiet will call what it shows; None while it shows nothing."""
    quiet_ns: int = 0
    """So much quiet calls it; 0 for a dial that only a rap does."""
    since_ns: int | None = None
    """The first press that turned it: the moment of the call that comes of it; None while it shows nothing."""

    def turned_at(self, t_ns: int) -> Dial:
        """The dial that a press at ``t_ns`` has turned."""
        began = self.since_ns is not None or self.shown is None
        return self if began else replace(self, since_ns=t_ns)

    def step(self, taps: int, calls_at_ns: int | None) -> Dial:
        """The first tap sets the lowest choice, each further tap moves one up and stays at the highest."""
        if not self.choices:
            return self
        at = -1 if self.shown is None else self.choices.index(self.shown)
        shown = self.choices[min(at + taps, len(self.choices) - 1)]
        return replace(self, shown=shown, calls_at_ns=calls_at_ns)

    def level(self, calls_at_ns: int | None) -> Dial:
        """One level up in the same denomination; from nothing to the lowest choice."""
        if self.shown is None:
            return self.step(1, calls_at_ns)
        number, denomination = split_bid(str(self.shown))
        wanted = f"{number + 1}{denomination}"
        shown = wanted if wanted in self.choices else self.shown
        return replace(self, shown=shown, calls_at_ns=calls_at_ns)


def split_bid(bid: str) -> tuple[int, str]:
    """``"10NT"`` -> ``(10, "NT")``."""
    denomination = NO_TRUMP if bid.endswith(NO_TRUMP) else bid[-1]
    return int(bid.removesuffix(denomination)), denomination


def dial_for(seat: str, choices: Sequence[BidValue], quiet_ns: int = 0) -> Dial:
    """A dial that shows nothing yet."""
    return Dial(seat, tuple(choices), quiet_ns=quiet_ns)
