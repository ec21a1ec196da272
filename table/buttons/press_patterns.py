"""The meaning of a burst of presses, by the kind of the seat's buttons (table: docs/playing.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from table.observed_facts import Gesture

SeatControls: TypeAlias = Literal["one", "two", "knock"]
"""A seat's controls: one button, two buttons, or a button and a knock sensor."""
_HOLDS: Final[dict[tuple[SeatControls, int], Gesture]] = {
    ("one", 0): Gesture.RAP,
    ("two", 0): Gesture.ZERO,
    ("knock", 0): Gesture.ZERO,
    ("one", 1): Gesture.ZERO,
    ("one", 3): Gesture.DOUBLE_NIL,
    ("knock", 3): Gesture.DOUBLE_NIL,
}
"""The meaning of a hold of BID, by the seat's controls and the number of taps before it."""


def classify_burst(
    controls: SeatControls, lengths_ns: Sequence[int], hold_ns: int, wrong_ns: int
) -> tuple[Gesture, int]:
    """Return the gesture, and its count, of a burst of one or more presses of BID, given their lengths.

    A press of ``hold_ns`` is a hold already. A burst with a hold anywhere but at its end means nothing.
    """
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


def classify_both_buttons(bid_ns: Sequence[int], rap_ns: Sequence[int], hold_ns: int) -> Gesture:
    """Return the gesture of both buttons held at once, given the lengths of all their presses in it."""
    one_hold_each = len(bid_ns) == len(rap_ns) == 1 and min(*bid_ns, *rap_ns) >= hold_ns
    return Gesture.DOUBLE_NIL if one_hold_each else Gesture.UNKNOWN
