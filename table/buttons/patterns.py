"""What a burst of presses means, by the kind of the seat's buttons (a table of them: README.md, "A seat's buttons")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from table.config import ButtonsConfig
from table.facts import MS, Gesture


class Buttons(Enum):
    """What a seat has to press."""

    ONE = "one button"
    TWO = "two buttons"
    KNOCK = "a button and a knock sensor"


@dataclass(frozen=True, slots=True)
class GestureTimes:
    """The times that tell gestures apart, in nanoseconds."""

    tap_gap_ns: int
    hold_ns: int
    wrong_ns: int
    debounce_ns: int
    release_ns: int


def gesture_times(config: ButtonsConfig) -> GestureTimes:
    """The times that ``table.toml`` gives in milliseconds."""
    return GestureTimes(
        config.tap_gap_ms * MS,
        config.hold_ms * MS,
        config.wrong_ms * MS,
        round(config.debounce_ms * MS),
        round(config.release_ms * MS),
    )


def read_burst(buttons: Buttons, lengths_ns: Sequence[int], times: GestureTimes) -> tuple[Gesture, int]:
    """The gesture, and its count, of a burst of presses of BID, given each press's length (at least one press).

    A press of ``hold_ns`` is a hold already. A burst with a hold anywhere but at its end means nothing.
    """
    holds = [length >= times.hold_ns for length in lengths_ns]
    taps = len(holds) - 1
    if not any(holds):
        return Gesture.TAPS, len(holds)
    if any(holds[:-1]):
        return Gesture.UNKNOWN, 0
    if taps == 3 and buttons is not Buttons.TWO:
        return Gesture.DOUBLE_NIL, 0
    if taps == 1 and buttons is Buttons.ONE:
        return Gesture.ZERO, 1
    if taps:
        return Gesture.UNKNOWN, 0
    if lengths_ns[0] >= times.wrong_ns and buttons is not Buttons.TWO:
        return Gesture.WRONG, 0
    return (Gesture.RAP if buttons is Buttons.ONE else Gesture.ZERO), 0


def read_both(bid_ns: Sequence[int], rap_ns: Sequence[int], times: GestureTimes) -> Gesture:
    """The gesture of both buttons down at once, given the lengths of all their presses in it."""
    together = len(bid_ns) == len(rap_ns) == 1 and min(*bid_ns, *rap_ns) >= times.hold_ns
    return Gesture.DOUBLE_NIL if together else Gesture.UNKNOWN
