"""Where the cards of a trick lie: each before its player's plate, as large as they can all be without overlapping."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import pygame

from table.display.theme import Size, far, unit

_CARD_SHAPE = 0.70
"""Width by height of a card on the screen."""
_LARGEST_CARD = 224
_GOOD_CARD = 140
_FAIR_CARD = 96
_SMALLEST_CARD = 60
_RANK = 0.3
"""The part of a card's height that its rank takes, at least."""
_NEAR, _FAR = 1.3, 3.5
_ASIDE = ((0.0, 0.0), (0.3, 0.0), (-0.3, 0.0), (0.56, 0.0), (-0.56, 0.0), (0.56, 0.56))
"""Steps aside to try for the cards above and below, and for those at the sides, in widths of a card."""


def card_spots(
    size: Size,
    middle: pygame.Rect,
    boxes: Mapping[str, pygame.Rect],
    turns: Mapping[str, int] | None = None,
) -> dict[str, pygame.Rect]:
    """A place for a card in front of each seat's plate, as large as they can all be without overlapping.

    Of the places for the largest possible card those nearest to the middle are taken; before cards become too small to
    be read from afar, they lie further from their players. ``turns``: where the cards are turned to their players, in
    quarters.
    """
    edges = turns or {seat: _edge_of(box, middle) for seat, box in boxes.items()}
    stands = {seat: _Stand(box, edges[seat], turns is not None) for seat, box in boxes.items()}
    scale = unit(size)
    gap = max(2, round(9 * scale))
    step = max(1, round(2 * scale))
    large = range(round(_LARGEST_CARD * scale), round(_GOOD_CARD * scale), -step)
    fair = range(large.stop, round(_FAIR_CARD * scale), -3 * step)
    small = range(large.stop, max(8, round(_SMALLEST_CARD * scale)), -step)
    read = range(large.stop, math.ceil(far(size) / _RANK), -step)
    for sizes, place in (
        (large, _straight),
        (fair, partial(_nearest, reach=_NEAR)),
        (read, _straight),
        (read, partial(_nearest, reach=_FAR)),
        (small, _straight),
    ):
        for high in sizes:
            found = place(middle, stands, (round(high * _CARD_SHAPE), high), gap)
            if found is not None:
                return found
    return _in_a_row(middle, stands, small.stop)


@dataclass(frozen=True)
class _Stand:
    """A plate, the edge at which it stands (counted as ``edge_at`` does), and whether its card is turned to it."""

    plate: pygame.Rect
    edge: int
    turned: bool

    def card(self, card: Size) -> Size:
        return card[::-1] if self.turned and self.edge % 2 else card


def _edge_of(plate: pygame.Rect, middle: pygame.Rect) -> int:
    if plate.top <= middle.top + 2 or plate.bottom >= middle.bottom - 2:
        return 2 if plate.centery < middle.centery else 0
    return 1 if plate.centerx < middle.centerx else 3


def _straight(
    middle: pygame.Rect, stands: Mapping[str, _Stand], card: Size, gap: int
) -> dict[str, pygame.Rect] | None:
    """Cards straight before their plates. None where they would overlap.

    Cards of players who face each other lie side by side, as in a real trick.
    """
    for along, beside in _ASIDE:
        aside = round(along * card[0]), round(beside * card[0])
        for towards in (0.55, 0.45, 0.35, 0.25, 0.15, 0.05, 0.0):
            found = _before_plates(middle, stands, card, gap, towards, aside)
            if _free_of_each_other(
                list(found.values()), [stand.plate for stand in stands.values()], middle, gap
            ):
                return found
    return None


def _nearest(
    middle: pygame.Rect, stands: Mapping[str, _Stand], card: Size, gap: int, *, reach: float
) -> dict[str, pygame.Rect] | None:
    """Cards as near to their places before the plates as there is room; None where one would be far from its player.

    ``reach``: how far, in heights of a card.
    """
    found = {}
    taken = [stand.plate for stand in stands.values()]
    for seat, wanted in _before_plates(middle, stands, card, gap, 0.15, (0, 0)).items():
        spot = free_spot(middle, wanted, taken, gap)
        if spot.size != wanted.size or math.dist(spot.center, wanted.center) > reach * card[1]:
            return None
        taken.append(spot)
        found[seat] = spot
    return found


def _before_plates(
    middle: pygame.Rect,
    stands: Mapping[str, _Stand],
    card: Size,
    gap: int,
    towards: float,
    aside: tuple[int, int],
) -> dict[str, pygame.Rect]:
    """Cards before the plates, moved by a part of the way to the middle and ``aside`` to their players' right.

    ``aside``: pixels for the plates above and below, and for those at the sides (negative: to the left).
    """
    found = {}
    for seat, stand in stands.items():
        box, spot = stand.plate, pygame.Rect((0, 0), stand.card(card))
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
        found[seat] = spot
    return found


def _free_of_each_other(
    spots: list[pygame.Rect], plates: list[pygame.Rect], middle: pygame.Rect, gap: int
) -> bool:
    if any(not middle.contains(spot) or spot.inflate(gap, gap).collidelist(plates) >= 0 for spot in spots):
        return False
    return all(
        one.inflate(2 * gap, 2 * gap).collidelist(spots[number + 1 :]) < 0 for number, one in enumerate(spots)
    )


def _in_a_row(middle: pygame.Rect, stands: Mapping[str, _Stand], high: int) -> dict[str, pygame.Rect]:
    """The last resort for seats that all sit together: small cards side by side in the middle."""
    wide = round(high * _CARD_SHAPE)
    step = 1.08 * (high if any(stand.turned for stand in stands.values()) else wide)
    found = {}
    for number, (seat, stand) in enumerate(stands.items()):
        spot = pygame.Rect((0, 0), stand.card((wide, high)))
        spot.center = (middle.centerx + round((number - (len(stands) - 1) / 2) * step), middle.centery)
        found[seat] = spot
    return found


def free_spot(middle: pygame.Rect, near: pygame.Rect, taken: Sequence[pygame.Rect], gap: int) -> pygame.Rect:
    """The place nearest to ``near`` where a card overlaps nothing; a smaller card where there is no room."""
    card = near.copy()
    step = max(2, near.width // 8)
    while card.width > near.width // 3:
        area = middle.inflate(-card.width, -card.height)
        places = [
            (x, y)
            for x in range(area.left, area.right + 1, step)
            for y in range(area.top, area.bottom + 1, step)
        ]
        for place in sorted(places, key=lambda at: (at[0] - near.centerx) ** 2 + (at[1] - near.centery) ** 2):
            card.center = place
            if card.inflate(2 * gap, 2 * gap).collidelist(taken) < 0:
                return card
        card = pygame.Rect(0, 0, card.width * 9 // 10, card.height * 9 // 10)
    return near.clamp(middle)
