"""What the screen turns over by itself when a game is over: the last hands, the chart, all hands from the first on."""

from __future__ import annotations

import pygame

from table.display.canvas import Canvas
from table.display.chart import draw_chart
from table.display.sheet import draw_sheet, latest, rows_on
from table.facts import MS
from table.referee.view import View

PAGE_NS = 10_000 * MS
"""A page stands for so long."""


def turned(view: View) -> int:
    """How many pages have been turned since the game was over."""
    if view.over_ns is None or not _has_chart(view):
        return 0
    return max(0, view.now_ns - view.over_ns) // PAGE_NS


def pages(hands: int, room: int, *, chart: bool) -> list[slice | None]:
    """The pages in their order, by the hands that each has; None for the chart."""
    last = latest(hands, room)
    found: list[slice | None] = [last, None] if chart else [last]
    start = 0
    while start < last.start:
        # Below the row for those before there is room for one hand less.
        end = min(last.start, start + max(1, room - bool(start)))
        found.append(slice(start, end))
        start = end
    return found


def draw_page(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """The page whose turn it is."""
    every = pages(len(view.state.results), rows_on(canvas, box, len(view.game.seats)), chart=_has_chart(view))
    page = every[turned(view) % len(every)]
    if page is None:
        draw_chart(canvas, view, box)
    else:
        with canvas.as_written():
            draw_sheet(canvas, view, box, page)


def _has_chart(view: View) -> bool:
    """Two hands make a course."""
    return sum(not result.play_off for result in view.state.results) > 1
