"""Where things stand on the screen: plain geometry, in pixels.

A band above and one below hold the four corners, the headline and the rulings; between them is the table with a
plate for each seat in its true direction and the trick in the middle.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import pygame

from table.display.theme import Size, unit

MARGIN = 12
TOP = 96
BOTTOM = 84
CORNER = 262
GAP = 8
"""Measures in units of a 1280 x 720 screen."""

_CARD_SHAPE = 0.70
"""Width by height of a card on the screen."""
_LARGEST_CARD = 224
_GOOD_CARD = 140
_FAIR_CARD = 96
_SMALLEST_CARD = 60
_ASIDE = ((0.0, 0.0), (0.3, 0.0), (-0.3, 0.0), (0.56, 0.0), (-0.56, 0.0), (0.56, 0.56))
"""Steps aside to try for the cards above and below, and for those at the sides, in widths of a card."""
_STEP = 2
"""Pixels by which plates that overlap are moved apart at a time."""


@dataclass(frozen=True)
class Layout:
    """The boxes of a screen."""

    top_left: pygame.Rect
    headline: pygame.Rect
    top_right: pygame.Rect
    middle: pygame.Rect
    bottom_left: pygame.Rect
    rulings: pygame.Rect
    bottom_right: pygame.Rect


def layout(size: Size) -> Layout:
    """The boxes of a screen of ``size``."""
    scale = unit(size)

    def px(units: float) -> int:
        return round(units * scale)

    inside = pygame.Rect((0, 0), size).inflate(-2 * px(MARGIN), -2 * px(MARGIN))
    corner, gap = px(CORNER), px(GAP)
    top = pygame.Rect(inside.left, inside.top, inside.width, px(TOP))
    bottom = pygame.Rect(inside.left, inside.bottom - px(BOTTOM), inside.width, px(BOTTOM))
    between = inside.width - 2 * (corner + gap)
    return Layout(
        top_left=pygame.Rect(top.left, top.top, corner, top.height),
        headline=pygame.Rect(top.left + corner + gap, top.top, between, top.height),
        top_right=pygame.Rect(top.right - corner, top.top, corner, top.height),
        middle=pygame.Rect(inside.left, top.bottom + gap, inside.width, bottom.top - top.bottom - 2 * gap),
        bottom_left=pygame.Rect(bottom.left, bottom.top, corner, bottom.height),
        rulings=pygame.Rect(bottom.left + corner + gap, bottom.top, between, bottom.height),
        bottom_right=pygame.Rect(bottom.right - corner, bottom.top, corner, bottom.height),
    )


# --- the seats' plates ------------------------------------------------------------------------------------


def plates(size: Size, middle: pygame.Rect, angles: Mapping[str, float]) -> dict[str, pygame.Rect]:
    """A plate for each seat, on the edge of ``middle`` in the seat's direction, none touching another.

    ``angles``: degrees clockwise from the top, in any order. Plates that would overlap are moved apart along the
    edge, in the order of their angles; where they don't fit they become smaller.
    """
    if not angles:
        return {}
    scale = unit(size)
    width, height = (316, 110) if len(angles) <= 4 else (262, 94) if len(angles) == 5 else (244, 92)
    order = sorted(angles, key=lambda seat: (angles[seat] % 360, seat))
    shrink = 1.0
    while True:
        box = (max(8, round(width * scale * shrink)), max(6, round(height * scale * shrink)))
        found = _on_edge(middle, box, [angles[seat] % 360 for seat in order], round(10 * scale * shrink))
        if found is not None:
            return dict(zip(order, found, strict=True))
        if shrink < 0.3:
            raise ValueError(f"no room for {len(order)} seats on {size[0]} x {size[1]} pixels")
        shrink *= 0.95


def _on_edge(middle: pygame.Rect, box: Size, angles: Sequence[float], gap: int) -> list[pygame.Rect] | None:
    """Boxes whose centres lie on a track inside ``middle``; None when they can't be kept apart."""
    track = middle.inflate(-box[0], -box[1])
    if track.width <= 0 or track.height <= 0:
        return None
    length = 2.0 * (track.width + track.height)
    places = _in_order([_along(track, angle) for angle in angles], length)
    pairs = [(number, (number + 1) % len(places)) for number in range(len(places))] if len(places) > 1 else []
    for _ in range(600):
        rects = [_box_at(track, place, box) for place in places]
        moved = False
        for one, other in pairs:
            # The other way round the table they are far apart, even where their boxes meet.
            near = (places[other] - places[one]) % length <= length / 2
            if near and rects[one].inflate(gap, gap).colliderect(rects[other].inflate(gap, gap)):
                moved = True
                places[one] -= _STEP
                places[other] += _STEP
        if not moved:
            break
    rects = [_box_at(track, place, box) for place in places]
    apart = all(
        not one.inflate(gap // 2, gap // 2).colliderect(other)
        for number, one in enumerate(rects)
        for other in rects[number + 1 :]
    )
    return rects if apart else None


def _in_order(places: Sequence[float], length: float) -> list[float]:
    """Places along a closed track, in their order, with those that fall together a little apart."""
    # From behind the widest gap on: nobody is pushed past the beginning.
    first = max(range(len(places)), key=lambda number: (places[number] - places[number - 1]) % length)
    apart: dict[int, float] = {}
    last = -math.inf
    for number in (*range(first, len(places)), *range(first)):
        last = max(places[number] + (length if number < first else 0.0), last + 4 * _STEP)
        apart[number] = last
    return [apart[number] for number in range(len(places))]


def _along(track: pygame.Rect, angle: float) -> float:
    """How far along the track (clockwise from the middle of its top) the ray in a direction meets it."""
    half_width, half_height = track.width / 2, track.height / 2
    x, y = math.sin(math.radians(angle)), -math.cos(math.radians(angle))
    reach = min(
        half_width / abs(x) if abs(x) > 1e-9 else math.inf,
        half_height / abs(y) if abs(y) > 1e-9 else math.inf,
    )
    x, y = x * reach, y * reach
    if abs(abs(y) - half_height) < 1e-6 * max(1.0, half_height):
        if y < 0:
            return x % (2 * (track.width + track.height))
        return half_width + track.height + (half_width - x)
    if x > 0:
        return half_width + (y + half_height)
    return half_width + track.height + track.width + (half_height - y)


def _box_at(track: pygame.Rect, place: float, box: Size) -> pygame.Rect:
    """The box whose centre is ``place`` pixels along the track."""
    width, height = float(track.width), float(track.height)
    place %= 2 * (width + height)
    if place <= width / 2:
        x, y = width / 2 + place, 0.0
    elif place <= width / 2 + height:
        x, y = width, place - width / 2
    elif place <= 1.5 * width + height:
        x, y = width - (place - width / 2 - height), height
    elif place <= 1.5 * width + 2 * height:
        x, y = 0.0, height - (place - 1.5 * width - height)
    else:
        x, y = place - 1.5 * width - 2 * height, 0.0
    found = pygame.Rect((0, 0), box)
    found.center = (track.left + round(x), track.top + round(y))
    return found


@dataclass(frozen=True)
class Seating:
    """The plates and the places of their cards, by seat. The boxes are not to be changed."""

    plates: Mapping[str, pygame.Rect]
    spots: Mapping[str, pygame.Rect]


def seating(size: Size, angles: Mapping[str, float]) -> Seating:
    """Where the seats' plates and cards are on a screen of ``size``; worked out once for each table."""
    return _seating(size, tuple(angles.items()))


@lru_cache(maxsize=32)
def _seating(size: Size, angles: tuple[tuple[str, float], ...]) -> Seating:
    middle = layout(size).middle
    boxes = plates(size, middle, dict(angles))
    return Seating(boxes, card_spots(size, middle, boxes))


# --- the cards of the trick -------------------------------------------------------------------------------


def card_spots(size: Size, middle: pygame.Rect, boxes: Mapping[str, pygame.Rect]) -> dict[str, pygame.Rect]:
    """A place for a card in front of each seat's plate, as large as they can all be without overlapping.

    Of the places for the largest possible card those nearest to the middle are taken.
    """
    scale = unit(size)
    gap = max(2, round(9 * scale))
    step = max(1, round(2 * scale))
    large = range(round(_LARGEST_CARD * scale), round(_GOOD_CARD * scale), -step)
    fair = range(large.stop, round(_FAIR_CARD * scale), -3 * step)
    small = range(large.stop, max(8, round(_SMALLEST_CARD * scale)), -step)
    for sizes, place in ((large, _straight), (fair, _nearest), (small, _straight)):
        for high in sizes:
            found = place(middle, boxes, (round(high * _CARD_SHAPE), high), gap)
            if found is not None:
                return found
    return _in_a_row(middle, boxes, small.stop)


def _straight(
    middle: pygame.Rect, boxes: Mapping[str, pygame.Rect], card: Size, gap: int
) -> dict[str, pygame.Rect] | None:
    """Cards straight before their plates. None where they would overlap.

    Cards of players who face each other lie side by side, as in a real trick.
    """
    for along, beside in _ASIDE:
        aside = round(along * card[0]), round(beside * card[0])
        for towards in (0.55, 0.45, 0.35, 0.25, 0.15, 0.05, 0.0):
            found = _before_plates(middle, boxes, card, gap, towards, aside)
            if _free_of_each_other(list(found.values()), list(boxes.values()), middle, gap):
                return found
    return None


def _nearest(
    middle: pygame.Rect, boxes: Mapping[str, pygame.Rect], card: Size, gap: int
) -> dict[str, pygame.Rect] | None:
    """Cards as near to their places before the plates as there is room; None where one would be far from its player."""
    found = {}
    taken = list(boxes.values())
    for seat, wanted in _before_plates(middle, boxes, card, gap, 0.15, (0, 0)).items():
        spot = free_spot(middle, wanted, taken, gap)
        far = math.dist(spot.center, wanted.center)
        if spot.size != wanted.size or far > 1.3 * card[1]:
            return None
        taken.append(spot)
        found[seat] = spot
    return found


def _before_plates(
    middle: pygame.Rect,
    boxes: Mapping[str, pygame.Rect],
    card: Size,
    gap: int,
    towards: float,
    aside: tuple[int, int],
) -> dict[str, pygame.Rect]:
    """Cards before the plates, moved by a part of the way to the middle and ``aside`` to their players' right.

    ``aside``: pixels for the plates above and below, and for those at the sides (negative: to the left).
    """
    found = {}
    for seat, box in boxes.items():
        spot = pygame.Rect((0, 0), card)
        above, left = box.centery < middle.centery, box.centerx < middle.centerx
        if box.top <= middle.top + 2 or box.bottom >= middle.bottom - 2:
            along = -aside[0] if above else aside[0]
            spot.centerx = round(box.centerx + (middle.centerx - box.centerx) * towards) + along
            spot.top = box.bottom + gap if above else box.top - gap - card[1]
        else:
            along = aside[1] if left else -aside[1]
            spot.centery = round(box.centery + (middle.centery - box.centery) * towards) + along
            spot.left = box.right + gap if left else box.left - gap - card[0]
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


def _in_a_row(middle: pygame.Rect, boxes: Mapping[str, pygame.Rect], high: int) -> dict[str, pygame.Rect]:
    """The last resort for seats that all sit together: small cards side by side in the middle."""
    wide = round(high * _CARD_SHAPE)
    found = {}
    for number, seat in enumerate(boxes):
        spot = pygame.Rect(0, 0, wide, high)
        spot.center = (middle.centerx + round((number - (len(boxes) - 1) / 2) * wide * 1.08), middle.centery)
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
