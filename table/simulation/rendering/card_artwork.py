"""Artwork of our own pack of cards: poker size, international indices, court cards of our own design.

Nothing here comes from another pack. A face is drawn once at high resolution and then scaled to the size wanted, so
that the same face is identical to the bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import cv2
import numpy as np

from table.cards import PIP_LAYOUTS, Card, card
from table.observed_facts import Image
from table.simulation.rendering.court_artwork import draw_court, draw_joker
from table.simulation.rendering.vector_shapes import (
    Colour,
    Mask,
    MillimetreCanvas,
    Points,
    render_bold_text,
    render_slim_text,
    rotate_points,
    rounded_rectangle,
    suit_outlines,
)
from table.table_geometry import CARD_MM

WIDTH_MM, HEIGHT_MM = CARD_MM
CORNER_MM = 3.4
"""Radius of the corners."""

MASTER_PX_PER_MM = 12.0

PAPER: Colour = (246, 248, 248)
RED: Colour = (38, 26, 196)
BLACK: Colour = (34, 30, 28)
INK: dict[str | None, Colour] = {"S": BLACK, "C": BLACK, "H": RED, "D": RED, None: BLACK}


@dataclass(frozen=True, slots=True)
class Style:
    """Style of a pack: typeface, number and size of the indices."""

    name: str
    letters: Literal["bold", "slim"]
    indices: Literal[2, 4]
    rank_mm: float
    """Height of the index's rank."""
    suit_mm: float
    """Height of the suit symbol below the rank."""
    margin_mm: float
    """Distance from the card's edge to the centre of the index."""


CLASSIC = Style("classic", "bold", 2, 7.4, 5.4, 5.6)
SLIM = Style("slim", "slim", 2, 6.6, 5.0, 5.4)
FOUR = Style("four", "bold", 4, 7.0, 5.2, 5.5)
STYLES = {style.name: style for style in (CLASSIC, SLIM, FOUR)}

# Distances of the outer columns and rows from the face's centre.
_PIP_COLUMN_MM = 12.6
_PIP_ROW_MM = 28.0
PIPS: Final = {
    **PIP_LAYOUTS,
    "13": (*((x, y) for x in (-1, 1) for y in (-1, -0.5, 0, 0.5, 1)), (0, -0.75), (0, 0), (0, 0.75)),
}


@dataclass(frozen=True, slots=True)
class CardArtwork:
    """A rendered card face with its outline mask."""

    image: Image
    """BGR, height x width x 3."""
    alpha: Mask
    """0 outside the round corners, 255 inside."""


@lru_cache(maxsize=256)
def render_face(name: str, px_per_mm: float = 4.0, style: Style = CLASSIC) -> CardArtwork:
    """Return the rendered face of a card by its name; ``ValueError`` if there is no such card.

    The face is upright, with the first index at the top left. Images are shared: don't write to them.
    """
    size = (round(WIDTH_MM * px_per_mm), round(HEIGHT_MM * px_per_mm))
    big = _draw_face(card(name), style)
    image = np.asarray(cv2.resize(big, size, interpolation=cv2.INTER_AREA), np.uint8)
    image.flags.writeable = False
    return CardArtwork(image, outline_mask(px_per_mm))


@lru_cache(maxsize=8)
def outline_mask(px_per_mm: float) -> Mask:
    """Return a card's outline as a mask: 0 outside the round corners, 255 inside."""
    sheet = MillimetreCanvas(WIDTH_MM, HEIGHT_MM, MASTER_PX_PER_MM, (0, 0, 0))
    sheet.fill(rounded_rectangle(WIDTH_MM, HEIGHT_MM, CORNER_MM), (255, 255, 255))
    size = (round(WIDTH_MM * px_per_mm), round(HEIGHT_MM * px_per_mm))
    mask = np.asarray(cv2.resize(sheet.image[..., 0], size, interpolation=cv2.INTER_AREA), np.uint8)
    mask.flags.writeable = False
    return mask


@lru_cache(maxsize=8)
def render_back(px_per_mm: float = 4.0) -> Image:
    """Return the rendered back of a card."""
    sheet = MillimetreCanvas(WIDTH_MM, HEIGHT_MM, MASTER_PX_PER_MM, PAPER)
    sheet.fill(rounded_rectangle(WIDTH_MM - 7, HEIGHT_MM - 7, 2), (120, 60, 34))
    for row in range(-9, 10):
        for column in range(-6, 7):
            middle = np.array([column * 4.4, row * 4.4])
            if abs(middle[0]) < 27 and abs(middle[1]) < 39.5:
                sheet.line(suit_outlines("D")[0] * 3.2 + middle, (214, 196, 176), 0.35, closed=True)
    size = (round(WIDTH_MM * px_per_mm), round(HEIGHT_MM * px_per_mm))
    return np.asarray(cv2.resize(sheet.image, size, interpolation=cv2.INTER_AREA), np.uint8)


def _draw_face(which: Card, style: Style) -> Image:
    sheet = MillimetreCanvas(WIDTH_MM, HEIGHT_MM, MASTER_PX_PER_MM, PAPER)
    if which.suit is None:
        draw_joker(sheet)
    elif which.rank in ("J", "Q", "K"):
        draw_court(sheet, which.rank, which.suit, INK[which.suit])
    else:
        _draw_pips(sheet, which.rank, which.suit)
    # The lower half's indices are the upper half's, rotated by half a turn: drawn once, so they can't differ.
    upper = sheet.blank((255, 255, 255))
    sides = (-1, 1) if style.indices == 4 else (-1,)
    for side in sides:
        _draw_index(upper, which, style, side * (WIDTH_MM / 2 - style.margin_mm))
    ink = cv2.min(upper.image, cv2.flip(upper.image, -1))
    # Paper is not quite white: the index is printed on it by multiplication.
    return (sheet.image.astype(np.uint16) * ink // 255).astype(np.uint8)


def _draw_index(sheet: MillimetreCanvas, which: Card, style: Style, x: float) -> None:
    letters = render_bold_text if style.letters == "bold" else render_slim_text
    top = -HEIGHT_MM / 2 + 3.6
    ink = INK[which.suit]
    if which.suit is None:
        for number, letter in enumerate("JOKER"):
            _draw_letters(sheet, letters(letter), (x, top + 2.0 + number * 4.6), 3.8, 4.2, ink)
        return
    _draw_letters(
        sheet, letters(which.rank), (x, top + style.rank_mm / 2), style.rank_mm, style.rank_mm * 0.98, ink
    )
    draw_suit_symbol(
        sheet, which.suit, (x, top + style.rank_mm + 1.3 + style.suit_mm / 2), style.suit_mm, ink
    )


def _draw_letters(
    sheet: MillimetreCanvas,
    mask: Mask,
    middle: tuple[float, float],
    height: float,
    widest: float,
    ink: Colour,
) -> None:
    width = min(widest, height * mask.shape[1] / mask.shape[0] * 0.92)
    x, y = middle
    sheet.stamp(mask, (x - width / 2, y - height / 2, x + width / 2, y + height / 2), ink)


def _draw_pips(sheet: MillimetreCanvas, rank: str, suit: str) -> None:
    ink = INK[suit]
    if rank == "A":
        draw_suit_symbol(sheet, suit, (0, 0), 30 if suit == "S" else 20, ink)
        if suit == "S":
            draw_suit_symbol(sheet, suit, (0, 1.5), 13, PAPER)
            draw_suit_symbol(sheet, suit, (0, 1.5), 9, ink)
        return
    dense = rank in ("11", "12", "13")
    height = 8.6 if dense else 11.0
    for column, row in PIPS[rank]:
        draw_suit_symbol(
            sheet, suit, (column * _PIP_COLUMN_MM, row * _PIP_ROW_MM), height, ink, upside_down=row > 0.01
        )


def draw_suit_symbol(
    sheet: MillimetreCanvas,
    suit: str,
    middle: tuple[float, float],
    height: float,
    ink: Colour,
    *,
    upside_down: bool = False,
) -> None:
    """Draw a suit symbol."""
    for outline in suit_outlines(suit):
        points: Points = rotate_points(outline, 180) if upside_down else outline
        sheet.fill(points * height + np.array(middle), ink)
