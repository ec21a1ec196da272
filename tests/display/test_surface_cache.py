"""Pictures are kept for as long as they have room, whatever the size of the screen."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import pygame
import pytest

import table.display
from table.display.drawing import card_faces, icons, surface_cache, text_fitting
from table.display.drawing.surface_cache import SurfaceCache
from table.display.view_picture import draw_canvas
from table.referee.model.view import View
from tests.display.views import NAMES, moments

LARGE = (1920, 1080)


def picture(width: int) -> pygame.Surface:
    return pygame.Surface((width, 1), depth=32)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> SurfaceCache:
    """Room for no more than what a large screen shows once."""
    pictures = SurfaceCache(16 * 2**20)
    monkeypatch.setattr(surface_cache, "PICTURES", pictures)
    return pictures


def test_what_was_shown_longest_ago_goes_first() -> None:
    pictures = SurfaceCache(4 * 30)
    first, second = (pictures.get(name, lambda: picture(10)) for name in "ab")
    assert pictures.get("a", lambda: pytest.fail("it is drawn once")) is first
    third, fourth = (pictures.get(name, lambda: picture(10)) for name in "cd")
    assert pictures.bytes == 4 * 30
    assert pictures.get("a", lambda: picture(10)) is first
    assert pictures.get("b", lambda: picture(10)) is not second
    assert pictures.get("d", lambda: picture(10)) is fourth
    assert third is not pictures.get("c", lambda: picture(10))


def test_what_has_no_room_at_all_is_drawn_and_not_kept() -> None:
    pictures = SurfaceCache(4 * 30)
    assert pictures.get("large", lambda: picture(31)).get_width() == 31
    assert pictures.bytes == 0


def test_an_evening_on_a_large_screen_takes_no_more_room_than_there_is(few: SurfaceCache) -> None:
    shown = [view for names in (NAMES[:4], NAMES) for _, view in moments(names) if isinstance(view, View)]
    for view in shown:
        draw_canvas(view, LARGE)
        assert few.bytes <= few.most_bytes
    assert few.bytes > few.most_bytes // 2, "there is more to show than there is room for"


def test_what_is_kept_is_what_would_be_drawn(few: SurfaceCache) -> None:
    drawn = text_fitting.render_line("10♥ for Ada", 40, (255, 255, 255), four=True)
    assert text_fitting.render_line("10♥ for Ada", 40, (255, 255, 255), four=True) is drawn
    again = text_fitting.render_line.__wrapped__("10♥ for Ada", 40, (255, 255, 255), four=True)  # type: ignore[attr-defined]
    assert pygame.image.tobytes(drawn, "RGBA") == pygame.image.tobytes(again, "RGBA")
    assert text_fitting.render_line("10♥ for Ada", 40, (255, 255, 255)) is not drawn
    assert icons.draw_icon("S", 40, (1, 2, 3)) is icons.draw_icon("S", 40, (1, 2, 3))
    assert card_faces.draw_card_back((50, 70)) is not card_faces.draw_card_back((50, 71))


def cached() -> Iterator[tuple[str, str]]:
    """The functions of the screen that remember what they have found by its number, and what that is."""
    for module in pkgutil.walk_packages(table.display.__path__, "table.display."):
        for name, value in vars(importlib.import_module(module.name)).items():
            if hasattr(value, "cache_info"):
                yield name, str(value.__annotations__["return"])


def test_no_picture_is_kept_by_number() -> None:
    found = dict(cached())
    assert found["text_width"] == "int"
    assert not {name for name, what in found.items() if "Surface" in what}
