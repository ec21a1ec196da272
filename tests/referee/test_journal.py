"""The journal is the truth: every line is kept, a power cut tears at most the last, corrections are read back."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from table.i18n.terminal_output import phrase_text
from table.phrase import line_place
from table.referee.records.journal import Journal, JournalLine, effective_lines, read_lines, resume_lines
from tests.wrong import check, wrong


def test_lines_are_numbered_from_one_and_read_back_as_written(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal(path) as journal:
        journal.append("rap", 10, 12, {"seat": "Zoë"})
        journal.append("bid", 20, 25, {"seat": "Ada", "bid": 2})
    assert read_lines(path) == journal.lines
    assert [line["seq"] for line in journal.lines] == [1, 2]
    assert list(journal.lines[0])[:4] == ["seq", "t_ns", "decided_ns", "event"]


def test_who_may_read_other_new_files_may_read_a_new_journal(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("")
    with Journal(tmp_path / "journal.jsonl"):
        assert (tmp_path / "journal.jsonl").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_line_torn_by_a_power_cut_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal(path) as journal:
        journal.append("rap", 10, 12, {"seat": "Ada"})
        journal.append("rap", 20, 22, {"seat": "Ben"})
    whole = path.read_bytes()
    for cut in range(len(whole.splitlines(True)[0]), len(whole) - 1):
        path.write_bytes(whole[:cut])
        assert read_lines(path, torn_end=True) == journal.lines[:1]


def test_a_new_journal_and_its_name_are_flushed_to_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda handle: flushed.append(os.fstat(handle).st_ino))
    path = tmp_path / "journal.jsonl"
    with Journal(path) as journal:
        journal.append("rap", 10, 12, {"seat": "Ada"})
        assert {tmp_path.stat().st_ino, path.stat().st_ino} <= set(flushed)
        flushed.clear()
        path.unlink()
        assert journal.verify_file() is not None
        assert {tmp_path.stat().st_ino, path.stat().st_ino} <= set(flushed), "also when it is written anew"


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "truth.jsonl"
    path.write_text('{"event": "rap"}\n{"evnt": "rap"}\n')
    with wrong("expected.event", at=(path, line_place(2))):
        read_lines(path)


def test_what_was_corrected_no_longer_holds() -> None:
    journal = Journal()
    journal.append("bid", 1, 1, {"seat": "Ada", "bid": 1})
    journal.append("bid", 2, 2, {"seat": "Ben", "bid": 2})
    journal.append("bid", 3, 3, {"seat": "Cleo", "bid": 0})
    journal.append("corrected", 2, 4, {"what": "Bid", "from": "2", "to": "3", "by": "Ben", "since": 2})
    journal.append("bid", 2, 4, {"seat": "Ben", "bid": 3})
    held: list[JournalLine] = effective_lines(journal.lines)
    assert [(line["seat"], line["bid"]) for line in held] == [("Ada", 1), ("Ben", 3)]
    without_numbers = [{name: line[name] for name in line if name != "seq"} for line in journal.lines]
    assert [(line["seat"], line["bid"]) for line in effective_lines(without_numbers)] == [
        ("Ada", 1),
        ("Ben", 3),
    ], "lines of a truth need no numbers"


def test_a_disk_that_fails_stops_no_game_and_gets_every_line_once_it_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal(path) as journal:
        journal.append("rap", 1, 1, {"seat": "Ada"})

        def full(handle: int) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr("table.referee.records.journal.os.fsync", full)
            journal.append("rap", 2, 2, {"seat": "Ben"})
            journal.append("rap", 3, 3, {"seat": "Cleo"})
            assert journal.write_error is not None
            check(journal.write_error, "journal.cant_be_written", at=path, error="No space left on device")
            assert read_lines(path) == journal.lines[:1]
        journal.append("rap", 4, 4, {"seat": "Dan"})
        assert journal.write_error is None
        assert read_lines(path) == journal.lines
    assert len(journal.lines) == 4


# --- a file that is not left alone --------------------------------------------------------------------------


def begun(path: Path) -> Journal:
    journal = Journal(path)
    journal.append("rap", 1, 2, {"seat": "Ada"})
    journal.append("rap", 3, 4, {"seat": "Ben"})
    assert journal.verify_file() is None
    return journal


def replaced(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.write_text("something else")


def changed(path: Path) -> None:
    text = path.read_text().replace("Ada", "Eve")
    path.write_text(text)


@pytest.mark.parametrize(
    ("meddle", "aside"),
    [
        (lambda path: path.unlink(), False),
        (lambda path: shutil.rmtree(path.parent), False),
        (replaced, True),
        (changed, True),
        (lambda path: path.write_bytes(b""), True),
        (lambda path: path.write_bytes(path.read_bytes() + b'{"seq": 21}\n'), True),
        (lambda path: (path.unlink(), path.mkdir()), True),
    ],
)
@pytest.mark.parametrize("says_more", [False, True])
def test_a_file_that_is_gone_or_changed_is_noticed_and_written_anew(
    tmp_path: Path, meddle: Callable[[Path], object], aside: bool, says_more: bool
) -> None:
    path = tmp_path / "games" / "game.jsonl"
    path.parent.mkdir()
    with begun(path) as journal:
        meddle(path)
        strange = path.read_bytes() if path.is_file() else None
        if says_more:
            journal.append("rap", 5, 6, {"seat": "Cleo"})
        told = journal.verify_file()
        assert told is not None
        assert phrase_text(told).endswith("it has been written anew")
        assert journal.verify_file() is None, "told once"
        assert read_lines(path, torn_end=True) == journal.lines
        kept = path.with_name("game.jsonl.damaged")
        assert os.path.lexists(kept) == aside == (kept.name in phrase_text(told))
        if strange is not None:
            assert kept.read_bytes() == strange
        journal.append("rap", 7, 8, {"seat": "Dan"})
        assert read_lines(path, torn_end=True) == journal.lines
        assert {one.name for one in path.parent.iterdir()} <= {"game.jsonl", kept.name, "elsewhere"}


def test_a_file_that_was_only_touched_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with begun(path) as journal:
        inode = path.stat().st_ino
        os.utime(path, (1, 1))
        assert journal.verify_file() is None
        journal.append("rap", 5, 6, {"seat": "Cleo"})
        assert path.stat().st_ino == inode
    assert read_lines(path) == journal.lines


def test_a_game_taken_up_is_watched_as_it_was_found(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    text = '{"seq": 1, "t_ns": 1, "decided_ns": 1, "event": "rap"}\n'
    path.write_text(text)
    with Journal(path, earlier=resume_lines(path)) as journal:
        os.utime(path, (1, 1))
        assert journal.verify_file() is None
        journal.append("rap", 5, 6, {"seat": "Cleo"})
        assert journal.verify_file() is None
        assert path.read_text().startswith(text)
        path.unlink()
    assert read_lines(path) == journal.lines, "also when the game ends"


def test_what_is_no_file_is_not_watched() -> None:
    with Journal(Path("/dev/null"), durable=False) as journal:
        journal.append("rap", 1, 2, {"seat": "Ada"})
        journal.append("rap", 3, 4, {"seat": "Ada"})
        assert journal.verify_file() is None
        assert journal.write_error is None


def test_where_a_file_can_not_be_written_anew_it_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.jsonl"
    with begun(path) as journal:

        def full(handle: int) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr("table.referee.records.journal.os.fsync", full)
            path.write_text("something else")
            assert journal.verify_file() is None
            assert journal.write_error is not None
            check(journal.write_error, "journal.cant_be_written", at=path, error="No space left on device")
            assert [one.name for one in tmp_path.iterdir()] == ["game.jsonl"]
        assert journal.verify_file() is not None
        assert journal.write_error is None
        assert read_lines(path, torn_end=True) == journal.lines


def test_what_was_asked_and_answered_holds_whatever_is_corrected() -> None:
    events = ("dealt", "bid", "asked", "corrected", "bid", "answered")
    lines = [{"seq": seq, "event": event} for seq, event in enumerate(events, start=1)]
    lines[3] |= {"since": 2}
    assert [line["seq"] for line in effective_lines(lines)] == [1, 3, 5, 6]
