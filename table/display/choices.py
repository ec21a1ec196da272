"""The panel behind "that's wrong": its lines around the marked one, and how to use it."""

from __future__ import annotations

import pygame

from table.display.canvas import Canvas
from table.display.theme import AMBER, DIM, INK, PANEL, PANEL_DEEP, TEXT
from table.referee.view import OpenPanel

MOST_LINES = 5
"""So many lines are seen at a time; the marked one is among them."""


def draw_choices(canvas: Canvas, panel: OpenPanel, box: pygame.Rect) -> None:
    """Draw the open panel into ``box``."""
    canvas.panel(box, PANEL)
    rows = min(MOST_LINES, len(panel.lines)) + 2
    high = box.height // rows
    row = pygame.Rect(box.left + canvas.px(12), box.top, box.width - canvas.px(24), high)
    canvas.text(f"{panel.asks}, {panel.seat}?", row, 40, AMBER)
    first = max(0, min(panel.at - MOST_LINES // 2, len(panel.lines) - MOST_LINES))
    for number, line in enumerate(panel.lines[first : first + MOST_LINES], start=first):
        row = row.move(0, high)
        marked = number == panel.at
        canvas.panel(row.inflate(0, -canvas.px(6)), AMBER if marked else PANEL_DEEP, radius=8)
        canvas.text(line, row.inflate(-canvas.px(20), -canvas.px(8)), 34, INK if marked else TEXT)
    row = row.move(0, high)
    canvas.text(f"{panel.at + 1} of {len(panel.lines)}: tap to step, rap to do it", row, 28, DIM)
