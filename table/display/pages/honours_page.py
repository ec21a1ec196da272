"""The honours of a finished game: boldest bid, longest streak, fastest and slowest bidder, closest tie."""

from __future__ import annotations

import pygame

from table.display.drawing.boxes import cut, is_upright, split
from table.display.drawing.canvas import Canvas
from table.display.drawing.colours import AMBER, DIM, EDGE, PANEL_DEEP, STRIPE, TEXT
from table.phrase import make_phrase
from table.referee.model.view import Honour, View

_TITLE = 64
"""The height of the title, in units."""
_ROW, _ROW_UPRIGHT = 120, 220
"""The greatest heights of an honour, in units."""


def draw_honours(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw each honour with who has it and the figure that won it."""
    canvas.draw_panel(box, PANEL_DEEP, EDGE, 2)
    title, rest = cut(canvas.inset(box, 32, 16), "top", canvas.px(_TITLE))
    canvas.draw_text(make_phrase("page.honours"), title, 44, AMBER, align=0, afar=True, strong=True)
    most = canvas.px(_ROW_UPRIGHT if is_upright(box) else _ROW)
    height = min(most, rest.height // max(1, len(view.honours)))
    for number, honour in enumerate(view.honours):
        row, rest = cut(rest, "top", height)
        if number % 2 == 0:
            canvas.draw_panel(row, STRIPE, radius=8)
        _draw_honour(canvas, view, honour, canvas.inset(row, 24, 4))


def _draw_honour(canvas: Canvas, view: View, honour: Honour, row: pygame.Rect) -> None:
    gap = canvas.px(16)
    if is_upright(canvas.size):
        title, rest = split(row, "top", 0.3)
        who, figure = split(rest, "top", 0.36)
    else:
        title, rest = split(row, "left", 0.32, gap)
        who, figure = split(rest, "left", 0.36, gap)
    seats = make_phrase("honour.seats", seats=honour.seats)
    canvas.draw_text(honour.title, title, 36, DIM, align=0, lines=2, afar=True)
    canvas.draw_text(seats, who, 44, TEXT, align=0, lines=2, afar=True, among=view.game.seats, strong=True)
    canvas.draw_text(honour.figure, figure, 36, AMBER, align=0, lines=2, afar=True)
