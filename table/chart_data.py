"""Content of charts and tables for those who draw them: stacked bars, tables of figures, a game's totals as lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from table.phrase import Phrase


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a chart, with its label and figures."""

    label: Phrase | str
    """The label; a player's name is a plain string."""
    parts: tuple[float, ...]
    """The lengths of the stacked parts."""
    figures: Phrase
    """The figures written beside the bar."""


@dataclass(frozen=True, slots=True)
class BarChart:
    """A bar chart: a title, bars, and a legend of the bars' parts."""

    name: str
    """The base of the name of the picture's file."""
    title: Phrase
    bars: tuple[Bar, ...]
    legend: tuple[Phrase, ...] = ()
    """The meaning of each part, in order; empty when all bars are of one kind."""
    full_scale: float = 1.0
    """The value at which a bar takes the whole width."""


@dataclass(frozen=True, slots=True)
class FiguresTable:
    """A table of figures: a heading for each column, and a row for each player."""

    title: Phrase
    columns: tuple[Phrase, ...]
    """The first column has the players' names."""
    rows: tuple[tuple[str, tuple[Phrase | str, ...]], ...]
    """Each row: a player's name, and the cells of the other columns."""


Figures: TypeAlias = BarChart | FiguresTable
"""What the screen shows of statistics, one at a time."""


# --- the totals of a game -------------------------------------------------------------------------------------------

_MAX_STEPS = 6
"""The most steps of an axis."""


class ScoredHand(Protocol):
    """The score of a finished hand."""

    @property
    def points(self) -> Mapping[str, int]:
        """The points of this hand by seat."""

    @property
    def totals(self) -> Mapping[str, int]:
        """The totals after it by seat."""

    @property
    def play_off(self) -> bool:
        """Whether the hand only decided a tie; its points are not in the totals."""


def running_totals(hands: Iterable[ScoredHand], seats: Sequence[str]) -> dict[str, list[int]]:
    """Return each player's totals before the first hand and after each hand that counts."""
    counted = [hand for hand in hands if not hand.play_off]
    totals_by_seat: dict[str, list[int]] = {}
    for seat in seats:
        first = counted[0].totals.get(seat, 0) - counted[0].points.get(seat, 0) if counted else 0
        totals_by_seat[seat] = [first]
        for hand in counted:
            totals_by_seat[seat].append(hand.totals.get(seat, totals_by_seat[seat][-1]))
    return totals_by_seat


def axis_ticks(low: int, high: int) -> list[int]:
    """Return round axis values from ``low`` or below to ``high`` or above, with few steps."""
    size = 1
    while (high - low) / size > _MAX_STEPS:
        power = 10 ** (len(str(size)) - 1)
        size = next(by * power for by in (2, 5, 10) if by * power > size)
    first = low // size * size
    last = -(-high // size) * size
    return list(range(first, max(last, first + size) + 1, size))
