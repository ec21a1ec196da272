"""The printed mat: what its description promises to printers and to calibrating."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from table.__main__ import main
from table.calibration.homography.mat_design import (
    MARK_MM,
    MATS,
    Box,
    Label,
    Paper,
    marker_modules,
    mat_for_paper,
    printed_shapes,
    sample_points,
)
from table.calibration.homography.mat_pdf import TEXT_PX_PER_MM
from table.config.settings import MATS as PAPERS
from table.display.drawing.text_on_image import render_text_mask
from table.i18n.catalogue import languages
from table.i18n.phrase_rendering import renderer_for
from table.phrase import make_phrase
from tests.calibration.photographed import PX_PER_MM, page, printed, written
from tests.i18n.nonsense import latin, nonsense
from tests.speeds import first_quick
from tests.wrong import told


def test_every_marker_is_on_one_mat_only_and_no_two_look_alike() -> None:
    numbers = [marker.number for mat in MATS for marker in mat.markers]
    assert len(set(numbers)) == len(numbers)
    for one, other in combinations(numbers, 2):
        # Turned either way they stay apart in two modules at least.
        turns = [np.rot90(marker_modules(other), turn) for turn in range(4)]
        assert min(int((marker_modules(one) != turned).sum()) for turned in turns) >= 2


@pytest.mark.parametrize("paper", PAPERS)
def test_markers_keep_clear_of_the_papers_edge_of_each_other_and_of_the_mark(paper: str) -> None:
    mat = mat_for_paper(paper)
    module = mat.markers[0].side / 6
    for marker in mat.markers:
        low, high = marker.corners.min(axis=0), marker.corners.max(axis=0)
        assert low[0] >= -mat.width / 2 + 9.9
        assert high[0] <= mat.width / 2 - 9.9
        assert low[1] >= -mat.height / 2 + 9.9
        assert high[1] <= mat.height / 2 - 9.9
        # A marker is found by the white around it, a module wide.
        nearest = np.clip((0.0, 0.0), low, high)
        assert np.hypot(*nearest) > MARK_MM / 2 + module
    for one, other in combinations(mat.markers, 2):
        gap = np.maximum(np.abs(np.subtract((one.x, one.y), (other.x, other.y))) - one.side, 0)
        assert np.hypot(*gap) > module


@pytest.mark.parametrize("paper", PAPERS)
def test_the_page_has_the_papers_size_and_prints_white_and_black_where_the_description_says(
    paper: str,
) -> None:
    mat, sheet = mat_for_paper(paper), printed(paper)
    assert sheet.shape == (round(mat.height * PX_PER_MM), round(mat.width * PX_PER_MM))
    white, black = sample_points(mat)
    for places, level in ((white, 255), (black, 0)):
        at = np.floor((places + (mat.width / 2, mat.height / 2)) * PX_PER_MM).astype(int)
        assert len(at) > 150
        assert (sheet[at[:, 1], at[:, 0]] == level).all()


def test_the_ruler_is_as_long_as_it_says() -> None:
    longest = max(
        (shape for shape in printed_shapes(mat_for_paper("A4")) if isinstance(shape, Box)),
        key=lambda box: box.width,
    )
    assert longest.width == 100.0


def test_the_mat_is_written_with_a_word_on_printing_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mat.pdf"
    assert main(["calibrate", "--mat", str(path), "--paper", "letter"]) == 0
    assert "letter, 279.4 x 215.9 mm, the mark 120 mm across. Print it at 100 %" in capsys.readouterr().out
    data = path.read_bytes()
    assert data.startswith(b"%PDF")
    assert main(["calibrate", "--mat", str(path), "--paper", "letter"]) == 0
    assert path.read_bytes() == data


@pytest.mark.parametrize("language", languages())
@first_quick("paper", PAPERS)
def test_what_stands_on_the_sheet_is_written_as_on_the_screen_and_nowhere_else(
    paper: Paper, language: str
) -> None:
    words = renderer_for(language)
    labels = [shape for shape in printed_shapes(mat_for_paper(paper)) if isinstance(shape, Label)]
    found = written(page(paper, words))
    assert len(found) == len(labels) == 5
    height = round(found[0].height * TEXT_PX_PER_MM)
    begins = set()
    for label, one in zip(labels, found, strict=True):
        assert label.x - 0.01 <= one.left
        assert one.left + one.width <= label.x + label.width + 0.01
        assert label.y <= one.top
        assert one.top + one.height <= label.y + label.height
        begins.add(round(one.left + (one.width if words.catalogue.rtl else 0), 2))
        assert one.ink.shape[0] == height
        sizes = [
            render_text_mask([words(label.text)], size, rtl=words.catalogue.rtl) for size in range(30, 90)
        ]
        assert any(np.array_equal(one.ink, each) for each in sizes)
    assert len(begins) == 1


def test_no_word_on_the_sheet_is_english_where_nobody_speaks_it() -> None:
    words = nonsense()
    for mat in MATS:
        said = [words(shape.text) for shape in printed_shapes(mat) if isinstance(shape, Label)]
        assert len(said) == 5
        assert [text for text in said if latin(text, (mat.paper,))] == []
    pdf = re.sub(r"stream\s\S+~>endstream", "", page("A4", words))
    # Nothing but those lines, as pictures, is written: the one text that a PDF's page always begins is empty.
    assert re.findall(r"BT.*?(?:Tj|ET)", pdf, re.DOTALL) == ["BT /F1 12 Tf 14.4 TL ET"]
    assert "Card" not in pdf


def test_a_place_where_no_mat_can_be_written_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", "--mat", str(tmp_path / "no" / "mat.pdf")]) == 2
    fields = {"error": "No such file or directory", "expected": make_phrase("expected.pdf")}
    assert capsys.readouterr().err.endswith(f"mat.pdf: {told('file.not_written_as', **fields)}\n")
