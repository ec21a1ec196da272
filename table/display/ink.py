"""The screen's letters on what is no screen: a camera's picture, a sheet to print."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pygame
from numpy.typing import NDArray

from table.display.text import block, fitted
from table.display.theme import Colour, Size
from table.facts import Image

_BLACK: Colour = (0, 0, 0)


def ink(lines: Sequence[str], height: int, *, rtl: bool = False) -> NDArray[np.uint8]:
    """How far each pixel is covered by lines ``height`` pixels high, and their overhang: rows x columns, 255 for all.

    ``rtl``: they run from right to left, and begin there.
    """
    written = block(tuple(lines), height, _BLACK, 1 if rtl else 0, rtl=rtl, strong=True)
    return np.ascontiguousarray(pygame.surfarray.array_alpha(written).T)


def ink_within(text: str, box: Size, largest: int, most: int = 1, *, rtl: bool = False) -> NDArray[np.uint8]:
    """A text's ink in letters ``largest`` pixels high, or lower where that doesn't fit the box in ``most`` lines."""
    size, lines = fitted(text, box, largest, max(1, largest // 2), most, strong=True)
    return ink(lines, size, rtl=rtl)


def write(image: Image, covered: NDArray[np.uint8], left: int, top: int) -> None:
    """Put ink onto a picture with its upper left corner there: white within black, to be read on any ground."""
    edge = max(1, round(image.shape[0] / 480))
    around = cv2.dilate(np.pad(covered, edge), np.ones((2 * edge + 1, 2 * edge + 1), np.uint8))
    _blend(image, np.asarray(around, np.uint8), 0.0, left - edge, top - edge)
    _blend(image, covered, 255.0, left, top)


def _blend(image: Image, covered: NDArray[np.uint8], light: float, left: int, top: int) -> None:
    """As much of the ink as lies within the picture."""
    rows = slice(max(0, top), max(0, min(image.shape[0], top + covered.shape[0])))
    columns = slice(max(0, left), max(0, min(image.shape[1], left + covered.shape[1])))
    part = covered[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
    if not part.size:
        return
    share = part[..., None].astype(np.float32) / 255
    ground = image[rows, columns]
    image[rows, columns] = np.rint(ground + (light - ground) * share).astype(np.uint8)
