"""The menu before and between games: pages of lines, stepped by any seat's buttons as the panels are.

A tap steps, a rap chooses, "that's wrong" goes back. A menu is a value: each press gives another one, and nothing is
done until it has a wish, which is for whoever shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TypeAlias

from table.config import ScreenConfig, TableConfig
from table.facts import Call, Gesture
from table.menu.plan import Plan, fault, screen_of
from table.menu.plot import Plot
from table.menu.spelling import Spelling
from table.menu.view import Line
from table.phrase import Phrase, say


class Page(Enum):
    """What a page is about."""

    MAIN = "main"
    GAME = "game"
    PRESET = "preset"
    PLAYERS = "players"
    CHAIR = "chair"
    SPELL = "spell"
    DEALER = "dealer"
    SETTINGS = "settings"
    LANGUAGE = "language"
    EVENINGS = "evenings"
    EVENING = "evening"
    STATISTICS = "statistics"
    TOLD = "told"
    """What a command has found."""


class Wish(Enum):
    """What the menu can't do itself."""

    BEGIN = "begin"
    GO_ON = "go_on"
    """With the game that is unfinished."""
    CALIBRATE = "calibrate"
    ENROL = "enrol"
    EXPORT = "export"
    """The games that are kept are copied to a stick."""
    STATISTICS = "statistics"
    """Counted over the games that are kept."""
    SWITCH_OFF = "switch_off"


@dataclass(frozen=True, slots=True)
class Kept:
    """A game that has been played at this table."""

    name: str
    """Its journal's: the moment at which it began."""
    told: Phrase
    """Which game it was, and how it ended."""
    totals: tuple[tuple[str, int], ...]
    """The best first; none before the first hand is over."""
    over: bool = True
    """Whether it came to its end."""
    unsure: bool = False
    """Whether nobody knows on which day that was."""

    @property
    def day(self) -> Phrase | str:
        """On which day it began, by the machine's clock."""
        return say("menu.day_unsure", day=self.name[:10]) if self.unsure else self.name[:10]


@dataclass(frozen=True)
class Around:
    """What the menu finds when it opens, and does not change."""

    set_up: TableConfig
    """Of the table: its chairs, and the game that it names where it names one."""
    languages: Mapping[str, str]
    """The languages' own names by their short ones."""
    alphabets: Mapping[str, tuple[str, ...]]
    """Rows of letters by language."""
    evenings: tuple[Kept, ...] = ()
    """The latest first."""
    unfinished: Phrase | None = None
    """The game that can be gone on with."""
    offers: frozenset[Wish] = frozenset()
    """What can be wished besides a game."""
    keys: bool = False
    """Whether a keyboard stands in for the buttons."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A page, its marked line, and what it is about."""

    page: Page
    at: int = 0
    about: str = ""
    """A chair's name, or a game's."""
    spelling: Spelling = field(default_factory=Spelling)
    findings: tuple[Line, ...] = ()
    plots: tuple[Plot, ...] = ()


@dataclass(frozen=True)
class Menu:
    """The menu at one moment."""

    around: Around
    plan: Plan
    opened: tuple[Opened, ...] = (Opened(Page.MAIN),)
    """From the first page down to the one that is shown."""
    by: str | None = None
    """Whose buttons were pressed last: the chair."""
    told: Phrase | None = None
    wish: Wish | None = None
    lot: int = 0
    """The moment of the last choice, which decides lots."""

    @property
    def now(self) -> Opened:
        """The page that is shown."""
        return self.opened[-1]

    @property
    def fault(self) -> Phrase | None:
        """Why no game can begin like this."""
        return fault(self.plan, self.around.set_up)

    @property
    def back(self) -> Menu:
        """The page above, or the rows of letters again; the first page stays."""
        if self.now.spelling.row is not None:
            return self.changed(replace(self.now, spelling=replace(self.now.spelling, row=None)))
        return replace(self, opened=self.opened[:-1] or self.opened, told=None)

    def open(self, page: Page, about: str = "", at: int = 0) -> Menu:
        """A page beneath this one."""
        return replace(self, opened=(*self.opened, Opened(page, at, about)), told=None)

    def changed(self, now: Opened) -> Menu:
        """With the shown page like this."""
        return replace(self, opened=(*self.opened[:-1], now), told=None)

    @property
    def screen(self) -> ScreenConfig:
        """How the screen is set up, as chosen."""
        return screen_of(self.plan, self.around.set_up)

    def planned(self, plan: Plan) -> Menu:
        """With another plan."""
        return replace(self, plan=plan)

    def wishing(self, wish: Wish) -> Menu:
        """With a wish."""
        return replace(self, wish=wish)


Do: TypeAlias = Callable[[Menu], Menu]
"""What a line does; pure."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line, and what comes of choosing it."""

    line: Line
    do: Do = field(default=lambda menu: menu.back)


def pressed(menu: Menu, call: Call, entries: Callable[[Menu], tuple[Entry, ...]]) -> Menu:
    """The menu after a call of anybody's; ``entries`` are those of a menu's page."""
    menu = replace(menu, by=call.seat, lot=call.t_ns)
    if call.gesture is Gesture.WRONG:
        return menu.back
    held_after_tap = call.gesture is Gesture.ZERO and call.count > 0
    if call.gesture is Gesture.TAPS or held_after_tap:
        menu = stepped(menu, call.count, entries)
    if call.gesture is Gesture.RAP or held_after_tap:
        menu = chosen(menu, entries)
    return menu


def stepped(menu: Menu, steps: int, entries: Callable[[Menu], tuple[Entry, ...]]) -> Menu:
    """So many lines down, and round."""
    return menu.changed(replace(menu.now, at=(menu.now.at + steps) % len(entries(menu))))


def chosen(menu: Menu, entries: Callable[[Menu], tuple[Entry, ...]]) -> Menu:
    """The marked line is done."""
    found = entries(menu)
    return found[min(menu.now.at, len(found) - 1)].do(menu)
