"""The pygame window (or full screen) that shows views and collects key events."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, Self

import pygame

from table.config.settings import PLAIN_SCREEN, ScreenConfig
from table.display.card_animation import CardMove, arriving_keys, draw_moves, has_departures, update_moves
from table.display.drawing.boxes import Size
from table.display.drawing.colours import FELT, TEXT
from table.display.drawing.text_fitting import fit_text, render_block
from table.display.view_picture import ScreenView, draw_canvas, visible_part
from table.errors import TableError
from table.i18n.phrase_rendering import renderer_for
from table.phrase import WrongValueError, make_phrase
from table.referee.model.view import View

MAX_KEY_EVENTS = 256
"""The most key events that wait to be fetched; older events are dropped."""


def has_display(environ: Mapping[str, str] | None = None, dri: Path = Path("/sys/class/drm")) -> bool:
    """Return whether a screen is available to draw on: X, Wayland, or one driven directly (a connected KMS connector).

    ``SDL_VIDEODRIVER`` decides where it is set: ``dummy`` and ``offscreen`` count as no screen.
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


class ScreenWindow:
    """A window that shows views; opened when the first view is shown. Not thread-safe."""

    def __init__(self, options: ScreenConfig = PLAIN_SCREEN, *, fullscreen: bool = False) -> None:
        """``fullscreen`` takes the screen's own size instead of that of ``options``."""
        self._options = options
        self._words = renderer_for(options.language)
        self._page: pygame.Surface | None = None
        """The surface that is drawn on when the window shows it rotated."""
        self._fullscreen = fullscreen
        self._window: pygame.Surface | None = None
        self._drawn_state: tuple[ScreenView, Size] | None = None
        """The visible part of the view that is shown, and its size; None when the window must be redrawn."""
        self._last_view: ScreenView | None = None
        self._moves: tuple[CardMove, ...] = ()
        self._still_picture: pygame.Surface | None = None
        """The picture without the moving cards."""
        self._keys: deque[pygame.event.Event] = deque(maxlen=MAX_KEY_EVENTS)
        self._quit_requested = False

    def set_up(self, options: ScreenConfig) -> None:
        """Change the options, the language among them, of all further pictures."""
        self._options, self._words = options, renderer_for(options.language)
        self._drawn_state = self._last_view = None
        self._moves = ()

    def _open(self) -> pygame.Surface:
        if self._window is None:
            try:
                # Only the display is initialised: pygame.init() would open the sound device too.
                pygame.display.init()
                flags = pygame.FULLSCREEN if self._fullscreen else pygame.RESIZABLE
                self._window = pygame.display.set_mode(
                    (0, 0) if self._fullscreen else self._options.size, flags
                )
            except pygame.error as error:
                reason = " ".join(str(error).split()) or make_phrase("image.no_driver")
                raise TableError("image.no_screen", at=make_phrase("part.screen"), error=reason) from None
            pygame.display.set_caption(self._words(make_phrase("screen.title")))
            if self._fullscreen:
                pygame.mouse.set_visible(False)
        return self._window

    def show(self, view: ScreenView) -> None:
        """Draw ``view`` in the window, which is opened if needed; raise ``TableError`` when that is impossible."""
        window = self._open()
        page = self._drawing_surface(window)
        try:
            changed = self._draw_on(page, view, page.get_size())
        except WrongValueError as wrong:
            if self._fullscreen:
                raise TableError(wrong, at=make_phrase("part.screen")) from None
            self._show_too_small(page)
            changed = True
        if changed:
            self._present(window, page)

    def _show_too_small(self, page: pygame.Surface) -> None:
        self._last_view = self._still_picture = None
        self._moves = ()
        page.fill(FELT)
        width, height = (side * 9 // 10 for side in page.get_size())
        size, lines = fit_text(self._words(make_phrase("screen.no_room")), (width, height), 24, 8)
        message = render_block(lines, size, TEXT, 0.5, rtl=self._words.catalogue.rtl)
        page.blit(message, message.get_rect(center=page.get_rect().center))

    def _drawing_surface(self, window: pygame.Surface) -> pygame.Surface:
        """Return the surface to draw on: the window itself, or a separate page that the window shows rotated."""
        if not self._options.turned:
            return window
        size = window.get_size() if self._options.turned == 180 else window.get_size()[::-1]
        if self._page is None or self._page.get_size() != size:
            self._page = pygame.Surface(size, depth=32)
        return self._page

    def _present(self, window: pygame.Surface, page: pygame.Surface) -> None:
        """Copy the page to the window, rotated if configured, and update the display."""
        if page is not window:
            window.blit(pygame.transform.rotate(page, -self._options.turned), (0, 0))
        pygame.display.flip()

    def _draw_on(self, window: pygame.Surface, view: ScreenView, size: Size) -> bool:
        """Draw ``view`` into the upper left corner of ``window`` if that changes anything; return whether it did."""
        shown = (visible_part(view), size)
        changed = self._drawn_state != shown
        if changed:
            same_size = self._drawn_state is not None and self._drawn_state[1] == size
            before = self._last_view if same_size else None
            self._moves = update_moves(before, view, size, self._options, self._moves)
        elif not self._moves:
            return False
        self._drawn_state, self._last_view = shown, view
        moves = tuple(
            move for move in self._moves if isinstance(view, View) and not move.is_over(view.now_ns)
        )
        if changed or len(moves) < len(self._moves):
            arriving, leaving = arriving_keys(moves), has_departures(moves)
            self._still_picture = draw_canvas(view, size, self._options, arriving, leaving=leaving).surface
        self._moves = moves
        assert self._still_picture is not None
        if isinstance(view, View):
            draw_moves(window, self._still_picture, view, self._options, moves)
        else:
            window.blit(self._still_picture, (0, 0))
        return True

    def events(self) -> list[pygame.event.Event]:
        """Return the pygame events of keys pressed and released (and of lost keyboard focus) since the last call."""
        self._poll_events()
        events = list(self._keys)
        self._keys.clear()
        return events

    def quits(self) -> bool:
        """Return whether the user asked to close the window, by its close button or by Escape."""
        self._poll_events()
        return self._quit_requested

    def _poll_events(self) -> None:
        if self._window is None:
            return
        for event in pygame.event.get():
            if event.type == pygame.QUIT or (event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE):
                self._quit_requested = True
            elif event.type in (pygame.KEYDOWN, pygame.KEYUP, pygame.WINDOWFOCUSLOST):
                self._keys.append(event)
            elif event.type in (pygame.WINDOWEXPOSED, pygame.WINDOWSIZECHANGED):
                self._drawn_state = None

    def close(self) -> None:
        """Close the window; the next :meth:`show` opens it again."""
        if self._window is not None:
            pygame.display.quit()
            self._window = None
            self._drawn_state = self._last_view = None
            self._moves = ()
            self._keys.clear()
            self._quit_requested = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> Literal[False]:
        self.close()
        return False
