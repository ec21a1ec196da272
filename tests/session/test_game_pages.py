"""A game that ends leaves its page beside the journal, and on a stick that is plugged in."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.history import export
from table.i18n.phrase_rendering import renderer_for
from table.i18n.terminal_output import set_language
from table.referee.records.journal import JournalLine, read_lines
from table.session.game_pages import GamePages
from table.system.disks import StickError
from tests.history.test_archive import written


def no_stick() -> Path:
    raise StickError("stick.none")


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(export, "find_stick", no_stick)
    return written(tmp_path / "2026-11-20-200000.jsonl", over=True)


def last_line(journal: Path) -> list[JournalLine]:
    return read_lines(journal)[-1:]


def test_a_game_has_no_page_before_it_is_over_and_one_after_that(journal: Path) -> None:
    pages, page = GamePages(), journal.with_suffix(".html")
    assert pages.update(journal, last_line(journal), over=False) == []
    assert pages.close() == []
    assert not page.exists()
    pages.update(journal, last_line(journal), over=True)
    assert pages.close() == []
    assert "Whysteria" in page.read_text()


def test_what_is_put_right_after_the_end_stands_on_the_page(journal: Path) -> None:
    pages, page = GamePages(), journal.with_suffix(".html")
    pages.update(journal, last_line(journal), over=True)
    pages.close()
    page.unlink()
    pages.update(journal, (), over=True)
    pages.close()
    assert not page.exists(), "nothing was decided"
    pages.update(journal, last_line(journal), over=True)
    pages.update(journal, last_line(journal), over=True)
    pages.close()
    assert page.exists()


def test_an_end_that_is_taken_back_is_taken_back_on_the_page(journal: Path) -> None:
    pages, page = GamePages(), journal.with_suffix(".html")
    pages.update(journal, last_line(journal), over=True)
    pages.close()
    assert "unfinished" not in page.read_text()
    written(journal, over=False)
    pages.update(journal, last_line(journal), over=False)
    pages.close()
    assert "unfinished" in page.read_text()
    page.unlink()
    pages.update(journal, last_line(journal), over=False)
    pages.close()
    assert not page.exists(), "the game goes on"


def test_the_page_is_in_the_language_of_the_table(journal: Path) -> None:
    set_language(renderer_for("he"))
    try:
        pages = GamePages()
        pages.update(journal, last_line(journal), over=True)
        pages.close()
    finally:
        set_language(renderer_for())
    assert '<html lang="he" dir="rtl">' in journal.with_suffix(".html").read_text()


def test_a_stick_that_is_plugged_in_has_the_page_too(
    journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "find_stick", lambda: tmp_path / "stick")
    pages = GamePages()
    pages.update(journal, last_line(journal), over=True)
    assert [news.code for news in pages.close()] == ["history.page_on_stick"]
    copy = tmp_path / "stick" / "cardtable" / "2026-11-20-200000.html"
    assert copy.read_bytes() == journal.with_suffix(".html").read_bytes()


def test_a_page_that_cant_be_written_is_said_in_a_line(
    journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "stick").write_text("")
    monkeypatch.setattr(export, "find_stick", lambda: tmp_path / "stick")
    pages = GamePages()
    pages.update(journal, last_line(journal), over=True)
    [news] = pages.close()
    assert news.fields["what"].code == "file.not_written"
    assert journal.with_suffix(".html").exists()


def test_a_journal_is_never_written_over(journal: Path, tmp_path: Path) -> None:
    odd = journal.rename(tmp_path / "game.html")
    before = odd.read_bytes()
    pages = GamePages()
    pages.update(odd, last_line(odd), over=True)
    pages.close()
    assert odd.read_bytes() == before


def test_a_game_without_a_journal_has_no_page(journal: Path) -> None:
    pages = GamePages()
    pages.update(None, last_line(journal), over=True)
    pages.close()
    assert not journal.with_suffix(".html").exists()
