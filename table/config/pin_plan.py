"""The pin plan of ``hardware/README.md``: the GPIO lines of each seat's cable."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from table.config.settings import SeatConfig, TableConfig, load_config


class SeatPins(NamedTuple):
    """The GPIO lines of one seat (BCM numbers)."""

    bid: int
    rap: int
    led: int


PIN_PLAN: Final = (
    SeatPins(17, 27, 22),
    SeatPins(10, 9, 11),
    SeatPins(5, 6, 13),
    SeatPins(19, 26, 21),
    SeatPins(23, 24, 25),
    SeatPins(8, 7, 12),
    SeatPins(16, 20, 18),
)
"""The seats' lines in playing order; a table for fewer seats uses the first ones."""


FIRST_ANGLE: Final = 90.0
"""The default angle of the first player: the picture's right edge."""


def load_table(path: Path) -> TableConfig:
    """Read a ``table.toml`` that may leave game and players to the menu; add the plan's chairs if it names no seats."""
    config = load_config(path, menu=True)
    return config if config.seats else replace(config, seats=plan_chairs())


def plan_chairs() -> tuple[SeatConfig, ...]:
    """Return a chair for each seat of the plan, not placed yet, for a ``table.toml`` that names none."""
    angles = [(FIRST_ANGLE + number * 360 / len(PIN_PLAN)) % 360 for number in range(len(PIN_PLAN))]
    return tuple(
        SeatConfig(str(number), angle, bid=pins.bid, rap=pins.rap, led=pins.led, named=False, placed=False)
        for number, (angle, pins) in enumerate(zip(angles, PIN_PLAN, strict=True), start=1)
    )
