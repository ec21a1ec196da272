"""Content of statistics for those who draw them: bar charts, whose bars are stacked from parts, and tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

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
