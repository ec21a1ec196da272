"""The window and the pictures without one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from table.config.settings import ScreenConfig
from table.display.drawing.canvas import Canvas
from table.display.picture_files import save_view
from table.display.table_view.table_centre import CardKey
from table.display.view_picture import draw_canvas
from table.display.window import ScreenWindow, has_display
from table.observed_facts import MS
from table.phrase import make_phrase
from table.referee.model.view import View
from tests.display.views import NAMES, moments, notice
from tests.wrong import wrong


@pytest.fixture
def no_device(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.quit()
    yield
    pygame.display.quit()


@pytest.mark.parametrize(
    ("environ", "seen"),
    [
        ({}, False),
        ({"DISPLAY": ":0"}, True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, True),
        ({"DISPLAY": ":0", "SDL_VIDEODRIVER": "dummy"}, False),
        ({"SDL_VIDEODRIVER": "offscreen"}, False),
        ({"SDL_VIDEODRIVER": "kmsdrm"}, True),
        ({"DISPLAY": ""}, False),
    ],
)
def test_a_display_is_found_by_what_the_environment_says(
    environ: dict[str, str], seen: bool, tmp_path: Path
) -> None:
    assert has_display(environ, dri=tmp_path) is seen


def test_a_screen_driven_directly_is_found_by_its_connected_connector(tmp_path: Path) -> None:
    (tmp_path / "card0-HDMI-A-1").mkdir()
    (tmp_path / "card0-HDMI-A-1" / "status").write_text("disconnected\n")
    assert not has_display({}, dri=tmp_path)
    (tmp_path / "card0-HDMI-A-1" / "status").write_text("connected\n")
    assert has_display({}, dri=tmp_path)


@pytest.mark.usefixtures("no_device")
def test_a_window_shows_a_view_and_hands_over_keys() -> None:
    _, view = next(moments(NAMES[:2]))
    with ScreenWindow(ScreenConfig(size=(640, 360))) as screen:
        assert screen.events() == []
        screen.show(view)
        screen.events()
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_a))
        pygame.event.post(pygame.event.Event(pygame.KEYUP, key=pygame.K_a))
        assert not screen.quits()
        assert [event.type for event in screen.events()] == [pygame.KEYDOWN, pygame.KEYUP]
        assert screen.events() == []
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_ESCAPE))
        assert screen.quits()
        screen.show(view)
    assert not pygame.display.get_init()


@pytest.mark.usefixtures("no_device")
def test_no_sound_device_is_opened() -> None:
    _, view = next(moments(NAMES[:2]))
    with ScreenWindow(ScreenConfig(size=(640, 360))) as screen:
        screen.show(view)
        assert pygame.mixer.get_init() is None


@pytest.mark.usefixtures("no_device")
def test_a_window_made_too_small_waits_for_more_room() -> None:
    _, view = next(moments(NAMES[:2]))

    def look_of(size: tuple[int, int]) -> bytes:
        """What the window shows in that size, as it was made by its edge."""
        pygame.display.set_mode(size, pygame.RESIZABLE)
        pygame.event.post(pygame.event.Event(pygame.WINDOWSIZECHANGED))
        screen.quits()
        for now in range(3):
            screen.show(replace(view, now_ns=now))
        window = pygame.display.get_surface()
        assert window is not None
        return pygame.image.tobytes(window, "RGB")

    with ScreenWindow(ScreenConfig(size=(640, 360))) as screen:
        screen.show(view)
        before = look_of((640, 360))
        for size in ((1, 1), (600, 20), (20, 600)):
            look_of(size)
        assert len(set(look_of((200, 120)))) > 10, "it says what is to be done"
        assert look_of((640, 360)) == before


@pytest.mark.usefixtures("no_device")
def test_a_whole_screen_that_is_too_small_is_one_line() -> None:
    _, view = next(moments(NAMES[:2]))
    with ScreenWindow(ScreenConfig(size=(640, 360)), fullscreen=True) as screen:
        screen.show(view)
        pygame.display.set_mode((200, 120))
        with wrong("image.small_screen", at=make_phrase("part.screen")):
            screen.show(replace(view, now_ns=1))


def test_without_a_video_driver_one_line_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.display.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "no-such-driver")
    _, view = next(moments(NAMES[:2]))
    with wrong("image.no_screen", at=make_phrase("part.screen")) as complaint:
        ScreenWindow().show(view)
    assert "\n" not in str(complaint.value)


def test_a_picture_is_saved_without_any_device(tmp_path: Path) -> None:
    _, view = next(moments(NAMES[:3]))
    save_view(view, tmp_path / "view.png", ScreenConfig(size=(1024, 600)))
    assert pygame.image.load(tmp_path / "view.png").get_size() == (1024, 600)
    assert (tmp_path / "view.png").stat().st_size < 150_000


def test_a_picture_that_can_not_be_written_is_one_line(tmp_path: Path) -> None:
    _, view = next(moments(NAMES[:3]))
    with wrong("expected.png", at=tmp_path / "missing" / "view.png") as complaint:
        save_view(view, tmp_path / "missing" / "view.png")
    assert "\n" not in str(complaint.value)


@pytest.mark.usefixtures("no_device")
def test_a_view_is_drawn_once_as_long_as_nothing_to_be_seen_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[View] = []

    def counting(
        view: View,
        size: tuple[int, int],
        look: ScreenConfig,
        coming: frozenset[CardKey],
        *,
        leaving: bool,
    ) -> Canvas:
        drawn.append(view)
        return draw_canvas(view, size, look, coming, leaving=leaving)

    monkeypatch.setattr("table.display.window.draw_canvas", counting)
    _, view = next(moments(NAMES[:2]))
    with ScreenWindow(ScreenConfig(size=(640, 360))) as screen:
        for now in range(5):
            screen.show(replace(view, now_ns=now * 40 * MS))
        assert len(drawn) == 1
        screen.show(replace(view, notices=notice("ScreenOptions")))
        assert len(drawn) == 2
        screen.show(replace(view, notices=notice("ScreenOptions"), now_ns=10**12))
        assert len(drawn) == 3


@pytest.mark.usefixtures("no_device")
@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_a_screen_that_is_mounted_upright_or_on_its_head_has_its_picture_turned(turned: int) -> None:
    _, view = next(moments(NAMES[:4]))
    size = (800, 480)
    with ScreenWindow(ScreenConfig(size=size, turned=turned)) as screen:
        screen.show(view)
        window = pygame.display.get_surface()
        assert window is not None
        assert window.get_size() == size
        whole = draw_canvas(view, size if turned % 180 == 0 else size[::-1]).surface
        # Clockwise: what is on the left of the picture comes to stand above.
        corner = {0: "topleft", 90: "topright", 180: "bottomright", 270: "bottomleft"}[turned]
        first, at = pygame.Rect(0, 0, 60, 60), pygame.Rect(0, 0, 60, 60)
        setattr(at, corner, getattr(window.get_rect(), corner))
        expected = pygame.transform.rotate(whole.subsurface(first), -turned)
        assert pygame.image.tobytes(window.subsurface(at), "RGB") == pygame.image.tobytes(expected, "RGB")
