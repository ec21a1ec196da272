"""Court cards with German or French letters."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from table.detection.detector import Detector
from table.detection.indices import foreign_court_letters
from table.detection.indices.enrolled_pack import load_pack
from table.detection.indices.foreign_court_letters import CELL_PX, GLYPH_SHEET_PATH, GLYPHS, draw_examples
from tests.enrol import oddpack
from tests.enrol.oddpack import lay_odd
from tests.tracking.cards_on_cloth import cloth

FONTS = 6
"""Fewer than the sheet has: learning from all takes ten seconds."""


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> tuple[Detector, Path]:
    """A detector for German letters, and where it keeps what it learned."""
    folder = tmp_path_factory.mktemp("letters")
    sheet = cv2.imread(str(GLYPH_SHEET_PATH), cv2.IMREAD_GRAYSCALE)
    assert sheet is not None
    cv2.imwrite(str(folder / "few.png"), sheet[: FONTS * CELL_PX])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(foreign_court_letters, "GLYPH_SHEET_PATH", folder / "few.png")
        patch.setenv("XDG_CACHE_HOME", str(folder))
        return Detector(courts="BDK"), folder


@pytest.mark.thorough
def test_german_letters_are_read_once_they_are_chosen(
    german: tuple[Detector, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oddpack, "LETTERS", {"J": "B", "Q": "D", "K": "K"})
    oddpack.odd_face.cache_clear()
    picture = cloth()
    for name, x, y, angle in (("JS", 110, 130, 20), ("QH", 320, 120, 135), ("KC", 120, 370, 250)):
        lay_odd(picture, name, x, y, angle)
    lay_odd(picture, "8H", 370, 370, 310)
    oddpack.odd_face.cache_clear()
    before = {s.card: s.confidence for s in Detector().read(picture)}
    read = {s.card: s.confidence for s in german[0].read(picture)}
    assert all(read.get(card, 0.0) > 0.9 for card in ("JS", "QH", "KC", "8H")), read
    assert before.get("JS", 0.0) < read["JS"]


@pytest.mark.thorough
def test_what_was_learned_of_letters_is_kept(german: tuple[Detector, Path]) -> None:
    (kept,) = (german[1] / "cardtable").glob("letters-BDK-*.npz")
    assert len(load_pack(kept).fits) == 2


@pytest.mark.thorough
def test_every_letter_and_figure_is_on_the_sheet() -> None:
    sheet = cv2.imread(str(GLYPH_SHEET_PATH), cv2.IMREAD_GRAYSCALE)
    assert sheet is not None
    assert sheet.shape[1] == len(GLYPHS) * CELL_PX
    for letters in ("BDK", "VDR"):
        shown = {example.card for example in draw_examples(letters)}
        assert {rank + suit for rank in "JQK" for suit in "SHDC"} <= shown
        assert {card[:-1] for card in shown} == {"A", *map(str, range(2, 11)), "J", "Q", "K"}


@pytest.mark.thorough
def test_french_aces_are_drawn_as_1_too() -> None:
    aces = {
        letters: sum(example.card[0] == "A" for example in draw_examples(letters))
        for letters in ("BDK", "VDR")
    }
    assert aces["VDR"] == 2 * aces["BDK"]
