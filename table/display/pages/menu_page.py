"""The menu's page: lines with the selected one highlighted, the table or a chart beside them, key hints below."""

from __future__ import annotations

from typing import Final

import pygame

from table.display.drawing.boxes import centred, cut, is_upright, split
from table.display.drawing.canvas import Canvas
from table.display.drawing.colours import (
    AMBER,
    DIM,
    EDGE,
    FELT,
    FELT_EDGE,
    INK,
    OVER,
    PANEL,
    PANEL_DEEP,
    TEXT,
)
from table.display.pages.charts import draw_figures
from table.display.table_view.correction_panel_view import draw_rules, layout_lines
from table.display.table_view.plate_positions import place_on_edge, shrinking_sizes
from table.menu.menu_view_data import MenuChair, MenuLine, MenuView
from table.phrase import make_phrase

_MARGIN: Final = 20
"""The margin around the page, in units."""
_TITLE_HEIGHT, _HINTS_HEIGHT, _MESSAGE_HEIGHT = 76, 44, 64
"""The heights of the title bar, of the key hints and of the band with a message, in units."""
_ROW_HEIGHT: Final = 66
"""The height of a line, in units; a page with more lines than fit is scrolled."""
_MAX_PLATE_WIDTH, _MAX_PLATE_HEIGHT = 200, 52
"""The greatest size of a chair's plate, in units."""
_MAX_TABLE_ASPECT: Final = 1.6
"""The greatest ratio of height to width of the table seen from above."""
_TABLE_SHARE, _CHART_SHARE = 0.36, 0.62
"""The shares of the width (upright: of the height) that the table seen from above and a chart take."""
_PICTURE_SHARE: Final = 0.46
"""The share of the table seen from above that the camera's picture takes."""


def draw_menu(canvas: Canvas, view: MenuView) -> None:
    """Draw a page of the menu."""
    margin, gap = canvas.px(_MARGIN), canvas.px(10)
    rest = pygame.Rect((0, 0), canvas.size).inflate(-2 * margin, -2 * margin)
    title, rest = cut(rest, "top", canvas.px(_TITLE_HEIGHT), gap)
    foot, rest = cut(rest, "bottom", canvas.px(_HINTS_HEIGHT), gap)
    _draw_title(canvas, view, title)
    if view.button_help is not None:
        canvas.draw_text(view.button_help, foot, 34, TEXT)
    about = view.lines[view.selected].about
    messages = tuple(filter(None, (view.message, *view.troubles, about)))
    if messages:
        band, rest = cut(rest, "bottom", canvas.px(_MESSAGE_HEIGHT), gap)
        canvas.draw_panel(band, PANEL_DEEP, EDGE if messages[0] is about else OVER, 2)
        words = canvas.inset(band, 24, 4)
        canvas.draw_text(messages[0], words, 32, TEXT, smallest=17, lines=3, begins=True)
    if view.chairs or view.picture is not None:
        upright = is_upright(rest)
        side, rest = split(rest, "top" if upright else "right", _TABLE_SHARE, gap)
        with canvas.unmirrored(side) as place:
            if view.picture is not None:
                share = _PICTURE_SHARE if view.chairs else 1.0
                seen, place = split(place, "right" if upright else "bottom", share, gap)
                title, seen = cut(seen, "top", canvas.px(30), canvas.px(4))
                canvas.draw_text(make_phrase("menu.as_seen"), title, 24, DIM)
                canvas.draw_picture(view.picture.image, seen)
            if view.chairs:
                _draw_chairs(canvas, view.chairs, place)
    if view.figures is not None:
        side, rest = split(rest, "top" if is_upright(rest) else "right", _CHART_SHARE, gap)
        draw_figures(canvas, view.figures, side)
    if view.entered_name is not None:
        name, rest = cut(rest, "top", canvas.px(84), gap)
        canvas.draw_panel(name, PANEL_DEEP, EDGE, 2)
        canvas.draw_text(f"{view.entered_name}_", canvas.inset(name, 24, 8), 60, AMBER, strong=True)
    if view.rules is not None:
        draw_rules(canvas, *view.rules, view.selected, rest)
        return
    names = tuple(chair.name for chair in view.chairs if chair.name)
    for number, line in layout_lines(canvas, len(view.lines), view.selected, rest, _ROW_HEIGHT, canvas.px(6)):
        _draw_line(canvas, view.lines[number], line, names, marked=number == view.selected)


def _draw_title(canvas: Canvas, view: MenuView, box: pygame.Rect) -> None:
    words = canvas.inset(box, 24)
    canvas.draw_panel(box, PANEL)
    if view.path:
        above, words = cut(words, "top", canvas.px(4) + round(words.height * 0.34))
        _, above = cut(above, "top", canvas.px(4))
        canvas.draw_text(" › ".join(map(canvas.words, view.path)), above, 24, DIM, align=0)
    at, words = cut(words, "right", canvas.px(130))
    position = make_phrase("menu.at", at=view.selected + 1, lines=len(view.lines))
    canvas.draw_text(position, at, 28, DIM, align=1)
    canvas.draw_text(view.title, words, 52, AMBER, align=0, strong=True)


def _draw_line(
    canvas: Canvas, line: MenuLine, box: pygame.Rect, names: tuple[str, ...], *, marked: bool
) -> None:
    canvas.draw_panel(box, AMBER if marked else PANEL_DEEP, radius=10)
    ink, dim = (INK, INK) if marked else (TEXT, DIM)
    inside = canvas.inset(box, 32, 8)
    if line.chosen:
        tick, inside = cut(inside, "right", canvas.px(30), canvas.px(10))
        canvas.draw_icon("tick", centred(canvas.px(30), tick.center), ink)
    if line.value is None:
        canvas.draw_text(line.text, inside, 36, ink, align=0, lines=2)
        return
    text, _ = split(inside, "left", 0.4)
    written = canvas.draw_text(line.text, text, 36, ink, align=0, lines=2)
    value, _ = cut(inside, "right", inside.right - written.right - canvas.px(16))
    canvas.draw_text(line.value, value, 32, dim, align=1, lines=2, among=names)


def _draw_chairs(canvas: Canvas, chairs: tuple[MenuChair, ...], box: pygame.Rect) -> None:
    """Draw the table from above, as the camera sees it: each chair with its number and player; nothing without room."""
    largest = min(box.width * 0.4, canvas.px(_MAX_PLATE_WIDTH)), canvas.px(_MAX_PLATE_HEIGHT)
    around = box.inflate(0, min(0, round(box.width * _MAX_TABLE_ASPECT) - box.height))
    angles = {str(number): chair.angle for number, chair in enumerate(chairs)}
    plates = place_on_edge(around, angles, shrinking_sizes(largest, canvas.px(8)))
    if not plates:
        return
    first_plate = plates["0"]
    canvas.draw_panel(around.inflate(-first_plate.width, -first_plate.height), FELT, FELT_EDGE, 4, radius=90)
    names = tuple(chair.name for chair in chairs if chair.name)
    for number, chair in enumerate(chairs):
        plate = plates[str(number)]
        fill = AMBER if chair.marked else PANEL if chair.name else PANEL_DEEP
        canvas.draw_panel(plate, fill, EDGE, 2, radius=10)
        colour = INK if chair.marked else TEXT if chair.name else DIM
        inside = canvas.inset(plate, 10, 6)
        if chair.deals_first:
            side = min(canvas.px(26), inside.height)
            button, inside = cut(inside, "right", side)
            canvas.draw_badge_text(make_phrase("plate.dealer"), centred(side, button.center), colour)
        if chair.name:
            canvas.draw_name(chair.name, names, inside, 32, colour)
        else:
            canvas.draw_text(str(number + 1), inside, 32, colour, strong=True)
