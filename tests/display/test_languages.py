"""Every screen in every language and size: nothing is cut off, nothing stands upon another, and Hebrew is mirrored."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from table.config.settings import ScreenConfig
from table.display.drawing.colours import TEXT
from table.display.drawing.text_fitting import render_line
from table.display.view_picture import draw_canvas
from table.i18n.catalogue import languages
from table.i18n.phrase_rendering import renderer_for
from table.i18n.terminal_output import set_language, terminal_renderer
from tests.display.everything import SIZES, called, faults, screens
from tests.display.views import NAMES, game_moments, moments, odd_moments
from tests.speeds import first_quick


@pytest.mark.thorough
@first_quick("language", languages())
def test_nothing_is_cut_off_and_nothing_stands_upon_another_on_any_screen(language: str) -> None:
    """With the longest names; each screen in one size, in each language in another (``tests.contact`` has all)."""
    before, turn = terminal_renderer(), languages().index(language) * 3
    set_language(renderer_for(language))
    try:
        found = []
        for number, (name, view) in enumerate(
            one for one in screens(language) if "long" in one[0] or "menu" in one[0]
        ):
            size, look = SIZES[(number + turn) % len(SIZES)]
            canvas = draw_canvas(view, size, replace(look, language=language))
            found += [f"{name} {called(size, look)}: {fault}" for fault in faults(canvas)]
        assert found == []
    finally:
        set_language(before)


def test_hebrew_has_the_corners_mirrored_and_the_seats_where_they_are() -> None:
    name, view = next(iter(moments(NAMES[:4])))
    english, hebrew = (draw_canvas(view, (1280, 720), ScreenConfig(language)) for language in ("en", "he"))
    for seat in view.game.seats:
        places = [
            {tuple(one.box) for one in canvas.placed if one.text.strip("\u200f") == seat}
            for canvas in (english, hebrew)
        ]
        assert places[0] & places[1], (name, seat)
    first, mirrored = english.placed[0], hebrew.placed[0]
    assert {1280 - one.box.right for one in hebrew.placed} & {one.box.left for one in english.placed}
    assert first.lines != mirrored.lines


def test_a_long_latin_name_keeps_its_hyphen_behind_it_in_hebrew() -> None:
    names = ("Ada", "Bartholom\u00e4us", "Cleo", "Dmitri", "Eve", "Frank", "Gwen")
    view = dict(moments(names))["bid-open"]
    canvas = draw_canvas(view, (1280, 720), ScreenConfig("he"))
    plate = next(one for one in canvas.placed if one.text == names[1])
    assert plate.lines == ("Bartho-", "lom\u00e4us")
    first = plate.ink.inflate(0, -plate.ink.height // 2).move(0, -plate.ink.height // 4)
    strip = canvas.surface.subsurface(first)
    hyphen = render_line("-", plate.height, TEXT).get_bounding_rect().width
    # The first line's letters begin at the left edge: the whole height of a B, not only a hyphen in its middle.
    left = strip.subsurface(0, 0, hyphen, strip.get_height())
    ink = pygame.mask.from_threshold(left, TEXT, (90, 90, 90, 255)).get_bounding_rects()
    assert ink[0].unionall(ink[1:]).height > strip.get_height() // 2


@pytest.mark.thorough
@first_quick("language", sorted(languages(), key=lambda name: name != "he"))
@pytest.mark.parametrize("players", range(2, 8))
def test_no_line_is_cut_off_or_upon_its_neighbour_with_two_to_seven_players(
    language: str, players: int
) -> None:
    found = []
    turn = languages().index(language) + players
    names = NAMES[:players]
    views = (
        *moments(names, hands=[3, 2]),
        *odd_moments(names),
        *(game_moments(names) if players > 2 else ()),
    )
    for number, (name, view) in enumerate(views):
        size, look = SIZES[(number + turn) % len(SIZES)]
        canvas = draw_canvas(view, size, replace(look, language=language))
        found += [f"{name} {called(size, look)}: {fault}" for fault in faults(canvas)]
    assert found == []
