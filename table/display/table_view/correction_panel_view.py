"""The correction panel ("that's wrong") and the table's questions: large, beside the table, never over the trick."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import pygame

from table.display.drawing.canvas import Canvas
from table.display.drawing.colours_and_sizes import AMBER, DIM, INK, MIN_TEXT, OVER, PANEL, PANEL_DEEP, TEXT
from table.display.table_view.gesture_hints import GestureHints
from table.display.table_view.option_list import layout_lines
from table.phrase import Phrase, make_phrase
from table.referee.model.view import OpenPanel, OpenQuestion

LINE_HEIGHT: Final = 84
"""The height of a line, in units."""
TITLE_HEIGHT: Final = 58
"""The height of a title of one line, in units."""
TWO_LINE_TITLE_HEIGHT: Final = 88
"""The height of a title of two lines, in units."""
MIN_TITLE_TEXT: Final = 36
"""The text height, in units, below which a title takes two lines instead."""
PATH_HEIGHT: Final = 32
"""The height of the path to the open level, in units."""
WARNING_HEIGHT: Final = 52
"""The height of the warning of what will be lost, in units."""
HINTS_HEIGHT: Final = 34
"""The height of the key hints, in units."""


def draw_correction_panel(
    canvas: Canvas, panel: OpenPanel, box: pygame.Rect, seats: tuple[str, ...], press: GestureHints
) -> None:
    """Draw the open correction panel: its path, title, warning of what will be lost, options and key hints."""
    asks = make_phrase("screen.asks", asks=panel.title, seat=panel.seat)
    _draw_choices(
        canvas, box, asks, panel.options, panel.marked, seats, press, path=panel.path, lost=panel.will_be_lost
    )


def draw_taken_question(
    canvas: Canvas, question: OpenQuestion, box: pygame.Rect, seats: tuple[str, ...], press: GestureHints
) -> None:
    """Draw a question that a player has taken up, with its answers as options."""
    asks = make_phrase("screen.asked_of", seat=question.seat, asks=question.text)
    _draw_choices(canvas, box, asks, question.options, question.marked, seats, press)


def _draw_choices(
    canvas: Canvas,
    box: pygame.Rect,
    asks: Phrase,
    lines: Sequence[Phrase],
    at: int,
    seats: tuple[str, ...],
    press: GestureHints,
    *,
    path: Sequence[Phrase] = (),
    lost: Phrase | None = None,
) -> None:
    """Draw a panel with a title, options and key hints."""
    canvas.draw_panel(box, PANEL, AMBER, 2)
    gap = canvas.px(6)
    inside = box.inflate(-canvas.px(24), -canvas.px(12))
    top = inside.top

    def band(height: float) -> pygame.Rect:
        nonlocal top
        box_of_band = pygame.Rect(inside.left, top, inside.width, canvas.px(height))
        top = box_of_band.bottom + gap
        return box_of_band

    if path:
        canvas.draw_text(" › ".join(map(canvas.words, path)), band(PATH_HEIGHT), 28, DIM, align=0)
    line = pygame.Rect(0, 0, inside.width, canvas.px(TITLE_HEIGHT))
    whole = canvas.text_fits(asks, line, smallest=MIN_TITLE_TEXT, strong=True)
    canvas.draw_text(
        asks,
        band(TITLE_HEIGHT if whole else TWO_LINE_TITLE_HEIGHT),
        46,
        AMBER,
        align=0,
        lines=2,
        among=seats,
        strong=True,
    )
    if lost is not None:
        warning = band(WARNING_HEIGHT)
        canvas.draw_panel(warning, PANEL_DEEP, OVER, 2, radius=8)
        canvas.draw_text(
            lost,
            warning.inflate(-canvas.px(20), -canvas.px(6)),
            36,
            OVER,
            align=0,
            lines=2,
            begins=True,
            among=seats,
        )
    foot = pygame.Rect(
        inside.left, inside.bottom - canvas.px(HINTS_HEIGHT), inside.width, canvas.px(HINTS_HEIGHT)
    )
    steps = make_phrase("screen.step_and_rap", at=at + 1, lines=len(lines), rap=press("rap"))
    canvas.draw_text(steps if lines else make_phrase("screen.go_on", rap=press("rap")), foot, 28, DIM)
    body = pygame.Rect(inside.left, top, inside.width, foot.top - gap - top)
    places = dict(layout_lines(canvas, len(lines), at, body, LINE_HEIGHT, gap, columns=2))
    _draw_options(canvas, lines, places, seats, marked=at)


def draw_question(
    canvas: Canvas, question: OpenQuestion, box: pygame.Rect, seats: tuple[str, ...], press: GestureHints
) -> None:
    """Draw a question to everybody as a band: the question above, its answers and a key hint below."""
    canvas.draw_panel(box, PANEL, AMBER, 2)
    inside = box.inflate(-canvas.px(24), -canvas.px(6))
    upper = pygame.Rect(inside.left, inside.top, inside.width, inside.height // 2)
    canvas.draw_text(question.text, upper, 40, AMBER, lines=2, begins=True, among=seats, strong=True)
    lower = pygame.Rect(inside.left, upper.bottom, inside.width, inside.bottom - upper.bottom)
    width = lower.width // max(1, len(question.options) + (question.hint is not None))
    places = {
        number: pygame.Rect(lower.left + number * width, lower.top, width, lower.height).inflate(
            -canvas.px(6), -canvas.px(2)
        )
        for number in range(len(question.options))
    }
    _draw_options(canvas, question.options, places, seats)
    if question.hint is not None:
        how = make_phrase(question.hint.code, **question.hint.fields, wrong=press("wrong"))
        hint = pygame.Rect(lower.right - width, lower.top, width, lower.height)
        canvas.draw_text(how, hint, 32, DIM, lines=2, smallest=16)


def _draw_options(
    canvas: Canvas,
    lines: Sequence[Phrase],
    places: Mapping[int, pygame.Rect],
    seats: tuple[str, ...],
    *,
    marked: int | None = None,
) -> None:
    """Draw the options that have a box, in letters of one height."""
    insides = {number: place.inflate(-canvas.px(20), -canvas.px(4)) for number, place in places.items()}
    largest = min(
        (
            canvas.common_text_height([canvas.words(lines[at])], box, 38, MIN_TEXT, lines=2)
            for at, box in insides.items()
        ),
        default=38,
    )
    for number, place in places.items():
        canvas.draw_panel(place, AMBER if number == marked else PANEL_DEEP, radius=8)
        colour = INK if number == marked else TEXT
        canvas.draw_text(lines[number], insides[number], largest, colour, lines=2, among=seats)
