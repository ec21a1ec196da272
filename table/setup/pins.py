"""The pin plan of ``hardware/README.md``: which GPIO lines each seat's cable goes to."""

from __future__ import annotations

from typing import Final, NamedTuple


class Pins(NamedTuple):
    """One seat's lines (BCM numbers)."""

    bid: int
    rap: int
    led: int


PLAN: Final = (
    Pins(17, 27, 22),
    Pins(10, 9, 11),
    Pins(5, 6, 13),
    Pins(19, 26, 21),
    Pins(23, 24, 25),
    Pins(8, 7, 12),
    Pins(16, 20, 18),
)
"""In playing order; a table for fewer seats uses the first ones."""
