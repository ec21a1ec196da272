"""A pack with letters of its own: no detector that learned from other packs can read its court cards."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from table.simulation.rendering.card_artwork import BLACK, HEIGHT_MM, PAPER, RED, WIDTH_MM, draw_suit_symbol
from table.simulation.rendering.vector_shapes import MillimetreCanvas
from tests.tracking.cards_on_cloth import PX_PER_MM, cloth

LETTERS = {"J": "Z", "Q": "E", "K": "X"}
CARDS = tuple(rank + suit for rank in ("J", "Q", "K", "7") for suit in "SHDC")
_MASTER = 8.0


@cache
def odd_face(name: str) -> NDArray[np.uint8]:
    """A card's face at the table's scale, BGR."""
    ink = RED if name[-1] in "HD" else BLACK
    upper = MillimetreCanvas(WIDTH_MM, HEIGHT_MM, _MASTER, (255, 255, 255))
    x, top = -WIDTH_MM / 2 + 6.5, -HEIGHT_MM / 2 + 4.0
    upper.stamp(_letter(LETTERS.get(name[:-1], name[:-1])), (x - 3.2, top, x + 3.2, top + 9.0), ink)
    draw_suit_symbol(upper, name[-1], (x, top + 14.0), 6.5, ink)
    sheet = np.minimum(upper.image, upper.image[::-1, ::-1])
    sheet = (sheet.astype(np.uint16) * np.array(PAPER, np.uint16) // 255).astype(np.uint8)
    size = (round(WIDTH_MM * PX_PER_MM), round(HEIGHT_MM * PX_PER_MM))
    return np.asarray(cv2.resize(sheet, size, interpolation=cv2.INTER_AREA), np.uint8)


def _letter(text: str) -> NDArray[np.uint8]:
    mask = np.zeros((120, 120), np.uint8)
    cv2.putText(mask, text, (15, 100), cv2.FONT_HERSHEY_TRIPLEX, 4.0, 255, 7, cv2.LINE_AA)
    rows, columns = np.nonzero(mask)
    return mask[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]


def lay_odd(picture: NDArray[np.uint8], name: str, x: float, y: float, angle: float) -> None:
    """Lay a card of this pack, as tests.tracking.cards_on_cloth does with the table's own."""
    face = odd_face(name)
    height, width = face.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2 - 0.5, height / 2 - 0.5), -angle, 1.0)
    matrix[:, 2] += [x - width / 2 + 0.5, y - height / 2 + 0.5]
    size = (picture.shape[1], picture.shape[0])
    share = cv2.warpAffine(np.full((height, width), 255, np.uint8), matrix, size).astype(np.float32) / 255
    warped = cv2.warpAffine(face, matrix, size)
    picture[:] = np.clip(picture * (1 - share[..., None]) + warped * share[..., None], 0, 255).astype(
        np.uint8
    )


def one_card(name: str, angle: float = 4.0) -> NDArray[np.uint8]:
    """A picture of the mark with one card of this pack on it."""
    picture = cloth()
    lay_odd(picture, name, 250, 260, angle)
    return picture
