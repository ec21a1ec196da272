"""Qs as playing cards have them."""

import cv2
import numpy as np
import pytest

from models.synth import drawn, glyphs
from models.synth.glyphs import CAP, Mask, stroke_fonts, varied
from models.synth.queens import card_queen, curve


def holes(mask: Mask) -> int:
    """How many bits of paper a figure's strokes go round."""
    framed = cv2.copyMakeBorder((mask > 127).astype(np.uint8), 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=0)
    count, _, stats, _ = cv2.connectedComponentsWithStats(1 - framed, connectivity=4)
    return sum(int(stats[k, cv2.CC_STAT_AREA]) > 20 for k in range(1, count)) - 1


def test_a_queens_letter_is_a_ring_of_about_a_figures_height() -> None:
    font = stroke_fonts()[0]
    for seed in range(20):
        mask = card_queen(np.random.default_rng(seed), font)
        assert 0.85 * CAP < mask.shape[0] < 1.3 * CAP
        assert holes(mask) >= 1


def test_a_curve_goes_through_its_points() -> None:
    points = np.array([[0.0, 0.0], [1.0, 2.0], [3.0, 1.0]])
    line = curve(points)
    for point in points:
        assert np.hypot(*(line - point).T).min() < 1e-9


def test_a_varied_font_keeps_its_figures_height_and_ink() -> None:
    font = stroke_fonts()[1]
    other = varied(font, np.random.default_rng(3))
    for char, mask in font.masks.items():
        assert other.masks[char].shape[0] == mask.shape[0]
        assert 0.6 < other.masks[char].sum() / mask.sum() < 1.5


def test_held_out_packs_are_drawn_with_fonts_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are frozen, and what training gains must not be measured with figures from the same hand."""

    def never(*_: object) -> None:
        raise AssertionError("a held-out pack was drawn with other figures than its font's")

    monkeypatch.setattr(drawn, "card_queen", never)
    monkeypatch.setattr(glyphs, "varied", never)
    for seed in range(12):
        drawn.draw(np.random.default_rng(seed), held=True)
    monkeypatch.setattr(drawn, "CARD_QUEENS", 1.0)
    with pytest.raises(AssertionError):
        drawn.draw(np.random.default_rng(1))
