"""Names in any script: each letter by a font that has it, in the order in which it is read."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from table.display.drawing.bidi import visual_runs
from table.display.drawing.font_choice import (
    FONT_FILES,
    MEDIUM_FILES,
    REPLACEMENT_LETTER,
    has_glyphs,
    open_font,
    split_by_font,
)
from table.display.drawing.text_fitting import render_line, text_width
from table.i18n.catalogue import languages, load_catalogue
from table.i18n.phrase_rendering import renderer_for
from table.phrase import make_phrase

WHITE = (255, 255, 255)
NAMES = (
    "Zoë Œuvrard",
    "Ljiljana Ćžš",
    "Nguyễn",
    "Дмитро",
    "Ελένη",
    "שרה",
    "فاطمة",
    "さくら",
    "美咲",
    "凛",
    "😀",
)


def shown(text: str, rtl: bool) -> str:
    """A line as it stands on the screen, from left to right."""
    return "".join(piece[::-1] if leftwards else piece for piece, leftwards in visual_runs(text, rtl))


@pytest.mark.parametrize("name", NAMES)
def test_a_name_in_any_script_is_written_with_all_its_letters(name: str) -> None:
    written = split_by_font(name)
    assert "".join(letters for letters, _ in written) == name
    assert all(has_glyphs(face, letters) for letters, face in written)


@pytest.mark.parametrize("strong", [False, True])
@pytest.mark.parametrize("height", [20, 29, 44, 77])
def test_figures_are_all_of_one_width(strong: bool, height: int) -> None:
    widths = [text_width(figure * 4, height, strong=strong) for figure in "0123456789"]
    assert max(widths) - min(widths) <= 1, "the last figure's edge may be a pixel further out"


def test_a_strong_line_is_of_a_heavier_face_with_the_same_letters() -> None:
    light, heavy = (render_line("Ada bids", 40, WHITE, strong=strong) for strong in (False, True))
    assert pygame.mask.from_surface(heavy).count() > 1.1 * pygame.mask.from_surface(light).count()
    for bold, medium in MEDIUM_FILES.items():
        letters = [chr(code) for code in range(0x20, 0x2200)]
        assert [has_glyphs(bold, letter) for letter in letters] == [
            has_glyphs(medium, letter) for letter in letters
        ]


def test_letters_of_many_sizes_keep_no_file_open() -> None:
    """A process may have a thousand; an evening's lines have some hundred sizes."""
    before = len([*Path("/proc/self/fd").iterdir()])
    fonts = [open_font.__wrapped__(name, height) for name in FONT_FILES for height in range(11, 31)]
    assert all(font.render("10", antialias=True, color=WHITE).get_width() for font in fonts)
    assert len([*Path("/proc/self/fd").iterdir()]) <= before + 1


@pytest.mark.parametrize("language", languages())
def test_every_letter_of_a_language_has_a_font(language: str) -> None:
    of = load_catalogue(language)
    texts = [
        text
        for entry in of.entries.values()
        for text in ([entry] if isinstance(entry, str) else entry.values())
    ]
    letters = sorted(set("".join((*texts, *of.letters, of.name))) - set("♠♥♦♣"))
    assert [
        letter for letter in letters if REPLACEMENT_LETTER in (split_by_font(letter) or ((" ", ""),))[0]
    ] == []


def test_a_letter_that_no_font_has_is_a_dot_and_no_box() -> None:
    assert not any(has_glyphs(face, "\u1201") for face in FONT_FILES)
    assert split_by_font("A\u1201") == ((f"A{REPLACEMENT_LETTER}", FONT_FILES[0]),)


def test_what_can_t_be_seen_takes_no_room() -> None:
    assert text_width("Ada\u200b\u200f\ufe0f", 40) == text_width("Ada", 40)


@pytest.mark.parametrize(
    ("text", "rtl", "expected"),
    [
        ("Ada 10♥", False, "Ada 10♥"),
        ("שרה ובן", False, "ןבו הרש"),
        ("Ada, שרה: 3", False, "Ada, 3 :הרש"),
        ("יד 12 מתוך 13", True, "13 ךותמ 12 די"),
        ("שרה -5", True, "-5 הרש"),
        ("שרה +3 (30)", True, ")30( +3 הרש"),
        ("קלף 10♥ של Ada", True, "Ada לש 10♥ ףלק"),
        ("דור فاطمة 7/10", True, "7/10 ةمطاف רוד"),
    ],
)
def test_a_line_stands_in_the_order_in_which_it_is_read(text: str, rtl: bool, expected: str) -> None:
    assert shown(text, rtl) == expected


def test_hebrew_is_drawn_from_right_to_left() -> None:
    both, first, last = (render_line(text, 40, WHITE) for text in ("אל", "א", "ל"))
    left = both.subsurface(0, 0, last.get_width() - 2, both.get_height())
    assert both.get_width() == pytest.approx(first.get_width() + last.get_width(), abs=2)
    other = last.subsurface(left.get_rect())
    assert pygame.image.tobytes(left, "RGBA") == pygame.image.tobytes(other, "RGBA")


def test_arabic_letters_are_joined() -> None:
    assert text_width("بيت", 40) < sum(text_width(letter, 40) for letter in "بيت")


def test_a_non_joiner_keeps_arabic_letters_apart() -> None:
    """Persian writes علی‌رضا in two parts; the letter before the non-joiner has the wide form of a word's end."""
    assert text_width("علی\u200cرضا", 40) == pytest.approx(
        text_width("علی", 40) + text_width("رضا", 40), abs=2
    )
    assert text_width("علی\u200cرضا", 40) > text_width("علیرضا", 40) + 4


def test_a_number_stays_behind_the_name_that_it_belongs_to() -> None:
    told = {
        language: renderer_for(language)(make_phrase("screen.ahead", seats=name, score=300))
        for language, name in (("de", "שרה"), ("he", "Ada"))
    }
    assert shown(told["de"], False).replace("\u200e", "") == "הרש 300"
    assert shown(told["he"], True).replace("\u200f", "") == "300 Ada"


def test_in_a_list_each_number_stays_behind_its_name() -> None:
    figures = {"Eve": 3, "שרה": 2, "Ada": 1}
    phrases = (
        make_phrase("line.bidding_over.over", bids=figures, by=1),
        make_phrase("history.with_points", how="", points=figures),
    )
    for phrase in phrases:
        english, hebrew = (renderer_for(language)(phrase) for language in ("en", "he"))
        assert "Eve 3, הרש 2, Ada 1" in shown(english, False).replace("\u200e", "")
        assert "1 Ada ,2 הרש ,3 Eve" in shown(hebrew, True).replace("\u200f", "")


def test_cards_in_a_row_keep_their_order_in_a_language_from_right_to_left() -> None:
    cards = tuple({"seat": "Ada", "card": card} for card in ("7H", "JC", "9S", "QD"))
    text = renderer_for("he")(make_phrase("line.trick_won", seat="Ada", trick=1, cards=cards))
    assert "Q♦ 9♠ J♣ 7♥" in shown(text, True).replace("\u200f", "")
