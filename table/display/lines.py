"""Lines to choose from, one under the other: as many as there is room for, the marked one among them."""

from __future__ import annotations

from collections.abc import Iterator

import pygame

from table.display.canvas import Canvas
from table.display.theme import AMBER

LEAST = 0.62
"""Before lines are scrolled they become lower, to this part of their height."""


def scrolled(
    canvas: Canvas, count: int, at: int, box: pygame.Rect, high: float, gap: int
) -> Iterator[tuple[int, pygame.Rect]]:
    """The numbers (from 0) of the lines that are seen, each with its place; ``high``: of a line, in units.

    Where not all have room, signs above and below say that there are more.
    """
    least = max(1, canvas.px(high * LEAST) + gap)
    step = min(canvas.px(high) + gap, max(least, (box.height + gap) // max(1, count)))
    room = max(1, (box.height + gap) // step)
    if count <= room:
        first, shown, top = 0, count, box.top
    else:
        sign = canvas.px(22)
        shown = max(1, (box.height - 2 * sign + gap) // step)
        first = max(0, min(at - shown // 2, count - shown))
        top = box.top + sign
        if first > 0:
            canvas.sign("up", pygame.Rect(box.left, box.top, box.width, sign), AMBER)
        if first + shown < count:
            canvas.sign("down", pygame.Rect(box.left, box.bottom - sign, box.width, sign), AMBER)
    for number in range(first, first + shown):
        yield number, pygame.Rect(box.left, top + (number - first) * step, box.width, step - gap)
