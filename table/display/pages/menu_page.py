"""The menu's page: lines with the selected one highlighted, the table or a chart beside them, key hints below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pygame

from table.display.drawing.canvas import Canvas
from table.display.drawing.colours_and_sizes import (
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
from table.display.pages.bar_chart_picture import draw_bar_chart
from table.display.table_view.option_list import layout_lines
from table.display.table_view.plate_positions import place_on_edge, shrinking_sizes
from table.display.table_view.screen_layout import is_upright
from table.menu.menu_view_data import MenuChair, MenuLine, MenuView
from table.phrase import make_phrase

MARGIN: Final = 20
"""The margin around the page, in units."""
TITLE_HEIGHT: Final = 76
"""The height of the title bar, in units."""
HINTS_HEIGHT: Final = 44
"""The height of the key hints, in units."""
MESSAGE_HEIGHT: Final = 64
"""The height of the band with a message, in units."""
MAX_PLATE_WIDTH: Final = 200
"""The greatest width of a chair's plate, in units."""
MAX_PLATE_HEIGHT: Final = 52
"""The greatest height of a chair's plate, in units."""
MAX_TABLE_ASPECT: Final = 1.6
"""The greatest ratio of height to width of the table seen from above."""
ROW_HEIGHT: Final = 66
"""The height of a line, in units; a page with more lines than fit is scrolled."""
TABLE_SHARE: Final = 0.36
"""The share of the width (upright: of the height) that the table seen from above takes."""
CHART_SHARE: Final = 0.62
"""The share that a chart takes."""


def draw_menu(canvas: Canvas, view: MenuView) -> None:
    """Draw a page of the menu."""
    inside = pygame.Rect((0, 0), canvas.size).inflate(-2 * canvas.px(MARGIN), -2 * canvas.px(MARGIN))
    gap = canvas.px(10)
    title = pygame.Rect(inside.left, inside.top, inside.width, canvas.px(TITLE_HEIGHT))
    foot = pygame.Rect(
        inside.left, inside.bottom - canvas.px(HINTS_HEIGHT), inside.width, canvas.px(HINTS_HEIGHT)
    )
    _draw_title(canvas, view, title)
    if view.button_help is not None:
        canvas.draw_text(view.button_help, foot, 30, DIM)
    middle = pygame.Rect(inside.left, title.bottom + gap, inside.width, foot.top - title.bottom - 2 * gap)
    messages = (*([view.message] if view.message is not None else []), *view.troubles)
    if messages:
        band = pygame.Rect(
            middle.left, middle.bottom - canvas.px(MESSAGE_HEIGHT), middle.width, canvas.px(MESSAGE_HEIGHT)
        )
        canvas.draw_panel(band, PANEL_DEEP, OVER, 2)
        inside = band.inflate(-canvas.px(24), -canvas.px(4))
        canvas.draw_text(messages[0], inside, 32, TEXT, smallest=17, lines=3, begins=True)
        middle.height -= band.height + gap
    if view.chairs:
        side, middle = _split_beside(canvas, middle, TABLE_SHARE)
        around = canvas.mirror_box(side)
        with canvas.unmirrored():
            _draw_chairs(canvas, view.chairs, around)
    if view.chart is not None:
        side, middle = _split_beside(canvas, middle, CHART_SHARE)
        plot = canvas.mirror_box(side)
        with canvas.unmirrored():
            draw_bar_chart(canvas, view.chart, plot)
    if view.entered_name is not None:
        name = pygame.Rect(middle.left, middle.top, middle.width, canvas.px(84))
        canvas.draw_panel(name, PANEL_DEEP, EDGE, 2)
        canvas.draw_text(
            f"{view.entered_name}_", name.inflate(-canvas.px(24), -canvas.px(8)), 60, AMBER, strong=True
        )
        middle.top, middle.height = name.bottom + gap, middle.height - name.height - gap
    _draw_lines(canvas, view, middle)


def _split_beside(canvas: Canvas, box: pygame.Rect, share: float) -> tuple[pygame.Rect, pygame.Rect]:
    """Split a box into room beside the lines (above them on an upright screen) and room for the lines."""
    side, rest, gap = pygame.Rect(box), pygame.Rect(box), canvas.px(10)
    if is_upright(box):
        side.height = round(box.height * share)
        rest.top, rest.height = side.bottom + gap, box.height - side.height - gap
        return side, rest
    side.width = round(box.width * share)
    side.right = box.right
    rest.width -= side.width + gap
    return side, rest


def _draw_title(canvas: Canvas, view: MenuView, box: pygame.Rect) -> None:
    """Draw the page's title, with the path of menus above it."""
    words = box.inflate(-canvas.px(24), 0)
    canvas.draw_panel(box, PANEL)
    if view.path:
        above = pygame.Rect(words.left, words.top + canvas.px(4), words.width, round(words.height * 0.34))
        canvas.draw_text(" › ".join(map(canvas.words, view.path)), above, 24, DIM, align=0)
        words = pygame.Rect(words.left, above.bottom, words.width, words.bottom - above.bottom)
    at = pygame.Rect(words)
    at.width = canvas.px(130)
    at.right = words.right
    canvas.draw_text(
        make_phrase("menu.at", at=view.selected + 1, lines=len(view.lines)), at, 28, DIM, align=1
    )
    words.width -= at.width
    canvas.draw_text(view.title, words, 52, AMBER, align=0, strong=True)


def _draw_lines(canvas: Canvas, view: MenuView, box: pygame.Rect) -> None:
    gap = canvas.px(6)
    names = tuple(place.name for place in view.chairs if place.name)
    # Short texts without values, such as single letters, are as large as the others.
    for number, place in layout_lines(canvas, len(view.lines), view.selected, box, ROW_HEIGHT, gap):
        _draw_line(canvas, view.lines[number], place, names, marked=number == view.selected)


def _draw_line(
    canvas: Canvas, line: MenuLine, box: pygame.Rect, names: tuple[str, ...], *, marked: bool
) -> None:
    canvas.draw_panel(box, AMBER if marked else PANEL_DEEP, radius=10)
    ink, dim = (INK, INK) if marked else (TEXT, DIM)
    inside = box.inflate(-canvas.px(32), -canvas.px(8))
    if line.chosen:
        side = canvas.px(30)
        tick = pygame.Rect(inside.right - side, inside.centery - side // 2, side, side)
        canvas.draw_icon("tick", tick, ink)
        inside.width -= side + canvas.px(10)
    if line.value is None:
        canvas.draw_text(line.text, inside, 36, ink, align=0, lines=2)
        return
    text = pygame.Rect(inside)
    text.width = round(inside.width * 0.4)
    written = canvas.draw_text(line.text, text, 36, ink, align=0, lines=2)
    value = pygame.Rect(written.right + canvas.px(16), inside.top, 0, inside.height)
    value.width = inside.right - value.left
    canvas.draw_text(line.value, value, 32, dim, align=1, lines=2, among=names)


# --- the table from above -------------------------------------------------------------------------------------------


def _draw_chairs(canvas: Canvas, chairs: Sequence[MenuChair], box: pygame.Rect) -> None:
    """Draw the chairs around the table, each with its number and player; nothing when they have no room."""
    largest = min(box.width * 0.4, canvas.px(MAX_PLATE_WIDTH)), canvas.px(MAX_PLATE_HEIGHT)
    around = box.inflate(0, min(0, round(box.width * MAX_TABLE_ASPECT) - box.height))
    angles = {str(number): chair.angle for number, chair in enumerate(chairs)}
    plates = place_on_edge(around, angles, shrinking_sizes(largest, canvas.px(8)))
    if plates is None:
        return
    first_plate = plates["0"]
    canvas.draw_panel(around.inflate(-first_plate.width, -first_plate.height), FELT, FELT_EDGE, 4, radius=90)
    names = tuple(chair.name for chair in chairs if chair.name)
    for number, chair in enumerate(chairs):
        plate = plates[str(number)]
        fill = AMBER if chair.marked else PANEL if chair.name else PANEL_DEEP
        canvas.draw_panel(plate, fill, EDGE, 2, radius=10)
        colour = INK if chair.marked else TEXT if chair.name else DIM
        inside = plate.inflate(-canvas.px(10), -canvas.px(6))
        if chair.deals_first:
            side = min(canvas.px(26), inside.height)
            crown = pygame.Rect(inside.right - side, inside.centery - side // 2, side, side)
            canvas.draw_badge_text(make_phrase("plate.dealer"), crown, colour)
            inside.width -= side
        if chair.name:
            canvas.draw_name(chair.name, names, inside, 32, colour)
        else:
            canvas.draw_text(str(number + 1), inside, 32, colour, strong=True)
