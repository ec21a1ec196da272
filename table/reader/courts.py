"""Court cards with other letters: German B D K and French V D R for J Q K (`camera.courts` in ``table.toml``).

The namers were trained mostly on English letters, and take a B for an 8 or hold it for unsure. With other letters
chosen, indices with these letters, and with the figures that stay, are drawn in many fonts and learned as an enrolled
pack is (table/reader/enrolfit.py). That takes some seconds, once: what was learned is kept in the user's cache folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.errors import TableError
from table.files.writing import make_folder
from table.reader.cutout import REACH
from table.reader.enrolled import PATCH, EnrolledPack, Example, load_pack, save_pack

GLYPHS: Final = "A234567890" + "1JQKBDVR" + "shdc"
"""The sheet's columns."""
CELL: Final = 32
SHEET: Final = Path(__file__).with_name("letters.png")
_VERSION: Final = 2
"""Of what is drawn here: what was learned from another version is not used."""
_PLAIN: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
_SUITS: Final = "SHDC"
_ACES: Final = {"VDR": ("1", "A")}
"""French packs mostly have a 1 on their aces."""

Mask = NDArray[np.uint8]


def drawn_examples(courts: str, seed: int = 5) -> list[Example]:
    """Indices of a pack with the court letters ``courts``, drawn in many fonts.

    Court cards, and the 8 that a B is taken for, in every suit; the others in two suits of each font. With French
    letters the ace is a 1 or an A.
    """
    sheet = cv2.imread(str(SHEET), cv2.IMREAD_GRAYSCALE)
    if sheet is None:
        raise TableError("weights.no_sheet", at=str(SHEET))
    rng = np.random.default_rng(seed)
    examples = []
    for row in range(sheet.shape[0] // CELL):
        masks = dict(_masks(np.asarray(sheet[row * CELL : (row + 1) * CELL], np.uint8)))
        for rank in (*_PLAIN, *"JQK"):
            suits = _SUITS if rank in "JQK8" else rng.choice(list(_SUITS), 2, replace=False)
            words = _ACES.get(courts, ("A",)) if rank == "A" else (rank,)
            if rank in "JQK":
                words = (courts["JQK".index(rank)],)
            for word in words:
                for suit in suits:
                    patch = _draw([masks[char] for char in word], masks[suit.lower()], suit in "HD", rng)
                    examples.append(Example(rank + suit, patch))
    return examples


def _masks(row: Mask) -> Iterator[tuple[str, Mask]]:
    for k, glyph in enumerate(GLYPHS):
        cell = row[:, k * CELL : (k + 1) * CELL]
        high, wide = np.flatnonzero(cell.max(axis=1) > 40), np.flatnonzero(cell.max(axis=0) > 40)
        yield glyph, cell[high[0] : high[-1] + 1, wide[0] : wide[-1] + 1]


def _draw(glyphs: list[Mask], sign: Mask, red: bool, rng: np.random.Generator) -> Mask:
    """An index on a card's corner, in ``PATCH``'s frame."""
    x, y = PATCH.rank_at
    high = rng.uniform(13, 19)
    gap = rng.uniform(0.5, 4)
    sign_high = float(np.clip(2 * (REACH - high / 2 - gap), 8, 22))
    narrow = rng.uniform(0.65, 1.1)
    shapes = [_sized(mask, mask.shape[1] * high / mask.shape[0] * narrow, high) for mask in glyphs]
    if len(shapes) > 1:
        shapes = [_sized(mask, mask.shape[1] * 0.75, high) for mask in shapes]
    rank = np.hstack(
        [shapes[0], *(np.hstack([np.zeros((mask.shape[0], 1), np.uint8), mask]) for mask in shapes[1:])]
    )
    suit = _sized(sign, sign_high * sign.shape[1] / sign.shape[0], sign_high)
    table = rng.uniform(20, 130, 3)
    paper = rng.uniform(225, 255) - np.array([rng.uniform(0, 20), rng.uniform(0, 6), 0])
    ink = np.array([30, 20, rng.uniform(150, 235)]) if red else np.full(3, rng.uniform(10, 60))
    image = np.empty((PATCH.height, PATCH.width, 3), np.float64)
    image[:] = table
    left = max(0, round(x - rank.shape[1] / 2 - rng.uniform(2, 9)))
    top = max(0, round(y - high / 2 - rng.uniform(3, 14)))
    image[top:, left:] = paper
    _picture(image, round(x + rng.uniform(14, 24)), top + round(rng.uniform(2, 12)), rng)
    for mask, across, down in ((rank, x, y), (suit, x, y + REACH)):
        _stamp(image, mask, across - mask.shape[1] / 2, down - mask.shape[0] / 2, ink)
    return np.asarray(np.clip(image, 0, 255), np.uint8)


def _picture(image: NDArray[np.float64], left: int, top: int, rng: np.random.Generator) -> None:
    """Something that might be a court's picture, pips, or nothing, beside the index."""
    if rng.random() < 0.3:
        return
    for _ in range(int(rng.integers(2, 8))):
        corner = rng.uniform([left, top], [PATCH.width, PATCH.height], (int(rng.integers(3, 6)), 2))
        colour = [float(value) for value in rng.uniform(0, 255, 3)]
        cv2.fillPoly(image, [corner.astype(np.int32)], colour)
    if rng.random() < 0.5:
        cv2.line(image, (left, top), (left, PATCH.height), (40.0, 30.0, 30.0), 1)


def _sized(mask: Mask, width: float, height: float) -> Mask:
    size = (max(2, round(width)), max(3, round(height)))
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.uint8)


def _stamp(image: NDArray[np.float64], mask: Mask, left: float, top: float, ink: NDArray[np.float64]) -> None:
    x, y = max(0, round(left)), max(0, round(top))
    part = image[y : y + mask.shape[0], x : x + mask.shape[1]]
    share = (mask[: part.shape[0], : part.shape[1], None]) / 255.0
    part[:] = part * (1 - share) + ink * share


def court_pack(courts: str) -> tuple[EnrolledPack, Path]:
    """The drawn indices of ``courts``, with what was learned from them earlier; and where that is kept."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    place = cache / "cardtable" / f"letters-{courts}-{_VERSION}.npz"
    try:
        kept = load_pack(place).fits
    except TableError:
        kept = {}
    return EnrolledPack(drawn_examples(courts), kept), place


def keep(pack: EnrolledPack, place: Path) -> None:
    """Keep what was learned, where there is room for it; without it is learned anew each time."""
    try:
        make_folder(place.parent)
        save_pack(place, EnrolledPack([], pack.fits))
    except (OSError, TableError):
        return
