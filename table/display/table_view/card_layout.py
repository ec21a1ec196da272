"""Layout of a trick's cards: each in front of its player's plate, as large as fits without overlap."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import pygame

from table.display.drawing.boxes import Size, centred, far_text_height, pixels_per_unit

CARD_ASPECT = 0.70
"""The ratio of width to height of a card on the screen."""
_LARGEST_CARD = 224
"""The greatest height of a card, in units ..."""
_GOOD_CARD = 140
"""... down to which cards lie straight before their plates ..."""
_FAIR_CARD = 96
"""... down to which they lie near those places ..."""
_SMALLEST_CARD = 60
"""... and the least height of a card in a regular layout."""
_RANK_SHARE = 0.3
"""The least share of a card's height that its rank takes."""
_NEAR_REACH, _FAR_REACH = 1.3, 3.5
"""The greatest distances of a card from its place before the plate, in heights of a card."""
_SIDE_STEPS = ((0.0, 0.0), (0.3, 0.0), (-0.3, 0.0), (0.56, 0.0), (-0.56, 0.0), (0.56, 0.56))
"""Sideways offsets to try for the cards above and below, and for those at the sides, in widths of a card."""


def place_cards(
    size: Size,
    middle: pygame.Rect,
    boxes: Mapping[str, pygame.Rect],
    turns: Mapping[str, int],
    beside: Sequence[str] = (),
) -> dict[str, pygame.Rect]:
    """Return a box for a card in front of each seat's plate, as large as fits without overlap.

    Of the layouts with the largest card the one nearest to the middle is taken. Before cards become too small to be
    read from afar, they lie further from their players. ``turns``: each seat's quarter turns; empty for upright cards.
    ``beside``: the seats that have another card, for which there is room too.
    """
    stands = {
        seat: _PlateStand(box, turns[seat] if turns else _edge_of(box, middle), bool(turns))
        for seat, box in boxes.items()
    }
    scale = pixels_per_unit(size)
    gap = max(2, round(9 * scale))
    step = max(1, round(2 * scale))
    large = range(round(_LARGEST_CARD * scale), round(_GOOD_CARD * scale), -step)
    fair = range(large.stop, round(_FAIR_CARD * scale), -3 * step)
    small = range(large.stop, max(8, round(_SMALLEST_CARD * scale)), -step)
    read = range(large.stop, math.ceil(far_text_height(size) / _RANK_SHARE), -step)
    for sizes, place in (
        (large, _place_straight),
        (fair, partial(_place_nearest, reach=_NEAR_REACH)),
        (read, _place_straight),
        (read, partial(_place_nearest, reach=_FAR_REACH)),
        (small, _place_straight),
    ):
        for height in sizes:
            spots = place(middle, stands, (round(height * CARD_ASPECT), height), gap)
            if spots is not None and _have_room_for_more(middle, spots, list(boxes.values()), beside, gap):
                return spots
    return place_cards(size, middle, boxes, turns) if beside else _place_in_a_row(middle, stands, small.stop)


@dataclass(frozen=True)
class _PlateStand:
    """A plate, its table edge (numbered as by ``edge_at``), and whether its card is rotated to face its player."""

    plate: pygame.Rect
    edge: int
    turned: bool

    def card_size(self, card: Size) -> Size:
        """Return the size of the plate's card after rotation."""
        return card[::-1] if self.turned and self.edge % 2 else card


def _edge_of(plate: pygame.Rect, middle: pygame.Rect) -> int:
    """Return the edge of ``middle`` at which a plate stands, numbered as by ``edge_at``."""
    if plate.top <= middle.top + 2 or plate.bottom >= middle.bottom - 2:
        return 2 if plate.centery < middle.centery else 0
    return 1 if plate.centerx < middle.centerx else 3


_Stands: TypeAlias = Mapping[str, _PlateStand]


def _place_straight(
    middle: pygame.Rect, stands: _Stands, card: Size, gap: int
) -> dict[str, pygame.Rect] | None:
    """Lay cards straight before their plates, those of facing players side by side; None when they would overlap."""
    for along, beside in _SIDE_STEPS:
        aside = round(along * card[0]), round(beside * card[0])
        for towards in (0.55, 0.45, 0.35, 0.25, 0.15, 0.05, 0.0):
            spots = _places_before_plates(middle, stands, card, gap, towards, aside)
            if _are_clear(list(spots.values()), [stand.plate for stand in stands.values()], middle, gap):
                return spots
    return None


def _place_nearest(
    middle: pygame.Rect, stands: _Stands, card: Size, gap: int, *, reach: float
) -> dict[str, pygame.Rect] | None:
    """Lay each card at most ``reach`` heights of a card from its place before the plate; None without room for it."""
    spots = {}
    taken = [stand.plate for stand in stands.values()]
    for seat, wanted in _places_before_plates(middle, stands, card, gap, 0.15, (0, 0)).items():
        spot = _find_spot_of_size(wanted.size, middle, wanted, taken, gap)
        if spot is None or math.dist(spot.center, wanted.center) > reach * card[1]:
            return None
        taken.append(spot)
        spots[seat] = spot
    return spots


def _places_before_plates(
    middle: pygame.Rect, stands: _Stands, card: Size, gap: int, towards: float, aside: tuple[int, int]
) -> dict[str, pygame.Rect]:
    """Return places before the plates, moved by the share ``towards`` to the middle and ``aside`` to the right.

    ``aside``: pixels to the player's right for the plates above and below, and for those at the sides.
    """
    spots = {}
    for seat, stand in stands.items():
        box, spot = stand.plate, pygame.Rect((0, 0), stand.card_size(card))
        if stand.edge % 2 == 0:
            above = stand.edge == 2
            along = -aside[0] if above else aside[0]
            spot.centerx = round(box.centerx + (middle.centerx - box.centerx) * towards) + along
            spot.top = box.bottom + gap if above else box.top - gap - spot.height
        else:
            left = stand.edge == 1
            along = aside[1] if left else -aside[1]
            spot.centery = round(box.centery + (middle.centery - box.centery) * towards) + along
            spot.left = box.right + gap if left else box.left - gap - spot.width
            spot.move_ip(round((middle.centerx - spot.centerx) * 0.4 * towards), 0)
        spots[seat] = spot
    return spots


def _are_clear(spots: list[pygame.Rect], plates: list[pygame.Rect], middle: pygame.Rect, gap: int) -> bool:
    """Return whether the boxes lie within the middle and overlap neither a plate nor one another."""
    if any(not middle.contains(spot) or spot.inflate(gap, gap).collidelist(plates) >= 0 for spot in spots):
        return False
    return all(
        spot.inflate(2 * gap, 2 * gap).collidelist(spots[number + 1 :]) < 0
        for number, spot in enumerate(spots)
    )


def _place_in_a_row(middle: pygame.Rect, stands: _Stands, height: int) -> dict[str, pygame.Rect]:
    """Lay small cards side by side in the middle: the last resort for seats that all sit together."""
    width = round(height * CARD_ASPECT)
    step = 1.08 * (height if any(stand.turned for stand in stands.values()) else width)
    spots = {}
    for number, (seat, stand) in enumerate(stands.items()):
        centre = (middle.centerx + round((number - (len(stands) - 1) / 2) * step), middle.centery)
        spots[seat] = centred(stand.card_size((width, height)), centre)
    return spots


def find_free_spot(
    middle: pygame.Rect, near: pygame.Rect, taken: Sequence[pygame.Rect], gap: int
) -> pygame.Rect:
    """Return the box nearest to ``near`` where a card overlaps nothing; a smaller card when there is no room."""
    width, height = near.size
    while width > near.width // 3:
        spot = _find_spot_of_size((width, height), middle, near, taken, gap)
        if spot is not None:
            return spot
        width, height = width * 9 // 10, height * 9 // 10
    return near.clamp(middle)


def _find_spot_of_size(
    card: Size, middle: pygame.Rect, near: pygame.Rect, taken: Sequence[pygame.Rect], gap: int
) -> pygame.Rect | None:
    """Return the box of this size nearest to ``near`` that overlaps nothing; None where there is no room."""
    spot, step = pygame.Rect((0, 0), card), max(2, near.width // 8)
    area = middle.inflate(-spot.width, -spot.height)
    places = [
        (x, y) for x in range(area.left, area.right + 1, step) for y in range(area.top, area.bottom + 1, step)
    ]
    for place in sorted(places, key=lambda at: (at[0] - near.centerx) ** 2 + (at[1] - near.centery) ** 2):
        spot.center = place
        if spot.inflate(2 * gap, 2 * gap).collidelist(taken) < 0:
            return spot
    return None


def _have_room_for_more(
    middle: pygame.Rect,
    spots: Mapping[str, pygame.Rect],
    plates: Sequence[pygame.Rect],
    beside: Sequence[str],
    gap: int,
) -> bool:
    """Return whether another card of each seat of ``beside`` has room, as large as the others."""
    taken = [*plates, *spots.values()]
    for seat in beside:
        spot = _find_spot_of_size(spots[seat].size, middle, spots[seat], taken, gap)
        if spot is None:
            return False
        taken.append(spot)
    return True
