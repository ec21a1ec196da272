"""``history`` lists the games that are kept; ``export`` prints one of them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from table.__main__ import main
from tests.test_archive import written


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A finished game, one that was begun, and a file that is none."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    folder = tmp_path / "cardtable" / "games"
    folder.mkdir(parents=True)
    written(folder / "2026-11-20-200000.jsonl", over=True)
    written(folder / "2026-11-21-200000.jsonl")
    (folder / "2026-11-21-210000.jsonl").write_text('{"event": "rap"}\n')
    (folder / "2026-11-21-220000.jsonl").touch()
    return folder


def test_games_are_listed_with_how_they_ended(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history"]) == 0
    captured = capsys.readouterr()
    assert captured.out.splitlines() == [
        "2026-11-20-200000  Whysteria: Ada, Ben and Cleo; Ada and Cleo won (Ada 1, Cleo 1, Ben 0)",
        "2026-11-21-200000  Whysteria: Ada, Ben and Cleo; unfinished, hand 1",
    ]
    assert captured.err == f"cardtable: {games}/2026-11-21-210000.jsonl: line 1: expected game_started\n"


def test_a_script_gets_json(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history", "--json", "--games", str(games)]) == 0
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (first["over"], first["winners"], first["totals"]["Ada"]) == (True, ["Ada", "Cleo"], 1)
    assert (second["over"], second["hand"], second["totals"]) == (False, 1, {})


def test_a_game_is_exported_as_its_journal(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "2026-11-20-200000"]) == 0
    journal = [json.loads(line) for line in (games / "2026-11-20-200000.jsonl").read_text().splitlines()]
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == journal


def test_a_game_is_exported_as_a_table_of_hands(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "--csv", str(games / "2026-11-20-200000.jsonl")]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [tuple(row.values()) for row in rows] == [
        ("1", "1", "Ada", "S", "Ada", "0", "0", "1", "1"),
        ("1", "1", "Ada", "S", "Ben", "0", "1", "0", "0"),
        ("1", "1", "Ada", "S", "Cleo", "0", "0", "1", "1"),
    ]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["export", "2020-01-01-000000"], "no such game"),
        (["export", "2026-11-21-210000"], "line 1: expected game_started"),
        (["history", "--games", "/no/such/folder"], "no such folder"),
    ],
)
def test_what_is_not_there_is_one_line(
    games: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], expected: str
) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert expected in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_without_games_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert main(["history"]) == 0
    assert "No games in" in capsys.readouterr().out
    assert main(["export"]) == 2
