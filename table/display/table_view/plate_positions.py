"""Layout of the seats' plates: on the edge of the table, each in its seat's true direction, without overlap.

On a screen that lies flat each plate is rotated to the edge at which its player sits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

import pygame

from table.directions import direction_vector
from table.display.drawing.boxes import Size, centred, is_upright, pixels_per_unit
from table.phrase import WrongValueError, size_phrase

_PLATE_SIZES = ((316, 110), (280, 108), (272, 108))
"""The largest plates for up to four seats, for five, and for more, in units."""
_PLATE_SIZES_UPRIGHT = ((236, 172), (222, 164))
"""The largest plates for up to four seats, and for more, on an upright screen."""
_MOST_HEIGHT = 0.25
"""The greatest share of the table's height that an upright plate takes: above and below it there is room for cards."""
_STEP = 2
"""Pixels by which overlapping plates are moved apart at a time."""
_EDGES = ("bottom", "left", "top", "right")
"""The edges of a box by their number, which is also the quarter turns of a plate that stands there."""


def place_plates(
    size: Size, middle: pygame.Rect, angles: Mapping[str, float], turns: Mapping[str, int]
) -> dict[str, pygame.Rect]:
    """Place a plate for each seat on the edge of ``middle``, in the seat's direction, without overlap.

    ``angles``: degrees clockwise from the top, in any order. ``turns``: the edge at which each seat's plate is turned
    to its player; empty when plates are upright. Overlapping plates are moved apart along the edge in the order of
    their angles; plates that do not fit become smaller. Raises ``WrongValueError`` when none fit.
    """
    boxes = _plate_sizes(size, len(angles), round(_MOST_HEIGHT * middle.height))
    if not turns:
        placed = place_on_edge(middle, angles, boxes)
    else:
        tries = (_place_turned(middle, box, angles, turns, gap) for box, gap in boxes)
        placed = next((plates for plates in tries if plates is not None), None)
    if placed is None:
        raise WrongValueError("image.no_room", seats=len(angles), size=size_phrase(size))
    return placed


def place_on_edge(
    middle: pygame.Rect, angles: Mapping[str, float], boxes: Iterable[tuple[Size, int]]
) -> dict[str, pygame.Rect] | None:
    """Place plates as :func:`place_plates` does, of the first size (and gap) in ``boxes`` at which all fit, or None."""
    order = sorted(angles, key=lambda seat: (angles[seat] % 360, seat))
    for box, gap in boxes:
        placed = _place_on_track(middle, box, [angles[seat] % 360 for seat in order], gap)
        if placed is not None:
            return dict(zip(order, placed, strict=True))
    return None


def _plate_sizes(size: Size, seats: int, highest: int) -> Iterator[tuple[Size, int]]:
    """Yield the sizes of a plate to try, the largest first, each with the gap; none is higher than ``highest``."""
    scale = pixels_per_unit(size)
    width, height = (
        _PLATE_SIZES_UPRIGHT[seats > 4]
        if is_upright(size)
        else _PLATE_SIZES[min(max(0, seats - 4), len(_PLATE_SIZES) - 1)]
    )
    scale = min(scale, highest / height)
    return shrinking_sizes((width * scale, height * scale), 10 * scale)


def shrinking_sizes(largest: tuple[float, float], gap: float) -> Iterator[tuple[Size, int]]:
    """Yield sizes of a box and the gap around it, from ``largest`` down to a third of it."""
    shrink = 1.0
    while shrink >= 0.3:
        yield (max(8, round(largest[0] * shrink)), max(6, round(largest[1] * shrink))), round(gap * shrink)
        shrink *= 0.95


def edge_at(middle: pygame.Rect, angle: float) -> int:
    """Return the edge of ``middle`` that the ray at ``angle`` meets: 0 is the lower edge, 1 to 3 follow clockwise."""
    x, y = direction_vector(angle)
    if abs(x) * middle.height > abs(y) * middle.width:
        return 3 if x > 0 else 1
    return 0 if y > 0 else 2


def _place_turned(
    middle: pygame.Rect, box: Size, angles: Mapping[str, float], turns: Mapping[str, int], gap: int
) -> dict[str, pygame.Rect] | None:
    """Place a rotated box for each seat, those of an edge beside one another; None when not all fit."""
    inset = box[1] + gap
    # If the plates of two edges would meet in a corner, those of one pair of edges stay out of the corners.
    tries = (
        _place_on_edges(middle, box, angles, turns, gap, keeps_out)
        for keeps_out in ((0, 0), (inset, 0), (0, inset))
    )
    return next((placed for placed in tries if placed is not None), None)


def _place_on_edges(
    middle: pygame.Rect,
    box: Size,
    angles: Mapping[str, float],
    turns: Mapping[str, int],
    gap: int,
    keeps_out: tuple[int, int],
) -> dict[str, pygame.Rect] | None:
    """Place a rotated box for each seat, or None. ``keeps_out``: the margins above and below, and at the sides."""
    placed: dict[str, pygame.Rect] = {}
    for edge in set(turns.values()):
        level = edge % 2 == 0
        low, high = (middle.left, middle.right) if level else (middle.top, middle.bottom)
        low, high = low + keeps_out[edge % 2], high - keeps_out[edge % 2]
        wanted = {}
        for seat in (seat for seat, turn in turns.items() if turn == edge):
            x, y = direction_vector(angles[seat])
            along = x / abs(y) * middle.height / 2 if level else y / abs(x) * middle.width / 2
            wanted[seat] = (middle.centerx if level else middle.centery) + along
        order = sorted(wanted, key=lambda seat: (wanted[seat], seat))
        if len(order) * (box[0] + gap) > high - low:
            return None
        places = spread_apart([wanted[seat] for seat in order], box[0] + gap, low, high)
        for seat, place in zip(order, map(round, places), strict=True):
            if level:
                placed[seat] = centred(box, (place, middle.centery))
            else:
                placed[seat] = centred(box[::-1], (middle.centerx, place))
            setattr(placed[seat], _EDGES[edge], getattr(middle, _EDGES[edge]))
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
        rects = [_box_at(track, place, box).inflate(gap, gap) for place in places]
        moved = False
        for first, second in pairs:
            # The other way round the track they count as far apart, even when their boxes meet.
            near = (places[second] - places[first]) % length <= length / 2
            if near and rects[first].colliderect(rects[second]):
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
    x, y = direction_vector(angle)
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
    x, y = width / 2, 0.0
    for length, right, down in (
        (width / 2, 1, 0),
        (height, 0, 1),
        (width, -1, 0),
        (height, 0, -1),
        (width / 2, 1, 0),
    ):
        step = min(place, length)
        x, y, place = x + right * step, y + down * step, place - step
    return centred(box, (track.left + round(x), track.top + round(y)))
