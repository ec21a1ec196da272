"""Writes the figures and letters that `camera.courts` is learned from: table/detection/indices/letters.png.

    python -m models letters

A sheet of grey masks, a row for each font (none of the held-out ones), a cell of 32 x 32 pixels for each of
``table.detection.indices.foreign_court_letters.GLYPHS``; the last four are the suits' signs. Free fonts only, see
models/synth/README.md.
"""

from __future__ import annotations

import argparse

import cv2
import numpy as np

from models.synth import glyphs, suits
from models.synth.drawn import kit
from table.detection.indices.foreign_court_letters import CELL_PX, GLYPH_SHEET_PATH, GLYPHS

FONTS = 24
CAP = 24
"""A figure's height in its cell."""


def main() -> None:
    """Write the sheet."""
    assert __doc__
    argparse.ArgumentParser(prog="python -m models letters", description=__doc__.split("\n")[0]).parse_args()
    fonts = [
        font for font in kit(held=False).fonts if all(char in font.masks for char in "BDVRJQK0123456789A")
    ]
    chosen = fonts[:: max(1, len(fonts) // FONTS)][:FONTS]
    rng = np.random.default_rng(17)
    rows = []
    for font in chosen:
        cells = []
        for glyph in GLYPHS:
            mask = suits.MAKERS[glyph.upper()](rng) if glyph in "shdc" else font.masks[glyph]
            scale = CAP / (mask.shape[0] if glyph in "shdc" else glyphs.CAP)
            width = min(CELL_PX, max(2, round(mask.shape[1] * scale)))
            height = min(CELL_PX, max(2, round(mask.shape[0] * scale)))
            cell = np.zeros((CELL_PX, CELL_PX), np.uint8)
            cell[:height, :width] = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)
            cells.append(cell)
        rows.append(np.hstack(cells))
    cv2.imwrite(str(GLYPH_SHEET_PATH), np.vstack(rows), [cv2.IMWRITE_PNG_COMPRESSION, 9])
    print(f"{GLYPH_SHEET_PATH}: {len(chosen)} fonts, {GLYPH_SHEET_PATH.stat().st_size / 1000:.0f} kB")
