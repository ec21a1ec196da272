"""Every page of the menu of a full table, with the longest that can stand there."""

from __future__ import annotations

from table.chart_data import Bar, BarChart, FiguresTable
from table.config.pin_plan import plan_chairs
from table.config.settings import TableConfig
from table.history.played_hands import PlayedHand
from table.history.statistics import Statistics, make_table
from table.i18n.catalogue import ENGLISH, languages, load_catalogue
from table.menu.menu import Menu, OpenPage, PageSubject, PlayedGame
from table.menu.menu_pages import show_statistics
from table.menu.next_game_plan import GamePlan
from table.phrase import make_phrase
from tests.display.views import LONG_NAMES
from tests.menu.hands import around

SEATS = TableConfig("", {}, plan_chairs())


def menu(language: str = ENGLISH) -> Menu:
    """On its first page."""
    told = make_phrase(
        "history.with_points",
        how=make_phrase("history.won", winners=LONG_NAMES[:2]),
        points={"Ada": 51, "Ben": 30},
    )
    kept = tuple(
        PlayedGame(f"2026-11-{day}-200000", told, (("Ada", 51), ("Ben", 30))) for day in range(10, 22)
    )
    plan = GamePlan(
        game="oh-hell",
        screen={"language": language},
        known_players=tuple(f"Guest {number}" for number in range(30)),
    )
    for number, name in enumerate(LONG_NAMES, start=1):
        plan = plan.seat_player(str(number), name)
    known = {name: load_catalogue(name) for name in languages()}
    about = around(
        SEATS,
        played_games=kept,
        may_switch_off=True,
        unfinished=told,
        languages={name: one.name for name, one in known.items()},
        alphabets={name: one.letters for name, one in known.items()},
    )
    return Menu(about, plan)


def pages(language: str = ENGLISH) -> list[Menu]:
    """Every page of a full table."""
    top = menu(language)
    abouts = {
        PageSubject.CHAIR: "3",
        PageSubject.SPELL: "3",
        PageSubject.EVENING: "0",
        PageSubject.OPTION: "scoring",
    }
    found = [top.open_page(OpenPage(page, abouts.get(page, ""), selected=1)) for page in PageSubject]
    return [*found, *(show_statistics(menu(language), (figures,)) for figures in (by_player(), people()))]


def by_player() -> BarChart:
    """As large as it gets."""
    told = make_phrase("plot.counts", made=111, over=222, under=333)
    legend = (make_phrase("plot.made"), make_phrase("plot.over"), make_phrase("plot.under"))
    bars = tuple(Bar(f"{name} {number}", (0.2, 0.3, 0.5), told) for number in range(3) for name in LONG_NAMES)
    return BarChart("over-and-under", make_phrase("plot.over_and_under"), bars, legend)


def people() -> FiguresTable:
    """The statistics of as many people as there can be, with high figures."""
    counts = Statistics()
    for name in LONG_NAMES:
        for _ in range(120):
            hand = PlayedHand(1, 5, "", [name], bids={name: 3}, taken={name: 3}, totals={name: 0})
            counts.add([name], [name], [hand], over=True)
    return make_table(counts, brief=True)
