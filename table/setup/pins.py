"""The pin plan of ``hardware/README.md``: which GPIO lines each seat's cable goes to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from table.config import SeatConfig, TableConfig, load_config


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


FIRST_ANGLE: Final = 90.0
"""The first player sits at the picture's right edge unless it is said."""


def load_table(path: Path) -> TableConfig:
    """A ``table.toml`` that may leave game and players to the menu, with the plan's chairs where it names no seats."""
    config = load_config(path, menu=True)
    return config if config.seats else replace(config, seats=chairs())


def chairs() -> tuple[SeatConfig, ...]:
    """A chair for each seat of the plan, evenly around the table, for a ``table.toml`` that names none."""
    angles = [(FIRST_ANGLE + number * 360 / len(PLAN)) % 360 for number in range(len(PLAN))]
    return tuple(
        SeatConfig(str(number), angle, bid=pins.bid, rap=pins.rap, led=pins.led, named=False)
        for number, (angle, pins) in enumerate(zip(angles, PLAN, strict=True), start=1)
    )
