"""The menu's screen: a page of lines, the marked one bright, beside it the table, beneath it what to press."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pygame

from table.display.canvas import Canvas
from table.display.layout import upright
from table.display.lines import lines_in
from table.display.plates import on_edge, smaller
from table.display.plots import draw_plot
from table.display.theme import AMBER, DIM, EDGE, FELT, FELT_EDGE, INK, OVER, PANEL, PANEL_DEEP, TEXT
from table.menu.view import Line, MenuView, Place
from table.phrase import say

MARGIN: Final = 20
TITLE: Final = 76
FOOT: Final = 44
TOLD: Final = 64
PLATE: Final = 200
CHAIR: Final = 52
"""A chair's plate, in units: as wide and as high as this at most."""
TALL: Final = 1.6
"""The table from above is no higher than so many times its width."""
ROW: Final = 66
"""The height of a line, in units; more lines than fit are scrolled through."""
TABLE: Final = 0.36
"""The part of the width (upright: of the height) that the table from above takes."""
PLOT: Final = 0.62
"""And that a plot takes."""


def draw_menu(canvas: Canvas, view: MenuView) -> None:
    """Draw a page."""
    inside = pygame.Rect((0, 0), canvas.size).inflate(-2 * canvas.px(MARGIN), -2 * canvas.px(MARGIN))
    gap = canvas.px(10)
    title = pygame.Rect(inside.left, inside.top, inside.width, canvas.px(TITLE))
    foot = pygame.Rect(inside.left, inside.bottom - canvas.px(FOOT), inside.width, canvas.px(FOOT))
    _title(canvas, view, title)
    if view.how is not None:
        canvas.text(view.how, foot, 30, DIM)
    middle = pygame.Rect(inside.left, title.bottom + gap, inside.width, foot.top - title.bottom - 2 * gap)
    told = (*([view.told] if view.told is not None else []), *view.troubles)
    if told:
        band = pygame.Rect(middle.left, middle.bottom - canvas.px(TOLD), middle.width, canvas.px(TOLD))
        canvas.panel(band, PANEL_DEEP, OVER, 2)
        inside = band.inflate(-canvas.px(24), -canvas.px(4))
        canvas.text(told[0], inside, 32, TEXT, smallest=17, lines=3, begins=True)
        middle.height -= band.height + gap
    if view.places:
        side, middle = _beside(canvas, middle, TABLE)
        around = canvas.at(side)
        with canvas.as_it_lies():
            _table(canvas, view.places, around)
    if view.plot is not None:
        side, middle = _beside(canvas, middle, PLOT)
        plot = canvas.at(side)
        with canvas.as_it_lies():
            draw_plot(canvas, view.plot, plot)
    if view.spelled is not None:
        name = pygame.Rect(middle.left, middle.top, middle.width, canvas.px(84))
        canvas.panel(name, PANEL_DEEP, EDGE, 2)
        canvas.text(f"{view.spelled}_", name.inflate(-canvas.px(24), -canvas.px(8)), 60, AMBER, strong=True)
        middle.top, middle.height = name.bottom + gap, middle.height - name.height - gap
    _lines(canvas, view, middle)


def _beside(canvas: Canvas, box: pygame.Rect, part: float) -> tuple[pygame.Rect, pygame.Rect]:
    """What is beside the lines (above them on a screen that stands upright), and what is left for these."""
    side, rest, gap = pygame.Rect(box), pygame.Rect(box), canvas.px(10)
    if upright(box):
        side.height = round(box.height * part)
        rest.top, rest.height = side.bottom + gap, box.height - side.height - gap
        return side, rest
    side.width = round(box.width * part)
    side.right = box.right
    rest.width -= side.width + gap
    return side, rest


def _title(canvas: Canvas, view: MenuView, box: pygame.Rect) -> None:
    """What the page is about, and above it the way to it."""
    words = box.inflate(-canvas.px(24), 0)
    canvas.panel(box, PANEL)
    if view.path:
        above = pygame.Rect(words.left, words.top + canvas.px(4), words.width, round(words.height * 0.34))
        canvas.text(" › ".join(map(canvas.words, view.path)), above, 24, DIM, align=0)
        words = pygame.Rect(words.left, above.bottom, words.width, words.bottom - above.bottom)
    at = pygame.Rect(words)
    at.width = canvas.px(130)
    at.right = words.right
    canvas.text(say("menu.at", at=view.at + 1, lines=len(view.lines)), at, 28, DIM, align=1)
    words.width -= at.width
    canvas.text(view.title, words, 52, AMBER, align=0, strong=True)


def _lines(canvas: Canvas, view: MenuView, box: pygame.Rect) -> None:
    gap = canvas.px(6)
    names = tuple(place.name for place in view.places if place.name)
    # Short texts without values, as letters are, stand as large as the others.
    for number, place in lines_in(canvas, len(view.lines), view.at, box, ROW, gap):
        _line(canvas, view.lines[number], place, names, marked=number == view.at)


def _line(canvas: Canvas, line: Line, box: pygame.Rect, names: tuple[str, ...], *, marked: bool) -> None:
    canvas.panel(box, AMBER if marked else PANEL_DEEP, radius=10)
    ink, dim = (INK, INK) if marked else (TEXT, DIM)
    inside = box.inflate(-canvas.px(32), -canvas.px(8))
    if line.chosen:
        side = canvas.px(30)
        tick = pygame.Rect(inside.right - side, inside.centery - side // 2, side, side)
        canvas.sign("tick", tick, ink)
        inside.width -= side + canvas.px(10)
    if line.value is None:
        canvas.text(line.text, inside, 36, ink, align=0, lines=2)
        return
    text = pygame.Rect(inside)
    text.width = round(inside.width * 0.4)
    written = canvas.text(line.text, text, 36, ink, align=0, lines=2)
    value = pygame.Rect(written.right + canvas.px(16), inside.top, 0, inside.height)
    value.width = inside.right - value.left
    canvas.text(line.value, value, 32, dim, align=1, lines=2, among=names)


# --- the table from above -------------------------------------------------------------------------------------------


def _table(canvas: Canvas, places: Sequence[Place], box: pygame.Rect) -> None:
    """The chairs around the felt, each with its number and its player; nothing where they have no room."""
    largest = min(box.width * 0.4, canvas.px(PLATE)), canvas.px(CHAIR)
    around = box.inflate(0, min(0, round(box.width * TALL) - box.height))
    angles = {str(number): place.angle for number, place in enumerate(places)}
    plates = on_edge(around, angles, smaller(largest, canvas.px(8)))
    if plates is None:
        return
    some = plates["0"]
    canvas.panel(around.inflate(-some.width, -some.height), FELT, FELT_EDGE, 4, radius=90)
    names = tuple(place.name for place in places if place.name)
    for number, place in enumerate(places):
        plate = plates[str(number)]
        fill = AMBER if place.marked else PANEL if place.name else PANEL_DEEP
        canvas.panel(plate, fill, EDGE, 2, radius=10)
        colour = INK if place.marked else TEXT if place.name else DIM
        inside = plate.inflate(-canvas.px(10), -canvas.px(6))
        if place.deals:
            side = min(canvas.px(26), inside.height)
            crown = pygame.Rect(inside.right - side, inside.centery - side // 2, side, side)
            canvas.mark(say("plate.dealer"), crown, colour)
            inside.width -= side
        if place.name:
            canvas.name(place.name, names, inside, 32, colour)
        else:
            canvas.text(str(number + 1), inside, 32, colour, strong=True)
