"""One seat's buttons: presses and releases in the order of their stamps become calls."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from table.buttons.debounce import Change
from table.buttons.patterns import Buttons, GestureTimes, read_both, read_burst
from table.buttons.trouble import BURST_NS, QUIET_NS, STUCK_NS, Chatter, Fault, Trouble
from table.config import SeatConfig
from table.facts import MS, Call, Control, Gesture

RINGING_NS = 100 * MS
"""Presses of a knock sensor this soon after a knock's first are that knock's ringing."""


class Sign(Enum):
    """What the lamp answers."""

    PRESS = "press"
    """A press was seen."""
    HOLD = "hold"
    """A press became a hold."""
    LONG = "long hold"
    """A hold became as long as "that's wrong" takes."""
    REFUSED = "refused"
    """A gesture that means nothing."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a seat's lamp has to show, at once and the same for every player."""

    t_ns: int
    seat: str
    sign: Sign


@dataclass(slots=True)
class _Press:
    down_ns: int
    up_ns: int | None = None
    torn: bool = False
    shared: bool = False
    """RAP only: BID was down at the same time."""
    shown: int = 0
    """How many of the signs of a hold the lamp has shown."""

    @property
    def length_ns(self) -> int:
        return 0 if self.up_ns is None else self.up_ns - self.down_ns


class _Line:
    """What is known of one of the seat's lines, as a line."""

    def __init__(self, knock: bool) -> None:
        self.chatter = Chatter(knock)
        self.down_ns: int | None = None
        self.changed_ns = 0
        self.fault: Fault | None = None
        self.since_ns = 0


class SeatButtons:
    """The automaton of one seat.

    ``advance`` and ``change`` are called in the order of time; ``take`` hands over what happened.
    """

    def __init__(self, config: SeatConfig, times: GestureTimes) -> None:
        self._name = config.name
        self._knock = config.knock and not config.one_button
        self._times = times
        self._lines: dict[Control, _Line] = {"bid": _Line(knock=False)}
        if not config.one_button:
            self._lines["rap"] = _Line(self._knock)
        self._burst: list[_Press] = []
        """Presses of BID (or of the only button) that belong together."""
        self._rap: _Press | None = None
        """RAP's press, while it is down."""
        self._shared: list[_Press] = []
        """RAP's presses that shared time with the burst."""
        self._rapped_ns: int | None = None
        self._calls: list[Call] = []
        self._receipts: list[Receipt] = []
        self._due: tuple[int, _Press | str] | None = None
        """What happens next if no button changes, and when."""

    @property
    def controls(self) -> tuple[Control, ...]:
        """The seat's lines."""
        return tuple(self._lines)

    @property
    def idle(self) -> bool:
        """Whether there is nothing to take and time alone changes nothing: no button is down, no gesture open."""
        return self._due is None and self.open_ns is None and not (self._calls or self._receipts)

    @property
    def tapping(self) -> bool:
        """Whether a button is down, or a burst may still go on."""
        return self.open_ns is not None

    @property
    def open_ns(self) -> int | None:
        """The first edge of the earliest gesture that is still open; None when nothing is."""
        if not self._burst and not self._shared and self._rap is None:
            return None
        presses = [*self._burst[:1], *self._shared[:1], *([self._rap] if self._rap else [])]
        return min((press.down_ns for press in presses), default=None)

    @property
    def troubles(self) -> tuple[Trouble, ...]:
        """The lines that are left out now."""
        alone = self._sole is not None and len(self._lines) == 2
        return tuple(
            Trouble(self._name, control, line.fault, line.since_ns, alone)
            for control, line in self._lines.items()
            if line.fault
        )

    def take(self) -> tuple[list[Call], list[Receipt]]:
        """What was understood since the last time."""
        calls, self._calls = self._calls, []
        receipts, self._receipts = self._receipts, []
        return calls, receipts

    # --- what is in use -----------------------------------------------------------------------------------

    @property
    def _sole(self) -> Control | None:
        """The button that does everything: the only one there is, or the only one that works."""
        good: list[Control] = [control for control, line in self._lines.items() if not line.fault]
        if len(good) != 1 or (self._knock and good == ["rap"]):
            return None
        return good[0]

    @property
    def _buttons(self) -> Buttons:
        if self._sole is not None:
            return Buttons.ONE
        return Buttons.KNOCK if self._knock else Buttons.TWO

    # --- time ---------------------------------------------------------------------------------------------

    def advance(self, t_ns: int) -> None:
        """It is ``t_ns``, and everything that changed before has been told."""
        while self._due is not None and self._due[0] <= t_ns:
            at, what = self._due
            match what:
                case "end":
                    self._end_burst(at)
                case "endless":
                    self._fail(self._sole or "bid", Fault.CHATTERS, at)
                case "bid" | "rap":
                    self._line_due(what, at)
                case _Press():
                    what.shown += 1
                    self._sign(at, Sign.HOLD if what.shown == 1 else Sign.LONG)
            self._due = self._next_due()

    def _next_due(self) -> tuple[int, _Press | str] | None:
        """What happens next if no button changes, and when."""
        due: list[tuple[int, _Press | str]] = []
        for press in (*self._burst[-1:], *([self._rap] if self._rap and not self._knock else [])):
            signs = (self._times.hold_ns, self._times.wrong_ns)[: 2 if self._may_say_wrong(press) else 1]
            if press.up_ns is None and press.shown < len(signs):
                due.append((press.down_ns + signs[press.shown], press))
        if self._burst:
            due.append((self._burst[0].down_ns + BURST_NS, "endless"))
            if (end := self._burst_end()) is not None:
                due.append((end, "end"))
        for control, line in self._lines.items():
            if line.fault is None and line.down_ns is not None:
                due.append((line.down_ns + STUCK_NS, control))
            elif line.fault is Fault.CHATTERS and line.down_ns is None:
                due.append((line.changed_ns + QUIET_NS, control))
        return min(due, key=lambda entry: entry[0], default=None)

    def _may_say_wrong(self, press: _Press) -> bool:
        """Whether this press becomes "that's wrong" when it is held long enough."""
        if press is self._rap:
            return not press.shared
        return len(self._burst) == 1 and self._buttons is not Buttons.TWO

    def _line_due(self, control: Control, at: int) -> None:
        if self._lines[control].fault is None:
            self._fail(control, Fault.STUCK, at)
        else:
            self._mend(control, at)

    # --- changes ------------------------------------------------------------------------------------------

    def change(self, control: Control, change: Change) -> None:
        """A line was pressed or let go."""
        t = change.t_ns
        self.advance(t)
        line = self._lines[control]
        line.changed_ns = t
        if not (change.torn or change.flickered):
            line.down_ns = t if change.pressed else None
        if line.fault is Fault.STUCK and not change.pressed:
            self._mend(control, t)
        elif line.fault is None and change.pressed and line.chatter.pressed(t):
            self._fail(control, Fault.CHATTERS, t)
        elif line.fault is None and not change.flickered:
            is_bid = control == (self._sole or "bid")
            if change.torn:
                self._torn(is_bid)
            elif change.pressed:
                self._bid_down(t) if is_bid else self._rap_down(t)
            else:
                self._bid_up(t) if is_bid else self._rap_up(t)
        self._due = self._next_due()
        self.advance(t)

    def _torn(self, is_bid: bool) -> None:
        press = next(iter(self._burst[-1:]), None) if is_bid else self._rap
        if press is not None and press.up_ns is None:
            press.torn = True

    def _bid_down(self, t: int) -> None:
        self._burst.append(_Press(t))
        self._sign(t, Sign.PRESS)
        if self._rap is not None and not self._rap.shared:
            self._share(self._rap)

    def _bid_up(self, t: int) -> None:
        if self._burst and self._burst[-1].up_ns is None:
            self._burst[-1].up_ns = t

    def _rap_down(self, t: int) -> None:
        self._rap = _Press(t)
        if not self._knock or self._rapped_ns is None or t - self._rapped_ns >= RINGING_NS:
            self._sign(t, Sign.PRESS)
        if self._burst and self._burst[-1].up_ns is None:
            self._share(self._rap)

    def _share(self, press: _Press) -> None:
        """RAP and BID are down at once: no rap. A knock sensor just felt BID being pressed; two buttons are
        one gesture until both are up.
        """
        press.shared = True
        if not self._knock:
            self._shared.append(press)

    def _rap_up(self, t: int) -> None:
        press, self._rap = self._rap, None
        if press is None:
            return
        press.up_ns = t
        if press.shared:
            return
        if self._knock or press.length_ns < self._times.wrong_ns:
            self._call_rap(press.down_ns, t)
        elif press.torn:
            self._call(press.down_ns, t, Gesture.UNKNOWN)
        else:
            self._call(press.down_ns, t, Gesture.WRONG)

    # --- calls --------------------------------------------------------------------------------------------

    def _burst_end(self) -> int | None:
        """When the burst is over if nothing more is pressed; None while a button of it is down."""
        presses = [*self._burst, *self._shared]
        if any(press.up_ns is None for press in presses):
            return None
        return max(self._burst[-1].down_ns + self._times.tap_gap_ns, *(press.up_ns or 0 for press in presses))

    def _end_burst(self, end: int) -> None:
        burst, shared = self._burst, self._shared
        self._burst, self._shared = [], []
        first = min(press.down_ns for press in (*burst, *shared))
        lengths = [press.length_ns for press in burst]
        if any(press.torn for press in (*burst, *shared)):
            self._call(first, end, Gesture.UNKNOWN)
        elif shared:
            both = read_both(lengths, [press.length_ns for press in shared], self._times)
            self._call(first, end, both)
        else:
            gesture, count = read_burst(self._buttons, lengths, self._times)
            if gesture is Gesture.RAP:
                self._call_rap(first, end)
            else:
                self._call(first, end, gesture, count)

    def _call_rap(self, t: int, end: int) -> None:
        """A rap, unless it is one with the last."""
        last = self._rapped_ns
        if not (self._knock and last is not None and t - last < RINGING_NS):
            self._rapped_ns = t
        if last is None or t - last >= self._times.tap_gap_ns:
            self._call(t, end, Gesture.RAP)

    def _call(self, t: int, end: int, gesture: Gesture, count: int = 0) -> None:
        self._calls.append(Call(t, end, self._name, gesture, count))
        if gesture is Gesture.UNKNOWN:
            self._sign(end, Sign.REFUSED)

    def _sign(self, t: int, sign: Sign) -> None:
        self._receipts.append(Receipt(t, self._name, sign))

    # --- trouble ------------------------------------------------------------------------------------------

    def _fail(self, control: Control, fault: Fault, at: int) -> None:
        """Leave a line out. What the seat had begun is refused: it can't be read any more."""
        self._refuse_open(at)
        self._lines[control].fault = fault
        self._lines[control].since_ns = at

    def _mend(self, control: Control, at: int) -> None:
        """The line behaves again: the buttons mean what they did before."""
        self._refuse_open(at)
        self._lines[control].fault = None

    def _refuse_open(self, at: int) -> None:
        first = self.open_ns
        self._burst, self._shared, self._rap = [], [], None
        if first is not None:
            self._call(first, at, Gesture.UNKNOWN)
