"""From an empty folder to the first bid, at a laptop's keys: ``python -m tests.walk FOLDER`` leaves a contact sheet.

``cardtable play`` runs as people start it, with a window that nobody sees. A film of the printed mat stands in for the
webcam. Somebody reads each picture and presses the key that it asks for: window, menu, mark, names, game, deal, bid.
The presses are counted, letters of names too.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import cv2
import pygame

from table.__main__ import main as cardtable
from table.commands import play
from table.config.settings import PLAIN_SCREEN
from table.display.picture_files import contact_sheet, save_picture
from table.display.view_picture import ScreenView
from table.display.window import ScreenWindow
from table.games.engine.game_state import Phase
from table.menu.menu_view_data import MenuView
from table.referee.model.view import View
from table.session import first_set_up
from tests.calibration.photographed import Shot, photograph

PLAYERS = ("Ada", "Ben", "Cleo")
FILM_S, FILM_FPS = 20, 10
"""How long the film of the mat is: after its end the last picture stays."""
BETWEEN = 3
"""Pictures between two keys, so that each is seen to act."""


class Walk:
    """Somebody at the keys who looks at each picture."""

    def __init__(self) -> None:
        self.presses = 0
        self.shown: list[tuple[ScreenView, str]] = []
        """Each page with the number of keys pressed before it."""
        self.view: ScreenView | None = None
        """What the window shows, or showed last."""
        self._steps = self._walk()

    def look(self, view: ScreenView) -> None:
        """See a picture, and press what comes next."""
        if _page(view) != (_page(self.view) if self.view is not None else None):
            self.shown.append((view, f"{self.presses}"))
        self.view = view
        next(self._steps, None)

    def _walk(self) -> Iterator[None]:
        yield from self._until(lambda: self._line("menu.calibrate") is not None)
        yield from self._choose("menu.calibrate")
        yield from self._until(lambda: self._title() == "menu.title_told")
        yield from self._choose("menu.done")
        yield from self._choose("menu.players")
        for name in PLAYERS:
            yield from self._press(pygame.K_RETURN)
            for letter in name:
                yield from self._press(pygame.key.key_code(letter.lower()), letter)
            yield from self._press(pygame.K_RETURN)
        yield from self._press(pygame.K_BACKSPACE)
        yield from self._choose("menu.begin")
        yield from self._until(lambda: self._phase() is Phase.DEAL)
        assert isinstance(self.view, View)
        yield from self._press_of(self.view.state.dealer, -1)
        yield from self._until(lambda: self._phase() is Phase.BID)
        assert self.view.expected.default_seat is not None
        yield from self._press_of(self.view.expected.default_seat, 0)
        yield from self._until(lambda: isinstance(self.view, View) and bool(self.view.state.bids))
        pygame.event.post(pygame.event.Event(pygame.QUIT))

    # --- what is seen -------------------------------------------------------------------------------------------

    def _until(self, happens: Callable[[], bool]) -> Iterator[None]:
        while not happens():
            yield

    def _title(self) -> str:
        return self.view.title.code if isinstance(self.view, MenuView) else ""

    def _phase(self) -> Phase | None:
        return self.view.state.phase if isinstance(self.view, View) else None

    def _line(self, code: str) -> int | None:
        lines = self.view.lines if isinstance(self.view, MenuView) else ()
        return next((at for at, line in enumerate(lines) if getattr(line.text, "code", "") == code), None)

    # --- what is pressed ----------------------------------------------------------------------------------------

    def _choose(self, code: str) -> Iterator[None]:
        """Step to a line the shorter way, and choose it."""
        assert isinstance(self.view, MenuView)
        to, lines = self._line(code), len(self.view.lines)
        assert to is not None, (code, self.view)
        down = (to - self.view.selected) % lines
        key, steps = (pygame.K_DOWN, down) if down <= lines // 2 else (pygame.K_UP, lines - down)
        for _ in range(steps):
            yield from self._press(key)
        yield from self._press(pygame.K_RETURN)

    def _press_of(self, seat: str, button: int) -> Iterator[None]:
        assert isinstance(self.view, View)
        name = self.view.controls[seat].keys[button]
        yield from self._press(pygame.key.key_code(name.lower()), scancode=getattr(pygame, f"KSCAN_{name}"))

    def _press(self, key: int, letter: str = "", scancode: int = 0) -> Iterator[None]:
        self.presses += 1
        for event in (pygame.KEYDOWN, pygame.KEYUP):
            pygame.event.post(pygame.event.Event(event, key=key, unicode=letter, scancode=scancode))
            for _ in range(BETWEEN):
                yield


def _page(view: ScreenView | None) -> tuple[object, ...]:
    """What makes a picture another page: in the menu its title and name, in a game the phase."""
    if isinstance(view, MenuView):
        return view.title, view.path, view.entered_name is None, len(view.lines)
    return () if view is None else (view.state.phase, len(view.state.bids))


def walk(folder: Path) -> Walk:
    """Go from the empty ``folder`` to the first bid."""
    webcam = folder.with_name(f"{folder.name}-webcam.avi")
    image = photograph(Shot())
    film = cv2.VideoWriter(
        str(webcam), cv2.VideoWriter.fourcc(*"MJPG"), FILM_FPS, (image.shape[1], image.shape[0])
    )
    for _ in range(FILM_S * FILM_FPS):
        film.write(image)
    film.release()
    somebody = Walk()
    show = ScreenWindow.show

    def look(screen: ScreenWindow, view: ScreenView) -> None:
        show(screen, view)
        somebody.look(view)

    environ = {
        "SDL_VIDEODRIVER": "dummy",
        "SDL_AUDIODRIVER": "dummy",
        "XDG_STATE_HOME": str(folder / "state"),
    }
    before = Path.cwd()
    os.chdir(folder)
    try:
        with (
            patch.dict(os.environ, environ),
            patch.object(play, "has_display", lambda: True),
            patch.object(play, "has_gpio_header", lambda: False),
            patch.object(first_set_up, "has_gpio_header", lambda: False),
            patch.object(first_set_up, "list_cameras", lambda: (str(webcam),)),
            patch.object(ScreenWindow, "show", look),
        ):
            assert cardtable(["play"]) == 0
    finally:
        os.chdir(before)
        webcam.unlink()
    return somebody


def main() -> None:
    """Draw the contact sheet, and say how many keys it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as empty:
        somebody = walk(Path(empty))
    save_picture(contact_sheet(somebody.shown, PLAIN_SCREEN), given.folder / "walk.png")
    print(f"{given.folder / 'walk.png'}: {somebody.presses} presses")


if __name__ == "__main__":
    main()
