"""``history`` lists the games that are kept; ``export`` prints one of them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pygame
import pytest

from table.__main__ import main
from table.history.archive import lock_path
from table.history.played_hands import PlayedHand
from table.history.statistics import Person, Statistics
from table.phrase import make_phrase
from table.system.process_lock import Lock
from tests.history.simulated_journal import simulated_journal
from tests.history.test_archive import written
from tests.wrong import expects, told


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
    path = games / "2026-11-21-210000.jsonl"
    assert captured.err == f"cardtable: {path}: line 1: {expects('expected.game_started')}\n"


def test_a_finished_game_lists_its_players_by_places_also_where_totals_are_level(
    games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    totals = {"Ada": 10, "Ben": 11, "Cleo": 10}
    lines: list[dict[str, Any]] = [
        {"event": "game_started", "game": "oh-hell", "seats": [*totals], "options": {"tie_break": "every"}},
        {"event": "game_over", "totals": totals, "ranking": [["Ben"], ["Cleo"], ["Ada"]], "winners": ["Ben"]},
    ]
    stamps = ({"seq": seq, "t_ns": seq, "decided_ns": seq} for seq in (1, 2))
    rows = [json.dumps({**stamp, **line}) + "\n" for stamp, line in zip(stamps, lines, strict=True)]
    (games / "2026-11-22-200000.jsonl").write_text("".join(rows))
    assert main(["history", "--game", "oh-hell"]) == 0
    assert capsys.readouterr().out.endswith("; Ben won (Ben 11, Cleo 10, Ada 10)\n")


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


NO_SUCH = told("journal.no_such", folder="").partition("(")[0]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["export", "2020-01-01-000000"], NO_SUCH),
        (["export", "2026-11-21-210000"], f"line 1: {expects('expected.game_started')}"),
        (
            ["history", "--games", "/no/such/folder"],
            told("file.no_folder", expected=make_phrase("expected.games")),
        ),
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


def test_of_a_damaged_game_all_is_told_that_is_good(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = games / "2026-11-20-200000.jsonl"
    rows = path.read_text().splitlines(keepends=True)
    at = next(number for number, row in enumerate(rows) if "game_over" in row)
    path.write_text("".join([*rows[:at], "[" * 2000 + "\n", *rows[at:]]))
    assert main(["history"]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith(
        "2026-11-20-200000  Whysteria: Ada, Ben and Cleo; unfinished, hand 1 (Ada 1"
    )
    assert f"cardtable: {path}: line {at + 1}: {expects('expected.event')}" in captured.err
    assert main(["export", "2026-11-20-200000"]) == 1
    captured = capsys.readouterr()
    assert captured.out == "".join(rows[:at])
    assert f"line {at + 1}: " in captured.err
    assert main(["export", "--csv", "2026-11-20-200000"]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 4


ODD_FILES = {
    "nested": b'{"event": ' + b"[" * 2000 + b"]" * 2000 + b"}\n",
    "long number": b'{"seq": 1, "event": "game_started", "game": ' + b"9" * 5000 + b"}\n",
    "long field": json.dumps(
        {"event": "game_started", "game": "x" * 200_000, "seats": ["A" * 200_000]}
    ).encode(),
    "steers the terminal": json.dumps(
        {"event": "game_started", "game": "x", "seats": ["\x1b[2J", "\n"]}
    ).encode(),
    "half a letter": b'{"event": "game_started", "game": "\\ud800", "seats": []}\n',
    "seats of no text": b'{"event": "game_started", "game": "x", "seats": [1, {}]}\n',
    "totals of no number": b'{"event": "game_started", "game": "x", "seats": []}\n'
    b'{"event": "hand_scored", "totals": {"A": []}}\n',
    "no text": bytes(range(256)) * 10,
    "line ends": b"\n\n\n",
}


@pytest.mark.parametrize("name", ODD_FILES)
def test_an_odd_file_among_the_games_stops_nothing(
    games: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    odd = games / "9999-12-31-235959.jsonl"
    odd.write_bytes(ODD_FILES[name])
    (games / "2026-11-22-200000.jsonl").mkdir()
    (games / "2026-11-23-200000.jsonl").symlink_to(games / "nowhere")
    assert main(["history"]) == 0
    captured = capsys.readouterr()
    assert "2026-11-20-200000  Whysteria: Ada, Ben and Cleo; Ada and Cleo won" in captured.out
    assert all(line.isprintable() and len(line) < 500 for line in captured.out.splitlines())
    assert main(["history", "--json"]) == 0
    assert main(["export", "2026-11-20-200000"]) == 0
    capsys.readouterr()
    for arguments in (["export", str(odd)], ["export", "--csv", str(odd)]):
        assert main(arguments) in (0, 1, 2)
        assert "Traceback" not in capsys.readouterr().err
    assert main(["export", "x" * 5000]) == 2
    assert main(["export", "a\0b"]) == 2


def test_a_game_that_is_being_played_is_listed_and_exported_beside_it(
    games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = games / "2026-11-22-200000.jsonl"
    rows = (games / "2026-11-21-200000.jsonl").read_text().splitlines(keepends=True)
    with Lock(lock_path(games)):
        for written_so_far in (rows[:2], rows, [*rows, rows[-1][:20]]):
            path.write_text("".join(written_so_far))
            assert main(["history", "--games", str(games)]) == 0
            captured = capsys.readouterr()
            assert captured.out.splitlines()[-1].startswith(
                "2026-11-22-200000  Whysteria: Ada, Ben and Cleo; unfin"
            )
            assert "2026-11-22" not in captured.err
            assert main(["export"]) == 0
            assert capsys.readouterr().out == "".join(row for row in written_so_far if row.endswith("\n"))


def test_without_games_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert main(["history"]) == 0
    assert "No games in" in capsys.readouterr().out
    assert main(["export"]) == 2


def test_games_are_searched_by_player_game_and_day(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def found(*arguments: str) -> list[str]:
        assert main(["history", *arguments]) == 0
        return [line.split()[0] for line in capsys.readouterr().out.splitlines()]

    both = ["2026-11-20-200000", "2026-11-21-200000"]
    assert found("--player", "ADA", "--player", "Cleo") == both
    assert found("--game", "whysteria") == both
    assert found("--since", "2026-11-21") == both[1:]
    written(games / "birthday.jsonl")
    assert found()[0] == "birthday", "nobody knows its day"
    assert found("--since", "2026-11-21") == both[1:]
    assert found("--player", "Dan") == found("--game", "oh-hell") == found("--since", "2026-12-01") == ["No"]


def test_a_day_that_is_none_is_refused(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["history", "--since", "soon"])
    assert caught.value.code == 2
    assert expects("expected.day", instead="soon") in capsys.readouterr().err


def test_statistics_count_games_wins_and_bids(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history", "--statistics", "--json"]) == 0
    people = {one["name"]: one for one in map(json.loads, capsys.readouterr().out.splitlines())}
    assert set(people) == {"Ada", "Ben", "Cleo"}
    assert (people["Ada"]["games"], people["Ada"]["finished"], people["Ada"]["won"]) == (2, 1, 1)
    assert not [key for key in people["Ada"] if key.endswith("_ns")]
    assert people["Ben"]["won"] == 0
    assert all(one["hands"] == one["made"] + one["over"] + one["under"] > 0 for one in people.values())
    assert main(["history", "--statistics"]) == 0
    head, ada, *_ = capsys.readouterr().out.splitlines()
    assert head.split("  ")[0] == "Player"
    assert ada.split()[:6] == ["Ada", "2", "1", "1", "1", "1"]


def test_the_columns_of_the_statistics_stand_below_each_other(
    games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    simulated_journal(games / "2026-11-22-200000.jsonl", names={"Ada": "美咲", "Ben": "Zo\u0308e 😀"})
    assert main(["history", "--statistics"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert {row.split()[0] for row in rows} == {"Player", "Ada", "Ben", "Cleo", "Zo\u0308e", "美咲"}
    widths = {
        len(row) + row.count("美") + row.count("咲") + row.count("😀") - row.count("\u0308") for row in rows
    }
    assert len(widths) == 1


def test_who_comes_back_is_one_person_and_bids_are_told_apart() -> None:
    counted = Statistics()
    bids = [(2, 2), (0, 1), (3, 1), ("double nil", 0), (None, 4)]
    hands = [
        PlayedHand(
            number, 4, "José", ["José"], bids={"José": bid}, taken={"José": tricks}, totals={"José": 0}
        )
        for number, (bid, tricks) in enumerate(bids)
    ]
    counted.add(["José", "Ben"], ["José"], hands, over=True)
    counted.add(["jose\u0301", "Ada"], ["jose\u0301"], [], over=False)
    counted.add(["JOSÉ", "Ada"], [], [], over=False)
    first, *_ = counted.people
    assert first == Person("JOSÉ", games=3, finished=1, won=1, hands=4, made=2, over=1, under=1)
    assert [one.name for one in counted.people[1:]] == ["Ada", "Ben"]


def test_the_statistics_are_drawn_as_pictures(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["history", "--plots", str(tmp_path / "plots")]) == 0
    names = {"made-by-size", "made-by-seat", "over-and-under", "time-to-bid", "time-to-play"}
    pictures = {path.stem: pygame.image.load(path).get_size() for path in (tmp_path / "plots").iterdir()}
    assert pictures == dict.fromkeys(names, (1280, 720))
    assert len(capsys.readouterr().out.splitlines()) == len(names)
    assert main(["history", "--plots", str(games / "2026-11-20-200000.jsonl")]) == 2
