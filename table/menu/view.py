"""What the menu's screen is drawn from: one immutable value."""

from __future__ import annotations

from dataclasses import dataclass

from table.menu.plot import Plot
from table.phrase import Phrase


@dataclass(frozen=True, slots=True)
class Line:
    """One line to choose."""

    text: Phrase | str
    value: Phrase | str | None = None
    """What is set there now."""
    chosen: bool = False
    """Whether it is what was chosen last."""


@dataclass(frozen=True, slots=True)
class Place:
    """A chair at the table."""

    angle: float
    """Degrees clockwise from the picture's top edge, seen from the mark."""
    name: str | None
    """Who sits there; None: nobody."""
    marked: bool = False
    """Whether the marked line is about it."""
    deals: bool = False
    """Whether its player deals first."""


@dataclass(frozen=True, slots=True)
class MenuView:
    """A page of the menu at one moment."""

    title: Phrase
    lines: tuple[Line, ...]
    at: int
    """The marked line, from 0."""
    path: tuple[Phrase, ...] = ()
    """The pages above this one, the first one first."""
    places: tuple[Place, ...] = ()
    """The table from above, where the page is about it."""
    plot: Plot | None = None
    """What the marked line is about, where it is one of the statistics."""
    spelled: str | None = None
    """The name that is being spelled."""
    told: Phrase | None = None
    """What there is to say."""
    how: Phrase | None = None
    """What to press."""
    troubles: tuple[Phrase, ...] = ()
    """What is wrong with buttons and camera."""
    dimmed: bool = False
    """Whether nobody has been there for long."""
