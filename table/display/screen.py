"""The window, or the whole screen of an appliance, and its keys; pictures without any device."""

from __future__ import annotations

import io
import os
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, Self

import pygame

from table.display.draw import Shown, draw, seen
from table.display.look import PLAIN, Look
from table.display.motion import Move, coming, draw_moves, leaving, moves
from table.display.text import block, fitted
from table.display.theme import FELT, TEXT, Size
from table.errors import TableError
from table.files.writing import replace_file
from table.phrase import WrongValueError, say
from table.referee.view import View
from table.words.render import Words
from table.words.spoken import spoken

KEYS_KEPT = 256
"""So many key events wait for somebody to ask for them; older ones are dropped."""


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

    def __init__(
        self,
        size: Size = (1280, 720),
        *,
        fullscreen: bool = False,
        words: Words | None = None,
        look: Look = PLAIN,
        turned: int = 0,
    ) -> None:
        """``size``: of the window in pixels; with ``fullscreen`` the screen's own size is taken.

        ``words``: the language; the one that is spoken where none is given. ``look``: as the screen is set up.
        ``turned``: by how many degrees (0, 90, 180, 270), clockwise, all is turned on the window.
        """
        self._words = words or spoken()
        self._look = look
        self._turned = turned
        self._page: pygame.Surface | None = None
        """What is drawn on where the window shows it turned."""
        self._size = size
        self._fullscreen = fullscreen
        self._window: pygame.Surface | None = None
        self._shown: tuple[Shown, Size] | None = None
        """What is shown as far as it is seen, and how large; None where the window has to be drawn anew."""
        self._last: Shown | None = None
        self._moves: tuple[Move, ...] = ()
        self._still: pygame.Surface | None = None
        """The picture without what moves."""
        self._keys: deque[pygame.event.Event] = deque(maxlen=KEYS_KEPT)
        self._quits = False

    def set_up(self, words: Words, look: Look) -> None:
        """From now on the pictures are in this language, and like this."""
        self._words, self._look = words, look
        self._shown = self._last = None
        self._moves = ()

    def _open(self) -> pygame.Surface:
        if self._window is None:
            try:
                # Only what is needed: pygame.init() would open the sound device too.
                pygame.display.init()
                flags = pygame.FULLSCREEN if self._fullscreen else pygame.RESIZABLE
                self._window = pygame.display.set_mode((0, 0) if self._fullscreen else self._size, flags)
            except pygame.error as error:
                reason = " ".join(str(error).split()) or say("image.no_driver")
                raise TableError("image.no_screen", at=say("part.screen"), error=reason) from None
            pygame.display.set_caption(self._words(say("screen.title")))
            if self._fullscreen:
                pygame.mouse.set_visible(False)
        return self._window

    def show(self, view: Shown) -> None:
        """Draw ``view``; ``TableError`` in one line where no window can be opened."""
        self._open()
        window = pygame.display.get_surface()
        if window is None:
            return
        page = self._upright(window)
        try:
            changed = self._draw_on(page, view, page.get_size())
        except WrongValueError as wrong:
            if self._fullscreen:
                raise TableError(wrong, at=say("part.screen")) from None
            self._wait_for_room(page)
            changed = True
        if changed:
            self._flip(window, page)

    def _wait_for_room(self, page: pygame.Surface) -> None:
        """Say on a window that was made too small that it is."""
        self._last = self._still = None
        self._moves = ()
        page.fill(FELT)
        width, height = (side * 9 // 10 for side in page.get_size())
        size, lines = fitted(self._words(say("screen.no_room")), (width, height), 24, 8)
        told = block(lines, size, TEXT, 0.5, rtl=self._words.catalogue.rtl)
        page.blit(told, told.get_rect(center=page.get_rect().center))

    def _upright(self, window: pygame.Surface) -> pygame.Surface:
        """What is to be drawn on: the window itself, or a page that it shows turned."""
        if not self._turned:
            return window
        size = window.get_size() if self._turned == 180 else window.get_size()[::-1]
        if self._page is None or self._page.get_size() != size:
            self._page = pygame.Surface(size, depth=32)
        return self._page

    def _flip(self, window: pygame.Surface, page: pygame.Surface) -> None:
        """Show what has been drawn."""
        if page is not window:
            window.blit(pygame.transform.rotate(page, -self._turned), (0, 0))
        pygame.display.flip()

    def _draw_on(self, window: pygame.Surface, view: Shown, size: Size) -> bool:
        """Draw a view into the upper left corner of ``window``, where that changes anything; whether it did."""
        shown = (seen(view), size)
        changed = self._shown != shown
        if changed:
            still_there = self._shown is not None and self._shown[1] == size
            before = self._last if still_there else None
            self._moves = moves(before, view, size, self._look, self._moves)
        elif not self._moves:
            return False
        self._shown, self._last = shown, view
        under_way = tuple(
            move for move in self._moves if isinstance(view, View) and not move.is_over(view.now_ns)
        )
        if changed or len(under_way) < len(self._moves):
            self._still = draw(
                view, size, self._words, self._look, coming(under_way), leaving=leaving(under_way)
            )
        self._moves = under_way
        assert self._still is not None
        if isinstance(view, View):
            draw_moves(window, self._still, view, self._look, under_way)
        else:
            window.blit(self._still, (0, 0))
        return True

    def events(self) -> list[pygame.event.Event]:
        """The keys that went down or up (and the loss of the keyboard) since the last call, as pygame's events."""
        self._listen()
        found = list(self._keys)
        self._keys.clear()
        return found

    def quits(self) -> bool:
        """Whether its user wants it closed: by the window's own means or by Escape."""
        self._listen()
        return self._quits

    def _listen(self) -> None:
        if self._window is None:
            return
        for event in pygame.event.get():
            if event.type == pygame.QUIT or (event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE):
                self._quits = True
            elif event.type in (pygame.KEYDOWN, pygame.KEYUP, pygame.WINDOWFOCUSLOST):
                self._keys.append(event)
            elif event.type in (pygame.WINDOWEXPOSED, pygame.WINDOWSIZECHANGED):
                self._shown = None

    def close(self) -> None:
        """Close the window; another :meth:`show` opens it again."""
        if self._window is not None:
            pygame.display.quit()
            self._window = None
            self._shown = self._last = None
            self._moves = ()
            self._keys.clear()
            self._quits = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> Literal[False]:
        self.close()
        return False


def _drawn(view: Shown, size: Size, words: Words, look: Look) -> pygame.Surface:
    try:
        return draw(view, size, words, look)
    except WrongValueError as wrong:
        raise TableError(wrong, at=say("part.screen")) from None


def save(
    view: Shown,
    path: Path | str,
    size: Size = (1280, 720),
    words: Words | None = None,
    look: Look = PLAIN,
) -> None:
    """Draw ``view`` into a picture file (PNG); needs no device. ``TableError`` where it can't be written."""
    save_picture(_drawn(view, size, words or spoken(), look), path)


def save_picture(picture: pygame.Surface, path: Path | str) -> None:
    """Write a picture file (PNG, whatever its name); ``TableError`` where it can't be written."""
    data = io.BytesIO()
    pygame.image.save(picture, data, "picture.png")
    try:
        replace_file(Path(path), data.getvalue())
    except OSError as error:
        raise TableError("file.not_written_as", at=path, error=error, expected=say("expected.png")) from None
