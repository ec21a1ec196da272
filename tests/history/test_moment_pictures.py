"""The pictures beside a journal: what is stored, up to which size, what is read, and what goes."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.history import moment_pictures
from table.history.moment_pictures import (
    MAX_PICTURE_BYTES,
    delete_pictures,
    picture_path,
    read_picture,
    save_picture,
)

JPEG = b"\xff\xd8 a picture"


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "2026-11-20-203000+0100.jsonl"
    path.write_text("")
    return path


def test_a_picture_lies_beside_its_journal_by_the_number_of_its_line(journal: Path) -> None:
    save_picture(journal, 17, JPEG)
    assert (journal.parent / "2026-11-20-203000+0100.moments" / "17.jpg").read_bytes() == JPEG
    assert read_picture(journal, 17) == JPEG
    assert read_picture(journal, 18) is None


@pytest.mark.parametrize("content", [b"", b"no picture", JPEG * MAX_PICTURE_BYTES])
def test_what_is_no_picture_is_none(journal: Path, content: bytes) -> None:
    save_picture(journal, 1, JPEG)
    picture_path(journal, 1).write_bytes(content)
    assert read_picture(journal, 1) is None


def test_no_picture_and_no_game_takes_more_than_its_room(
    journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_picture(journal, 1, JPEG + bytes(MAX_PICTURE_BYTES))
    assert read_picture(journal, 1) is None
    monkeypatch.setattr(moment_pictures, "MAX_GAME_BYTES", 2 * len(JPEG))
    for seq in (1, 2, 3):
        save_picture(journal, seq, JPEG)
    assert [read_picture(journal, seq) for seq in (1, 2, 3)] == [JPEG, JPEG, None]


def test_a_nearly_full_disk_and_a_journal_that_is_no_file_get_none(
    journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_picture(journal.with_name("gone.jsonl"), 1, JPEG)
    monkeypatch.setattr(moment_pictures, "MIN_FREE_BYTES", 2**62)
    save_picture(journal, 1, JPEG)
    assert [path.name for path in journal.parent.iterdir()] == [journal.name]


@pytest.mark.parametrize("name", [".", "..", "/", "a\0b"])
def test_a_path_that_is_no_file_has_no_pictures_and_stops_nothing(name: str) -> None:
    delete_pictures(Path(name))
    save_picture(Path(name), 1, JPEG)
    assert read_picture(Path(name), 1) is None


def test_lines_that_are_written_anew_lose_their_old_pictures_and_nothing_else_goes(journal: Path) -> None:
    for seq in (3, 20):
        save_picture(journal, seq, JPEG)
    own = picture_path(journal, 1).with_name("mine.jpg")
    own.write_bytes(JPEG)
    delete_pictures(journal, after=3)
    assert [read_picture(journal, seq) for seq in (3, 20)] == [JPEG, None]
    delete_pictures(journal)
    assert [path.name for path in own.parent.iterdir()] == ["mine.jpg"]
    delete_pictures(journal.with_name("other.jsonl"))
