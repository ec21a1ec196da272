"""The layout of the screen and of the table on it: plain geometry, in pixels.

A band above and one below hold the four corner boxes, the headline and the rulings; the table is between them. On an
upright screen headline and rulings each have a band of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import pygame

from table.display.drawing.boxes import Size, centred, cut, is_upright, pixels_per_unit
from table.display.table_view.card_layout import place_cards
from table.display.table_view.plate_positions import edge_at, place_plates

_MARGIN, _GAP = 12, 8
"""The margin around the screen and the gap between boxes, in units."""
_TOP_HEIGHT, _BOTTOM_HEIGHT = 114, 84
"""The heights of the bands above and below, in units."""
_CORNER_WIDTH = 262
"""The width of a corner box, in units."""
_UPRIGHT_HEADLINE, _UPRIGHT_CORNERS, _UPRIGHT_RULINGS = 132, 84, 96
"""The heights of the headline, the corner boxes and the rulings on an upright screen, in units."""
_CENTRE_GAP = 14
"""The gap around the content of the table's middle, in units."""


@dataclass(frozen=True)
class ScreenLayout:
    """The boxes of a screen, in pixels."""

    top_left: pygame.Rect
    headline: pygame.Rect
    top_right: pygame.Rect
    middle: pygame.Rect
    bottom_left: pygame.Rect
    rulings: pygame.Rect
    bottom_right: pygame.Rect

    @property
    def footer(self) -> pygame.Rect:
        """The box of the whole band below the table."""
        return self.bottom_left.unionall([self.rulings, self.bottom_right])


def layout_screen(size: Size) -> ScreenLayout:
    """Return the boxes of a screen of ``size``."""
    scale = pixels_per_unit(size)

    def px(units: float) -> int:
        return round(units * scale)

    rest = pygame.Rect((0, 0), size).inflate(-2 * px(_MARGIN), -2 * px(_MARGIN))
    gap, corner, top, bottom = px(_GAP), px(_CORNER_WIDTH), px(_TOP_HEIGHT), px(_BOTTOM_HEIGHT)
    if is_upright(size):
        headline, rest = cut(rest, "top", px(_UPRIGHT_HEADLINE), gap)
        rulings, rest = cut(rest, "bottom", px(_UPRIGHT_RULINGS), gap)
        corner, top, bottom = (rest.width - gap) // 2, px(_UPRIGHT_CORNERS), px(_UPRIGHT_CORNERS)
    above, rest = cut(rest, "top", top, gap)
    below, middle = cut(rest, "bottom", bottom, gap)
    top_left, above = cut(above, "left", corner, gap)
    bottom_left, below = cut(below, "left", corner, gap)
    top_right, above = cut(above, "right", corner, gap)
    bottom_right, below = cut(below, "right", corner, gap)
    if not is_upright(size):
        headline, rulings = above, below
    return ScreenLayout(top_left, headline, top_right, middle, bottom_left, rulings, bottom_right)


@dataclass(frozen=True)
class TableLayout:
    """The plates and the places of their cards, by seat. Callers must not change the boxes."""

    middle: pygame.Rect
    """The box that the table has on the screen."""
    plates: Mapping[str, pygame.Rect]
    spots: Mapping[str, pygame.Rect]
    turns: Mapping[str, int]
    """Each seat's clockwise rotation in quarter turns; empty when the screen does not lie flat."""
    felt: pygame.Rect
    """The table's cloth; its edge runs through the middle of the plates."""
    centre: pygame.Rect
    """The middle of the felt, clear of all plates."""

    def turn_of(self, seat: str | None) -> int:
        """Return a seat's rotation in quarter turns; 0 for content that belongs to no seat."""
        return self.turns.get(seat, 0) if seat is not None else 0


def layout_table(
    size: Size,
    angles: Mapping[str, float],
    *,
    lies_flat: bool = False,
    within: pygame.Rect | None = None,
    beside: tuple[str, ...] = (),
) -> TableLayout:
    """Return the layout of the seats' plates and cards on a screen of ``size``; cached for each table.

    ``within``: the box for it; by default all between the bands above and below. ``beside``: the seats that have
    another card beside that of the trick.
    """
    middle = layout_screen(size).middle if within is None else within
    return _layout_cached(size, tuple(angles.items()), lies_flat, (*middle.topleft, *middle.size), beside)


@lru_cache(maxsize=32)
def _layout_cached(
    size: Size,
    angles: tuple[tuple[str, float], ...],
    lies_flat: bool,
    box: tuple[int, int, int, int],
    beside: tuple[str, ...],
) -> TableLayout:
    middle = pygame.Rect(box)
    turns = {seat: edge_at(middle, angle) for seat, angle in angles} if lies_flat else {}
    plates = place_plates(size, middle, dict(angles), turns)
    spots = place_cards(size, middle, plates, turns, beside)
    first_plate = next(iter(plates.values()))
    felt = middle.inflate(-first_plate.width // 2, -first_plate.height // 2)
    gap = round(_CENTRE_GAP * pixels_per_unit(size))
    centre = find_centre_box(felt.inflate(-2 * gap, -2 * gap), list(plates.values()), gap)
    return TableLayout(middle, plates, spots, turns, felt, centre)


def find_centre_box(middle: pygame.Rect, boxes: Sequence[pygame.Rect], gap: int) -> pygame.Rect:
    """Return the largest of several candidate boxes around the centre of ``middle`` that touches no plate."""

    def grade(box: pygame.Rect) -> int:
        return min(box.width, 3 * box.height) * box.height

    best = pygame.Rect(0, 0, 0, 0)
    for step in range(20, 101, 2):
        box = centred((middle.width * step // 100, middle.height), middle.center)
        while box.height > 0 and box.inflate(2 * gap, 2 * gap).collidelist(boxes) >= 0:
            box = centred((box.width, box.height - 4), middle.center)
        if box.height > 0 and grade(box) > grade(best):
            best = box
    return best
