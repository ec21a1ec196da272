"""What to press: the gestures of a seat's buttons (the same that ``table.buttons.patterns`` hears)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from table.phrase import Phrase, say
from table.referee.view import Controls

Gesture = Literal["number", "rap", "fist", "double_nil", "auction"]
"""To bid a number of tricks; to rap; to put the fist on the table; the Double Nil; to bid in an auction."""


@dataclass(frozen=True, slots=True)
class Pressing:
    """The gestures of one kind of seat, as parts of a sentence."""

    kind: Literal["two", "one", "knock"]

    def __call__(self, gesture: Gesture) -> Phrase:
        """How that is pressed."""
        return say(f"press.{self.kind}.{gesture}")


def pressing(seats: Iterable[str], controls: Mapping[str, Controls]) -> Pressing:
    """The gestures of those who may act; where their buttons differ, those of the first one."""
    kinds = [controls.get(seat, Controls()).kind for seat in seats]
    return Pressing(kinds[0] if kinds else "two")
