"""The demo window shows the table's screen and the camera image, and redraws only on a change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import numpy as np
import pygame
import pytest

from table.config.settings import ScreenConfig
from table.display.drawing.boxes import Size
from table.display.drawing.canvas import Canvas
from table.display.table_view.table_centre import CardKey
from table.display.view_picture import draw_canvas
from table.observed_facts import MS, Frame
from table.phrase import make_phrase
from table.referee.model.view import View
from table.simulation import demo_window
from table.simulation.demo_window import WIDE, DemoScreen, camera_column_width, draw_column
from table.simulation.simulated_source import SimulatedSource
from tests.display.views import NAMES, moments, notice


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[DemoScreen]:
    monkeypatch.setattr(demo_window, "window_size", lambda: WIDE)
    table = SimpleNamespace(latest_frame=Frame(0, np.full((72, 128, 3), 90, np.uint8), 0))
    with DemoScreen(cast(SimulatedSource, table)) as found:
        yield found
    pygame.display.quit()


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record which part is drawn: the table's screen, or the column beside it."""
    found: list[str] = []

    def screen_drawn(
        view: View,
        size: Size,
        look: ScreenConfig,
        coming: frozenset[CardKey],
        *,
        leaving: bool,
    ) -> Canvas:
        found.append("screen")
        return draw_canvas(view, size, look, coming, leaving=leaving)

    def column_drawn(
        frame: Frame | None, said: tuple[str, ...], size: Size, keys: tuple[str, ...]
    ) -> pygame.Surface:
        found.append("column")
        return draw_column(frame, said, size, keys)

    monkeypatch.setattr("table.display.window.draw_canvas", screen_drawn)
    monkeypatch.setattr(demo_window, "draw_column", column_drawn)
    return found


def test_each_part_of_the_window_is_drawn_when_it_changes(screen: DemoScreen, drawn: list[str]) -> None:
    _, view = next(moments(NAMES[:2]))
    for at in range(5):
        screen.show(replace(view, now_ns=at * 40 * MS))
    assert drawn == ["screen", "column"]
    screen.add_sentence(make_phrase("panel.name", name="ScreenOptions"))
    screen.show(view)
    assert drawn[2:] == ["column"]
    screen._table.latest_frame = Frame(40 * MS, np.full((72, 128, 3), 200, np.uint8), 1)
    screen.show(view)
    assert drawn[3:] == ["column"]
    shown = pygame.display.get_surface()
    assert shown is not None
    assert tuple(shown.get_at((WIDE[0] - 100, 60)))[:3] == (200, 200, 200)
    screen.show(replace(view, notices=notice("ScreenOptions")))
    assert drawn[4:] == ["screen", "column"]


def test_a_window_that_was_covered_is_drawn_anew(screen: DemoScreen, drawn: list[str]) -> None:
    _, view = next(moments(NAMES[:2]))
    screen.show(view)
    pygame.event.post(pygame.event.Event(pygame.WINDOWEXPOSED))
    assert not screen.quits()
    screen.show(view)
    assert drawn == ["screen", "column"] * 2


def test_the_column_is_what_is_left_beside_a_wide_screen() -> None:
    assert camera_column_width((1640, 720)) == 360
    assert camera_column_width((1280, 720)) == 0
    assert camera_column_width((1400, 720)) == 0
