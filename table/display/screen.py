"""The window, or the whole screen of an appliance, and its keys; pictures without any device."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pygame

from table.display.draw import draw
from table.display.theme import Size
from table.errors import TableError
from table.referee.view import View

TITLE = "Card table"


@dataclass(frozen=True, slots=True)
class Key:
    """A key that went down or up, by pygame's name (``a``, ``space``, ``f1``)."""

    name: str
    down: bool


@dataclass(frozen=True, slots=True)
class Quit:
    """The window was closed, or Escape pressed."""


Input = Key | Quit


def has_display(environ: Mapping[str, str] | None = None, dri: Path = Path("/sys/class/drm")) -> bool:
    """Whether there is a screen to draw on: X, Wayland, or one driven directly (KMS: a connector with a screen on it).

    ``SDL_VIDEODRIVER`` decides where it is set: ``dummy`` and ``offscreen`` are none.
    """
    environ = os.environ if environ is None else environ
    forced = environ.get("SDL_VIDEODRIVER", "").lower()
    if forced:
        return forced not in ("dummy", "offscreen")
    if environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"):
        return True
    return any(_read(status) == "connected" for status in dri.glob("card*-*/status"))


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""


class Screen:
    """A window, made when the first picture is shown. Not for use by several threads."""

    def __init__(self, size: Size = (1280, 720), *, fullscreen: bool = False) -> None:
        """``size``: of the window in pixels; with ``fullscreen`` the screen's own size is taken."""
        self._size = size
        self._fullscreen = fullscreen
        self._window: pygame.Surface | None = None
        self._shown: tuple[View, Size] | None = None

    def _open(self) -> pygame.Surface:
        if self._window is None:
            try:
                # Only what is needed: pygame.init() would open the sound device too.
                pygame.display.init()
                flags = pygame.FULLSCREEN if self._fullscreen else pygame.RESIZABLE
                self._window = pygame.display.set_mode((0, 0) if self._fullscreen else self._size, flags)
            except pygame.error as error:
                reason = " ".join(str(error).split()) or "no video driver"
                raise TableError(
                    f"screen: can't be opened ({reason}): expected a display (X, Wayland or KMS)"
                ) from None
            pygame.display.set_caption(TITLE)
            if self._fullscreen:
                pygame.mouse.set_visible(False)
        return self._window

    def show(self, view: View) -> None:
        """Draw ``view``; ``TableError`` in one line where no window can be opened."""
        self._open()
        window = pygame.display.get_surface()
        if window is None:
            return
        size = window.get_size()
        if self._shown == (view, size):
            return
        self._shown = (view, size)
        window.blit(_drawn(view, size), (0, 0))
        pygame.display.flip()

    def events(self) -> list[Input]:
        """The keys pressed and released since the last call, and whether the window was closed."""
        if self._window is None:
            return []
        found: list[Input] = []
        for event in pygame.event.get():
            if event.type == pygame.QUIT or (event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE):
                found.append(Quit())
            elif event.type in (pygame.KEYDOWN, pygame.KEYUP):
                found.append(Key(pygame.key.name(event.key), event.type == pygame.KEYDOWN))
            elif event.type in (pygame.VIDEOEXPOSE, pygame.VIDEORESIZE):
                self._shown = None
        return found

    def close(self) -> None:
        """Close the window; another :meth:`show` opens it again."""
        if self._window is not None:
            pygame.display.quit()
            self._window = None
            self._shown = None

    def __enter__(self) -> Screen:
        return self

    def __exit__(self, *_: object) -> Literal[False]:
        self.close()
        return False


def _drawn(view: View, size: Size) -> pygame.Surface:
    try:
        return draw(view, size)
    except ValueError as error:
        raise TableError(f"screen: {error}") from None


def save(view: View, path: Path | str, size: Size = (1280, 720)) -> None:
    """Draw ``view`` into a picture file (PNG); needs no device. ``TableError`` where it can't be written."""
    picture = _drawn(view, size)
    try:
        pygame.image.save(picture, str(path))
    except (pygame.error, OSError) as error:
        raise TableError(f"{path}: can't be written ({error}): expected a place for a PNG picture") from None
