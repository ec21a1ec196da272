"""Faces cut from photographs of cards that lie apart."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.laidout import HEIGHT, WIDTH, packs_of
from models.synth.packs import RANKS, SUITS, Image
from table.simulation.rendering.card_artwork import render_face as drawn

PX_PER_MM = 1.5


def photographs(folder: Path, leave_out: str = "") -> Path:
    """Four pictures, a suit each: thirteen cards on dark cloth, every other one head to foot; and their list."""
    (folder / "overhead").mkdir()
    lines = ["image,card"]
    for suit in SUITS:
        table = np.full((560, 700, 3), (40, 46, 36), np.uint8)
        for k, rank in enumerate(RANKS):
            name = rank + suit
            if name != leave_out:
                face = drawn(name, PX_PER_MM)
                image = face.image if k % 2 else np.rot90(face.image, 2)
                y, x = 20 + 180 * (k // 5), 20 + 130 * (k % 5)
                table[y : y + image.shape[0], x : x + image.shape[1]] = image
            lines.append(f"overhead/{suit}.png,{name}")
        cv2.imwrite(str(folder / "overhead" / f"{suit}.png"), table)
    (folder / "truth.csv").write_text("\n".join(lines) + "\n")
    return folder


def alike(a: Image, b: Image) -> float:
    """The correlation of two pictures, their borders left out."""
    return float(np.corrcoef(a[12:-12, 12:-12].ravel(), b[12:-12, 12:-12].ravel())[0, 1])


def test_each_card_is_cut_upright_at_its_edge_with_its_indices(tmp_path: Path) -> None:
    (pack,) = packs_of(photographs(tmp_path))
    assert len(pack.faces) == 52
    for name in ("AS", "6H", "9D", "QC", "7S"):
        face = pack.faces[name]
        assert face.rgba.shape == (HEIGHT, WIDTH, 4)
        want = np.asarray(cv2.resize(drawn(name, PX_PER_MM).image, (WIDTH, HEIGHT)), np.uint8)
        # Either end of a card may be its upper one.
        assert max(alike(face.rgba[..., :3], way) for way in (want, np.rot90(want, 2))) > 0.9
        assert len(face.indices) == 2


def test_a_card_that_is_not_found_is_said_with_its_picture(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"H\.png: expected to find 8H lying apart"):
        packs_of(photographs(tmp_path, leave_out="8H"))
