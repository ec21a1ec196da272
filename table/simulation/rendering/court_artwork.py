"""Artwork of the court cards and the joker: plain double-headed figures of our own design."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from table.simulation.rendering.vector_shapes import (
    Colour,
    MillimetreCanvas,
    Points,
    bezier_points,
    ellipse_points,
    mirror_half,
    rounded_rectangle,
    suit_outlines,
)

_FRAME = (42.6, 70.0)
_SKIN: Colour = (186, 208, 238)
_LINE: Colour = (40, 30, 24)
_GOLD: Colour = (60, 186, 236)
_CRIMSON: Colour = (44, 34, 190)
_BLUE: Colour = (140, 74, 34)
_WHITE: Colour = (250, 250, 250)
_TINT: Colour = (228, 240, 246)
_HAIR = {"S": (52, 70, 96), "H": (70, 150, 212), "D": (40, 92, 168), "C": (44, 44, 52)}


def draw_court(sheet: MillimetreCanvas, rank: str, suit: str, ink: Colour) -> None:
    """Draw the jack, queen or king of a suit on a blank sheet."""
    main, other = (_CRIMSON, _BLUE) if suit in "HD" else (_BLUE, _CRIMSON)
    if suit in "DC":
        main, other = other, main
    half = sheet.blank(_TINT)
    _draw_robe(half, suit, main, other, ink)
    {"J": _draw_jack, "Q": _draw_queen, "K": _draw_king}[rank](half, suit, main, other)
    _draw_suit(half, suit, (-15.4, -27.6), 9.0, ink)
    _compose_double_headed(sheet, half)


def draw_joker(sheet: MillimetreCanvas) -> None:
    """Draw the joker on a blank sheet: a double-headed jester."""
    half = sheet.blank(_TINT)
    for number in range(9):  # rays behind the head
        spread = np.radians(-170 + number * 20 + np.array([0, 10]))
        rays = np.stack([60 * np.cos(spread), 60 * np.sin(spread) - 8], axis=1)
        half.fill(np.concatenate([[(0.0, -8.0)], rays]), (196, 224, 240))
    collar = [(-18.0, 8.0), (-12.0, -5.0), (-6.0, 2.0), (0.0, -3.0), (6.0, 2.0), (12.0, -5.0), (18.0, 8.0)]
    half.fill([*collar, (18.0, 12.0), (-18.0, 12.0)], (70, 150, 60))
    half.line(collar, _LINE, 0.5)
    _draw_face(half, (70, 70, 80), smile=True, down=7.0)
    horns: Sequence[tuple[Colour, Points, tuple[float, float]]] = (
        (
            _CRIMSON,
            bezier_points((-7, -15), (-13, -24), (-18, -28), (-19, -19), (-15, -21), (-12, -15), (-7, -10)),
            (-19, -18),
        ),
        (_BLUE, bezier_points((7, -15), (13, -24), (18, -28), (19, -19), (15, -21), (12, -15), (7, -10)), (19, -18)),
        (_GOLD, bezier_points((-7, -17), (-7, -25), (-3, -30), (1, -33), (1, -28), (5, -24), (7, -17)), (1, -33)),
    )  # fmt: skip
    for colour, horn, bell in horns:
        _fill_outlined(half, horn, colour, 0.45)
        _fill_outlined(half, ellipse_points(*bell, 1.5, 1.5), _GOLD, 0.35)
    _fill_outlined(half, [(-7.5, -17.5), (7.5, -17.5), (7.5, -15.0), (-7.5, -15.0)], _WHITE, 0.4)
    _compose_double_headed(sheet, half)


def _compose_double_headed(sheet: MillimetreCanvas, half: MillimetreCanvas) -> None:
    """Compose the figure from the half and its rotation by 180 degrees, inside the frame, parted by a slanting bar."""
    height, width = half.image.shape[:2]
    x, y = np.arange(width) - (width - 1) / 2, np.arange(height) - (height - 1) / 2
    both = cv2.flip(half.image, -1)
    cv2.copyTo(half.image, (y[:, None] < -0.22 * x).astype(np.uint8), both)
    frame = sheet.blank((0, 0, 0))
    outline = rounded_rectangle(*_FRAME, 1.6)
    frame.fill(outline, (255, 255, 255))
    cv2.copyTo(both, (frame.image[..., 0] > 127).astype(np.uint8), sheet.image)
    edge = _FRAME[0] / 2
    bar = [(-edge, 0.22 * edge), (edge, -0.22 * edge)]
    sheet.line(bar, _LINE, 2.0)
    sheet.line(bar, _GOLD, 1.2)
    sheet.line(outline, _BLUE, 0.5, closed=True)


def _draw_suit(
    sheet: MillimetreCanvas, suit: str, middle: tuple[float, float], height: float, ink: Colour
) -> None:
    for outline in suit_outlines(suit):
        sheet.fill(outline * height + np.array(middle), ink)


def _draw_robe(half: MillimetreCanvas, suit: str, main: Colour, other: Colour, ink: Colour) -> None:
    shoulders = bezier_points(
        (-5, -13.5), (-10, -12.5), (-16, -11), (-18, -4), (-20, 2), (-22, 6), (-22, 12), (-8, 12), (8, 12), (22, 12),
        (22, 6), (20, 2), (18, -4), (16, -11), (10, -12.5), (5, -13.5),
    )  # fmt: skip
    _fill_outlined(half, shoulders, main, 0.5)
    for side in (-1, 1):
        band = [(side * 9.0, -12.4), (side * 12.6, -11.4), (side * 15.0, 10.0), (side * 10.4, 10.0)]
        _fill_outlined(half, band, _GOLD, 0.35)
        for number in range(4):
            half.disc(side * (11.1 + number * 0.6), -8.6 + number * 4.4, 0.9, other)
    panel = [(-5.4, -12.6), (5.4, -12.6), (7.4, 12.0), (-7.4, 12.0)]
    _fill_outlined(half, panel, _WHITE, 0.4)
    for x, y in ((0.0, -7.0), (-2.6, -2.4), (2.6, -2.4), (0.0, 2.0)):
        _draw_suit(half, suit, (x, y), 3.4, ink)
    half.fill([(-5.0, -14.5), (0.0, -9.6), (5.0, -14.5), (3.0, -16.5), (-3.0, -16.5)], other)
    half.line([(-5.0, -14.5), (0.0, -9.6), (5.0, -14.5)], _LINE, 0.4)


def _draw_face(half: MillimetreCanvas, hair: Colour, *, smile: bool = False, down: float = 0.0) -> None:
    offset = np.array([0.0, down])
    half.fill(
        bezier_points((-3, -17), (-3, -13), (-1.6, -11.8), (0, -11.6), (1.6, -11.8), (3, -13), (3, -17))
        + offset,
        _SKIN,
    )
    head = bezier_points(
        (0, -28), (-4.4, -28), (-6, -24.6), (-5.8, -21.4), (-5.6, -17.4), (-2.8, -14.2), (0, -14.2),
        (2.8, -14.2), (5.6, -17.4), (5.8, -21.4), (6, -24.6), (4.4, -28), (0, -28),
    ) + offset  # fmt: skip
    _fill_outlined(half, head, _SKIN, 0.4)
    for side in (-1, 1):
        half.fill(ellipse_points(side * 2.5, -21.6, 1.1, 0.65) + offset, _WHITE)
        half.disc(side * 2.4, down - 21.6, 0.55, _LINE)
        half.line(ellipse_points(side * 2.5, -21.4, 1.3, 1.0, 190, 350) + offset, _LINE, 0.32)
        half.line(ellipse_points(side * 2.6, -22.4, 1.9, 1.3, 205, 335) + offset, hair, 0.5)
    half.line(np.array([(0.5, -21.5), (0.9, -18.9), (-0.3, -18.7)]) + offset, _LINE, 0.32)
    if smile:
        half.line(ellipse_points(0, -18.2, 2.6, 2.0, 20, 160) + offset, _CRIMSON, 0.55)
    else:
        half.line(ellipse_points(0, -17.4, 1.5, 0.6, 10, 170) + offset, _CRIMSON, 0.6)


def _fill_outlined(
    half: MillimetreCanvas,
    points: Points | Sequence[tuple[float, float]],
    colour: Colour,
    line_mm: float = 0.42,
) -> None:
    half.fill(points, colour)
    half.line(points, _LINE, line_mm, closed=True)


def _draw_king(half: MillimetreCanvas, suit: str, main: Colour, other: Colour) -> None:
    hair = _HAIR[suit]
    for side in (-1, 1):
        _fill_outlined(half, ellipse_points(side * 6.6, -19.4, 2.2, 4.4), hair)
        _fill_outlined(half, ellipse_points(side * 7.0, -15.8, 2.0, 2.2), hair)
    _draw_face(half, hair)
    beard = bezier_points(
        (-5.4, -19.4), (-5.4, -14), (-3, -9.4), (0, -9.2), (3, -9.4), (5.4, -14), (5.4, -19.4),
        (3.4, -16.6), (2.4, -18.2), (0, -18.1), (-2.4, -18.2), (-3.4, -16.6), (-5.4, -19.4),
    )  # fmt: skip
    _fill_outlined(half, beard, hair)
    half.line(ellipse_points(0, -16.7, 1.4, 0.5, 0, 180), _CRIMSON, 0.7)
    crown = [
        (-6.4, -25.0), (-8.0, -32.4), (-4.2, -29.0), (0.0, -34.0), (4.2, -29.0), (8.0, -32.4), (6.4, -25.0),
    ]  # fmt: skip
    _fill_outlined(half, crown, _GOLD)
    _fill_outlined(half, [(-6.4, -26.6), (6.4, -26.6), (6.2, -24.4), (-6.2, -24.4)], main)
    for x in (-3.6, 0.0, 3.6):
        half.disc(x, -25.5, 0.7, _WHITE)
    blade = [(16.6, -33.0), (18.0, -30.6), (17.8, -8.0), (15.4, -8.0), (15.2, -30.6)]
    _fill_outlined(half, blade, (226, 222, 216))
    _fill_outlined(half, [(12.6, -8.4), (20.4, -8.4), (20.4, -6.6), (12.6, -6.6)], _GOLD)
    _draw_hand(half, (16.5, -4.2))


def _draw_queen(half: MillimetreCanvas, suit: str, main: Colour, other: Colour) -> None:
    hair = _HAIR[suit]
    veil = bezier_points((0, -31), (-9, -31), (-9.6, -22), (-11.4, -10.6), (-8, -11.6), (-5, -13), (-3, -16))
    _fill_outlined(half, mirror_half(veil), other)
    _fill_outlined(half, ellipse_points(0, -22.0, 7.6, 8.0), hair)
    _draw_face(half, hair)
    for side in (-1, 1):
        lock = np.array([side, 1.0]) * bezier_points(
            (0, -28.4), (4, -28.4), (6.6, -25), (6.2, -20.4), (4.6, -24), (3, -26), (0, -26.6)
        )

        _fill_outlined(half, lock, hair)
        half.disc(side * 6.2, -18.0, 0.7, _GOLD)
    crown = [
        (-5.4, -28.0), (-6.2, -31.6), (-3.0, -29.8), (0.0, -33.0), (3.0, -29.8), (6.2, -31.6), (5.4, -28.0),
    ]  # fmt: skip
    _fill_outlined(half, crown, _GOLD)
    for x, y in ((-6.2, -32.0), (0.0, -33.4), (6.2, -32.0)):
        _fill_outlined(half, ellipse_points(x, y, 0.9, 0.9), _CRIMSON)
    half.line(bezier_points((15.4, -4), (16.4, -10), (15.6, -14), (16.2, -19)), (60, 130, 50), 0.8)
    for turn in range(5):
        angle = np.radians(turn * 72 - 90)
        middle = np.array([16.2 + 2.3 * np.cos(angle), -21.4 + 2.3 * np.sin(angle)])
        _fill_outlined(half, ellipse_points(float(middle[0]), float(middle[1]), 1.8, 1.8), main)
    _fill_outlined(half, ellipse_points(16.2, -21.4, 1.5, 1.5), _GOLD)
    leaf = bezier_points(
        (15.9, -11), (12.6, -13), (11.4, -15.4), (11, -16.4), (13.4, -16), (15.4, -14), (15.9, -11)
    )
    _fill_outlined(half, leaf, (70, 150, 60))
    _draw_hand(half, (15.6, -4.4))


def _draw_jack(half: MillimetreCanvas, suit: str, main: Colour, other: Colour) -> None:
    hair = _HAIR[suit]
    bob = bezier_points(
        (0, -29), (-8, -29), (-8.4, -22), (-8.0, -17), (-8, -14.4), (-5.6, -14.4), (-4.6, -15.4), (-3, -17), (3, -17),
        (4.6, -15.4), (5.6, -14.4), (8, -14.4), (8.0, -17), (8.4, -22), (8, -29), (0, -29),
    )  # fmt: skip
    _fill_outlined(half, bob, hair)
    _draw_face(half, hair)
    cap = bezier_points((-8, -25.2), (-9.4, -30), (-5, -33), (1, -32.4), (7, -32), (9.4, -29), (8, -25.2))
    _fill_outlined(half, cap, main)
    _fill_outlined(half, [(-8.2, -26.6), (8.2, -26.6), (8.0, -24.4), (-8.0, -24.4)], _GOLD)
    feather = bezier_points(
        (5.5, -27), (9, -33), (13, -34), (14.4, -31), (13.6, -28.6), (9, -27.6), (5.5, -26.4)
    )
    _fill_outlined(half, feather, _WHITE)
    half.line(bezier_points((6, -27), (9, -30), (11, -31.4), (13, -31.6)), _LINE, 0.3)
    half.line([(17.2, -33.0), (17.2, 4.0)], _LINE, 1.5)
    half.line([(17.2, -33.0), (17.2, 4.0)], (70, 120, 170), 0.9)
    axe = bezier_points(
        (17.2, -28), (20, -29), (20.8, -27), (20.8, -24.6), (20.8, -22), (20, -20.4), (17.2, -21.4)
    )
    _fill_outlined(half, axe, (226, 222, 216))
    _draw_hand(half, (16.6, -4.4))


def _draw_hand(half: MillimetreCanvas, middle: tuple[float, float]) -> None:
    x, y = middle
    _fill_outlined(half, ellipse_points(x, y, 2.6, 2.0), _SKIN)
    for number in range(3):
        half.line([(x - 2.2, y - 0.9 + number * 0.9), (x - 0.4, y - 0.9 + number * 0.9)], _LINE, 0.28)
