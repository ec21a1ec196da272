"""The menu's pages are drawn: every line in letters that can be read, nothing sticks out, the marked one stands out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pygame
import pytest

from table.display.drawing.boxes import MIN_TEXT, pixels_per_unit
from table.display.drawing.canvas import Canvas
from table.display.drawing.colours import AMBER
from table.display.pages.menu_page import draw_menu
from table.display.view_picture import draw_canvas
from table.menu.menu import Menu, PageSubject
from table.menu.menu_pages import make_menu_view
from table.menu.menu_view_data import TablePicture, make_loading_view
from table.phrase import make_phrase
from tests.display.menus import pages

SIZES = [(800, 480), (1280, 720)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("shown", pages(), ids=lambda shown: shown.shown_page.page.value)
def test_every_page_fits_the_screen_in_letters_that_can_be_read(shown: Menu, size: tuple[int, int]) -> None:
    canvas = Canvas(size)
    draw_menu(
        canvas,
        replace(
            make_menu_view(shown),
            message=make_phrase("menu.needs", range=make_phrase("menu.for_so_many", low=4)),
        ),
    )
    screen = pygame.Rect((0, 0), size)
    for placed in canvas.placed:
        assert placed.box.contains(placed.ink), placed
        assert screen.contains(placed.ink), placed
    inks = [placed.ink for placed in canvas.placed]
    assert not any(ink.collidelist(inks[at + 1 :]) >= 0 for at, ink in enumerate(inks)), (
        "no text upon another"
    )
    low = min(placed.ink.height for placed in canvas.placed)
    assert low >= MIN_TEXT * pixels_per_unit(size) * 0.6


@pytest.mark.parametrize("size", [*SIZES, (480, 800)])
def test_while_the_mark_is_looked_for_the_cameras_picture_stands_alone_beside_it(
    size: tuple[int, int],
) -> None:
    green = np.full((9, 16, 3), (0, 255, 0), np.uint8)
    view = replace(make_loading_view("menu.looking"), picture=TablePicture(0, green))
    drawn = draw_canvas(view, size).surface
    mask = pygame.mask.from_threshold(drawn, (0, 255, 0), (2, 2, 2, 255))
    assert mask.count() > size[0] * size[1] / 20


def amber(surface: pygame.Surface) -> int:
    return pygame.mask.from_threshold(surface, AMBER, (2, 2, 2, 255)).count()


@pytest.mark.parametrize("size", SIZES)
def test_the_marked_line_is_seen_however_many_there_are(size: tuple[int, int]) -> None:
    chair = next(shown for shown in pages() if shown.shown_page.page is PageSubject.CHAIR)
    pictures = set()
    for at in range(len(make_menu_view(chair).lines)):
        canvas = Canvas(size)
        draw_menu(canvas, make_menu_view(chair.change_page(selected=at)))
        pictures.add(pygame.image.tobytes(canvas.surface, "RGB"))
        assert amber(canvas.surface) > size[0] * size[1] / 100
    assert len(pictures) == len(make_menu_view(chair).lines)
