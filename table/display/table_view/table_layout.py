"""The layout of the table: the seats' plates, the places of their cards, and the room in the middle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import pygame

from table.display.drawing.colours_and_sizes import Size, pixels_per_unit
from table.display.table_view.card_layout import place_cards
from table.display.table_view.plate_positions import place_plates, place_turned_plates
from table.display.table_view.screen_layout import layout_screen

_GAP = 14
"""The gap around the content of the middle, in units."""


@dataclass(frozen=True)
class TableLayout:
    """The plates and the places of their cards, by seat. Callers must not change the boxes."""

    plates: Mapping[str, pygame.Rect]
    spots: Mapping[str, pygame.Rect]
    turns: Mapping[str, int] = field(default_factory=dict)
    """Each seat's clockwise rotation in quarter turns; empty when the screen does not lie flat."""
    felt: pygame.Rect = field(default_factory=lambda: pygame.Rect(0, 0, 0, 0))
    """The table's cloth; its edge runs through the middle of the plates."""
    centre: pygame.Rect = field(default_factory=lambda: pygame.Rect(0, 0, 0, 0))
    """The middle of the felt, clear of all plates."""

    def turn_of(self, seat: str | None) -> int:
        """Return a seat's rotation in quarter turns; 0 for content that belongs to no seat."""
        return self.turns.get(seat, 0) if seat is not None else 0


def layout_table(size: Size, angles: Mapping[str, float], *, lies_flat: bool = False) -> TableLayout:
    """Return the layout of the seats' plates and cards on a screen of ``size``; cached for each table."""
    return _layout_cached(size, tuple(angles.items()), lies_flat)


@lru_cache(maxsize=32)
def _layout_cached(size: Size, angles: tuple[tuple[str, float], ...], lies_flat: bool) -> TableLayout:
    middle = layout_screen(size).middle
    if lies_flat:
        boxes, turns = place_turned_plates(size, middle, dict(angles))
        spots = place_cards(size, middle, boxes, turns)
    else:
        boxes, turns = place_plates(size, middle, dict(angles)), {}
        spots = place_cards(size, middle, boxes)
    first_plate = next(iter(boxes.values()))
    felt = middle.inflate(-first_plate.width // 2, -first_plate.height // 2)
    gap = round(_GAP * pixels_per_unit(size))
    room = felt.inflate(-2 * gap, -2 * gap)
    return TableLayout(boxes, spots, turns, felt, find_centre_box(room, list(boxes.values()), gap))


def find_centre_box(middle: pygame.Rect, boxes: Sequence[pygame.Rect], gap: int) -> pygame.Rect:
    """Return the largest of several candidate boxes around the centre of ``middle`` that touches no plate."""
    best = pygame.Rect(0, 0, 0, 0)
    for step in range(20, 101, 2):
        box = pygame.Rect(0, 0, middle.width * step // 100, middle.height)
        box.center = middle.center
        while box.height > 0 and box.inflate(2 * gap, 2 * gap).collidelist(boxes) >= 0:
            box.height -= 4
            box.center = middle.center
        if (
            box.height > 0
            and min(box.width, 3 * box.height) * box.height > min(best.width, 3 * best.height) * best.height
        ):
            best = box
    return best
