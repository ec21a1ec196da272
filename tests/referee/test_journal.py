"""The journal is the truth: every line is kept, a power cut tears at most the last, corrections are read back."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.errors import TableError
from table.referee.journal import Journal, Line, effective, read_lines


def test_lines_are_numbered_from_one_and_read_back_as_written(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal(path) as journal:
        journal.say("rap", 10, 12, {"seat": "Zoë"})
        journal.say("bid", 20, 25, {"seat": "Ada", "bid": 2})
    assert read_lines(path) == journal.lines
    assert [line["seq"] for line in journal.lines] == [1, 2]
    assert list(journal.lines[0])[:4] == ["seq", "t_ns", "decided_ns", "event"]


def test_a_line_torn_by_a_power_cut_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal(path) as journal:
        journal.say("rap", 10, 12, {"seat": "Ada"})
        journal.say("rap", 20, 22, {"seat": "Ben"})
    whole = path.read_bytes()
    for cut in range(len(whole.splitlines(True)[0]), len(whole) - 1):
        path.write_bytes(whole[:cut])
        assert read_lines(path, torn_end=True) == journal.lines[:1]


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "truth.jsonl"
    path.write_text('{"event": "rap"}\n{"evnt": "rap"}\n')
    with pytest.raises(TableError, match="line 2: expected a JSON object with an event"):
        read_lines(path)


def test_what_was_corrected_no_longer_holds() -> None:
    journal = Journal()
    journal.say("bid", 1, 1, {"seat": "Ada", "bid": 1})
    journal.say("bid", 2, 2, {"seat": "Ben", "bid": 2})
    journal.say("bid", 3, 3, {"seat": "Cleo", "bid": 0})
    journal.say("corrected", 2, 4, {"what": "Bid", "from": "2", "to": "3", "by": "Ben", "since": 2})
    journal.say("bid", 2, 4, {"seat": "Ben", "bid": 3})
    held: list[Line] = effective(journal.lines)
    assert [(line["seat"], line["bid"]) for line in held] == [("Ada", 1), ("Ben", 3)]


def test_a_disk_that_fails_stops_no_game_and_gets_every_line_once_it_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal(path) as journal:
        journal.say("rap", 1, 1, {"seat": "Ada"})

        def full(handle: int) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr("table.referee.journal.os.fsync", full)
            journal.say("rap", 2, 2, {"seat": "Ben"})
            journal.say("rap", 3, 3, {"seat": "Cleo"})
            assert journal.trouble == f"{path}: the journal can't be written (No space left on device)"
            assert read_lines(path) == journal.lines[:1]
        journal.say("rap", 4, 4, {"seat": "Dan"})
        assert journal.trouble is None
        assert read_lines(path) == journal.lines
    assert len(journal.lines) == 4
