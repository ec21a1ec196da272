"""Draw text in the screen's fonts on NumPy images: camera frames and printed sheets."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pygame
from numpy.typing import NDArray

from table.display.drawing.boxes import Size
from table.display.drawing.colours import Colour
from table.display.drawing.text_fitting import fit_text, render_block
from table.observed_facts import Image

_BLACK: Colour = (0, 0, 0)


def render_text_mask(lines: Sequence[str], height: int, *, rtl: bool = False) -> NDArray[np.uint8]:
    """Render lines ``height`` pixels high as a coverage mask with overhang: rows x columns, 0 to 255 (covered)."""
    written = render_block(tuple(lines), height, _BLACK, 1 if rtl else 0, rtl=rtl, strong=True)
    return np.ascontiguousarray(pygame.surfarray.array_alpha(written).T)


def fit_text_mask(
    text: str, box: Size, largest: int, most: int = 1, *, rtl: bool = False
) -> NDArray[np.uint8]:
    """Render a text mask that fits ``box`` in at most ``most`` lines, ``largest`` pixels high or lower."""
    size, lines = fit_text(text, box, largest, max(1, largest // 2), most, strong=True)
    return render_text_mask(lines, size, rtl=rtl)


def draw_text_mask(image: Image, covered: NDArray[np.uint8], left: int, top: int) -> None:
    """Draw a text mask on an image, upper left corner at (``left``, ``top``): white with a black outline."""
    edge = max(1, round(image.shape[0] / 480))
    around = cv2.dilate(np.pad(covered, edge), np.ones((2 * edge + 1, 2 * edge + 1), np.uint8))
    _blend(image, np.asarray(around, np.uint8), 0.0, left - edge, top - edge)
    _blend(image, covered, 255.0, left, top)


def _blend(image: Image, covered: NDArray[np.uint8], level: float, left: int, top: int) -> None:
    """Blend a grey level into an image through a mask, clipped to the image."""
    rows = slice(max(0, top), max(0, min(image.shape[0], top + covered.shape[0])))
    columns = slice(max(0, left), max(0, min(image.shape[1], left + covered.shape[1])))
    visible = covered[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
    if not visible.size:
        return
    share = visible[..., None].astype(np.float32) / 255
    background = image[rows, columns]
    image[rows, columns] = np.rint(background + (level - background) * share).astype(np.uint8)
