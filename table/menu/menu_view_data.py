"""The view from which the menu's screen is drawn: one immutable value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from table.chart_data import Figures
from table.games.engine.ruleset import GameSpec
from table.observed_facts import Image
from table.phrase import Phrase, make_phrase


@dataclass(frozen=True, slots=True)
class MenuLine:
    """One line of a menu page."""

    text: Phrase | str
    value: Phrase | str | None = None
    """The current value of the setting."""
    chosen: bool = False
    about: Phrase | None = None
    """What it means; shown while the line is selected."""


@dataclass(frozen=True, slots=True)
class MenuChair:
    """A chair at the table."""

    angle: float
    """Degrees clockwise from the picture's top edge, seen from the mark."""
    name: str | None
    """The player who sits there; None: nobody."""
    marked: bool = False
    """Whether the selected line is about this chair."""
    deals_first: bool = False


@dataclass(frozen=True, slots=True)
class TablePicture:
    """A small picture of the table by the camera; pictures with one stamp are the same."""

    t_ns: int
    image: Image = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class MenuView:
    """A page of the menu at one moment."""

    title: Phrase
    lines: tuple[MenuLine, ...]
    selected: int
    """The index of the selected line."""
    path: tuple[Phrase, ...] = ()
    """The titles of the pages above this one, the first one first."""
    chairs: tuple[MenuChair, ...] = ()
    """The chairs around the table, where the page is about them."""
    figures: Figures | None = None
    """The table or chart of the selected line, on the page of statistics."""
    rules: tuple[GameSpec, Mapping[str, Any]] | None = None
    """The game whose rules are read, with its values: the selected line stands for that paragraph of them."""
    entered_name: str | None = None
    message: Phrase | None = None
    button_help: Phrase | None = None
    picture: TablePicture | None = None
    """What the camera sees."""
    troubles: tuple[Phrase, ...] = ()
    """The faults of buttons and camera."""
    dimmed: bool = False
    """Whether nobody has used the menu for long."""


def make_loading_view(code: str) -> MenuView:
    """Return the page that says what is being loaded: a code of the catalogue."""
    return MenuView(make_phrase("menu.title_main"), (MenuLine(make_phrase(code)),), selected=0)
