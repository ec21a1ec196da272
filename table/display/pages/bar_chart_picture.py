"""Draw a bar chart: one bar a row with its figures beside it, and a legend of the parts below."""

from __future__ import annotations

from typing import Final

import pygame

from table.bar_chart_data import Bar, BarChart
from table.display.drawing.canvas import Canvas
from table.display.drawing.colours_and_sizes import (
    AMBER,
    DIM,
    EDGE,
    MADE,
    OVER,
    PANEL_DEEP,
    SKY,
    STRIPE,
    TEXT,
    Colour,
    Size,
)
from table.i18n.terminal_output import terminal_renderer
from table.phrase import Phrase

TITLE_HEIGHT: Final = 64
"""The height of the title, in units."""
LEGEND_HEIGHT: Final = 46
"""The height of the legend, in units."""
MAX_ROW_HEIGHT: Final = 64
"""The greatest height of a bar's row, in units."""
MIN_ROW_HEIGHT: Final = 36
"""The least height of a bar's row, in units."""
LABEL_SHARE: Final = 0.27
"""The label's share of the width."""
FIGURES_SHARE: Final = 0.22
"""The figures' share of the width."""
PART_STYLES: Final[tuple[tuple[Colour, str], ...]] = ((MADE, "full"), (OVER, "up"), (SKY, "down"))
"""The colour of each part of a bar, and an icon for people who cannot tell the colours apart."""


def render_bar_chart(plot: BarChart, size: Size = (1280, 720)) -> pygame.Surface:
    """Draw a bar chart alone on a new surface of ``size``."""
    canvas = Canvas(size, terminal_renderer())
    draw_bar_chart(canvas, plot, pygame.Rect((0, 0), size).inflate(-2 * canvas.px(20), -2 * canvas.px(20)))
    return canvas.surface


def draw_bar_chart(canvas: Canvas, plot: BarChart, box: pygame.Rect) -> None:
    """Draw a bar chart into ``box``; when there is no room for all bars, the first ones."""
    canvas.draw_panel(box, PANEL_DEEP, EDGE, 2)
    inside = box.inflate(-2 * canvas.px(16), -2 * canvas.px(10))
    head = pygame.Rect(inside.topleft, (inside.width, canvas.px(TITLE_HEIGHT)))
    canvas.draw_text(plot.title, head, 36, AMBER, align=0, lines=2)
    foot = canvas.px(LEGEND_HEIGHT) if plot.legend else 0
    rows = pygame.Rect(inside.left, head.bottom, inside.width, inside.height - head.height - foot)
    bars = plot.bars[: max(1, rows.height // canvas.px(MIN_ROW_HEIGHT))]
    height = min(canvas.px(MAX_ROW_HEIGHT), rows.height // max(1, len(bars)))
    for number, bar in enumerate(bars):
        _draw_bar(canvas, plot, bar, pygame.Rect(rows.left, rows.top + number * height, rows.width, height))
    if plot.legend:
        _draw_legend(canvas, plot.legend, pygame.Rect(inside.left, inside.bottom - foot, inside.width, foot))


def _draw_bar(canvas: Canvas, plot: BarChart, bar: Bar, box: pygame.Rect) -> None:
    gap = canvas.px(10)
    label = pygame.Rect(box.left, box.top, round(box.width * LABEL_SHARE) - gap, box.height)
    figures = pygame.Rect(0, box.top, round(box.width * FIGURES_SHARE), box.height)
    figures.right = box.right
    if isinstance(bar.label, str):
        names = tuple(row.label for row in plot.bars if isinstance(row.label, str))
        canvas.draw_name(bar.label, names, label, 30, TEXT, align=1)
    else:
        canvas.draw_text(bar.label, label, 30, TEXT, align=1, smallest=14)
    canvas.draw_text(bar.figures, figures, 28, DIM, align=0, smallest=14)
    room = pygame.Rect(label.right + gap, 0, figures.left - gap - label.right - gap, round(box.height * 0.6))
    room.centery = box.centery
    canvas.draw_panel(room, STRIPE, radius=6)
    left = room.left
    for (colour, sign), part in zip(PART_STYLES, bar.parts, strict=False):
        width = round(room.width * part / plot.full_scale)
        piece = pygame.Rect(left, room.top, min(width, room.right - left), room.height)
        left = piece.right
        if piece.width:
            pygame.draw.rect(canvas.surface, colour, piece)
        if plot.legend and piece.width > piece.height:
            canvas.draw_icon(sign, piece.inflate(0, -round(piece.height * 0.4)), PANEL_DEEP)


def _draw_legend(canvas: Canvas, legend: tuple[Phrase, ...], box: pygame.Rect) -> None:
    width = box.width // len(legend)
    for number, ((colour, sign), meaning) in enumerate(zip(PART_STYLES, legend, strict=False)):
        at = pygame.Rect(box.left + number * width, box.top, width, box.height)
        side = min(canvas.px(26), at.height)
        canvas.draw_icon(sign, pygame.Rect(at.left, at.centery - side // 2, side, side), colour)
        words = pygame.Rect(at.left + side + canvas.px(8), at.top, 0, at.height)
        words.width = at.right - words.left - canvas.px(8)
        canvas.draw_text(meaning, words, 28, DIM, align=0)
