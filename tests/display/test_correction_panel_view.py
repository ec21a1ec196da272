"""The open panel and what is asked: all choices are seen, the trick beside them, the marked line follows the taps."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from table.cards import card
from table.display.drawing.boxes import pixels_per_unit
from table.display.view_picture import draw_canvas
from table.events.event_spec import Play
from table.i18n.terminal_output import phrase_text
from table.phrase import Phrase, make_phrase
from table.referee.model.view import OpenOptions, View
from tests.display.views import LONG_NAMES, NAMES, moments
from tests.referee.tabletop import TableTop

LINES = tuple(make_phrase("panel.name", name=f"Choice number {number} of the panel") for number in range(9))


@pytest.mark.parametrize("size", [(1024, 600), (1280, 720), (1920, 1080)])
@pytest.mark.parametrize("lines", [LINES[:1], LINES])
def test_the_marked_line_shows(size: tuple[int, int], lines: tuple[Phrase, ...]) -> None:
    view = TableTop(hands=[3]).referee.view(0)
    pictures = [
        pygame.image.tobytes(
            draw_canvas(replace(view, panel=OpenOptions("Ada", lines, at)), size).surface, "RGB"
        )
        for at in range(len(lines))
    ]
    assert len(set(pictures)) == len(lines), "each choice looks different"
    assert pygame.image.tobytes(draw_canvas(view, size).surface, "RGB") not in pictures


SIZES = [(800, 480), (1280, 720)]
RANKS = tuple(
    make_phrase("panel.card", card=f"{rank}H")
    for rank in ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"]
)
ANSWERS = (
    make_phrase("panel.card", card="QS"),
    make_phrase("panel.card", card="QC"),
    make_phrase("panel.another"),
)


def trick_won(names: tuple[str, ...] = NAMES[:4]) -> View:
    return dict(moments(names, hands=[3]))["trick-won"]


def with_panel(view: View) -> View:
    lines = (
        *LINES,
        make_phrase("panel.misdeal"),
        make_phrase("panel.leave"),
        make_phrase("panel.pause"),
        make_phrase("panel.close"),
    )
    return replace(view, panel=OpenOptions(view.game.seats[0], lines, 3))


def with_question(view: View, seat: str | None, lines: tuple[Phrase, ...] = ANSWERS) -> View:
    asks = make_phrase("notice.asked_card", seat=view.game.seats[1])
    hint = make_phrase("panel.by_tap") if seat is None else None
    return replace(view, question=OpenOptions(seat, lines, title=asks, hint=hint))


def open_views(names: tuple[str, ...]) -> list[View]:
    view = trick_won(names)
    return [
        with_panel(view),
        with_question(view, None),
        with_question(view, names[0]),
        with_question(view, names[0], RANKS),
    ]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("names", [NAMES[:3], NAMES, LONG_NAMES], ids=["three", "seven", "long"])
def test_every_choice_is_seen_and_no_text_stands_upon_another(
    size: tuple[int, int], names: tuple[str, ...]
) -> None:
    for view in open_views(names):
        shown = view.panel or view.question
        assert shown is not None
        placed = draw_canvas(view, size).placed
        for line in shown.options:
            found = [one for one in placed if one.text == phrase_text(line)]
            assert found, phrase_text(line)
            assert max(one.ink.height for one in found) >= 18 * pixels_per_unit(size)
        inks = [one.ink for one in placed]
        over = [
            (a.text, b.text)
            for n, a in enumerate(placed)
            for b in placed[n + 1 :]
            if a.ink.colliderect(b.ink)
        ]
        assert over == [], inks


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("at", range(4))
def test_the_trick_is_seen_whatever_is_chosen(size: tuple[int, int], at: int) -> None:
    def pixels(view: View) -> bytes:
        return pygame.image.tobytes(draw_canvas(view, size).surface, "RGB")

    view = open_views(NAMES[:4])[at]
    trick = view.state.trick
    for number, play in enumerate(trick.plays):
        plays = list(trick.plays)
        plays[number] = Play(play.seat, card("JOKER"))
        other = replace(view, state=replace(view.state, trick=trick._replace(plays=tuple(plays))))
        assert pixels(other) != pixels(view)


@pytest.mark.parametrize("size", SIZES)
def test_what_will_be_lost_is_named_in_large_letters(size: tuple[int, int]) -> None:
    lost = make_phrase("panel.lost", what=make_phrase("lost.trick", n=3))
    lines = (make_phrase("panel.no"), make_phrase("panel.yes", what=make_phrase("panel.misdeal")))
    view = replace(
        trick_won(),
        panel=OpenOptions("Ada", lines, 0, make_phrase("panel.sure"), (make_phrase("panel.misdeal"),), lost),
    )
    (placed,) = (one for one in draw_canvas(view, size).placed if one.text == phrase_text(lost))
    assert placed.ink.height >= 22 * pixels_per_unit(size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("names", [NAMES[:4], NAMES], ids=["four", "seven"])
def test_the_lines_of_a_panel_are_in_letters_of_one_height(
    size: tuple[int, int], names: tuple[str, ...]
) -> None:
    lines = (
        *(make_phrase("panel.name", name=name) for name in names),
        make_phrase("panel.misdeal"),
        make_phrase("panel.pause"),
        make_phrase("panel.close"),
    )
    view = trick_won(names)
    placed = draw_canvas(replace(view, panel=OpenOptions(names[0], lines, 1)), size).placed
    texts = {
        phrase_text(line): [one.height for one in placed if one.text == phrase_text(line)] for line in lines
    }
    # A name stands on its player's plate too.
    assert any(
        all(height in heights for heights in texts.values()) for height in texts[phrase_text(lines[-1])]
    )
    assert len({height for line in lines[-3:] for height in texts[phrase_text(line)]}) == 1
