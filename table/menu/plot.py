"""What a plot shows: bars beneath one another, each of parts that say how much of it is what."""

from __future__ import annotations

from dataclasses import dataclass

from table.phrase import Phrase


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar."""

    label: Phrase | str
    """What it is of; a player's name stands for itself."""
    parts: tuple[float, ...]
    told: Phrase
    """Its figures."""


@dataclass(frozen=True, slots=True)
class Plot:
    """Bars, and what their parts are."""

    name: str
    """As a picture's file is named after it."""
    title: Phrase
    bars: tuple[Bar, ...]
    legend: tuple[Phrase, ...] = ()
    """What each part is, in their order; none where all bars are of one kind."""
    full: float = 1.0
    """How much a bar of the whole width is."""
