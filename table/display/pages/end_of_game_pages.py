"""Pages that take turns when a game is over: the last hands, the chart, then all hands from the first on."""

from __future__ import annotations

import pygame

from table.display.drawing.canvas import Canvas
from table.display.pages.score_chart import draw_score_chart
from table.display.pages.score_sheet import count_rows, draw_score_sheet, latest_hands
from table.observed_facts import MS
from table.referee.model.view import View

PAGE_NS = 10_000 * MS
"""The time for which each page is shown."""


def count_turned_pages(view: View) -> int:
    """Return how many pages have been turned since the game ended."""
    if view.game_over_ns is None or not _has_chart(view):
        return 0
    return max(0, view.now_ns - view.game_over_ns) // PAGE_NS


def plan_pages(hands: int, room: int, *, chart: bool) -> list[slice | None]:
    """Return the sequence of pages, each a slice of the hands that it shows; None stands for the chart."""
    last = latest_hands(hands, room)
    sequence: list[slice | None] = [last, None] if chart else [last]
    start = 0
    while start < last.start:
        # The row for the hands before takes the room of one hand.
        end = min(last.start, start + max(1, room - bool(start)))
        sequence.append(slice(start, end))
        start = end
    return sequence


def draw_current_page(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw the page that is due at the view's time."""
    sequence = plan_pages(
        len(view.state.results), count_rows(canvas, box, len(view.game.seats)), chart=_has_chart(view)
    )
    page = sequence[count_turned_pages(view) % len(sequence)]
    if page is None:
        draw_score_chart(canvas, view, box)
    else:
        with canvas.mirrored_if_rtl():
            draw_score_sheet(canvas, view, box, page)


def _has_chart(view: View) -> bool:
    """Return whether the chart has a line to show: at least two hands that count."""
    return sum(not result.play_off for result in view.state.results) > 1
