"""The rules are read on the screen: whole, and from afar."""

from __future__ import annotations

import pytest

from table.config.settings import ScreenConfig
from table.display.drawing.boxes import Size, far_text_height
from table.display.drawing.canvas import Canvas
from table.display.pages.menu_page import draw_menu
from table.games.registry import GAMES
from table.i18n.catalogue import languages
from table.i18n.rules_page import rules_paragraphs
from table.menu.menu_view_data import MenuLine, MenuView
from table.phrase import make_phrase
from tests.games.catalogue import KINDS, game_of


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (720, 1280)])
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", GAMES)
def test_the_longest_paragraph_is_whole_and_read_from_afar(name: str, language: str, size: Size) -> None:
    games = [game for game in map(game_of, KINDS) if game.name == name]
    found = [
        (len(text), at, game)
        for game in games
        for at, text in enumerate(rules_paragraphs(name, game.rules_page_values(), language))
    ]
    _, at, game = max(found, key=lambda entry: entry[0])
    values = game.rules_page_values()
    text = rules_paragraphs(name, values, language)[at]
    lines = tuple(map(MenuLine, rules_paragraphs(name, values, language)))
    canvas = Canvas(size, ScreenConfig(language))
    draw_menu(canvas, MenuView(make_phrase("menu.game_is", game=name), lines, at, rules=(game.spec, values)))
    (placed,) = (placed for placed in canvas.placed if placed.text == text)
    assert " ".join(placed.lines) == text, "nothing is cut off"
    assert placed.height >= far_text_height(size)
