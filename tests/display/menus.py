"""Every page of the menu of a full table, with the longest that can stand there."""

from __future__ import annotations

from dataclasses import replace

from table.menu.menu import Kept, Menu, Opened, Page, Wish
from table.menu.pages import counted, opening
from table.menu.plan import Plan
from table.menu.plot import Bar, Plot
from table.phrase import say
from table.setup.pins import chairs
from table.words.catalogue import ENGLISH, catalogue, languages
from tests.display.views import LONG_NAMES
from tests.menu.hands import OPEN, around

SEATS = replace(OPEN, seats=chairs())


def menu(language: str = ENGLISH) -> Menu:
    """On its first page."""
    told = say(
        "history.with_points", how=say("history.won", winners=LONG_NAMES[:2]), points={"Ada": 51, "Ben": 30}
    )
    kept = tuple(Kept(f"2026-11-{day}-200000", told, (("Ada", 51), ("Ben", 30))) for day in range(10, 22))
    plan = Plan(
        game="oh-hell", screen={"language": language}, known=tuple(f"Guest {number}" for number in range(30))
    )
    for number, name in enumerate(LONG_NAMES, start=1):
        plan = plan.sit(str(number), name)
    offers = frozenset(Wish)
    known = {name: catalogue(name) for name in languages()}
    about = around(
        SEATS,
        evenings=kept,
        offers=offers,
        unfinished=told,
        languages={name: one.name for name, one in known.items()},
        alphabets={name: one.letters for name, one in known.items()},
    )
    return opening(about, plan)


def pages(language: str = ENGLISH) -> list[Menu]:
    """Every page of a full table."""
    top = menu(language)
    abouts = {Page.CHAIR: "3", Page.SPELL: "3", Page.EVENING: "0"}
    found = [replace(top, opened=(*top.opened, Opened(page, 1, abouts.get(page, "")))) for page in Page]
    return [*found, counted(menu(language), (by_player(),))]


def by_player() -> Plot:
    """As large as it gets."""
    told = say("plot.counts", made=111, over=222, under=333)
    legend = (say("plot.made"), say("plot.over"), say("plot.under"))
    bars = tuple(Bar(f"{name} {number}", (0.2, 0.3, 0.5), told) for number in range(3) for name in LONG_NAMES)
    return Plot("over-and-under", say("plot.over_and_under"), bars, legend)
