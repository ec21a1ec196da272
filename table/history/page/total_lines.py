"""The chart of a game's totals as coordinates of an SVG picture: a line with markers for each player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from table.chart_data import ScoredHand, axis_ticks, running_totals

WIDTH: Final = 720
HEIGHT: Final = 320
"""The size of the picture, in the units of its coordinates."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 66, 18, 16, 36
"""The margins around the plot."""
_LANE_OFFSET: Final = 2.5
"""The vertical offset between lines that would coincide."""
_MAX_NUMBERS: Final = 20
"""The most numbers of hands along the axis."""


@dataclass(frozen=True, slots=True)
class ChartLines:
    """The chart's lines and axes."""

    hands: int
    levels: tuple[tuple[int, float], ...]
    """Each value of the vertical axis, with its y."""
    numbers: tuple[tuple[int, float], ...]
    """The hands that have a number on the horizontal axis, each with its x."""
    lines: tuple[tuple[tuple[float, float], ...], ...]
    """The corners of each player's line, in the order of the seats."""
    width: int = WIDTH
    height: int = HEIGHT
    left: int = _LEFT
    right: int = WIDTH - _RIGHT


def chart_lines(hands: Sequence[ScoredHand], seats: Sequence[str]) -> ChartLines:
    """Return the chart of the totals after each hand that counts."""
    totals = running_totals(hands, seats)
    count = max(map(len, totals.values()), default=1) - 1
    values = [total for line in totals.values() for total in line] or [0]
    ticks = axis_ticks(min(values), max(values))
    bottom = HEIGHT - _BOTTOM

    def x_of(hand: int) -> float:
        return round(_LEFT + (WIDTH - _LEFT - _RIGHT) * hand / max(1, count), 1)

    def y_of(value: int, lane: float = 0) -> float:
        share = (value - ticks[0]) / (ticks[-1] - ticks[0])
        return round(bottom - (bottom - _TOP) * share + lane * _LANE_OFFSET, 1)

    interval = -(-count // _MAX_NUMBERS) or 1
    middle = (len(seats) - 1) / 2
    return ChartLines(
        count,
        tuple((level, y_of(level)) for level in ticks),
        tuple((hand, x_of(hand)) for hand in range(interval, count + 1, interval)),
        tuple(
            tuple((x_of(hand), y_of(total, index - middle)) for hand, total in enumerate(totals[seat]))
            for index, seat in enumerate(seats)
        ),
    )
