"""When a game is over a QR code holds its result: readable by a reader, as text, in each language."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pygame
import pytest

from table.config.settings import ScreenConfig
from table.display.pages.result_code import result_text
from table.display.view_picture import draw_canvas
from table.games.engine.game_state import Phase
from table.i18n.catalogue import languages
from table.i18n.phrase_rendering import RIGHT_TO_LEFT
from table.referee.model.view import View
from tests.display.views import LONG_NAMES, NAMES, game_moments
from tests.speeds import first_quick

SIZES = [(800, 480), (1280, 720), (480, 800)]


def code_page(names: tuple[str, ...] = NAMES[:4]) -> View:
    return dict(game_moments(names))["many-hands-code"]


def read_code(surface: pygame.Surface) -> str:
    """What a reader finds that sees each pixel of the screen as four."""
    picture = np.transpose(pygame.surfarray.array3d(pygame.transform.scale_by(surface, 2)), (1, 0, 2))
    return cv2.QRCodeDetector().detectAndDecode(np.ascontiguousarray(picture[..., ::-1]))[0]


@pytest.mark.parametrize("language", languages())
@first_quick("size", SIZES)
def test_a_phone_reads_the_result(size: tuple[int, int], language: str) -> None:
    view = code_page()
    canvas = draw_canvas(view, size, ScreenConfig(language))
    text = read_code(canvas.surface)
    assert text == result_text(canvas, view)
    shown = text.replace(RIGHT_TO_LEFT, "")
    assert all(f"{seat} {view.state.totals[seat]}" in shown for seat in view.game.seats)
    assert "://" not in text


def test_the_text_stands_beside_the_code() -> None:
    canvas = draw_canvas(code_page(), (1280, 720))
    assert result_text(canvas, code_page()) in [placed.text for placed in canvas.placed]


def test_a_play_off_for_the_win_puts_its_winner_first_among_level_totals() -> None:
    over = code_page(NAMES[:3])
    last = over.state.results[-1]
    level = dict.fromkeys(over.game.seats, 20)
    points = {"Ada": 0, "Ben": -10, "Cleo": 11}
    play_off = replace(last, hand=last.hand + 1, points=points, totals=level, play_off=True)
    results = (*over.state.results, play_off)
    view = replace(over, state=replace(over.state, totals=level, results=results, winners=("Cleo",)))
    text = result_text(draw_canvas(view, (1280, 720)), view)
    assert text.endswith("Cleo wins (Cleo 20, Ada 20, Ben 20).")


def test_seven_long_names_fit_on_a_small_screen() -> None:
    view = code_page(LONG_NAMES[:7])
    canvas = draw_canvas(view, (800, 480))
    assert read_code(canvas.surface) == result_text(canvas, view)


def test_a_game_that_ended_before_its_first_score_has_no_code() -> None:
    over = code_page()
    ended = replace(over, state=replace(over.state, results=(), winners=(), phase=Phase.OVER))
    assert read_code(draw_canvas(ended, (1280, 720)).surface) == ""
