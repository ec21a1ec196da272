"""The correction panel ("that's wrong") and the table's questions: large, beside the table, never over the trick."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import pygame

from table.display.drawing.boxes import MIN_TEXT, cut
from table.display.drawing.canvas import Canvas
from table.display.drawing.colours import AMBER, DIM, INK, OVER, PANEL, PANEL_DEEP, TEXT
from table.display.table_view.prompts_and_gestures import gesture_hints_for
from table.games.engine.ruleset import GameSpec
from table.i18n.rules_page import rules_paragraphs
from table.phrase import Phrase, make_phrase
from table.referee.model.view import OpenOptions, View

_PATH, _TITLE, _TWO_LINE_TITLE, _WARNING, _HINTS = 32, 58, 88, 52, 50
"""The heights of a panel's bands, in units."""
_RULES_TEXT, _RULES_LINES = 44, 16
"""The largest text height of the rules, in units, and their most lines."""
_MIN_TITLE_TEXT: Final = 36
"""The text height, in units, below which a title takes two lines instead."""
_HINT_SHARE: Final = 2
"""The number of answers that the hint how to answer a question is as wide as."""
_LINE_HEIGHT, _MIN_LINE_HEIGHT = 84, 40
"""The height of a line, and the least one, below which a list uses more columns; in units."""


def draw_choices(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw the open correction panel or taken question: path, title, what will be lost, options and key hints."""
    opened, seats = view.panel or view.question, view.game.seats
    if opened is None:
        return
    lines, at, reads = opened.options, opened.marked, opened.reads_rules
    asks = make_phrase(
        "screen.asks" if view.panel else "screen.asked_of", seat=opened.seat, asks=opened.title
    )
    if reads:
        asks = make_phrase("screen.game", game=view.game.name)
    press = gesture_hints_for((view.choosing_seat or "",), view.controls)
    canvas.draw_panel(box, PANEL, AMBER, 2)
    gap = canvas.px(6)
    rest = canvas.inset(box, 24, 12)
    if opened.path:
        band, rest = cut(rest, "top", canvas.px(_PATH), gap)
        canvas.draw_text(" › ".join(map(canvas.words, opened.path)), band, 28, DIM, align=0)
    band, below = cut(rest, "top", canvas.px(_TITLE), gap)
    if not canvas.text_fits(asks, band, smallest=_MIN_TITLE_TEXT, strong=True):
        band, below = cut(rest, "top", canvas.px(_TWO_LINE_TITLE), gap)
    canvas.draw_text(asks, band, 46, AMBER, align=0, lines=2, among=seats, strong=True)
    if opened.will_be_lost is not None:
        band, below = cut(below, "top", canvas.px(_WARNING), gap)
        canvas.draw_panel(band, PANEL_DEEP, OVER, 2, radius=8)
        words = canvas.inset(band, 20, 6)
        canvas.draw_text(opened.will_be_lost, words, 36, OVER, align=0, lines=2, begins=True, among=seats)
    foot, body = cut(below, "bottom", canvas.px(_HINTS), gap)
    steps = make_phrase(
        "screen.read_and_rap" if reads else "screen.step_and_rap",
        at=at + 1,
        lines=len(lines),
        tap=press("tap"),
        rap=press("rap"),
        wrong=press("wrong"),
    )
    canvas.draw_text(
        steps if lines else make_phrase("screen.go_on", rap=press("rap")),
        foot,
        30,
        TEXT,
        lines=2,
        begins=True,
    )
    if reads:
        game = view.game
        draw_rules(canvas, game.spec, game.rules_page_values(), at, body)
        return
    places = dict(layout_lines(canvas, len(lines), at, body, _LINE_HEIGHT, gap, columns=2))
    _draw_options(canvas, lines, places, seats, marked=at)


def draw_rules(canvas: Canvas, game: GameSpec, values: Mapping[str, Any], at: int, box: pygame.Rect) -> None:
    """Draw a paragraph of a game's rules, in letters that can be read from afar."""
    canvas.draw_panel(box, PANEL_DEEP, radius=8)
    language = canvas.words.catalogue.language
    text = rules_paragraphs(game.name, values, language, package=game.rules_page_package)[at]
    canvas.draw_text(
        text, canvas.inset(box, 40, 24), _RULES_TEXT, TEXT, align=0, afar=True, lines=_RULES_LINES
    )


def draw_question(canvas: Canvas, view: View, question: OpenOptions, box: pygame.Rect) -> None:
    """Draw a question to everybody as a band: the question above, its answers and a key hint below."""
    seats = view.game.seats
    canvas.draw_panel(box, PANEL, AMBER, 2)
    inside = canvas.inset(box, 24, 6)
    upper, lower = cut(inside, "top", inside.height // 2)
    canvas.draw_text(question.title, upper, 40, AMBER, lines=2, begins=True, among=seats, strong=True)
    width = lower.width // max(1, len(question.options) + _HINT_SHARE * (question.hint is not None))
    hint_box, _ = cut(lower, "right", _HINT_SHARE * width)
    places = {}
    for number in range(len(question.options)):
        place, lower = cut(lower, "left", width)
        places[number] = canvas.inset(place, 6, 2)
    _draw_options(canvas, question.options, places, seats)
    if question.hint is not None:
        press = gesture_hints_for(seats, view.controls)
        how = make_phrase(question.hint.code, tap=press("tap"), wrong=press("wrong"))
        canvas.draw_text(how, hint_box, 32, TEXT, lines=2, smallest=16)


def _draw_options(
    canvas: Canvas,
    lines: Sequence[Phrase],
    places: Mapping[int, pygame.Rect],
    seats: tuple[str, ...],
    *,
    marked: int | None = None,
) -> None:
    """Draw the options that have a box, in letters of one height."""
    insides = {number: canvas.inset(place, 20, 4) for number, place in places.items()}
    texts = [canvas.words(lines[number]) for number in places]
    # All boxes have one size.
    any_box = next(iter(insides.values()), pygame.Rect(0, 0, 0, 0))
    largest = canvas.common_text_height(texts, any_box, 38, MIN_TEXT, lines=2)
    for number, inside in insides.items():
        canvas.draw_panel(places[number], AMBER if number == marked else PANEL_DEEP, radius=8)
        colour = INK if number == marked else TEXT
        canvas.draw_text(lines[number], inside, largest, colour, lines=2, among=seats)


def layout_lines(
    canvas: Canvas, count: int, at: int, box: pygame.Rect, height: float, gap: int, columns: int = 1
) -> Iterator[tuple[int, pygame.Rect]]:
    """Yield the numbers (from 0) of a list's visible lines, each with its box; ``height``: of a line, in units.

    ``at`` is the selected line, which is always visible; ``columns`` are the most columns. If not all lines fit, the
    list scrolls, and arrows above and below are drawn.
    """
    least = max(1, canvas.px(_MIN_LINE_HEIGHT) + gap)
    fit = max(1, (box.height + gap) // least)
    beside = min(columns, -(-count // fit))
    rows = -(-count // beside)
    width = (box.width - (beside - 1) * gap) // beside
    if rows <= fit:
        step = min(canvas.px(height) + gap, (box.height + gap) // rows)
        first, shown, top = 0, rows, box.top
    else:
        upper, rest = cut(box, "top", canvas.px(22))
        lower, rest = cut(rest, "bottom", canvas.px(22))
        shown = max(1, (rest.height + gap) // least)
        step = (rest.height + gap) // shown
        first = max(0, min(at % rows - shown // 2, rows - shown))
        top = rest.top
        if first > 0:
            canvas.draw_icon("up", upper, AMBER)
        if first + shown < rows:
            canvas.draw_icon("down", lower, AMBER)
    for number in range(count):
        column, row = divmod(number, rows)
        if first <= row < first + shown:
            left = box.left + column * (width + gap)
            yield number, pygame.Rect(left, top + (row - first) * step, width, step - gap)
