"""Letters on pictures that are no screen."""

from __future__ import annotations

import numpy as np
import pytest

from table.calibration.calibration_picture import draw_text
from table.display.drawing.text_on_image import draw_text_mask, fit_text_mask, render_text_mask
from table.i18n.phrase_rendering import renderer_for


@pytest.mark.parametrize(
    ("text", "like"), [("Zoë", "Zo?"), ("רחל", "???"), ("Müller", "M?ller"), ("井", "?")]
)
def test_no_letter_is_a_question_mark(text: str, like: str) -> None:
    assert not np.array_equal(render_text_mask([text], 30), render_text_mask([like], 30))


def test_lines_stand_one_under_the_other_and_begin_on_the_side_where_they_are_read() -> None:
    for rtl in (False, True):
        both = render_text_mask(["a longer line", "a"], 30, rtl=rtl)
        lower = both[both.shape[0] * 3 // 5 :]
        columns = np.flatnonzero(lower.any(axis=0))
        assert (columns.min() > both.shape[1] // 2) == rtl
        assert columns.size > 3


def test_a_line_that_is_too_long_is_smaller_and_never_wider_than_its_box() -> None:
    free, narrow = (
        fit_text_mask("Print at 100 %.", (900, 40), 40),
        fit_text_mask("Print at 100 %.", (150, 40), 40),
    )
    assert free.shape[1] > 150 >= narrow.shape[1]
    assert narrow.shape[0] < free.shape[0]


def test_ink_is_white_within_black_and_ends_at_the_pictures_border() -> None:
    covered = render_text_mask(["Ada"], 60)
    for left, top in ((-20, -20), (150, 80), (500, 500), (40, 20)):
        image = np.full((120, 200, 3), 130, np.uint8)
        draw_text_mask(image, covered, left, top)
        changed = (image != 130).any(axis=2)
        assert changed.any() == (left < 200)
    assert image.max() == 255
    assert image.min() == 0
    assert 0.02 < changed.mean() < 0.5


@pytest.mark.parametrize(("language", "rtl"), [("en", False), ("he", True)])
def test_sentences_begin_in_the_upper_corner_where_they_are_read(
    monkeypatch: pytest.MonkeyPatch, language: str, rtl: bool
) -> None:
    monkeypatch.setattr(
        "table.calibration.calibration_picture.terminal_renderer", lambda: renderer_for(language)
    )
    image = np.zeros((720, 1280, 3), np.uint8)
    draw_text(image, ["a " * 100, "b"])
    rows, columns = np.nonzero(image.max(axis=2) > 200)
    assert rows.max() < 200
    last = columns[rows > rows.max() - 8]
    assert (last.min() > 1200) if rtl else (last.max() < 80)
