"""Gesture recognition for one seat: presses and releases in the order of their stamps become calls."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from table.buttons.debounce import Change
from table.buttons.line_faults import (
    MAX_BURST_NS,
    RECOVERY_NS,
    STUCK_NS,
    FaultyLine,
    LineFault,
    PressRateLimit,
)
from table.buttons.press_patterns import GestureTimes, SeatControls, classify_both_buttons, classify_burst
from table.config.settings import SeatConfig
from table.observed_facts import MS, Call, Control, Gesture

RINGING_NS = 100 * MS
"""Presses of a knock sensor this soon after a knock's first press are the ringing of that knock."""


class FeedbackKind(Enum):
    """The kind of feedback that a lamp gives."""

    PRESS = "press"
    """A press was seen."""
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


class _Line:
    """The state of one of the seat's lines: its fault, if any, and its last change."""

    def __init__(self, knock: bool) -> None:
        self.chatter = PressRateLimit(knock)
        self.down_ns: int | None = None
        self.changed_ns = 0
        self.fault: LineFault | None = None
        self.since_ns = 0


class SeatButtons:
    """The state machine that recognises one seat's gestures.

    Times and changes are passed in ascending order; calls and feedback are collected until they are fetched.
    """

    def __init__(self, config: SeatConfig, times: GestureTimes) -> None:
        self._name = config.name
        self._knock = config.knock and not config.one_button
        self._times = times
        self._lines: dict[Control, _Line] = {"bid": _Line(knock=False)}
        if not config.one_button:
            self._lines["rap"] = _Line(self._knock)
        self._burst: list[_Press] = []
        """The presses of BID (or of the only button) in the current burst."""
        self._rap: _Press | None = None
        """RAP's press, while RAP is down."""
        self._shared_raps: list[_Press] = []
        """RAP's presses that overlap presses of the burst."""
        self._rapped_ns: int | None = None
        self._calls: list[Call] = []
        self._feedback: list[LampFeedback] = []
        self._next_step: tuple[int, _Press | str] | None = None
        """The next timed step if no button changes, with its time."""

    @property
    def controls(self) -> tuple[Control, ...]:
        """The seat's lines."""
        return tuple(self._lines)

    @property
    def idle(self) -> bool:
        """Whether no button is down, no gesture is open and no result is waiting: passing time changes nothing."""
        return (
            self._next_step is None and self.gesture_start_ns is None and not (self._calls or self._feedback)
        )

    @property
    def has_open_gesture(self) -> bool:
        """Whether a button is down, or a burst may go on."""
        return self.gesture_start_ns is not None

    @property
    def gesture_start_ns(self) -> int | None:
        """The first edge of the earliest gesture that is still open; None when no gesture is open."""
        if not self._burst and not self._shared_raps and self._rap is None:
            return None
        presses = [*self._burst[:1], *self._shared_raps[:1], *([self._rap] if self._rap else [])]
        return min((press.down_ns for press in presses), default=None)

    @property
    def faulty_lines(self) -> tuple[FaultyLine, ...]:
        """The lines that are ignored now because they are faulty."""
        other_takes_over = self._only_button is not None and len(self._lines) == 2
        return tuple(
            FaultyLine(self._name, control, line.fault, line.since_ns, other_takes_over)
            for control, line in self._lines.items()
            if line.fault
        )

    def pop_results(self) -> tuple[list[Call], list[LampFeedback]]:
        """Return and clear the calls and the feedback since the last time."""
        calls, self._calls = self._calls, []
        feedback, self._feedback = self._feedback, []
        return calls, feedback

    # --- controls in use -----------------------------------------------------------------------------------

    @property
    def _only_button(self) -> Control | None:
        """The button that does everything: the seat's only one, or the only one that works."""
        working: list[Control] = [control for control, line in self._lines.items() if not line.fault]
        if len(working) != 1 or (self._knock and working == ["rap"]):
            return None
        return working[0]

    @property
    def _seat_controls(self) -> SeatControls:
        if self._only_button is not None:
            return SeatControls.ONE
        return SeatControls.KNOCK if self._knock else SeatControls.TWO

    # --- time ---------------------------------------------------------------------------------------------

    def advance(self, t_ns: int) -> None:
        """Advance the time to ``t_ns``; all changes before it have been processed."""
        while self._next_step is not None and self._next_step[0] <= t_ns:
            at_ns, step = self._next_step
            match step:
                case "end":
                    self._end_burst(at_ns)
                case "endless":
                    self._disable_line(self._only_button or "bid", LineFault.CHATTERS, at_ns)
                case "bid" | "rap":
                    self._update_line_fault(step, at_ns)
                case _Press():
                    step.shown += 1
                    self._add_feedback(at_ns, FeedbackKind.HOLD if step.shown == 1 else FeedbackKind.LONG)
            self._next_step = self._find_next_step()

    def _find_next_step(self) -> tuple[int, _Press | str] | None:
        """Return the next timed step if no button changes, with its time."""
        steps: list[tuple[int, _Press | str]] = []
        for press in (*self._burst[-1:], *([self._rap] if self._rap and not self._knock else [])):
            stages = (self._times.hold_ns, self._times.wrong_ns)[: 2 if self._may_mean_wrong(press) else 1]
            if press.up_ns is None and press.shown < len(stages):
                steps.append((press.down_ns + stages[press.shown], press))
        if self._burst:
            steps.append((self._burst[0].down_ns + MAX_BURST_NS, "endless"))
            if (end_ns := self._burst_end()) is not None:
                steps.append((end_ns, "end"))
        for control, line in self._lines.items():
            if line.fault is None and line.down_ns is not None:
                steps.append((line.down_ns + STUCK_NS, control))
            elif line.fault is LineFault.CHATTERS and line.down_ns is None:
                steps.append((line.changed_ns + RECOVERY_NS, control))
        return min(steps, key=lambda entry: entry[0], default=None)

    def _may_mean_wrong(self, press: _Press) -> bool:
        """Return whether this press becomes "that's wrong" when it is held long enough."""
        if press is self._rap:
            return not press.shared
        return len(self._burst) == 1 and self._seat_controls is not SeatControls.TWO

    def _update_line_fault(self, control: Control, at_ns: int) -> None:
        if self._lines[control].fault is None:
            self._disable_line(control, LineFault.STUCK, at_ns)
        else:
            self._enable_line(control, at_ns)

    # --- changes ------------------------------------------------------------------------------------------

    def process_change(self, control: Control, change: Change) -> None:
        """Process a press or release of a line."""
        t_ns = change.t_ns
        self.advance(t_ns)
        line = self._lines[control]
        line.changed_ns = t_ns
        if not (change.edge_lost or change.contact_interrupted):
            line.down_ns = t_ns if change.pressed else None
        if line.fault is LineFault.STUCK and not change.pressed:
            self._enable_line(control, t_ns)
        elif line.fault is None and change.pressed and line.chatter.add_press(t_ns):
            self._disable_line(control, LineFault.CHATTERS, t_ns)
        elif line.fault is None and not change.contact_interrupted:
            is_bid = control == (self._only_button or "bid")
            if change.edge_lost:
                self._mark_torn(is_bid)
            elif change.pressed:
                self._bid_down(t_ns) if is_bid else self._rap_down(t_ns)
            else:
                self._bid_up(t_ns) if is_bid else self._rap_up(t_ns)
        self._next_step = self._find_next_step()
        self.advance(t_ns)

    def _mark_torn(self, is_bid: bool) -> None:
        press = next(iter(self._burst[-1:]), None) if is_bid else self._rap
        if press is not None and press.up_ns is None:
            press.torn = True

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
        if self._knock or press.length_ns < self._times.wrong_ns:
            self._add_rap(press.down_ns, t_ns)
        elif press.torn:
            self._add_call(press.down_ns, t_ns, Gesture.UNKNOWN)
        else:
            self._add_call(press.down_ns, t_ns, Gesture.WRONG)

    # --- calls --------------------------------------------------------------------------------------------

    def _burst_end(self) -> int | None:
        """When the burst is over if nothing more is pressed; None while a button of it is down."""
        presses = [*self._burst, *self._shared_raps]
        if any(press.up_ns is None for press in presses):
            return None
        return max(self._burst[-1].down_ns + self._times.tap_gap_ns, *(press.up_ns or 0 for press in presses))

    def _end_burst(self, end_ns: int) -> None:
        burst, shared = self._burst, self._shared_raps
        self._burst, self._shared_raps = [], []
        first_ns = min(press.down_ns for press in (*burst, *shared))
        lengths = [press.length_ns for press in burst]
        if any(press.torn for press in (*burst, *shared)):
            self._add_call(first_ns, end_ns, Gesture.UNKNOWN)
        elif shared:
            gesture_of_both = classify_both_buttons(
                lengths, [press.length_ns for press in shared], self._times
            )
            self._add_call(first_ns, end_ns, gesture_of_both)
        else:
            gesture, count = classify_burst(self._seat_controls, lengths, self._times)
            if gesture is Gesture.RAP:
                self._add_rap(first_ns, end_ns)
            else:
                self._add_call(first_ns, end_ns, gesture, count)

    def _add_rap(self, t_ns: int, end_ns: int) -> None:
        """A rap, unless it is one with the last."""
        last_ns = self._rapped_ns
        if not (self._knock and last_ns is not None and t_ns - last_ns < RINGING_NS):
            self._rapped_ns = t_ns
        if last_ns is None or t_ns - last_ns >= self._times.tap_gap_ns:
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
        self._lines[control].fault = fault
        self._lines[control].since_ns = at_ns

    def _enable_line(self, control: Control, at_ns: int) -> None:
        """The line behaves again: the buttons mean what they did before."""
        self._refuse_open_gesture(at_ns)
        self._lines[control].fault = None

    def _refuse_open_gesture(self, at_ns: int) -> None:
        first_ns = self.gesture_start_ns
        self._burst, self._shared_raps, self._rap = [], [], None
        if first_ns is not None:
            self._add_call(first_ns, at_ns, Gesture.UNKNOWN)
