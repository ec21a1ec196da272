"""Every screen in every language and size: nothing is cut off, nothing stands upon another, and Hebrew is mirrored."""

from __future__ import annotations

import pytest

from table.display.draw import picture
from table.words.catalogue import languages
from table.words.render import words_of
from table.words.spoken import speak, spoken
from tests.display.everything import SIZES, called, faults, screens
from tests.display.views import NAMES, moments


@pytest.mark.parametrize("language", languages())
def test_nothing_is_cut_off_and_nothing_stands_upon_another_on_any_screen(language: str) -> None:
    """With the longest names; each screen in one size, in each language in another (``tests.contact`` has all)."""
    before, turn = spoken(), languages().index(language) * 3
    words = words_of(language)
    speak(words)
    try:
        found = []
        for number, (name, view) in enumerate(
            one for one in screens(language) if "long" in one[0] or "menu" in one[0]
        ):
            size, look = SIZES[(number + turn) % len(SIZES)]
            canvas = picture(view, size, words, look)
            found += [f"{name} {called(size, look)}: {fault}" for fault in faults(canvas)]
        assert found == []
    finally:
        speak(before)


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
