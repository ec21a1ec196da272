"""The meaning of a burst of presses, by the kind of the seat's buttons (table: docs/playing.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from table.config.settings import ButtonsConfig
from table.observed_facts import MS, Gesture


class SeatControls(Enum):
    """The controls that a seat has."""

    ONE = "one button"
    TWO = "two buttons"
    KNOCK = "a button and a knock sensor"


@dataclass(frozen=True, slots=True)
class GestureTimes:
    """The times that distinguish gestures, in nanoseconds."""

    tap_gap_ns: int
    hold_ns: int
    wrong_ns: int
    debounce_ns: int
    release_ns: int


def convert_gesture_times(config: ButtonsConfig) -> GestureTimes:
    """Convert the times of ``table.toml`` from milliseconds to nanoseconds."""
    return GestureTimes(
        config.tap_gap_ms * MS,
        config.hold_ms * MS,
        config.wrong_ms * MS,
        round(config.debounce_ms * MS),
        round(config.release_ms * MS),
    )


def classify_burst(
    buttons: SeatControls, lengths_ns: Sequence[int], times: GestureTimes
) -> tuple[Gesture, int]:
    """Return the gesture, and its count, of a burst of one or more presses of BID, given their lengths.

    A press of ``hold_ns`` is a hold already. A burst with a hold anywhere but at its end means nothing.
    """
    holds = [length >= times.hold_ns for length in lengths_ns]
    taps = len(holds) - 1
    if not any(holds):
        return Gesture.TAPS, len(holds)
    if any(holds[:-1]):
        return Gesture.UNKNOWN, 0
    if taps == 3 and buttons is not SeatControls.TWO:
        return Gesture.DOUBLE_NIL, 0
    if taps == 1 and buttons is SeatControls.ONE:
        return Gesture.ZERO, 1
    if taps:
        return Gesture.UNKNOWN, 0
    if lengths_ns[0] >= times.wrong_ns and buttons is not SeatControls.TWO:
        return Gesture.WRONG, 0
    return (Gesture.RAP if buttons is SeatControls.ONE else Gesture.ZERO), 0


def classify_both_buttons(bid_ns: Sequence[int], rap_ns: Sequence[int], times: GestureTimes) -> Gesture:
    """Return the gesture of both buttons held at once, given the lengths of all their presses in it."""
    one_hold_each = len(bid_ns) == len(rap_ns) == 1 and min(*bid_ns, *rap_ns) >= times.hold_ns
    return Gesture.DOUBLE_NIL if one_hold_each else Gesture.UNKNOWN
