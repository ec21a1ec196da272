"""A trick that is looked at again: read from afar, and with nothing of the trick in play upon it."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from table.config.settings import ScreenConfig
from table.display.drawing.boxes import Size, far_text_height
from table.display.table_view.screen_layout import layout_screen
from table.display.view_picture import draw_canvas
from table.i18n.terminal_output import phrase_text
from table.referee.model.view import View
from tests.display.everything import SIZES as SCREENS
from tests.display.everything import asking, called, faults
from tests.display.views import LONG_NAMES, NAMES, moments

SIZES = [(800, 480), (1280, 720), (720, 1280)]


@pytest.mark.parametrize("size", SIZES)
def test_what_lies_on_the_mark_now_is_not_in_it(size: Size) -> None:
    def middle(view: View) -> bytes:
        return pygame.image.tobytes(
            draw_canvas(view, size).surface.subsurface(layout_screen(size).middle), "RGB"
        )

    panel = dict(asking(NAMES[:4]))["review-plain"].panel
    assert panel is not None
    now = [view for name, view in moments(NAMES[:4], hands=[3]) if name in ("lead-open", "follow", "trouble")]
    pictures = {middle(replace(view, panel=panel)) for view in now}
    assert len(now) == 3
    assert len(pictures) == 1


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("names", [NAMES[:4], NAMES, LONG_NAMES], ids=["four", "seven", "long"])
def test_what_was_ruled_is_read_from_afar(size: Size, names: tuple[str, ...]) -> None:
    view = dict(asking(names))["review-revoke"]
    assert view.panel is not None
    assert view.panel.review is not None
    assert view.panel.review.said is not None
    end = phrase_text(view.panel.review.said).rsplit(":", 1)[-1]
    (said,) = (placed for placed in draw_canvas(view, size).placed if placed.text.endswith(end))
    assert said.height >= far_text_height(size)
    assert " ".join(said.lines) == said.text


@pytest.mark.parametrize(("size", "look"), SCREENS, ids=[called(*screen) for screen in SCREENS])
@pytest.mark.parametrize("players", [6, 7])
def test_a_card_to_be_taken_back_has_room_beside_a_complete_trick(
    players: int, size: Size, look: ScreenConfig
) -> None:
    view = dict(asking(NAMES[:players]))["review-tied"]
    assert view.panel is not None
    assert view.panel.review is not None
    assert len(view.panel.review.state.trick.plays) == players
    assert len(view.panel.review.cards_to_take_back) == 1
    assert list(faults(draw_canvas(view, size, look))) == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["photo", "tied"])
def test_a_photo_finish_takes_the_place_of_the_table(name: str, size: Size) -> None:
    view = dict(asking(NAMES[:4]))[f"review-{name}"]
    canvas = draw_canvas(view, size)
    table = canvas.surface.subsurface(layout_screen(size).middle)
    black = pygame.mask.from_threshold(table, (0, 0, 0), (8, 8, 8, 255))
    is_square = (
        max((min(part.size) for part in black.get_bounding_rects()), default=0) > table.get_height() / 3
    )
    assert is_square is (name == "photo")
    plates = [placed for placed in canvas.placed if placed.text == NAMES[2]]
    assert bool(plates) is (name == "tied")
