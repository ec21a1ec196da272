"""The contact sheets that people look at: every screen is on one, and what is wrong with it is said."""

from __future__ import annotations

import pygame
import pytest

from table.config.settings import PLAIN_SCREEN, ScreenConfig
from table.display.drawing.canvas import Canvas
from table.display.drawing.colours import DIM
from table.display.picture_files import contact_sheet
from table.i18n.terminal_output import set_language, terminal_renderer
from tests.contact import sheets
from tests.display.everything import FLAT, SIZES, faults, screens
from tests.display.views import NAMES, moments


def test_each_size_and_language_has_its_sheets() -> None:
    before = terminal_renderer()
    try:
        found = dict(sheets([((640, 360), PLAIN_SCREEN), ((360, 640), FLAT)], ["he", "en"], "4-follow"))
    finally:
        set_language(before)
    assert set(found) == {
        f"{size}-{language}-1" for size in ("640x360", "360x640-flat") for language in ("he", "en")
    }
    assert len({pygame.image.tobytes(sheet, "RGB") for sheet in found.values()}) == 4


def test_all_sizes_that_were_promised_are_tried_upright_too_and_lying_flat() -> None:
    sizes = {size for size, _ in SIZES}
    for size in ((800, 480), (1280, 720), (1920, 1080)):
        assert {size, size[::-1]} <= sizes
    assert any(look.lies_flat for _, look in SIZES)


@pytest.mark.parametrize("part", ["panel", "question", "menu", "sheet", "chart", "paused", "told", "dial"])
def test_every_kind_of_screen_is_among_them(part: str) -> None:
    assert any(part in name for name, _ in screens())


def test_what_is_cut_off_or_stands_upon_another_text_is_found() -> None:
    canvas = Canvas((400, 300))
    canvas.draw_text("far too long for so small a place", pygame.Rect(0, 0, 60, 30), 40, smallest=30)
    canvas.draw_text("one", pygame.Rect(100, 100, 80, 40), 40)
    canvas.draw_text("two", pygame.Rect(110, 100, 80, 40), 40)
    found = list(faults(canvas))
    assert [fault.partition(":")[0] for fault in found] == ["cut off", "upon another"]


@pytest.mark.parametrize(("language", "caption"), [("en", "Ada leads"), ("he", "עדה פותחת")])
def test_captions_and_rows_begin_on_the_side_where_the_language_is_read(language: str, caption: str) -> None:
    view = dict(moments(NAMES[:3]))["follow"]
    sheet = contact_sheet([(view, caption), (view, "")], ScreenConfig(language))
    width, height = sheet.get_size()
    below = sheet.subsurface((0, height - 28, width, 28))
    ink = pygame.mask.from_threshold(below, DIM, (90, 90, 90, 255)).get_bounding_rects()
    found = ink[0].unionall(ink[1:])
    assert (found.left if language == "en" else width - found.right) < 30
    assert found.width < width // 4
