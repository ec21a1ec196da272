"""A picture of what calibrating found, for people to see whether it is so."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.config import Matrix, SeatConfig
from table.display.bidi import runs_leftwards
from table.display.ink import ink, ink_within, write
from table.facts import Image
from table.setup.mat import MARK_MM
from table.setup.view import LEAST_MARGIN_MM
from table.sight.geometry import CARD_MM, Points, transform

_GREEN: Final = (60, 220, 60)
_ORANGE: Final = (0, 140, 255)
_RED: Final = (60, 60, 255)
_WHITE: Final = (255, 255, 255)
_LETTERS: Final = 1 / 30
"""Of the picture's height: that of a line."""
SEAT_MM: Final = 130.0
"""From the mark to a seat's name."""


def draw_found(
    image: Image,
    homography: Matrix,
    corners: Points,
    seats: Sequence[SeatConfig],
    lines: Sequence[str] = (),
    *,
    rtl: bool = False,
) -> Image:
    """The picture with quadrilaterals at ``corners`` (4 N x 2 pixels: markers, cards), and the mark drawn in."""
    picture = draw_mark(image, homography, seats)
    width = _line(image)
    for quad in corners.reshape(-1, 4, 2):
        cv2.polylines(picture, [_fixed(quad)], True, _GREEN, width, cv2.LINE_AA, 4)
    draw_text(picture, lines, rtl=rtl)
    return picture


def draw_text(picture: Image, lines: Sequence[str], *, rtl: bool = False) -> None:
    """Write lines into the picture's upper left corner, broken where they are too long for it; ``rtl``: the right."""
    high, wide = picture.shape[:2]
    margin = round(high / 64)
    top = margin
    for text in lines:
        covered = ink_within(text, (wide - 2 * margin, high), round(high * _LETTERS), most=4, rtl=rtl)
        write(picture, covered, wide - margin - covered.shape[1] if rtl else margin, top)
        top += covered.shape[0] + margin // 4


def draw_mark(image: Image, homography: Matrix, seats: Sequence[SeatConfig] = ()) -> Image:
    """The picture with the mark's circle, a card on it, the table's axes, the least margin and the seats drawn in."""
    picture = image.copy()
    matrix = np.array(homography, dtype=np.float64)
    width = _line(image)

    def draw(
        places: Sequence[tuple[float, float]], colour: tuple[int, int, int], closed: bool = True
    ) -> None:
        pixels = transform(matrix, np.array(places, dtype=np.float64))
        cv2.polylines(picture, [_fixed(pixels)], closed, colour, width, cv2.LINE_AA, 4)

    turns = [math.radians(degrees) for degrees in range(0, 360, 3)]
    for radius, colour in ((MARK_MM / 2, _ORANGE), (LEAST_MARGIN_MM, _WHITE)):
        draw([(radius * math.cos(turn), radius * math.sin(turn)) for turn in turns], colour)
    x, y = CARD_MM[0] / 2, CARD_MM[1] / 2
    draw([(-x, -y), (x, -y), (x, y), (-x, y)], _ORANGE)
    draw([(0, 0), (30, 0)], _RED, closed=False)
    draw([(0, 0), (0, 30)], _GREEN, closed=False)
    high = round(image.shape[0] * _LETTERS)
    for seat in seats:
        turn = math.radians(seat.angle)
        right, down = math.sin(turn), -math.cos(turn)
        draw(
            [(0.75 * SEAT_MM * right, 0.75 * SEAT_MM * down), (SEAT_MM * right, SEAT_MM * down)],
            _ORANGE,
            closed=False,
        )
        place = transform(matrix, np.array([[SEAT_MM * right, SEAT_MM * down]]))[0]
        covered = ink([seat.name], high, rtl=runs_leftwards(seat.name))
        rows, columns = covered.shape
        write(picture, covered, round(float(place[0]) - columns / 2), round(float(place[1]) - rows / 2))
    return picture


def _line(image: Image) -> int:
    return max(1, round(int(image.shape[0]) / 500))


def _fixed(points: Points) -> NDArray[np.int32]:
    """Pixels with four bits below the pixel, as OpenCV's drawing takes them; its numbers end far outside."""
    return np.asarray(np.rint(np.clip(points, -20000, 20000) * 16), dtype=np.int32)
