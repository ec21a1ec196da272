"""Layout of a scrolling list of options, in columns when there are many; the selected option is always visible."""

from __future__ import annotations

from collections.abc import Iterator

import pygame

from table.display.drawing.canvas import Canvas
from table.display.drawing.colours_and_sizes import AMBER

MIN_LINE_HEIGHT = 40
"""The least height of a line, in units; below it the list uses more columns."""


def layout_lines(
    canvas: Canvas, count: int, at: int, box: pygame.Rect, height: float, gap: int, columns: int = 1
) -> Iterator[tuple[int, pygame.Rect]]:
    """Yield the numbers (from 0) of the visible lines, each with its box; ``height``: of a line, in units.

    ``at`` is the selected line, ``columns`` the most columns. If not all lines fit, arrows above and below are drawn.
    """
    least = max(1, canvas.px(MIN_LINE_HEIGHT) + gap)
    fit = max(1, (box.height + gap) // least)
    beside = min(columns, -(-count // fit))
    rows = -(-count // beside)
    width = (box.width - (beside - 1) * gap) // beside
    if rows <= fit:
        step = min(canvas.px(height) + gap, (box.height + gap) // rows)
        first, shown, top = 0, rows, box.top
    else:
        sign = canvas.px(22)
        shown = max(1, (box.height - 2 * sign + gap) // least)
        step = (box.height - 2 * sign + gap) // shown
        first = max(0, min(at % rows - shown // 2, rows - shown))
        top = box.top + sign
        if first > 0:
            canvas.draw_icon("up", pygame.Rect(box.left, box.top, box.width, sign), AMBER)
        if first + shown < rows:
            canvas.draw_icon("down", pygame.Rect(box.left, box.bottom - sign, box.width, sign), AMBER)
    for number in range(count):
        column, row = divmod(number, rows)
        if first <= row < first + shown:
            left = box.left + column * (width + gap)
            yield number, pygame.Rect(left, top + (row - first) * step, width, step - gap)
