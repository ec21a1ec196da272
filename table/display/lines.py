"""Lines to choose from: one under the other, in two columns where they are many, the marked one always among them."""

from __future__ import annotations

from collections.abc import Iterator

import pygame

from table.display.canvas import Canvas
from table.display.theme import AMBER

LEAST = 40
"""Before there are columns lines become as low as this, in units."""


def lines_in(
    canvas: Canvas, count: int, at: int, box: pygame.Rect, high: float, gap: int, columns: int = 1
) -> Iterator[tuple[int, pygame.Rect]]:
    """The numbers (from 0) of the lines that are seen, each with its place; ``high``: of a line, in units.

    ``columns``: at most. Where not all have room, signs above and below say that there are more.
    """
    least = max(1, canvas.px(LEAST) + gap)
    fit = max(1, (box.height + gap) // least)
    beside = min(columns, -(-count // fit))
    rows = -(-count // beside)
    wide = (box.width - (beside - 1) * gap) // beside
    if rows <= fit:
        step = min(canvas.px(high) + gap, (box.height + gap) // rows)
        first, shown, top = 0, rows, box.top
    else:
        sign = canvas.px(22)
        shown = max(1, (box.height - 2 * sign + gap) // least)
        step = (box.height - 2 * sign + gap) // shown
        first = max(0, min(at % rows - shown // 2, rows - shown))
        top = box.top + sign
        if first > 0:
            canvas.sign("up", pygame.Rect(box.left, box.top, box.width, sign), AMBER)
        if first + shown < rows:
            canvas.sign("down", pygame.Rect(box.left, box.bottom - sign, box.width, sign), AMBER)
    for number in range(count):
        column, row = divmod(number, rows)
        if first <= row < first + shown:
            left = box.left + column * (wide + gap)
            yield number, pygame.Rect(left, top + (row - first) * step, wide, step - gap)
