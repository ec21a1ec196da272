"""The menu before and between games: pages of lines, operated with any seat's buttons like the panels.

A tap moves the selection, a rap chooses, "that's wrong" goes back. A menu is an immutable value: each press returns a
new one, and nothing is done until it has a request, which the caller carries out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TypeAlias

from table.bar_chart_data import BarChart
from table.config.settings import ScreenConfig, TableConfig
from table.menu.menu_view_data import MenuLine
from table.menu.name_entry import NameEntry
from table.menu.next_game_plan import GamePlan, find_plan_fault, screen_config
from table.observed_facts import Call, Gesture
from table.phrase import Phrase, make_phrase


class PageSubject(Enum):
    """The pages of the menu."""

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
    """The result of a command."""


class MenuRequest(Enum):
    """Requests that the menu's caller carries out."""

    BEGIN = "begin"
    GO_ON = "go_on"
    """Resume the unfinished game."""
    CALIBRATE = "calibrate"
    ENROL = "enrol"
    EXPORT = "export"
    """Copy the stored games to a USB stick."""
    STATISTICS = "statistics"
    """Count over the stored games."""
    SWITCH_OFF = "switch_off"


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that has been played at this table."""

    name: str
    """Its journal's name: the moment at which it began."""
    description: Phrase
    """The name of the game, and its result."""
    totals: tuple[tuple[str, int], ...]
    """The totals, best first; none before the first hand is over."""
    over: bool = True
    """Whether the game came to its end."""
    unsure: bool = False
    """Whether the date is not known."""

    @property
    def start_day(self) -> Phrase | str:
        """The day on which it began, by the machine's clock."""
        return make_phrase("menu.day_unsure", day=self.name[:10]) if self.unsure else self.name[:10]


@dataclass(frozen=True)
class MenuContext:
    """What the menu is given when it opens, and does not change."""

    config: TableConfig
    """The table's set-up: its chairs, and the game that it names, if any."""
    languages: Mapping[str, str]
    """The languages' own names by their codes."""
    alphabets: Mapping[str, tuple[str, ...]]
    """Rows of letters by language."""
    played_games: tuple[PlayedGame, ...] = ()
    """Played games, the latest first."""
    unfinished: Phrase | None = None
    """The game that can be resumed."""
    offered_requests: frozenset[MenuRequest] = frozenset()
    """The requests that are possible besides beginning a game."""
    has_keyboard: bool = False
    """Whether a keyboard replaces the buttons."""


@dataclass(frozen=True, slots=True)
class OpenPage:
    """An open page with its selected line."""

    page: PageSubject
    selected: int = 0
    subject: str = ""
    """The name of the chair or game that the page is about."""
    spelling: NameEntry = field(default_factory=NameEntry)
    findings: tuple[MenuLine, ...] = ()
    charts: tuple[BarChart, ...] = ()


@dataclass(frozen=True)
class Menu:
    """The menu at one moment: the plan, the open pages, the selected lines."""

    context: MenuContext
    plan: GamePlan
    open_pages: tuple[OpenPage, ...] = (OpenPage(PageSubject.MAIN),)
    """The open pages, from the first one down to the one that is shown."""
    pressed_by: str | None = None
    """The chair whose buttons were pressed last."""
    message: Phrase | None = None
    request: MenuRequest | None = None
    lot_number: int = 0
    """The moment of the last choice, which is used as a random number."""

    @property
    def shown_page(self) -> OpenPage:
        """The page that is shown."""
        return self.open_pages[-1]

    @property
    def fault(self) -> Phrase | None:
        """Why no game can begin with this plan; None where one can."""
        return find_plan_fault(self.plan, self.context.config)

    @property
    def back(self) -> Menu:
        """A copy of the menu one step back: the page above, or the rows of letters again; the first page stays."""
        if self.shown_page.spelling.row is not None:
            return self.with_page(
                replace(self.shown_page, spelling=replace(self.shown_page.spelling, row=None))
            )
        return replace(self, open_pages=self.open_pages[:-1] or self.open_pages, message=None)

    def open_page(self, page: PageSubject, about: str = "", at: int = 0) -> Menu:
        """Return a copy of the menu with another page opened beneath the shown one."""
        return replace(self, open_pages=(*self.open_pages, OpenPage(page, at, about)), message=None)

    def with_page(self, now: OpenPage) -> Menu:
        """Return a copy of the menu with the shown page replaced."""
        return replace(self, open_pages=(*self.open_pages[:-1], now), message=None)

    @property
    def screen(self) -> ScreenConfig:
        """The screen's set-up, as chosen."""
        return screen_config(self.plan, self.context.config)

    def with_plan(self, plan: GamePlan) -> Menu:
        """Return a copy of the menu with another plan."""
        return replace(self, plan=plan)

    def with_request(self, wish: MenuRequest) -> Menu:
        """Return a copy of the menu with a request to its caller."""
        return replace(self, request=wish)


MenuAction: TypeAlias = Callable[[Menu], Menu]
"""The action of a line: a pure function of the menu."""


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """A line of a page, and its action."""

    line: MenuLine
    action: MenuAction = field(default=lambda menu: menu.back)


def handle_call(menu: Menu, call: Call, entries: Callable[[Menu], tuple[MenuEntry, ...]]) -> Menu:
    """Return the menu after a call of any player; ``entries`` returns the entries of a menu's page."""
    menu = replace(menu, pressed_by=call.seat, lot_number=call.t_ns)
    if call.gesture is Gesture.WRONG:
        return menu.back
    held_after_tap = call.gesture is Gesture.ZERO and call.count > 0
    if call.gesture is Gesture.TAPS or held_after_tap:
        menu = move_selection(menu, call.count, entries)
    if call.gesture is Gesture.RAP or held_after_tap:
        menu = run_selected(menu, entries)
    return menu


def move_selection(menu: Menu, steps: int, entries: Callable[[Menu], tuple[MenuEntry, ...]]) -> Menu:
    """Return the menu with the selection moved down by ``steps`` lines, wrapping around."""
    return menu.with_page(
        replace(menu.shown_page, selected=(menu.shown_page.selected + steps) % len(entries(menu)))
    )


def run_selected(menu: Menu, entries: Callable[[Menu], tuple[MenuEntry, ...]]) -> Menu:
    """Return the menu after the action of the selected line."""
    page_entries = entries(menu)
    return page_entries[min(menu.shown_page.selected, len(page_entries) - 1)].action(menu)
