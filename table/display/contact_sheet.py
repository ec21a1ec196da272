"""A contact sheet: many pictures scaled down onto one, each with a caption."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from table.display.drawing.colours_and_sizes import DIM, GROUND, Size
from table.display.drawing.screen_options import PLAIN, ScreenOptions
from table.display.drawing.text_fitting import line_height, overhang, render_line, truncate_text
from table.display.view_picture import ScreenView, draw
from table.i18n.phrase_rendering import PhraseRenderer

TILE_PX = 480
"""The longer side of a tile, in pixels."""
_GAP = 14
"""Pixels between tiles."""
_CAPTION_HEIGHT = 20
"""The text height of the captions, in pixels."""
_MAX_WIDTH = 2000
"""The greatest width of a sheet, in pixels."""


def contact_sheet(
    tiles: Sequence[tuple[ScreenView, str]], size: Size, words: PhraseRenderer, look: ScreenOptions = PLAIN
) -> pygame.Surface:
    """Draw each view for a screen of ``size``, scaled down, in rows, with its line of text as a caption.

    Rows and captions run in the reading direction of the language of ``words``.
    """
    scale, rtl = TILE_PX / max(size), words.catalogue.rtl
    tile = (round(size[0] * scale), round(size[1] * scale))
    step = (tile[0] + _GAP, tile[1] + line_height(_CAPTION_HEIGHT) + _GAP)
    columns = max(1, min(_MAX_WIDTH // step[0], len(tiles)))
    rows = max(1, -(-len(tiles) // columns))
    sheet = pygame.Surface((columns * step[0] + _GAP, rows * step[1] + _GAP), depth=32)
    sheet.fill(GROUND)
    for number, (view, caption_text) in enumerate(tiles):
        row, column = divmod(number, columns)
        left, top = _GAP + (columns - 1 - column if rtl else column) * step[0], _GAP + row * step[1]
        sheet.blit(pygame.transform.smoothscale(draw(view, size, words, look), tile), (left, top))
        caption = render_line(
            truncate_text(caption_text, _CAPTION_HEIGHT, tile[0]),
            _CAPTION_HEIGHT,
            DIM,
            rtl=rtl,
            four=look.four_colours,
        )
        caption_left = left + tile[0] - caption.get_width() if rtl else left
        sheet.blit(caption, (caption_left, top + tile[1] + 2 - overhang(_CAPTION_HEIGHT)))
    return sheet
