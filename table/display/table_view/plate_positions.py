"""Layout of the seats' plates: on the edge of the table, each in its seat's true direction, without overlap.

On a screen that lies flat each plate is rotated to the edge at which its player sits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

import pygame

from table.display.drawing.colours_and_sizes import Size, pixels_per_unit
from table.display.table_view.screen_layout import is_upright
from table.phrase import WrongValueError, size_phrase

_PLATE_SIZES = ((316, 110), (280, 108), (272, 108))
"""The largest plates for up to four seats, for five, and for more, in units."""
_PLATE_SIZES_UPRIGHT = ((236, 172), (222, 164))
"""The largest plates for up to four seats, and for more, on an upright screen."""
_STEP = 2
"""Pixels by which overlapping plates are moved apart at a time."""


def place_plates(size: Size, middle: pygame.Rect, angles: Mapping[str, float]) -> dict[str, pygame.Rect]:
    """Place a plate for each seat on the edge of ``middle``, in the seat's direction, without overlap.

    ``angles``: degrees clockwise from the top, in any order. Overlapping plates are moved apart along the edge, in the
    order of their angles; plates that do not fit become smaller. Raises ``WrongValueError`` when none fit.
    """
    if not angles:
        return {}
    placed = place_on_edge(middle, angles, _plate_sizes(size, len(angles)))
    if placed is None:
        raise WrongValueError("image.no_room", seats=len(angles), size=size_phrase(size))
    return placed


def place_on_edge(
    middle: pygame.Rect, angles: Mapping[str, float], boxes: Iterable[tuple[Size, int]]
) -> dict[str, pygame.Rect] | None:
    """Place plates of the first size in ``boxes`` (each with the gap around it) at which all fit; None when none does.

    The placement is that of :func:`place_plates`.
    """
    order = sorted(angles, key=lambda seat: (angles[seat] % 360, seat))
    for box, gap in boxes:
        placed = _place_on_track(middle, box, [angles[seat] % 360 for seat in order], gap)
        if placed is not None:
            return dict(zip(order, placed, strict=True))
    return None


def _plate_sizes(size: Size, seats: int) -> Iterator[tuple[Size, int]]:
    """Yield the sizes of a plate to try, the largest first, each with the gap around it."""
    scale = pixels_per_unit(size)
    width, height = (
        _PLATE_SIZES_UPRIGHT[seats > 4]
        if is_upright(size)
        else _PLATE_SIZES[min(max(0, seats - 4), len(_PLATE_SIZES) - 1)]
    )
    return shrinking_sizes((width * scale, height * scale), 10 * scale)


def shrinking_sizes(largest: tuple[float, float], gap: float) -> Iterator[tuple[Size, int]]:
    """Yield sizes of a box and the gap around it, from ``largest`` down to a third of it."""
    shrink = 1.0
    while shrink >= 0.3:
        yield (max(8, round(largest[0] * shrink)), max(6, round(largest[1] * shrink))), round(gap * shrink)
        shrink *= 0.95


def place_turned_plates(
    size: Size, middle: pygame.Rect, angles: Mapping[str, float]
) -> tuple[dict[str, pygame.Rect], dict[str, int]]:
    """Place a plate for each seat at its table edge and return the plates and their quarter turns, clockwise.

    The plates of an edge stand beside one another in the order of their seats. Raises as :func:`place_plates`.
    """
    if not angles:
        return {}, {}
    turns = {seat: edge_at(middle, angle) for seat, angle in angles.items()}
    for box, gap in _plate_sizes(size, len(angles)):
        inset = box[1] + gap
        # If the plates of two edges would meet in a corner, those of one pair of edges stay out of the corners.
        for keeps_out in ((0, 0), (inset, 0), (0, inset)):
            placed = _place_on_edges(middle, box, angles, turns, gap, keeps_out)
            if placed is not None:
                return placed, turns
    raise WrongValueError("image.no_room", seats=len(angles), size=size_phrase(size))


def edge_at(middle: pygame.Rect, angle: float) -> int:
    """Return the edge of ``middle`` that the ray at ``angle`` meets: 0 is the lower edge, 1 to 3 follow clockwise."""
    x, y = math.sin(math.radians(angle)), -math.cos(math.radians(angle))
    if abs(x) * middle.height > abs(y) * middle.width:
        return 3 if x > 0 else 1
    return 0 if y > 0 else 2


def _place_on_edges(
    middle: pygame.Rect,
    box: Size,
    angles: Mapping[str, float],
    turns: Mapping[str, int],
    gap: int,
    keeps_out: tuple[int, int],
) -> dict[str, pygame.Rect] | None:
    """Place a rotated box for each seat; None when not all fit.

    ``keeps_out``: margins above and below, and at the sides.
    """
    placed: dict[str, pygame.Rect] = {}
    for edge in set(turns.values()):
        level = edge % 2 == 0
        low, high = (middle.left, middle.right) if level else (middle.top, middle.bottom)
        low, high = low + keeps_out[edge % 2], high - keeps_out[edge % 2]
        wanted = {}
        for seat in (seat for seat, turn in turns.items() if turn == edge):
            x, y = math.sin(math.radians(angles[seat])), -math.cos(math.radians(angles[seat]))
            along = x / abs(y) * middle.height / 2 if level else y / abs(x) * middle.width / 2
            wanted[seat] = (middle.centerx if level else middle.centery) + along
        order = sorted(wanted, key=lambda seat: (wanted[seat], seat))
        if len(order) * (box[0] + gap) > high - low:
            return None
        for seat, place in zip(
            order, spread_apart([wanted[seat] for seat in order], box[0] + gap, low, high), strict=True
        ):
            spot = pygame.Rect((0, 0), box if level else box[::-1])
            spot.center = (round(place), middle.centery) if level else (middle.centerx, round(place))
            placed[seat] = spot
            match edge:
                case 0:
                    spot.bottom = middle.bottom
                case 1:
                    spot.left = middle.left
                case 2:
                    spot.top = middle.top
                case _:
                    spot.right = middle.right
    boxes = list(placed.values())
    clear = all(box.inflate(gap, gap).collidelist(boxes[at + 1 :]) < 0 for at, box in enumerate(boxes))
    return placed if clear else None


def spread_apart(wanted: Sequence[float], step: float, low: float, high: float) -> list[float]:
    """Return places near ``wanted``, in its order, at least ``step`` apart and half a step from both ends."""
    places: list[float] = []
    for place in wanted:
        places.append(max(place, places[-1] + step if places else low + step / 2))
    end = high - step / 2
    for number in range(len(places) - 1, -1, -1):
        places[number] = min(places[number], end)
        end = places[number] - step
    return places


def _place_on_track(
    middle: pygame.Rect, box: Size, angles: Sequence[float], gap: int
) -> list[pygame.Rect] | None:
    """Place boxes whose centres lie on a track inside ``middle``; None when they cannot be kept apart."""
    track = middle.inflate(-box[0], -box[1])
    if track.width <= 0 or track.height <= 0:
        return None
    length = 2.0 * (track.width + track.height)
    places = _separate_in_order([_track_position(track, angle) for angle in angles], length)
    pairs = [(number, (number + 1) % len(places)) for number in range(len(places))] if len(places) > 1 else []
    for _ in range(600):
        rects = [_box_at(track, place, box) for place in places]
        moved = False
        for first, second in pairs:
            # The other way round the track they count as far apart, even when their boxes meet.
            near = (places[second] - places[first]) % length <= length / 2
            if near and rects[first].inflate(gap, gap).colliderect(rects[second].inflate(gap, gap)):
                moved = True
                places[first] -= _STEP
                places[second] += _STEP
        if not moved:
            break
    rects = [_box_at(track, place, box) for place in places]
    separate = all(
        not first.inflate(gap // 2, gap // 2).colliderect(second)
        for number, first in enumerate(rects)
        for second in rects[number + 1 :]
    )
    return rects if separate else None


def _separate_in_order(places: Sequence[float], length: float) -> list[float]:
    """Return the places along a closed track in their order, with coinciding ones moved slightly apart."""
    # The order starts behind the widest gap, so that no place is pushed past the start.
    start = max(range(len(places)), key=lambda number: (places[number] - places[number - 1]) % length)
    separated: dict[int, float] = {}
    last = -math.inf
    for number in (*range(start, len(places)), *range(start)):
        last = max(places[number] + (length if number < start else 0.0), last + 4 * _STEP)
        separated[number] = last
    return [separated[number] for number in range(len(places))]


def _track_position(track: pygame.Rect, angle: float) -> float:
    """Return how far along the track (clockwise from the middle of its top) the ray at ``angle`` meets it."""
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
    """Return the box whose centre lies ``place`` pixels along the track."""
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
    placed = pygame.Rect((0, 0), box)
    placed.center = (track.left + round(x), track.top + round(y))
    return placed
