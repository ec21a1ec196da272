"""Text fits its box, whatever it says."""

from __future__ import annotations

from unicodedata import normalize

import numpy as np
import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from table.display.drawing.canvas import Canvas
from table.display.drawing.text_fitting import fit_text, line_height, render_line, text_width, truncate_text

WHITE = (255, 255, 255)


@given(
    st.text(alphabet=st.sampled_from("abcW mÄΩЖ♠♥♦♣10…\n\t\x00"), max_size=60),
    st.integers(30, 400),
    st.integers(10, 120),
    st.integers(1, 4),
)
def test_a_text_never_leaves_its_box(text: str, width: int, height: int, lines: int) -> None:
    canvas = Canvas((1280, 720))
    box = pygame.Rect(40, 50, width, height)
    ink = canvas.draw_text(text, box, 60, WHITE, lines=lines)
    assert not canvas.placed or box.contains(ink)
    outside = canvas.surface.copy()
    outside.fill((14, 20, 24), box)
    assert pygame.mask.from_threshold(outside, (14, 20, 24), (1, 1, 1)).count() == 1280 * 720


def test_the_largest_letters_that_fit_are_taken() -> None:
    size, lines = fit_text("Ada", (500, 100), 60, 20)
    assert (size, lines) == (60, ("Ada",))
    smaller, _ = fit_text("Maximiliane", (120, 100), 60, 10)
    assert 10 < smaller < 60
    assert text_width("Maximiliane", smaller) <= 120 < text_width("Maximiliane", smaller + 1)


def test_a_long_text_is_broken_at_spaces_and_keeps_its_words() -> None:
    size, lines = fit_text("Ada and Ben bid at the same time", (200, 200), 40, 20)
    assert size >= 20
    assert " ".join(lines) == "Ada and Ben bid at the same time"
    assert len(lines) > 1


def test_a_text_that_can_not_fit_is_cut_with_an_ellipsis() -> None:
    _, lines = fit_text("Wolfeschlegelsteinhausen", (80, 30), 30, 20, 1)
    assert len(lines) == 1
    assert lines[0].endswith("…")
    assert lines[0].startswith("W")


@pytest.mark.parametrize("width", [0, 3, 12, 40])
def test_cutting_keeps_to_any_width(width: int) -> None:
    assert text_width(truncate_text("Featherstonehaugh", 20, width), 20) <= width


@pytest.mark.parametrize("height", [12, 20, 33, 64])
def test_a_fonts_height_is_what_was_asked_for(height: int) -> None:
    assert abs(line_height(height) - height) <= max(2, height // 8)


def test_suits_among_the_letters_are_drawn_and_differ() -> None:
    drawn = {pygame.image.tobytes(render_line(f"10{suit}", 40, WHITE), "RGBA") for suit in "♠♥♦♣"}
    assert len(drawn) == 4
    assert text_width("10♥", 40) > text_width("10", 40)


def test_letters_that_can_not_be_printed_are_no_error() -> None:
    assert render_line("Ada\x00\nBen\u200b", 30, WHITE).get_width() > 0


@pytest.mark.parametrize("accented", ["Épure jg", "Öffnen jg", "Åre jg", "ÇA jg"])
@pytest.mark.parametrize("height", [20, 36, 77])
def test_an_accent_on_a_capital_moves_no_letter_and_is_whole(accented: str, height: int) -> None:
    plain = "".join(normalize("NFD", letter)[0] for letter in accented)
    with_it, without = (
        pygame.surfarray.array_alpha(render_line(text, height, WHITE)).T for text in (accented, plain)
    )
    assert len(with_it) == len(without)
    rows = np.flatnonzero(with_it.any(axis=1))
    assert rows.min() > 0
    assert rows.max() < len(with_it) - 1
    # The letters behind, which are no others, stand as high as they stood.
    last = text_width("jg", height)
    foot = [np.flatnonzero(ink[:, -last:].any(axis=1)) for ink in (with_it, without)]
    assert (foot[0].min(), foot[0].max()) == (foot[1].min(), foot[1].max())
