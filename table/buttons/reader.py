"""One seat's reader: its calls, and what they would mean if one of its two lines were dead.

A dead line can't be told from one that is not pressed, not by the edges. So as long as one of a seat's two lines
has been silent, each burst of the other is read in both ways, and both readings are handed on (see
:class:`table.facts.Call`): the referee knows what the game waits for, and takes one of them. So nothing here
depends on what the game does, nor on when it is delivered.
"""

from __future__ import annotations

from dataclasses import replace

from table.buttons.debounce import Change
from table.buttons.patterns import GestureTimes
from table.buttons.seat import Receipt, SeatButtons
from table.buttons.trouble import Trouble
from table.config import SeatConfig
from table.facts import MS, Call, Control

SILENT_NS = 300_000 * MS
"""A line that was heard from less than this ago is not dead: two rounds of bidding seldom lie farther apart."""


class SeatReader:
    """Reads the lines of one seat; used like :class:`table.buttons.seat.SeatButtons`."""

    def __init__(self, config: SeatConfig, times: GestureTimes) -> None:
        self._buttons = SeatButtons(config, times)
        self._heard_ns: dict[Control, int | None] = dict.fromkeys(self._buttons.controls)
        alone = replace(config, rap=None, knock=False)
        lone: tuple[Control, ...] = ()
        if not config.one_button:
            lone = ("bid",) if config.knock else ("bid", "rap")  # a knock sensor can't be held
        self._alone: dict[Control, SeatButtons] = {control: SeatButtons(alone, times) for control in lone}
        self._calls: list[Call] = []

    @property
    def controls(self) -> tuple[Control, ...]:
        """The seat's lines."""
        return self._buttons.controls

    @property
    def troubles(self) -> tuple[Trouble, ...]:
        """The lines that are left out now."""
        return self._buttons.troubles

    @property
    def tapping(self) -> bool:
        """Whether a button is down, or a burst may still go on."""
        return self._buttons.open_ns is not None

    @property
    def idle(self) -> bool:
        """Whether there is nothing to take, and time alone changes nothing in any reading."""
        if self._calls or self._buttons.receipts or not self._buttons.idle:
            return False
        return all(reader.idle for reader in self._alone.values())

    @property
    def open_ns(self) -> int | None:
        """The first edge of the earliest gesture that is still open, in any reading; None when nothing is."""
        earliest = self._buttons.open_ns
        for control, reader in self._alone.items():
            first = reader.open_ns
            if first is not None and self.silent(_other(control), first):
                earliest = first if earliest is None else min(earliest, first)
        return earliest

    def silent(self, control: Control, at_ns: int) -> bool:
        """Whether nothing was heard from a line for a long time before ``at_ns``, nor since."""
        heard = self._heard_ns[control]
        return heard is None or heard <= at_ns - SILENT_NS

    def advance(self, t_ns: int) -> None:
        """It is ``t_ns``, and everything that changed before has been told."""
        self._buttons.advance(t_ns)
        for reader in self._alone.values():
            reader.advance(t_ns)
        self._collect()

    def change(self, control: Control, change: Change) -> None:
        """A line was pressed or let go."""
        self.advance(change.t_ns)  # what has ended by now is judged by what was heard until now
        self._heard_ns[control] = change.t_ns
        self._buttons.change(control, change)
        if control in self._alone:
            self._alone[control].change("bid", change)
        self._collect()

    def take(self) -> tuple[list[Call], list[Receipt]]:
        """What was understood since the last time."""
        calls, self._calls = self._calls, []
        receipts, self._buttons.receipts = self._buttons.receipts, []
        return calls, receipts

    def _collect(self) -> None:
        for call in self._buttons.calls:
            quiet = [
                line
                for line in self._heard_ns
                if self.silent(line, call.t_ns) and _other(line) in self._alone
            ]
            self._calls.append(replace(call, silent=quiet[0] if quiet else None))
        for control, reader in self._alone.items():
            if not reader.calls and not reader.receipts:
                continue
            other = _other(control)
            self._calls += (
                replace(call, silent=other, alone=True)
                for call in reader.calls
                if self.silent(other, call.t_ns)
            )
            reader.calls, reader.receipts = [], []
        self._buttons.calls = []


def _other(control: Control) -> Control:
    return "rap" if control == "bid" else "bid"
