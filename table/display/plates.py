"""Where the seats' plates stand: on the edge of the table, each in its seat's true direction, none upon another.

On a screen that lies flat each is turned to the edge at which its player sits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

import pygame

from table.display.layout import upright
from table.display.theme import Size, unit
from table.phrase import WrongValueError, dimensions

_PLATES = ((316, 110), (280, 108), (272, 108))
"""The largest plates for up to four seats, for five, and for more, in units ..."""
_PLATES_UPRIGHT = ((236, 172), (222, 164))
"""... and for up to four and for more on a screen that stands upright."""
_STEP = 2
"""Pixels by which plates that overlap are moved apart at a time."""


def plates(size: Size, middle: pygame.Rect, angles: Mapping[str, float]) -> dict[str, pygame.Rect]:
    """A plate for each seat, on the edge of ``middle`` in the seat's direction, none touching another.

    ``angles``: degrees clockwise from the top, in any order. Plates that would overlap are moved apart along the
    edge, in the order of their angles; where they don't fit they become smaller.
    """
    if not angles:
        return {}
    found = on_edge(middle, angles, _boxes(size, len(angles)))
    if found is None:
        raise WrongValueError("image.no_room", seats=len(angles), size=dimensions(size))
    return found


def on_edge(
    middle: pygame.Rect, angles: Mapping[str, float], boxes: Iterable[tuple[Size, int]]
) -> dict[str, pygame.Rect] | None:
    """As :func:`plates`, of the first of ``boxes`` (each with the gap around it) of which all have room."""
    order = sorted(angles, key=lambda seat: (angles[seat] % 360, seat))
    for box, gap in boxes:
        found = _onedge_at(middle, box, [angles[seat] % 360 for seat in order], gap)
        if found is not None:
            return dict(zip(order, found, strict=True))
    return None


def _boxes(size: Size, seats: int) -> Iterator[tuple[Size, int]]:
    """The sizes of a plate to try, the largest first, each with the gap around it."""
    scale = unit(size)
    width, height = (
        _PLATES_UPRIGHT[seats > 4] if upright(size) else _PLATES[min(max(0, seats - 4), len(_PLATES) - 1)]
    )
    return smaller((width * scale, height * scale), 10 * scale)


def smaller(largest: tuple[float, float], gap: float) -> Iterator[tuple[Size, int]]:
    """Sizes of a box and the gap around it, from the largest down to a third of it."""
    shrink = 1.0
    while shrink >= 0.3:
        yield (max(8, round(largest[0] * shrink)), max(6, round(largest[1] * shrink))), round(gap * shrink)
        shrink *= 0.95


def turned_plates(
    size: Size, middle: pygame.Rect, angles: Mapping[str, float]
) -> tuple[dict[str, pygame.Rect], dict[str, int]]:
    """As :func:`plates`, each turned to the edge at which its seat is; and the turns, in quarters, clockwise.

    The plates of an edge stand beside one another in the order of their seats.
    """
    if not angles:
        return {}, {}
    turns = {seat: edge_at(middle, angle) for seat, angle in angles.items()}
    for box, gap in _boxes(size, len(angles)):
        inset = box[1] + gap
        # Where the plates of two edges would meet in a corner, those of one pair of edges keep out of it.
        for keeps_out in ((0, 0), (inset, 0), (0, inset)):
            found = _on_edges(middle, box, angles, turns, gap, keeps_out)
            if found is not None:
                return found, turns
    raise WrongValueError("image.no_room", seats=len(angles), size=dimensions(size))


def edge_at(middle: pygame.Rect, angle: float) -> int:
    """The edge of ``middle`` that the ray in a direction meets: 0 is the lower one, the others follow clockwise."""
    x, y = math.sin(math.radians(angle)), -math.cos(math.radians(angle))
    if abs(x) * middle.height > abs(y) * middle.width:
        return 3 if x > 0 else 1
    return 0 if y > 0 else 2


def _on_edges(
    middle: pygame.Rect,
    box: Size,
    angles: Mapping[str, float],
    turns: Mapping[str, int],
    gap: int,
    keeps_out: tuple[int, int],
) -> dict[str, pygame.Rect] | None:
    """A turned box for each seat; None where not all have room. ``keeps_out``: above and below, and at the sides."""
    found: dict[str, pygame.Rect] = {}
    for edge in set(turns.values()):
        level = edge % 2 == 0
        low, high = (middle.left, middle.right) if level else (middle.top, middle.bottom)
        low, high = low + keeps_out[edge % 2], high - keeps_out[edge % 2]
        wanted = {}
        for seat in (seat for seat, one in turns.items() if one == edge):
            x, y = math.sin(math.radians(angles[seat])), -math.cos(math.radians(angles[seat]))
            along = x / abs(y) * middle.height / 2 if level else y / abs(x) * middle.width / 2
            wanted[seat] = (middle.centerx if level else middle.centery) + along
        order = sorted(wanted, key=lambda seat: (wanted[seat], seat))
        if len(order) * (box[0] + gap) > high - low:
            return None
        for seat, place in zip(
            order, apart([wanted[seat] for seat in order], box[0] + gap, low, high), strict=True
        ):
            spot = pygame.Rect((0, 0), box if level else box[::-1])
            spot.center = (round(place), middle.centery) if level else (middle.centerx, round(place))
            found[seat] = spot
            match edge:
                case 0:
                    spot.bottom = middle.bottom
                case 1:
                    spot.left = middle.left
                case 2:
                    spot.top = middle.top
                case _:
                    spot.right = middle.right
    boxes = list(found.values())
    clear = all(box.inflate(gap, gap).collidelist(boxes[at + 1 :]) < 0 for at, box in enumerate(boxes))
    return found if clear else None


def apart(wanted: Sequence[float], step: float, low: float, high: float) -> list[float]:
    """Places in the order of ``wanted`` and near them, ``step`` from one another, half of it from both ends."""
    places: list[float] = []
    for place in wanted:
        places.append(max(place, places[-1] + step if places else low + step / 2))
    end = high - step / 2
    for number in range(len(places) - 1, -1, -1):
        places[number] = min(places[number], end)
        end = places[number] - step
    return places


def _onedge_at(middle: pygame.Rect, box: Size, angles: Sequence[float], gap: int) -> list[pygame.Rect] | None:
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
