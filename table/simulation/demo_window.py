"""Demo window: the table's screen and, beside it, a column with the camera image and the announcements."""

from __future__ import annotations

from collections import deque

import cv2
import pygame

from table.config.settings import ScreenConfig
from table.display.drawing.boxes import Size
from table.display.drawing.colours import DIM, EDGE, GROUND, SKY, TEXT
from table.display.drawing.text_fitting import block_height, fit_text, overhang, render_block
from table.display.view_picture import ScreenView
from table.display.window import ScreenWindow
from table.i18n.terminal_output import terminal_renderer
from table.observed_facts import Frame
from table.phrase import Phrase, make_phrase
from table.simulation.simulated_source import SimulatedSource

WIDE: Size = (1640, 720)
NARROW: Size = (1280, 720)
MIN_COLUMN_PX = 200
MAX_SENTENCES = 40


class DemoScreen(ScreenWindow):
    """A screen window with a column for the camera image, if the desktop is wide enough."""

    def __init__(self, table: SimulatedSource, keys: tuple[Phrase, ...] = ()) -> None:
        """``keys``: help on the keyboard's keys, one phrase a line, shown at the foot of the column."""
        super().__init__(ScreenConfig(terminal_renderer().catalogue.language, window_size()))
        self._table = table
        self._legend = (*keys, make_phrase("play.esc_ends"))
        self._sentences: deque[Phrase] = deque(maxlen=MAX_SENTENCES)
        self._drawn_column: tuple[int | None, tuple[Phrase, ...], Size] | None = None
        """Contents of the column as last drawn: frame number, announcements, window size."""

    def add_sentence(self, sentence: Phrase) -> None:
        """Add an announcement at the top of the column."""
        self._sentences.appendleft(sentence)

    def show(self, view: ScreenView) -> None:
        """Draw the view, the camera's latest frame and the latest announcements."""
        window = self._open()
        size = window.get_size()
        column = camera_column_width(size)
        if column == 0:
            super().show(view)
            return
        left = (size[0] - column, size[1])
        latest = self._table.latest_frame
        contents = latest.index if latest is not None else None, tuple(self._sentences), size
        changed = self._draw_on(window, view, left)
        if changed or contents != self._drawn_column:
            sentences, legend = (
                tuple(self._words(phrase) for phrase in phrases)
                for phrases in (self._sentences, self._legend)
            )
            window.blit(draw_column(latest, sentences, (column, size[1]), legend), (left[0], 0))
            pygame.display.flip()
        self._drawn_column = contents


def window_size() -> Size:
    """Return the wide window size if a desktop has room for it, else the narrow one."""
    try:
        pygame.display.init()
        desktops = pygame.display.get_desktop_sizes()
    except pygame.error:
        return NARROW
    return WIDE if any(width >= WIDE[0] + 40 for width, _ in desktops) else NARROW


def camera_column_width(size: Size) -> int:
    """Return the width in pixels left for the column beside the 16:9 screen; 0 if it is too narrow."""
    spare = size[0] - round(size[1] * 16 / 9)
    return spare if spare >= MIN_COLUMN_PX else 0


def draw_column(
    frame: Frame | None, sentences: tuple[str, ...], size: Size, keys: tuple[str, ...] = ()
) -> pygame.Surface:
    """Draw the column: the camera frame, the announcements below (latest first), and the keys at the foot."""
    surface = pygame.Surface(size)
    surface.fill(GROUND)
    padding = max(6, size[0] // 45)
    inner = size[0] - 2 * padding
    top = padding
    if frame is not None:
        height = round(inner * frame.image.shape[0] / frame.image.shape[1])
        small = cv2.resize(frame.image, (inner, height), interpolation=cv2.INTER_AREA)
        surface.blit(pygame.image.frombuffer(small.tobytes(), (inner, height), "BGR"), (padding, top))
        pygame.draw.rect(surface, EDGE, (padding, top, inner, height), 1)
        top += height + padding
    bottom = size[1] - padding
    for key in reversed(keys):
        font, lines = fit_text(key, (inner, 60), 18, 12, 1)
        bottom -= block_height(len(lines), font) + padding // 3
        surface.blit(render_block(lines, font, SKY, 0), (padding, bottom - overhang(font)))
    for number, sentence in enumerate(sentences):
        font, lines = fit_text(sentence, (inner, 60), 20, 14, 3)
        height_px = block_height(len(lines), font)
        if top + height_px > bottom - padding:
            break
        surface.blit(
            render_block(lines, font, TEXT if number == 0 else DIM, 0), (padding, top - overhang(font))
        )
        top += height_px + padding
    return surface
