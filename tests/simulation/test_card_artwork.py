"""Our own pack is drawn upright, never mirrored, and the same every time."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from table.cards import card, pack
from table.observed_facts import Image
from table.simulation.rendering.card_artwork import (
    CLASSIC,
    FOUR,
    HEIGHT_MM,
    INK,
    PIPS,
    SLIM,
    WIDTH_MM,
    Style,
    render_back,
    render_face,
)
from table.simulation.rendering.vector_shapes import Mask, render_bold_text, render_slim_text

PX = 8.0
NAMES = [str(card) for card in pack(63)]


def ink(image: Image) -> Mask:
    """Return a mask of the ink: 255 on ink, 0 on paper."""
    return np.asarray(255 - image.min(axis=2), np.uint8)


def corner(image: Image, x_mm: float, y_mm: float, width_mm: float, height_mm: float) -> Image:
    """Return a piece of a face; negative positions count from the right and the bottom."""
    x = x_mm if x_mm >= 0 else WIDTH_MM + x_mm
    y = y_mm if y_mm >= 0 else HEIGHT_MM + y_mm
    return image[round(y * PX) : round((y + height_mm) * PX), round(x * PX) : round((x + width_mm) * PX)]


def rank_print(image: Image, style: Style) -> Mask:
    """Return the rank of the upper left index, cropped to its ink."""
    piece = corner(image, style.margin_mm - 4.2, 2.9, 8.4, style.rank_mm + 1.2)
    mask = ink(piece)
    ys, xs = np.nonzero(mask > 110)
    return mask[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]


def likeness(first: Mask, second: Mask) -> float:
    """Return the correlation of two masks scaled to the same size: 1 if equal."""
    size = (60, 80)
    a, b = (
        cv2.resize(mask, size, interpolation=cv2.INTER_AREA).astype(float) / 255 for mask in (first, second)
    )
    return float(np.corrcoef(a.ravel(), b.ravel())[0, 1])


@pytest.mark.parametrize("style", [CLASSIC, SLIM, FOUR], ids=lambda style: style.name)
def test_ranks_stand_upright_and_are_not_mirrored(style: Style) -> None:
    letters = render_bold_text if style.letters == "bold" else render_slim_text
    # Letters that differ from their own mirror image and from themselves upside down.
    for rank in ("2", "3", "4", "5", "6", "7", "9", "10", "J", "Q", "K"):
        found = rank_print(render_face(rank + "S", PX, style).image, style)
        right = letters(rank)
        assert likeness(found, right) > 0.9
        assert likeness(found, right) > likeness(found, np.ascontiguousarray(right[:, ::-1])) + 0.05
        assert (
            likeness(found, right) > likeness(found, np.ascontiguousarray(right[::-1])) - (rank == "3") * 0.2
        )


def test_six_and_nine_are_told_apart_by_the_suit_below() -> None:
    six, nine = (
        rank_print(render_face("6C", PX).image, CLASSIC),
        rank_print(render_face("9C", PX).image, CLASSIC),
    )
    assert likeness(six, render_bold_text("6")) > likeness(six, render_bold_text("9")) + 0.2
    assert likeness(nine, render_bold_text("9")) > likeness(nine, render_bold_text("6")) + 0.2
    for name in ("6C", "9C"):
        below = corner(render_face(name, PX).image, 1.5, 3.6 + 7.4 + 1.0, 8.5, 6.0)
        assert (ink(below) > 110).mean() > 0.1


@pytest.mark.parametrize("style", [CLASSIC, FOUR], ids=lambda style: style.name)
def test_number_of_indices_is_the_style_s(style: Style) -> None:
    image = render_face("7D", PX, style).image
    for x, y, there in ((1.5, 3.0, True), (-10.0, -19.0, True), (-10.0, 3.0, style.indices == 4)):
        piece = corner(image, x, y, 8.5, 16.0)
        assert ((ink(piece) > 60).mean() > 0.05) == there


@pytest.mark.parametrize("name", ["KS", "QH", "JD", "AC", "4H", "JOKER", "12C"])
def test_a_face_turned_by_half_a_turn_shows_the_same_indices(name: str) -> None:
    image = render_face(name, PX).image
    upper, lower = corner(image, 1.0, 2.5, 9.0, 22.0), corner(image[::-1, ::-1], 1.0, 2.5, 9.0, 22.0)
    assert np.abs(upper.astype(int) - lower.astype(int)).max() < 40


@pytest.mark.parametrize("name", NAMES)
def test_colour_tells_red_suits_from_black(name: str) -> None:
    which = card(name)
    piece = corner(render_face(name, PX).image, 1.0, 2.5, 8.6, 17.0).reshape(-1, 3).astype(int)
    dark = piece[piece.min(axis=1) < 80]
    redness = (dark[:, 2] - dark[:, 0]).mean()
    assert len(dark) > 100
    assert (redness > 60) == (which.suit in ("H", "D"))
    assert INK[which.suit][2] > 150 or which.suit not in ("H", "D")


@pytest.mark.parametrize("rank", list(PIPS))
def test_pips_are_as_many_as_the_rank_says(rank: str) -> None:
    assert len(PIPS[rank]) == (1 if rank == "A" else int(rank))
    assert len(set(PIPS[rank])) == len(PIPS[rank])


def test_all_faces_differ() -> None:
    prints = {ink(render_face(name, 2.0, CLASSIC).image).tobytes() for name in NAMES}
    assert len(prints) == len(NAMES)


def test_size_and_round_corners_are_those_of_a_poker_card() -> None:
    drawn = render_face("2S", 4.0)
    assert drawn.image.shape == (round(88.9 * 4), round(63.5 * 4), 3)
    assert drawn.alpha[0, 0] == 0
    assert drawn.alpha[178, 2] == 255
    assert render_back(4.0).shape == drawn.image.shape


def test_there_is_no_face_for_a_card_that_is_none() -> None:
    with pytest.raises(ValueError, match="no such card"):
        render_face("13S")
