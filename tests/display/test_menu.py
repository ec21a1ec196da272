"""The menu's pages are drawn: every line in letters that can be read, nothing sticks out, the marked one stands out."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from table.display.canvas import Canvas
from table.display.menu import draw_menu
from table.display.theme import AMBER, SMALLEST, unit
from table.menu.menu import Kept, Menu, Opened, Page, Wish
from table.menu.pages import counted, opening, view_of
from table.menu.plan import Plan
from table.phrase import say
from table.plot import Bar, Plot
from table.setup.pins import chairs
from table.words.spoken import spoken
from tests.display.views import LONG_NAMES
from tests.menu.hands import OPEN, around

SIZES = [(800, 480), (1280, 720)]
SEATS = replace(OPEN, seats=chairs())


def menu() -> Menu:
    told = say(
        "history.with_points", how=say("history.won", winners=LONG_NAMES[:2]), points={"Ada": 51, "Ben": 30}
    )
    kept = tuple(Kept(f"2026-11-{day}-200000", told, (("Ada", 51), ("Ben", 30))) for day in range(10, 22))
    plan = Plan(game="oh-hell", known=tuple(f"Guest {number}" for number in range(30)))
    for number, name in enumerate(LONG_NAMES, start=1):
        plan = plan.sit(str(number), name)
    offers = frozenset(Wish)
    return opening(around(SEATS, evenings=kept, offers=offers, unfinished=told), plan)


def pages() -> list[Menu]:
    """Every page of a full table."""
    top = menu()
    abouts = {Page.CHAIR: "3", Page.SPELL: "3", Page.EVENING: "0"}
    found = [replace(top, opened=(*top.opened, Opened(page, 1, abouts.get(page, "")))) for page in Page]
    return [*found, counted(menu(), (by_player(),))]


def by_player() -> Plot:
    """As large as it gets."""
    told = say("plot.counts", made=111, over=222, under=333)
    legend = (say("plot.made"), say("plot.over"), say("plot.under"))
    bars = tuple(Bar(f"{name} {number}", (0.2, 0.3, 0.5), told) for number in range(3) for name in LONG_NAMES)
    return Plot("over-and-under", say("plot.over_and_under"), bars, legend)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("shown", pages(), ids=lambda shown: shown.now.page.value)
def test_every_page_fits_the_screen_in_letters_that_can_be_read(shown: Menu, size: tuple[int, int]) -> None:
    canvas = Canvas(size, spoken())
    draw_menu(canvas, replace(view_of(shown), told=say("menu.needs", range=say("menu.for_so_many", low=4))))
    screen = pygame.Rect((0, 0), size)
    for placed in canvas.placed:
        assert placed.box.contains(placed.ink), placed
        assert screen.contains(placed.ink), placed
    inks = [placed.ink for placed in canvas.placed]
    assert not any(ink.collidelist(inks[at + 1 :]) >= 0 for at, ink in enumerate(inks)), (
        "no text upon another"
    )
    low = min(placed.ink.height for placed in canvas.placed)
    assert low >= SMALLEST * unit(size) * 0.6


def amber(surface: pygame.Surface) -> int:
    return pygame.mask.from_threshold(surface, AMBER, (2, 2, 2, 255)).count()


@pytest.mark.parametrize("size", SIZES)
def test_the_marked_line_is_seen_however_many_there_are(size: tuple[int, int]) -> None:
    chair = next(shown for shown in pages() if shown.now.page is Page.CHAIR)
    pictures = set()
    for at in range(len(view_of(chair).lines)):
        canvas = Canvas(size, spoken())
        draw_menu(canvas, view_of(chair.changed(replace(chair.now, at=at))))
        pictures.add(pygame.image.tobytes(canvas.surface, "RGB"))
        assert amber(canvas.surface) > size[0] * size[1] / 100
    assert len(pictures) == len(view_of(chair).lines)
