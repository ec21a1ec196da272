"""The table as a whole: the seats' plates, the places of their cards, and the room in the middle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import pygame

from table.display.layout import layout
from table.display.plates import plates, turned_plates
from table.display.spots import card_spots
from table.display.theme import Size, unit

_GAP = 14
"""Around what stands in the middle, in units."""


@dataclass(frozen=True)
class Seating:
    """The plates and the places of their cards, by seat. The boxes are not to be changed."""

    plates: Mapping[str, pygame.Rect]
    spots: Mapping[str, pygame.Rect]
    turns: Mapping[str, int] = field(default_factory=dict)
    """By how many quarters, clockwise, what is a seat's is turned; none where the screen does not lie flat."""
    felt: pygame.Rect = field(default_factory=lambda: pygame.Rect(0, 0, 0, 0))
    """The table's cloth: its edge runs through the middle of the plates."""
    centre: pygame.Rect = field(default_factory=lambda: pygame.Rect(0, 0, 0, 0))
    """The middle of the felt, as far as no plate stands there."""

    def turn(self, seat: str | None) -> int:
        """Of a seat; 0 for what is nobody's."""
        return self.turns.get(seat, 0) if seat is not None else 0


def seating(size: Size, angles: Mapping[str, float], *, lies_flat: bool = False) -> Seating:
    """Where the seats' plates and cards are on a screen of ``size``; worked out once for each table."""
    return _seating(size, tuple(angles.items()), lies_flat)


@lru_cache(maxsize=32)
def _seating(size: Size, angles: tuple[tuple[str, float], ...], lies_flat: bool) -> Seating:
    middle = layout(size).middle
    if lies_flat:
        boxes, turns = turned_plates(size, middle, dict(angles))
        spots = card_spots(size, middle, boxes, turns)
    else:
        boxes, turns = plates(size, middle, dict(angles)), {}
        spots = card_spots(size, middle, boxes)
    some = next(iter(boxes.values()))
    felt = middle.inflate(-some.width // 2, -some.height // 2)
    gap = round(_GAP * unit(size))
    room = felt.inflate(-2 * gap, -2 * gap)
    return Seating(boxes, spots, turns, felt, centre_box(room, list(boxes.values()), gap))


def centre_box(middle: pygame.Rect, boxes: Sequence[pygame.Rect], gap: int) -> pygame.Rect:
    """The largest of a family of boxes around the centre of ``middle`` that touches no plate."""
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
