"""The bench measures what it says: whole games by the rules, and the whole path."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from table.__main__ import main
from table.benchmark.resume_speed import (
    JOURNAL_NAME,
    RESUME_POINTS,
    make_long_game,
    time_resume,
    write_journals,
)
from table.benchmark.rules_speed import CARDS, SEATS, make_short_game, play_random_game
from table.games.registry import GAMES
from table.history.archive import find_unfinished_game
from table.phrase import make_phrase
from table.referee.records.stored_facts import facts_path
from tests.wrong import told


@pytest.mark.parametrize("name", GAMES)
def test_a_random_game_is_played_to_its_end_and_is_the_same_for_the_same_seed(name: str) -> None:
    cards = 13 if name == "israeli-whist" else CARDS
    events = [play_random_game(make_short_game(name), random.Random(7)) for _ in range(2)]
    assert events[0] == events[1]
    # At least the deal, a bid of each but for a declarer's, every card and every trick's taking.
    assert events[0] >= 1 + len(SEATS) - 1 + cards * len(SEATS) + cards


@pytest.mark.thorough
def test_bench_prints_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--json", "--seconds", "0.01", "--lines", "100"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert 100 <= found["resume_lines"] < 300
    assert found["resume_ms"] > 0
    assert found["resume_at_last_trick_ms"] > 0
    assert found["resume_by_journal_alone_ms"] > 0
    assert set(found["random_games_a_second"]) == set(GAMES)
    assert 0 < found["path_looks"] < found["path_frames"], "the detector looks only when something happened"
    assert found["yardstick_ms"] is None


@pytest.mark.thorough
def test_what_is_gone_back_to_is_a_long_game_as_a_power_cut_leaves_it(tmp_path: Path) -> None:
    """What the bench times is the way back of a real table: to the same hand, with and without what lies beside."""
    lines = 200
    count = write_journals(tmp_path, lines)
    assert count >= lines
    game = make_long_game(lines)
    stood = {}
    for stand in RESUME_POINTS:
        path = tmp_path / stand / JOURNAL_NAME
        assert facts_path(path).exists() == (stand != "alone")
        time_resume(path.parent, game)
        found = find_unfinished_game(path.parent, game)
        assert found is not None
        assert len(found.lines) >= count
        stood[stand] = [line for line in found.lines if line["event"] in ("hand_started", "trick_won")][-1]
    assert stood["between"]["hand"] == stood["alone"]["hand"] + 1
    assert stood["trick"]["event"] == "trick_won"


def test_a_missing_yardstick_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--yardstick", "no.onnx"]) == 2
    assert capsys.readouterr().err == (
        f"cardtable: no.onnx: {told('file.none', expected=make_phrase('expected.onnx'))}\n"
    )
