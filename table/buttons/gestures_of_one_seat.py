"""Gesture recognition for one seat: presses and releases in the order of their stamps become calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Final

from table.buttons.debounce import Change
from table.buttons.line_faults import MAX_BURST_NS, FaultyLine, LineFault, LineState
from table.config.settings import ButtonsConfig, SeatConfig, SeatKind
from table.observed_facts import MS, Call, Control, Gesture

_HOLDS: Final[dict[tuple[SeatKind, int], Gesture]] = {
    ("one", 0): Gesture.RAP,
    ("two", 0): Gesture.ZERO,
    ("knock", 0): Gesture.ZERO,
    ("one", 1): Gesture.ZERO,
    ("one", 3): Gesture.DOUBLE_NIL,
    ("knock", 3): Gesture.DOUBLE_NIL,
}
"""The meaning of a hold of BID, by the seat's controls and the number of taps before it (table: docs/playing.md)."""
RINGING_NS: Final = 100 * MS
"""Presses of a knock sensor this soon after a knock's first press are the ringing of that knock."""


class FeedbackKind(Enum):
    """The kind of feedback that a lamp gives."""

    PRESS = "press"
    HOLD = "hold"
    """A press became a hold."""
    LONG = "long hold"
    """A hold became as long as "that's wrong" takes."""
    REFUSED = "refused"
    """The gesture has no meaning."""


@dataclass(frozen=True, slots=True)
class LampFeedback:
    """Feedback for a seat's lamp, shown at once and alike for every player."""

    t_ns: int
    seat: str
    kind: FeedbackKind


@dataclass(slots=True)
class _Press:
    down_ns: int
    up_ns: int | None = None
    torn: bool = False
    shared: bool = False
    """RAP only: BID was down at the same time."""
    shown: int = 0
    """The number of hold stages that the lamp has shown."""

    @property
    def length_ns(self) -> int:
        return 0 if self.up_ns is None else self.up_ns - self.down_ns


class SeatButtons:
    """The state machine that recognises one seat's gestures. Times and changes are passed in ascending order."""

    def __init__(
        self, seat: SeatConfig, times: ButtonsConfig, calls: list[Call], feedback: list[LampFeedback]
    ) -> None:
        """What is recognised is added to ``calls`` and ``feedback``."""
        self._name = seat.name
        self._knock = seat.kind == "knock"
        self._tap_gap_ns = times.tap_gap_ms * MS
        self._hold_ns = times.hold_ms * MS
        self._wrong_ns = times.wrong_ms * MS
        self.lines: dict[Control, LineState] = {"bid": LineState(knock=False)}
        if not seat.one_button:
            self.lines["rap"] = LineState(self._knock)
        self._burst: list[_Press] = []
        """The presses of BID (or of the only button) in the current burst."""
        self._rap: _Press | None = None
        self._shared_raps: list[_Press] = []
        """RAP's presses that overlap presses of the burst."""
        self._rapped_ns: int | None = None
        self._calls = calls
        self._feedback = feedback
        self._next_step: tuple[int, Callable[[int], None]] | None = None
        """The next timed step if no button changes: its time, and what is done then."""

    @property
    def idle(self) -> bool:
        """Whether no button is down and no gesture is open: passing time changes nothing."""
        return self._next_step is None and self.gesture_start_ns is None

    @property
    def gesture_start_ns(self) -> int | None:
        """The first edge of the earliest open gesture (a button is down, or a burst may go on), or None."""
        presses = [*self._burst[:1], *self._shared_raps[:1], *([self._rap] if self._rap else [])]
        return min((press.down_ns for press in presses), default=None)

    @property
    def taps_so_far(self) -> int:
        """The complete taps of the burst that may go on; a press that is still down may become a hold."""
        ups = (press for press in self._burst if press.up_ns is not None and not self._shared_raps)
        return sum(press.length_ns < self._hold_ns for press in ups)

    @property
    def faulty_lines(self) -> tuple[FaultyLine, ...]:
        """The lines that are ignored now because they are faulty."""
        other_takes_over = self._only_button is not None and len(self.lines) == 2
        return tuple(
            FaultyLine(self._name, control, line.fault, other_takes_over)
            for control, line in self.lines.items()
            if line.fault
        )

    # --- controls in use -----------------------------------------------------------------------------------

    @property
    def _only_button(self) -> Control | None:
        """The button that does everything: the seat's only one, or the only one that works."""
        working: list[Control] = [control for control, line in self.lines.items() if not line.fault]
        if len(working) != 1 or (self._knock and working == ["rap"]):
            return None
        return working[0]

    @property
    def kind(self) -> SeatKind:
        """The kind of the buttons that work."""
        if self._only_button is not None:
            return "one"
        return "knock" if self._knock else "two"

    # --- time ---------------------------------------------------------------------------------------------

    def advance(self, t_ns: int) -> None:
        """Advance the time to ``t_ns``; all changes before it have been processed."""
        while self._next_step is not None and self._next_step[0] <= t_ns:
            at_ns, do_step = self._next_step
            do_step(at_ns)
            self._next_step = self._find_next_step()

    def _find_next_step(self) -> tuple[int, Callable[[int], None]] | None:
        """Return the next timed step if no button changes; of two at the same time the one that is listed first."""
        steps: list[tuple[int, Callable[[int], None]]] = []
        for press in (*self._burst[-1:], *([self._rap] if self._rap and not self._knock else [])):
            stages = (self._hold_ns, self._wrong_ns)[: 2 if self._may_mean_wrong(press) else 1]
            if press.up_ns is None and press.shown < len(stages):
                steps.append((press.down_ns + stages[press.shown], partial(self._show_stage, press)))
        if self._burst:
            endless = partial(self._disable_line, self._only_button or "bid", LineFault.CHATTERS)
            steps.append((self._burst[0].down_ns + MAX_BURST_NS, endless))
            if (end_ns := self._burst_end()) is not None:
                steps.append((end_ns, self._end_burst))
        for control, line in self.lines.items():
            if (step_ns := line.find_next_step()) is not None:
                steps.append((step_ns, partial(self._update_line_fault, control)))
        return min(steps, key=lambda entry: entry[0], default=None)

    def _show_stage(self, press: _Press, at_ns: int) -> None:
        press.shown += 1
        self._add_feedback(at_ns, FeedbackKind.HOLD if press.shown == 1 else FeedbackKind.LONG)

    def _may_mean_wrong(self, press: _Press) -> bool:
        """Return whether this press becomes "that's wrong" when it is held long enough."""
        if press is self._rap:
            return not press.shared
        return len(self._burst) == 1 and self.kind != "two"

    def _update_line_fault(self, control: Control, at_ns: int) -> None:
        if self.lines[control].fault is None:
            self._disable_line(control, LineFault.STUCK, at_ns)
        else:
            self._enable_line(control, at_ns)

    # --- changes ------------------------------------------------------------------------------------------

    def process_change(self, control: Control, change: Change) -> None:
        """Process a press or release of a line."""
        t_ns = change.t_ns
        self.advance(t_ns)
        line = self.lines[control]
        line.changed_ns = t_ns
        if not (change.edge_lost or change.contact_interrupted):
            line.down_ns = t_ns if change.pressed else None
        if line.fault is LineFault.STUCK and not change.pressed:
            self._enable_line(control, t_ns)
        elif line.fault is None and change.pressed and line.add_press(t_ns):
            self._disable_line(control, LineFault.CHATTERS, t_ns)
        elif line.fault is None and not change.contact_interrupted:
            is_bid = control == (self._only_button or "bid")
            if change.edge_lost:
                press = self._rap if not is_bid else self._burst[-1] if self._burst else None
                if press is not None and press.up_ns is None:
                    press.torn = True
            elif change.pressed:
                self._bid_down(t_ns) if is_bid else self._rap_down(t_ns)
            else:
                self._bid_up(t_ns) if is_bid else self._rap_up(t_ns)
        self._next_step = self._find_next_step()

    def _bid_down(self, t_ns: int) -> None:
        self._burst.append(_Press(t_ns))
        self._add_feedback(t_ns, FeedbackKind.PRESS)
        if self._rap is not None and not self._rap.shared:
            self._mark_shared(self._rap)

    def _bid_up(self, t_ns: int) -> None:
        if self._burst and self._burst[-1].up_ns is None:
            self._burst[-1].up_ns = t_ns

    def _rap_down(self, t_ns: int) -> None:
        self._rap = _Press(t_ns)
        if not self._knock or self._rapped_ns is None or t_ns - self._rapped_ns >= RINGING_NS:
            self._add_feedback(t_ns, FeedbackKind.PRESS)
        if self._burst and self._burst[-1].up_ns is None:
            self._mark_shared(self._rap)

    def _mark_shared(self, press: _Press) -> None:
        """Mark RAP's press as made while BID was down, so that it is no rap.

        A knock sensor just felt BID being pressed; two buttons are one gesture until both are up.
        """
        press.shared = True
        if not self._knock:
            self._shared_raps.append(press)

    def _rap_up(self, t_ns: int) -> None:
        press, self._rap = self._rap, None
        if press is None:
            return
        press.up_ns = t_ns
        if press.shared:
            return
        if self._knock or press.length_ns < self._wrong_ns:
            self._add_rap(press.down_ns, t_ns)
        else:
            self._add_call(press.down_ns, t_ns, Gesture.UNKNOWN if press.torn else Gesture.WRONG)

    # --- calls --------------------------------------------------------------------------------------------

    def _burst_end(self) -> int | None:
        """When the burst is over if nothing more is pressed; None while a button of it is down."""
        presses = [*self._burst, *self._shared_raps]
        if any(press.up_ns is None for press in presses):
            return None
        return max(self._burst[-1].down_ns + self._tap_gap_ns, *(press.up_ns or 0 for press in presses))

    def _end_burst(self, end_ns: int) -> None:
        burst, shared = self._burst, self._shared_raps
        self._burst, self._shared_raps = [], []
        first_ns = min(press.down_ns for press in (*burst, *shared))
        lengths, rap_lengths = ([press.length_ns for press in presses] for presses in (burst, shared))
        gesture, count = Gesture.UNKNOWN, 0
        if not any(press.torn for press in (*burst, *shared)):
            if shared:
                gesture = _classify_both_buttons(lengths, rap_lengths, self._hold_ns)
            else:
                gesture, count = _classify_burst(self.kind, lengths, self._hold_ns, self._wrong_ns)
        if gesture is Gesture.RAP:
            self._add_rap(first_ns, end_ns)
        else:
            self._add_call(first_ns, end_ns, gesture, count)

    def _add_rap(self, t_ns: int, end_ns: int) -> None:
        """A rap, unless it is one with the last."""
        last_ns = self._rapped_ns
        if not (self._knock and last_ns is not None and t_ns - last_ns < RINGING_NS):
            self._rapped_ns = t_ns
        if last_ns is None or t_ns - last_ns >= self._tap_gap_ns:
            self._add_call(t_ns, end_ns, Gesture.RAP)

    def _add_call(self, t_ns: int, end_ns: int, gesture: Gesture, count: int = 0) -> None:
        self._calls.append(Call(t_ns, end_ns, self._name, gesture, count))
        if gesture is Gesture.UNKNOWN:
            self._add_feedback(end_ns, FeedbackKind.REFUSED)

    def _add_feedback(self, t_ns: int, sign: FeedbackKind) -> None:
        self._feedback.append(LampFeedback(t_ns, self._name, sign))

    # --- faults ------------------------------------------------------------------------------------------

    def _disable_line(self, control: Control, fault: LineFault, at_ns: int) -> None:
        """Leave a line out. What the seat had begun is refused: it can't be read any more."""
        self._refuse_open_gesture(at_ns)
        self.lines[control].fault = fault

    def _enable_line(self, control: Control, at_ns: int) -> None:
        """The line behaves again: the buttons mean what they did before."""
        self._refuse_open_gesture(at_ns)
        self.lines[control].fault = None

    def _refuse_open_gesture(self, at_ns: int) -> None:
        first_ns = self.gesture_start_ns
        self._burst, self._shared_raps, self._rap = [], [], None
        if first_ns is not None:
            self._add_call(first_ns, at_ns, Gesture.UNKNOWN)


# --- patterns ---------------------------------------------------------------------------------------------


def _classify_burst(
    controls: SeatKind, lengths_ns: Sequence[int], hold_ns: int, wrong_ns: int
) -> tuple[Gesture, int]:
    """Return the gesture and count of presses of BID, by their lengths; a hold before the last means nothing."""
    holds = [length >= hold_ns for length in lengths_ns]
    taps = len(holds) - 1
    if not any(holds):
        return Gesture.TAPS, len(holds)
    if any(holds[:-1]):
        return Gesture.UNKNOWN, 0
    if taps == 0 and lengths_ns[0] >= wrong_ns and controls != "two":
        return Gesture.WRONG, 0
    gesture = _HOLDS.get((controls, taps), Gesture.UNKNOWN)
    return gesture, taps if gesture is Gesture.ZERO else 0


def _classify_both_buttons(bid_ns: Sequence[int], rap_ns: Sequence[int], hold_ns: int) -> Gesture:
    """Return the gesture of both buttons held at once, given the lengths of all their presses in it."""
    one_hold_each = len(bid_ns) == len(rap_ns) == 1 and min(*bid_ns, *rap_ns) >= hold_ns
    return Gesture.DOUBLE_NIL if one_hold_each else Gesture.UNKNOWN
