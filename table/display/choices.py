"""The panel behind "that's wrong", and what the table asks: large, beside the table, never over the trick."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import pygame

from table.display.canvas import Canvas
from table.display.lines import lines_in
from table.display.press import Pressing
from table.display.theme import AMBER, DIM, INK, OVER, PANEL, PANEL_DEEP, SMALLEST, TEXT
from table.phrase import Phrase, say
from table.referee.view import OpenPanel, OpenQuestion

LINE: Final = 84
"""The height of a line, in units."""
TITLE: Final = 58
TWO_LINES: Final = 88
LARGE: Final = 36
"""What is asked has two lines before it has smaller letters than these."""
PATH: Final = 32
LOST: Final = 52
FOOT: Final = 34


def draw_panel(
    canvas: Canvas, panel: OpenPanel, box: pygame.Rect, seats: tuple[str, ...], press: Pressing
) -> None:
    """Draw the open panel: the way to this level, what it asks, what will be lost, its lines, how to use it."""
    asks = say("screen.asks", asks=panel.asks, seat=panel.seat)
    _choices(canvas, box, asks, panel.lines, panel.at, seats, press, path=panel.path, lost=panel.lost)


def draw_answers(
    canvas: Canvas, question: OpenQuestion, box: pygame.Rect, seats: tuple[str, ...], press: Pressing
) -> None:
    """Draw a question that somebody has taken up."""
    asks = say("screen.asked_of", seat=question.seat, asks=question.asks)
    _choices(canvas, box, asks, question.lines, question.at, seats, press)


def _choices(
    canvas: Canvas,
    box: pygame.Rect,
    asks: Phrase,
    lines: Sequence[Phrase],
    at: int,
    seats: tuple[str, ...],
    press: Pressing,
    *,
    path: Sequence[Phrase] = (),
    lost: Phrase | None = None,
) -> None:
    canvas.panel(box, PANEL, AMBER, 2)
    gap = canvas.px(6)
    inside = box.inflate(-canvas.px(24), -canvas.px(12))
    top = inside.top

    def band(high: float) -> pygame.Rect:
        nonlocal top
        found = pygame.Rect(inside.left, top, inside.width, canvas.px(high))
        top = found.bottom + gap
        return found

    if path:
        canvas.text(" › ".join(map(canvas.words, path)), band(PATH), 28, DIM, align=0)
    line = pygame.Rect(0, 0, inside.width, canvas.px(TITLE))
    whole = canvas.fits(asks, line, smallest=LARGE, strong=True)
    canvas.text(
        asks, band(TITLE if whole else TWO_LINES), 46, AMBER, align=0, lines=2, among=seats, strong=True
    )
    if lost is not None:
        warning = band(LOST)
        canvas.panel(warning, PANEL_DEEP, OVER, 2, radius=8)
        canvas.text(
            lost,
            warning.inflate(-canvas.px(20), -canvas.px(6)),
            36,
            OVER,
            align=0,
            lines=2,
            begins=True,
            among=seats,
        )
    foot = pygame.Rect(inside.left, inside.bottom - canvas.px(FOOT), inside.width, canvas.px(FOOT))
    steps = say("screen.step_and_rap", at=at + 1, lines=len(lines), rap=press("rap"))
    canvas.text(steps if lines else say("screen.go_on", rap=press("rap")), foot, 28, DIM)
    body = pygame.Rect(inside.left, top, inside.width, foot.top - gap - top)
    places = dict(lines_in(canvas, len(lines), at, body, LINE, gap, columns=2))
    _lines(canvas, lines, places, seats, marked=at)


def draw_question(
    canvas: Canvas, question: OpenQuestion, box: pygame.Rect, seats: tuple[str, ...], press: Pressing
) -> None:
    """Draw what is asked of everybody into a band: the question above, its answers and how to give one beneath."""
    canvas.panel(box, PANEL, AMBER, 2)
    inside = box.inflate(-canvas.px(24), -canvas.px(6))
    upper = pygame.Rect(inside.left, inside.top, inside.width, inside.height // 2)
    canvas.text(question.asks, upper, 40, AMBER, lines=2, begins=True, among=seats, strong=True)
    lower = pygame.Rect(inside.left, upper.bottom, inside.width, inside.bottom - upper.bottom)
    wide = lower.width // max(1, len(question.lines) + (question.hint is not None))
    places = {
        number: pygame.Rect(lower.left + number * wide, lower.top, wide, lower.height).inflate(
            -canvas.px(6), -canvas.px(2)
        )
        for number in range(len(question.lines))
    }
    _lines(canvas, question.lines, places, seats)
    if question.hint is not None:
        how = say(question.hint.code, **question.hint.fields, wrong=press("wrong"))
        hint = pygame.Rect(lower.right - wide, lower.top, wide, lower.height)
        canvas.text(how, hint, 32, DIM, lines=2, smallest=16)


def _lines(
    canvas: Canvas,
    lines: Sequence[Phrase],
    places: Mapping[int, pygame.Rect],
    seats: tuple[str, ...],
    *,
    marked: int | None = None,
) -> None:
    """The lines to choose from that have a place, in letters of one height."""
    insides = {number: place.inflate(-canvas.px(20), -canvas.px(4)) for number, place in places.items()}
    largest = min(
        (
            canvas.height_for([canvas.words(lines[at])], box, 38, SMALLEST, lines=2)
            for at, box in insides.items()
        ),
        default=38,
    )
    for number, place in places.items():
        canvas.panel(place, AMBER if number == marked else PANEL_DEEP, radius=8)
        colour = INK if number == marked else TEXT
        canvas.text(lines[number], insides[number], largest, colour, lines=2, among=seats)
