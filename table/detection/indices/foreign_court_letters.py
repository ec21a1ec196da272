"""Court cards with other letters: German B D K and French V D R for J Q K (`camera.courts` in ``table.toml``).

The classifiers were trained mostly on English letters, and read a B as an 8 or as uncertain. For other letters this
module draws indices with these letters, and with the numbers that stay, in many fonts; they are learned like an
enrolled pack (table/detection/indices/pack_fitting.py). That takes some seconds, once: the fit is stored in the user's
cache folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.detection.indices.enrolled_pack import PATCH_WINDOW, EnrolledPack, Example, load_pack, save_pack
from table.detection.indices.index_crop import RANK_TO_SUIT_PX
from table.errors import TableError
from table.files.atomic_writing import make_folder

GLYPHS: Final = "A234567890" + "1JQKBDVR" + "shdc"
"""The characters of the sheet's columns."""
CELL_PX: Final = 32
GLYPH_SHEET_PATH: Final = Path(__file__).with_name("letters.png")
_VERSION: Final = 2
"""The version of these drawings: fits to another version are not used."""
_NUMBER_RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
_SUITS: Final = "SHDC"
_ACE_TEXTS: Final = {"VDR": ("1", "A")}
"""The texts on aces; French packs mostly have a 1."""

Mask = NDArray[np.uint8]


def draw_examples(courts: str, seed: int = 5) -> list[Example]:
    """Draw the indices of a pack with the court letters ``courts`` in many fonts.

    Court cards, and the 8 that a B is taken for, in every suit; the others in two suits of each font. With French
    letters the ace is a 1 or an A.
    """
    sheet = cv2.imread(str(GLYPH_SHEET_PATH), cv2.IMREAD_GRAYSCALE)
    if sheet is None:
        raise TableError("weights.no_sheet", at=str(GLYPH_SHEET_PATH))
    rng = np.random.default_rng(seed)
    examples = []
    for row in range(sheet.shape[0] // CELL_PX):
        masks = dict(_cut_masks(np.asarray(sheet[row * CELL_PX : (row + 1) * CELL_PX], np.uint8)))
        for rank in (*_NUMBER_RANKS, *"JQK"):
            suits = _SUITS if rank in "JQK8" else rng.choice(list(_SUITS), 2, replace=False)
            texts = _ACE_TEXTS.get(courts, ("A",)) if rank == "A" else (rank,)
            if rank in "JQK":
                texts = (courts["JQK".index(rank)],)
            for text in texts:
                for suit in suits:
                    patch = _draw_index(
                        [masks[char] for char in text], masks[suit.lower()], suit in "HD", rng
                    )
                    examples.append(Example(rank + suit, patch))
    return examples


def _cut_masks(row: Mask) -> Iterator[tuple[str, Mask]]:
    """Yield each glyph of a row of the sheet, cut to its ink."""
    for k, glyph in enumerate(GLYPHS):
        cell = row[:, k * CELL_PX : (k + 1) * CELL_PX]
        rows, columns = np.flatnonzero(cell.max(axis=1) > 40), np.flatnonzero(cell.max(axis=0) > 40)
        yield glyph, cell[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _draw_index(glyphs: list[Mask], suit_mask: Mask, red: bool, rng: np.random.Generator) -> Mask:
    """Draw an index on a card's corner, in the frame of ``PATCH_WINDOW``."""
    x, y = PATCH_WINDOW.rank_at
    rank_height = rng.uniform(13, 19)
    spacing = rng.uniform(0.5, 4)
    suit_height = float(np.clip(2 * (RANK_TO_SUIT_PX - rank_height / 2 - spacing), 8, 22))
    aspect = rng.uniform(0.65, 1.1)
    resized = [
        _resize(mask, mask.shape[1] * rank_height / mask.shape[0] * aspect, rank_height) for mask in glyphs
    ]
    if len(resized) > 1:
        resized = [_resize(mask, mask.shape[1] * 0.75, rank_height) for mask in resized]
    rank = np.hstack(
        [resized[0], *(np.hstack([np.zeros((mask.shape[0], 1), np.uint8), mask]) for mask in resized[1:])]
    )
    suit = _resize(suit_mask, suit_height * suit_mask.shape[1] / suit_mask.shape[0], suit_height)
    table = rng.uniform(20, 130, 3)
    paper = rng.uniform(225, 255) - np.array([rng.uniform(0, 20), rng.uniform(0, 6), 0])
    ink = np.array([30, 20, rng.uniform(150, 235)]) if red else np.full(3, rng.uniform(10, 60))
    image = np.empty((PATCH_WINDOW.height, PATCH_WINDOW.width, 3), np.float64)
    image[:] = table
    left = max(0, round(x - rank.shape[1] / 2 - rng.uniform(2, 9)))
    top = max(0, round(y - rank_height / 2 - rng.uniform(3, 14)))
    image[top:, left:] = paper
    _draw_clutter(image, round(x + rng.uniform(14, 24)), top + round(rng.uniform(2, 12)), rng)
    for mask, across, down in ((rank, x, y), (suit, x, y + RANK_TO_SUIT_PX)):
        _paste(image, mask, across - mask.shape[1] / 2, down - mask.shape[0] / 2, ink)
    return np.asarray(np.clip(image, 0, 255), np.uint8)


def _draw_clutter(image: NDArray[np.float64], left: int, top: int, rng: np.random.Generator) -> None:
    """Draw random polygons beside the index, which might be a court's picture or pips, or draw nothing."""
    if rng.random() < 0.3:
        return
    for _ in range(int(rng.integers(2, 8))):
        corner = rng.uniform(
            [left, top], [PATCH_WINDOW.width, PATCH_WINDOW.height], (int(rng.integers(3, 6)), 2)
        )
        colour = [float(value) for value in rng.uniform(0, 255, 3)]
        cv2.fillPoly(image, [corner.astype(np.int32)], colour)
    if rng.random() < 0.5:
        cv2.line(image, (left, top), (left, PATCH_WINDOW.height), (40.0, 30.0, 30.0), 1)


def _resize(mask: Mask, width: float, height: float) -> Mask:
    size = (max(2, round(width)), max(3, round(height)))
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.uint8)


def _paste(image: NDArray[np.float64], mask: Mask, left: float, top: float, ink: NDArray[np.float64]) -> None:
    """Blend ink into the image where the mask is set."""
    x, y = max(0, round(left)), max(0, round(top))
    region = image[y : y + mask.shape[0], x : x + mask.shape[1]]
    alpha = (mask[: region.shape[0], : region.shape[1], None]) / 255.0
    region[:] = region * (1 - alpha) + ink * alpha


def load_court_pack(courts: str) -> tuple[EnrolledPack, Path]:
    """Return the drawn indices of ``courts`` with an earlier fit, if any, and the path of the cached fit."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    path = cache / "cardtable" / f"letters-{courts}-{_VERSION}.npz"
    try:
        fits = load_pack(path).fits
    except TableError:
        fits = {}
    return EnrolledPack(draw_examples(courts), fits), path


def cache_fits(pack: EnrolledPack, path: Path) -> None:
    """Store the fits of a pack in the cache; if that fails, they are fitted anew at each start."""
    try:
        make_folder(path.parent)
        save_pack(path, EnrolledPack([], pack.fits))
    except (OSError, TableError):
        return
