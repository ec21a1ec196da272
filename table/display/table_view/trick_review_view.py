"""A trick of a scored hand, shown again: the table as it was, and beside it who led, who won and what was ruled.

The bands above and below stay those of the game in play, so that nothing that it needs is hidden.
"""

from __future__ import annotations

import pygame

from table.display.drawing.boxes import cut, is_upright
from table.display.drawing.canvas import Canvas
from table.display.drawing.colours import AMBER, PANEL, TEXT
from table.display.table_view.header_and_footer import draw_trump_sign
from table.display.table_view.prompts_and_gestures import gesture_hints_for
from table.games.engine.game_state import Expected
from table.phrase import make_phrase
from table.referee.model.view import OpenOptions, TrickReview, View

_WORDS_WIDTH, _WORDS_HEIGHT = 396, 320
"""The width of the words beside the table, and their height above it on an upright screen, in units."""
_HEAD, _RESULT, _HINTS = 60, 84, 92
"""The height of the hand's number, and the most of who led and won and of the hints, in units."""
_RESULT_LINES, _HINT_LINES, _SAID_LINES = 2, 3, 10
"""The most lines of these two, and of what happened."""


def split_off_words(canvas: Canvas, box: pygame.Rect) -> tuple[pygame.Rect, pygame.Rect]:
    """Return the box of the words about the trick, and that of the table."""
    if is_upright(box):
        return cut(box, "top", canvas.px(_WORDS_HEIGHT), canvas.px(14))
    return cut(box, "left", canvas.px(_WORDS_WIDTH), canvas.px(14))


def view_of_review(view: View, review: TrickReview) -> View:
    """Return the view of that moment: nobody is awaited, and nothing of the game in play is in it."""
    state = review.state
    expected = Expected(state.phase, (), None)
    return View(view.game, state, expected, view.seat_angles, review.cards_to_take_back)


def draw_review_words(canvas: Canvas, view: View, panel: OpenOptions, box: pygame.Rect) -> None:
    """Draw what is told about the moment of a trick that ``panel`` shows."""
    review, seats = panel.review, view.game.seats
    assert review is not None
    canvas.draw_panel(box, PANEL, AMBER, 2)
    gap = canvas.px(8)
    head, rest = cut(canvas.inset(box, 24, 14), "top", canvas.px(_HEAD), gap)
    if review.state.trump is not None:
        sign, head = cut(head, "right", head.height, gap)
        draw_trump_sign(canvas, review.state.trump, sign)
    hand = make_phrase("screen.hand", hand=review.state.hand)
    canvas.draw_text(hand, head, 46, AMBER, align=0, strong=True)
    press = gesture_hints_for((panel.seat or "",), view.controls)
    steps = {"at": panel.marked + 1, "lines": len(panel.options)}
    hint = make_phrase("screen.look_and_rap", **steps, tap=press("tap"), rap=press("rap"))
    foot, _ = cut(rest, "bottom", canvas.px(_HINTS))
    rest.height = (
        canvas.draw_text(hint, foot, 24, TEXT, valign=1, lines=_HINT_LINES, begins=True).top - gap - rest.top
    )
    result, _ = cut(rest, "top", canvas.px(_RESULT))
    written = canvas.draw_text(
        panel.title,
        result,
        30,
        TEXT,
        align=0,
        valign=0,
        afar=True,
        lines=_RESULT_LINES,
        among=seats,
        strong=True,
    )
    if review.said is not None:
        _, below = cut(rest, "top", written.bottom - rest.top, gap)
        canvas.draw_text(
            review.said, below, 36, TEXT, align=0, valign=0, afar=True, lines=_SAID_LINES, among=seats
        )
