"""What is read from afar is at least a 25th of the screen's height (upright: of its shorter side)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pygame
import pytest

from table.config.settings import ScreenConfig
from table.display.drawing.boxes import Size, is_upright, split
from table.display.drawing.canvas import Canvas, PlacedText
from table.display.drawing.card_faces import draw_card_face
from table.display.drawing.text_fitting import render_line
from table.display.table_view.prompts_and_gestures import headline_phrase
from table.display.table_view.screen_layout import layout_screen
from table.display.view_picture import draw_canvas, layout_seats
from table.games.engine.game_state import Phase
from table.i18n.catalogue import languages
from table.i18n.terminal_output import phrase_text
from table.referee.model.view import View
from tests.display.everything import SIZES, called, screens
from tests.display.views import LONG_NAMES, NAMES, large_moments
from tests.speeds import first_quick

READ = (
    "follow",
    "bid-last",
    "bids-tied",
    "trick-won",
    "many-tricks",
    "auction",
    "lives-follow",
    "many-hands",
    "hand-scored",
)


@cache
def shown() -> tuple[tuple[str, View], ...]:
    found = ((name, view) for name, view in screens() if name.partition("-")[2].removeprefix("long-") in READ)
    return tuple((name, view) for name, view in found if isinstance(view, View))


def at_least(size: Size) -> float:
    return min(size) / 25


def within(canvas: Canvas, box: pygame.Rect) -> list[PlacedText]:
    return [one for one in canvas.placed if box.inflate(4, 4).contains(one.ink)]


@pytest.mark.parametrize("height", [20, 29, 44, 77])
def test_letters_are_drawn_as_high_as_they_are_said_to_be(height: int) -> None:
    """From the top of a capital to the foot of the lowest, nearly; a number's three quarters of that."""
    both, number = (render_line(text, height, (255, 255, 255)).get_bounding_rect() for text in ("Aj", "08"))
    assert height * 0.92 <= both.height <= height * 1.05
    assert height * 0.72 <= number.height <= height * 0.8


@first_quick(("size", "look"), SIZES, quick=3, ids=[called(*one) for one in SIZES])
def test_headline_names_bids_and_totals_are_read_from_afar(size: Size, look: ScreenConfig) -> None:
    least, small = at_least(size), []
    for name, view in shown():
        canvas = draw_canvas(view, size, look)
        small += [(name, one.text, one.height) for one in read_from_afar(canvas, view) if one.height < least]
    assert small == []


def read_from_afar(canvas: Canvas, view: View) -> Iterator[PlacedText]:
    """The headline; on each plate the name, what was bid and won, the total; on the sheet names, points and totals."""
    state = view.state
    asks = phrase_text(headline_phrase(view))
    headline = within(canvas, layout_screen(canvas.size).headline)
    yield headline[0]
    assert len(headline[0].text) <= len(asks), "initials may stand for names"
    if state.phase in (Phase.DEAL, Phase.OVER) and state.results:
        yield from (one for one in canvas.placed if one.text in view.game.seats)
        for seat in view.game.seats:
            yield next(one for one in reversed(canvas.placed) if one.text == str(state.totals[seat]))
        return
    for seat, plate in layout_seats(view, canvas.size, canvas.look).plates.items():
        texts = within(canvas, plate)
        numbers = [one for one in texts if any(letter.isdigit() for letter in one.text)]
        names = [one for one in texts if one.text == seat]
        assert names, seat
        tally = view.game.rules.elimination_tally(state)
        yield from names
        if tally is None:
            assert any(one.text == str(state.totals.get(seat, 0)) for one in numbers), seat
        # Where many pips become a number beside one, that is a help.
        yield from (
            one
            for one in numbers
            if not (one.text.isdecimal() and one.text != str(state.totals.get(seat, 0)))
        )


@pytest.mark.parametrize(("size", "look"), SIZES, ids=[called(*one) for one in SIZES])
def test_the_ranks_of_a_tricks_cards_are_read_from_afar(size: Size, look: ScreenConfig) -> None:
    for name, view in shown():
        if not view.state.trick.plays:
            continue
        canvas = Canvas(size, look)
        places = layout_seats(view, canvas.size, canvas.look)
        for play in view.state.trick.plays:
            spot, turn = places.spots[play.seat], places.turn_of(play.seat)
            upright = spot.size if turn % 2 == 0 else spot.size[::-1]
            drawn = draw_card_face(play.card, upright, both_ends=look.lies_flat)
            assert rank_height(drawn, half=look.lies_flat) >= at_least(size), (name, play)


def rank_height(drawn: pygame.Surface, *, half: bool) -> int:
    """How high the rank is drawn: the ink in the upper part of a face; ``half``: where the suit stands beside it."""
    width, height = drawn.get_size()
    wide = width // 2 - width // 8 if half else 3 * width // 4
    part = drawn.subsurface((width // 8, height // 20, wide, round(height * 0.42)))
    ink = pygame.mask.from_threshold(part, (253, 252, 247), (90, 90, 90, 255))
    ink.invert()
    rects = ink.get_bounding_rects()
    return pygame.Rect(rects[0]).unionall(rects[1:]).height if rects else 0


@pytest.mark.thorough
@pytest.mark.parametrize("language", languages())
def test_a_headline_is_read_from_afar_in_every_language(language: str) -> None:
    small = []
    for number, (name, view) in enumerate(shown()):
        size, look = SIZES[number % len(SIZES)]
        headline = within(
            draw_canvas(view, size, replace(look, language=language)), layout_screen(size).headline
        )[0]
        if headline.height < at_least(size):
            small.append((name, headline.text))
    assert small == []


@pytest.mark.thorough
@pytest.mark.parametrize("language", languages())
def test_what_is_shown_large_for_seconds_is_read_from_afar_in_every_language(language: str) -> None:
    small = []
    for names in (NAMES[:3], NAMES, LONG_NAMES):
        for name, view in large_moments(names):
            if name == "photo-finish":  # its names are letters of the picture: tests/test_photo_finish.py
                continue
            for size, look in SIZES:
                canvas = draw_canvas(view, size, replace(look, language=language))
                read = within(canvas, large_part(canvas, view))
                assert len(read) >= 3, name
                small += [(name, size, one.text) for one in read if one.height < at_least(size)]
    assert small == []


def large_part(canvas: Canvas, view: View) -> pygame.Rect:
    """Where it is drawn: all of the middle, or what the players' plates leave beside tied bids."""
    middle = layout_screen(canvas.size).middle
    if not view.moments or view.moments[0].kind not in ("bid", "bids_tied"):
        return middle
    part, _ = split(middle, "top" if is_upright(middle) else "left", 0.62)
    canvas.mirrored = canvas.words.catalogue.rtl
    return canvas.mirror_box(part)
