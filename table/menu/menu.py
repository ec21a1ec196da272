"""The menu before and between games: pages of lines, stepped through with any seat's buttons (:mod:`table.stepper`).

A menu is an immutable value: each press returns a new one, and nothing is done until it has a request, which the caller
carries out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Final, TypeAlias

from table.chart_data import Figures
from table.config.settings import ScreenConfig, TableConfig
from table.menu.menu_view_data import MenuLine
from table.menu.name_entry import NameEntry
from table.menu.next_game_plan import GamePlan, find_plan_fault, screen_config
from table.phrase import Phrase, make_phrase
from table.stepper import Entry, SteppedLevel, Stepper


class PageSubject(Enum):
    """The pages of the menu."""

    MAIN = "main"
    GAME = "game"
    RULES = "rules"
    OPTIONS = "options"
    OPTION = "option"
    READ_RULES = "read_rules"
    PLAYERS = "players"
    CHAIR = "chair"
    SPELL = "spell"
    DEALER = "dealer"
    SETTINGS = "settings"
    LANGUAGE = "language"
    CAMERA = "camera"
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
    FIND_SEATS = "find_seats"
    CHANGE_CAMERA = "change_camera"
    ENROL = "enrol"
    EXPORT = "export"
    """Copy the stored games to a USB stick."""
    STATISTICS = "statistics"
    SWITCH_OFF = "switch_off"


CAMERA_REQUESTS: Final = (MenuRequest.CALIBRATE, MenuRequest.FIND_SEATS, MenuRequest.ENROL)
"""The requests that need the camera."""


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
    languages: Mapping[str, str]
    """The languages' own names by their codes."""
    alphabets: Mapping[str, tuple[str, ...]]
    """Rows of letters by language."""
    played_games: tuple[PlayedGame, ...] = ()
    """The latest first."""
    unfinished: Phrase | None = None
    may_switch_off: bool = False
    """Whether the table may power the machine off."""
    has_keyboard: bool = False
    cameras: tuple[str, ...] = ()
    """The cameras to choose from, by the names that ``camera.source`` gives them."""
    camera_in_use: str = ""
    """The one of them that is used, by whatever name ``table.toml`` has it; else the source there, without password."""


@dataclass(frozen=True, slots=True)
class OpenPage(SteppedLevel):
    """An open page."""

    page: PageSubject
    subject: str = ""
    """The name of the chair, game or option that the page is about; empty where a name for rules is spelled."""
    spelling: NameEntry = field(default_factory=NameEntry)
    findings: tuple[MenuLine, ...] = ()
    figures: tuple[Figures, ...] = ()


@dataclass(frozen=True)
class Menu:
    """The menu at one moment: the plan, and the open pages with their selected lines."""

    context: MenuContext
    plan: GamePlan
    stepper: Stepper[OpenPage] = field(default_factory=lambda: Stepper((OpenPage(PageSubject.MAIN),)))
    pressed_by: str | None = None
    """The chair whose buttons were pressed last."""
    message: Phrase | None = None
    request: MenuRequest | None = None
    wanted_camera: str = ""
    """The camera that is asked for by ``MenuRequest.CHANGE_CAMERA``."""
    lot_number: int = 0
    """The moment of the last choice, which is used as a random number."""

    @property
    def shown_page(self) -> OpenPage:
        """The page that is shown."""
        return self.stepper.shown

    @property
    def fault(self) -> Phrase | None:
        """Why no game can begin with this plan; None where one can."""
        return find_plan_fault(self.plan, self.context.config)

    @property
    def screen(self) -> ScreenConfig:
        """The screen's set-up, as chosen."""
        return screen_config(self.plan, self.context.config)

    @property
    def back(self) -> Menu:
        """A copy of the menu one step back: the page above, or the rows of letters again; the first page stays."""
        spelling = self.shown_page.spelling
        if spelling.row is not None:
            return self.change_page(spelling=replace(spelling, row=None))
        stepper = self.stepper.back if len(self.stepper.levels) > 1 else self.stepper
        return replace(self, stepper=stepper, message=None)

    def open_page(self, page: OpenPage) -> Menu:
        """Return a copy of the menu with another page opened below the shown one."""
        return replace(self, stepper=self.stepper.open(page), message=None)

    def change_page(self, **changes: Any) -> Menu:
        """Return a copy of the menu with fields of the shown page changed."""
        return replace(self, stepper=self.stepper.change(replace(self.shown_page, **changes)), message=None)

    def change_plan(self, **changes: Any) -> Menu:
        """Return a copy of the menu with fields of the plan changed."""
        return replace(self, plan=replace(self.plan, **changes))


MenuAction: TypeAlias = Callable[[Menu], Menu]
"""The action of a line: a pure function of the menu."""
MenuEntry: TypeAlias = Entry[MenuLine, OpenPage, MenuAction]
"""A line of a page: it opens a page, has an action, or leaves its page."""


def menu_entry(
    text: Phrase | str,
    value: Phrase | str | None = None,
    action: MenuAction | None = None,
    *,
    opens: OpenPage | None = None,
    chosen: bool = False,
    about: Phrase | None = None,
) -> MenuEntry:
    """Return a line of a page; with neither an action nor a page that it opens it leaves its page."""
    return MenuEntry(MenuLine(text, value, chosen, about), action, None if opens is None else lambda: opens)
