"""A plot as a picture: a bar to each line, its figures beside it, beneath all what the parts are."""

from __future__ import annotations

from typing import Final

import pygame

from table.display.canvas import Canvas
from table.display.theme import AMBER, DIM, EDGE, MADE, OVER, PANEL_DEEP, SKY, STRIPE, TEXT, Colour, Size
from table.menu.plot import Bar, Plot
from table.phrase import Phrase
from table.words.spoken import spoken

HEAD: Final = 64
FOOT: Final = 46
ROW: Final = 64
LEAST_ROW: Final = 36
LABEL: Final = 0.27
TOLD: Final = 0.22
"""Parts of the width."""
PARTS: Final[tuple[tuple[Colour, str], ...]] = ((MADE, "full"), (OVER, "up"), (SKY, "down"))
"""A colour, and a sign for those who can't tell colours, for each part of a bar."""


def plot_picture(plot: Plot, size: Size = (1280, 720)) -> pygame.Surface:
    """A picture of nothing else."""
    canvas = Canvas(size, spoken())
    draw_plot(canvas, plot, pygame.Rect((0, 0), size).inflate(-2 * canvas.px(20), -2 * canvas.px(20)))
    return canvas.surface


def draw_plot(canvas: Canvas, plot: Plot, box: pygame.Rect) -> None:
    """Draw it; where not all bars have room, the first ones."""
    canvas.panel(box, PANEL_DEEP, EDGE, 2)
    inside = box.inflate(-2 * canvas.px(16), -2 * canvas.px(10))
    head = pygame.Rect(inside.topleft, (inside.width, canvas.px(HEAD)))
    canvas.text(plot.title, head, 36, AMBER, align=0, lines=2)
    foot = canvas.px(FOOT) if plot.legend else 0
    rows = pygame.Rect(inside.left, head.bottom, inside.width, inside.height - head.height - foot)
    bars = plot.bars[: max(1, rows.height // canvas.px(LEAST_ROW))]
    high = min(canvas.px(ROW), rows.height // max(1, len(bars)))
    for number, bar in enumerate(bars):
        _bar(canvas, plot, bar, pygame.Rect(rows.left, rows.top + number * high, rows.width, high))
    if plot.legend:
        _legend(canvas, plot.legend, pygame.Rect(inside.left, inside.bottom - foot, inside.width, foot))


def _bar(canvas: Canvas, plot: Plot, bar: Bar, box: pygame.Rect) -> None:
    gap = canvas.px(10)
    label = pygame.Rect(box.left, box.top, round(box.width * LABEL) - gap, box.height)
    told = pygame.Rect(0, box.top, round(box.width * TOLD), box.height)
    told.right = box.right
    if isinstance(bar.label, str):
        names = tuple(one.label for one in plot.bars if isinstance(one.label, str))
        canvas.name(bar.label, names, label, 30, TEXT, align=1)
    else:
        canvas.text(bar.label, label, 30, TEXT, align=1, smallest=14)
    canvas.text(bar.told, told, 28, DIM, align=0, smallest=14)
    room = pygame.Rect(label.right + gap, 0, told.left - gap - label.right - gap, round(box.height * 0.6))
    room.centery = box.centery
    canvas.panel(room, STRIPE, radius=6)
    left = room.left
    for (colour, sign), part in zip(PARTS, bar.parts, strict=False):
        wide = round(room.width * part / plot.full)
        piece = pygame.Rect(left, room.top, min(wide, room.right - left), room.height)
        left = piece.right
        if piece.width:
            pygame.draw.rect(canvas.surface, colour, piece)
        if plot.legend and piece.width > piece.height:
            canvas.sign(sign, piece.inflate(0, -round(piece.height * 0.4)), PANEL_DEEP)


def _legend(canvas: Canvas, legend: tuple[Phrase, ...], box: pygame.Rect) -> None:
    wide = box.width // len(legend)
    for number, ((colour, sign), what) in enumerate(zip(PARTS, legend, strict=False)):
        at = pygame.Rect(box.left + number * wide, box.top, wide, box.height)
        side = min(canvas.px(26), at.height)
        canvas.sign(sign, pygame.Rect(at.left, at.centery - side // 2, side, side), colour)
        words = pygame.Rect(at.left + side + canvas.px(8), at.top, 0, at.height)
        words.width = at.right - words.left - canvas.px(8)
        canvas.text(what, words, 28, DIM, align=0)
