"""Many pictures on one: a contact sheet, each picture with a line under it."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from table.display.draw import draw
from table.display.text import cut, line, line_height
from table.display.theme import DIM, GROUND, Size
from table.referee.view import View
from table.words.render import Words

TILE_WIDTH = 480
_GAP = 14
_LETTERS = 20
_MOST_COLUMNS = 4


def contact_sheet(tiles: Sequence[tuple[View, str]], size: Size, words: Words) -> pygame.Surface:
    """The views as on a screen of ``size``, scaled down, in rows in their order; each with its line of text."""
    tile = (TILE_WIDTH, round(TILE_WIDTH * size[1] / size[0]))
    step = (tile[0] + _GAP, tile[1] + line_height(_LETTERS) + _GAP)
    columns = max(1, min(_MOST_COLUMNS, len(tiles)))
    rows = max(1, -(-len(tiles) // columns))
    sheet = pygame.Surface((columns * step[0] + _GAP, rows * step[1] + _GAP), depth=32)
    sheet.fill(GROUND)
    for number, (view, said) in enumerate(tiles):
        left, top = _GAP + number % columns * step[0], _GAP + number // columns * step[1]
        sheet.blit(pygame.transform.smoothscale(draw(view, size, words), tile), (left, top))
        sheet.blit(line(cut(said, _LETTERS, tile[0]), _LETTERS, DIM), (left, top + tile[1] + 2))
    return sheet
