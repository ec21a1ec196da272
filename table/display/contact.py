"""Many pictures on one: a contact sheet, each picture with a line under it."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from table.display.draw import Shown, draw
from table.display.look import PLAIN, Look
from table.display.text import cut, line, line_height, overhang
from table.display.theme import DIM, GROUND, Size
from table.words.render import Words

TILE = 480
"""The longer side of a picture, in pixels."""
_GAP = 14
_LETTERS = 20
_WIDTH = 2000


def contact_sheet(
    tiles: Sequence[tuple[Shown, str]], size: Size, words: Words, look: Look = PLAIN
) -> pygame.Surface:
    """The views as on a screen of ``size``, scaled down, in rows in their order; each with its line of text.

    Rows and lines run as the language of ``words`` does.
    """
    part, rtl = TILE / max(size), words.catalogue.rtl
    tile = (round(size[0] * part), round(size[1] * part))
    step = (tile[0] + _GAP, tile[1] + line_height(_LETTERS) + _GAP)
    columns = max(1, min(_WIDTH // step[0], len(tiles)))
    rows = max(1, -(-len(tiles) // columns))
    sheet = pygame.Surface((columns * step[0] + _GAP, rows * step[1] + _GAP), depth=32)
    sheet.fill(GROUND)
    for number, (view, said) in enumerate(tiles):
        row, column = divmod(number, columns)
        left, top = _GAP + (columns - 1 - column if rtl else column) * step[0], _GAP + row * step[1]
        sheet.blit(pygame.transform.smoothscale(draw(view, size, words, look), tile), (left, top))
        caption = line(cut(said, _LETTERS, tile[0]), _LETTERS, DIM, rtl=rtl, four=look.four_colours)
        begins = left + tile[0] - caption.get_width() if rtl else left
        sheet.blit(caption, (begins, top + tile[1] + 2 - overhang(_LETTERS)))
    return sheet
