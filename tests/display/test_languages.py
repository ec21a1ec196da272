"""Every screen in every language: nothing is cut off, nothing stands upon another, and Hebrew is mirrored."""

from __future__ import annotations

import pytest

from table.display.draw import picture
from table.words.catalogue import languages
from table.words.render import words_of
from tests.display.views import LONG_NAMES, NAMES, game_moments, moments, odd_moments

SIZES = ((800, 480), (1280, 720), (1920, 1080))


@pytest.mark.parametrize("language", languages())
def test_nothing_is_cut_off_and_all_stands_on_the_screen(language: str) -> None:
    names = LONG_NAMES[:5]
    views = [*moments(names), *odd_moments(names), *game_moments(names)]
    cut = set()
    for number, (name, view) in enumerate(views):
        canvas = picture(view, SIZES[number % len(SIZES)], words_of(language))
        whole = canvas.surface.get_rect()
        for one in canvas.placed:
            assert whole.contains(one.ink.inflate(-4, -4)), (name, one)
            if any(line.endswith("…") for line in one.lines):
                cut.add((name, one.text))
    assert cut == set()


def test_hebrew_has_the_corners_mirrored_and_the_seats_where_they_are() -> None:
    name, view = next(iter(moments(NAMES[:4])))
    english, hebrew = (picture(view, (1280, 720), words_of(language)) for language in ("en", "he"))
    for seat in view.game.seats:
        places = [
            {tuple(one.box) for one in canvas.placed if one.text.strip("\u200f") == seat}
            for canvas in (english, hebrew)
        ]
        assert places[0] & places[1], (name, seat)
    first, mirrored = english.placed[0], hebrew.placed[0]
    assert {1280 - one.box.right for one in hebrew.placed} & {one.box.left for one in english.placed}
    assert first.lines != mirrored.lines
