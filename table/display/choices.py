"""The panel behind "that's wrong": its lines around the marked one, and how to use it."""

from __future__ import annotations

import pygame

from table.display.canvas import Canvas
from table.display.theme import AMBER, DIM, INK, OVER, PANEL, PANEL_DEEP, TEXT
from table.phrase import Phrase, say
from table.referee.view import OpenPanel, OpenQuestion

MOST_LINES = 5
"""So many lines are seen at a time; the marked one is among them."""


def draw_choices(canvas: Canvas, panel: OpenPanel, box: pygame.Rect) -> None:
    """Draw the open panel into ``box``: the way to this level, what it asks, its lines, how to use it."""
    canvas.panel(box, PANEL)
    shown = min(MOST_LINES, len(panel.lines))
    rows = shown + 2 + bool(panel.path) + bool(panel.lost)
    high = box.height // rows
    row = pygame.Rect(box.left + canvas.px(12), box.top, box.width - canvas.px(24), high)
    if panel.path:
        canvas.text(" › ".join(map(canvas.words, panel.path)), row, 28, DIM)
        row = row.move(0, high)
    canvas.text(say("screen.asks", asks=panel.asks, seat=panel.seat), row, 40, AMBER)
    if panel.lost:
        row = row.move(0, high)
        canvas.text(panel.lost, row, 34, OVER)
    first = max(0, min(panel.at - MOST_LINES // 2, len(panel.lines) - MOST_LINES))
    for number, line in enumerate(panel.lines[first : first + MOST_LINES], start=first):
        row = row.move(0, high)
        marked = number == panel.at
        _line(canvas, line, row, marked=marked)
    row = row.move(0, high)
    how = say("screen.step_and_rap", at=panel.at + 1, lines=len(panel.lines))
    canvas.text(how, row, 28, DIM)


def draw_question(canvas: Canvas, question: OpenQuestion, box: pygame.Rect) -> None:
    """Draw what is asked into a band: the question above, its answers side by side beneath."""
    canvas.panel(box, PANEL)
    asks = question.asks
    if question.seat is not None:
        asks = say("screen.asked_of", seat=question.seat, asks=question.asks)
    upper = pygame.Rect(box.left + canvas.px(12), box.top, box.width - canvas.px(24), box.height // 2)
    canvas.text(asks, upper, 30, AMBER)
    lines = (*question.lines, question.hint) if question.hint else question.lines
    first = max(0, min(question.at - MOST_LINES // 2, len(lines) - MOST_LINES))
    shown = lines[first : first + MOST_LINES]
    for number, line in enumerate(shown, start=first):
        wide = upper.width // len(shown)
        place = pygame.Rect(upper.left + (number - first) * wide, upper.bottom, wide, box.height // 2)
        if number == len(question.lines):
            canvas.text(line, place, 26, DIM)
        else:
            marked = question.seat is not None and number == question.at
            _line(canvas, line, place.inflate(-canvas.px(6), 0), marked=marked)


def _line(canvas: Canvas, text: Phrase, box: pygame.Rect, *, marked: bool) -> None:
    """A line to choose."""
    canvas.panel(box.inflate(0, -canvas.px(6)), AMBER if marked else PANEL_DEEP, radius=8)
    canvas.text(text, box.inflate(-canvas.px(20), -canvas.px(8)), 34, INK if marked else TEXT)
