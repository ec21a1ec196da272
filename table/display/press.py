"""What to press, in words: the gestures of a seat's buttons (the same that ``table.buttons.patterns`` hears)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from table.referee.view import Controls


@dataclass(frozen=True, slots=True)
class Pressing:
    """The gestures of one kind of seat, as parts of a sentence."""

    number: str
    """To bid a number of tricks."""
    rap: str
    fist: str
    """To put the fist on the table."""
    double_nil: str
    auction: str
    """To bid in an auction."""


_PRESSING = {
    "two": Pressing(
        "tap the number, hold for 0",
        "rap",
        "rap with the fist",
        "hold both",
        "tap to step, rap to call; a rap alone passes",
    ),
    "one": Pressing(
        "tap the number; for 0 tap, then hold",
        "hold",
        "hold the button",
        "three taps, then hold",
        "tap to step, hold to call; a hold alone passes",
    ),
    "knock": Pressing(
        "tap the number, hold for 0",
        "rap",
        "rap with the fist",
        "three taps, then hold",
        "tap to step, rap to call; a rap alone passes",
    ),
}


def pressing(seats: Iterable[str], controls: Mapping[str, Controls]) -> Pressing:
    """The gestures of those who may act; where their buttons differ, those of the first one."""
    kinds = [controls.get(seat, Controls()).kind for seat in seats]
    return _PRESSING[kinds[0] if kinds else "two"]
