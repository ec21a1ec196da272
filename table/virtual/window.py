"""The demo's window: the table's screen and, beside it, what the camera sees and what the table says of it."""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np
import pygame

from table.display.draw import Shown
from table.display.screen import Screen
from table.display.text import block, block_height, fitted, overhang
from table.display.theme import DIM, EDGE, GROUND, SKY, TEXT, Size
from table.facts import Frame
from table.phrase import Phrase, say
from table.virtual.source import VirtualTable

WIDE: Size = (1640, 720)
NARROW: Size = (1280, 720)
LEAST_COLUMN = 200
KEPT = 40


class DemoScreen(Screen):
    """A window that is wide enough for the camera's picture too, where the desktop is."""

    def __init__(self, table: VirtualTable, keys: tuple[Phrase, ...] = ()) -> None:
        """``keys``: what the keyboard's keys do, a line each; it stands at the foot of the column."""
        super().__init__(window_size())
        self._table = table
        self._legend = (*keys, say("play.esc_ends"))
        self._said: deque[Phrase] = deque(maxlen=KEPT)
        self._beside: tuple[int | None, tuple[Phrase, ...], Size] | None = None
        """What stood in the column: the picture's number, the sentences, the window's size."""

    def add(self, sentence: Phrase) -> None:
        """A sentence for the column beside the table's screen."""
        self._said.appendleft(sentence)

    def show(self, view: Shown) -> None:
        """Draw the view, the camera's latest picture, and the latest sentences."""
        size = self._open().get_size()
        column = column_of(size)
        if column == 0:
            super().show(view)
            return
        window = pygame.display.get_surface()
        if window is None:
            return
        left = (size[0] - column, size[1])
        latest = self._table.latest
        beside = latest.index if latest is not None else None, tuple(self._said), size
        changed = self._draw_on(window, view, left)
        if changed or beside != self._beside:
            said, legend = (tuple(self._words(one) for one in some) for some in (self._said, self._legend))
            window.blit(draw_column(latest, said, (column, size[1]), legend), (left[0], 0))
            pygame.display.flip()
        self._beside = beside


def window_size() -> Size:
    """The wide window where the desktop has room for it."""
    try:
        pygame.display.init()
        desktops = pygame.display.get_desktop_sizes()
    except pygame.error:
        return NARROW
    return WIDE if any(width >= WIDE[0] + 40 for width, _ in desktops) else NARROW


def column_of(size: Size) -> int:
    """The width of the column that a window has room for beside the table's screen; 0 for none."""
    spare = size[0] - round(size[1] * 16 / 9)
    return spare if spare >= LEAST_COLUMN else 0


def draw_column(
    frame: Frame | None, said: tuple[str, ...], size: Size, keys: tuple[str, ...] = ()
) -> pygame.Surface:
    """The camera's picture above, the sentences below it, the latest first, and at the foot what the keys do."""
    surface = pygame.Surface(size)
    surface.fill(GROUND)
    pad = max(6, size[0] // 45)
    inner = size[0] - 2 * pad
    top = pad
    if frame is not None:
        height = round(inner * frame.image.shape[0] / frame.image.shape[1])
        small = cv2.resize(frame.image, (inner, height), interpolation=cv2.INTER_AREA)
        picture = pygame.surfarray.make_surface(np.ascontiguousarray(small[..., ::-1].swapaxes(0, 1)))
        surface.blit(picture, (pad, top))
        pygame.draw.rect(surface, EDGE, (pad, top, inner, height), 1)
        top += height + pad
    foot = size[1] - pad
    for key in reversed(keys):
        letters, lines = fitted(key, (inner, 60), 18, 12, 1)
        foot -= block_height(len(lines), letters) + pad // 3
        surface.blit(block(lines, letters, SKY, 0), (pad, foot - overhang(letters)))
    for number, sentence in enumerate(said):
        letters, lines = fitted(sentence, (inner, 60), 20, 14, 3)
        high = block_height(len(lines), letters)
        if top + high > foot - pad:
            break
        surface.blit(block(lines, letters, TEXT if number == 0 else DIM, 0), (pad, top - overhang(letters)))
        top += high + pad
    return surface
