"""Where games are kept, and which of them goes on."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest

from table.archive import fresh_path, games_folder, go_on_with, is_over, unfinished
from table.errors import TableError
from table.games.base import Game
from table.games.registry import make_game
from tests.referee.tabletop import TableTop

NOON = datetime(2026, 11, 21, 12, 0, 0)


def game(**options: object) -> Game:
    return make_game("whysteria", ("Ada", "Ben", "Cleo"), {"hands": [1], **options})


def written(path: Path, *, over: bool = False) -> Path:
    """A game that was broken off after its first bid, or played to its end."""
    table = TableTop(hands=[1])
    table.rap("Ada", 1000)
    table.bid("Ben", 0, 2000)
    if over:
        table.bid("Cleo", 0, 3000)
        table.bid("Ada", 0, 4000)
        for number, seat in enumerate(("Ben", "Cleo", "Ada")):
            table.lay(f"{9 - number}H", 6000 + 1000 * number, seat)
        table.clear("9H", "8H", "7H", at=12000, arm="Ben")
    lines = table.settle()
    assert is_over(lines) == over
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_games_are_kept_in_the_users_state_folder(tmp_path: Path) -> None:
    assert games_folder({"XDG_STATE_HOME": str(tmp_path)}) == tmp_path / "cardtable" / "games"
    assert games_folder({}) == Path.home() / ".local" / "state" / "cardtable" / "games"
    assert games_folder({"XDG_STATE_HOME": "relative"}) == games_folder({})


def test_a_game_is_named_by_its_beginning_and_after_all_others(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    first = fresh_path(folder, NOON)
    assert first.name == "2026-11-21-120000.jsonl"
    first.touch()
    assert fresh_path(folder, NOON).name == "2026-11-21-120001.jsonl"
    gone_back = fresh_path(folder, datetime(1970, 1, 1))
    assert gone_back.name == "2026-11-21-120001.jsonl", "the last name is the last game"


def test_the_last_game_goes_on_if_it_is_unfinished_and_of_this_table(tmp_path: Path) -> None:
    assert unfinished(tmp_path, game()) is None
    first = written(tmp_path / "2026-11-21-120000.jsonl")
    (tmp_path / "2026-11-21-130000.jsonl").write_text("no journal\nat all\n\n")
    (tmp_path / "2026-11-21-140000.jsonl").touch()
    kept = unfinished(tmp_path, game())
    assert kept is not None
    assert (kept.path, kept.lines[-1]["event"]) == (first, "bid")
    assert unfinished(tmp_path, game(hands=[2])) is None, "another game"
    written(tmp_path / "2026-11-21-150000.jsonl", over=True)
    assert unfinished(tmp_path, game()) is None, "a later one was played to its end"


def test_what_can_not_go_on_is_said_in_one_line(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl")
    with pytest.raises(TableError, match=r"a.jsonl: another game"):
        go_on_with(path, game(hands=[2]))
    with pytest.raises(TableError, match=r"b.jsonl: its game is over"):
        go_on_with(written(tmp_path / "b.jsonl", over=True), game())
    rows = path.read_text().splitlines()
    bid = json.loads(rows[-1])
    path.write_text("\n".join([*rows[:-1], json.dumps({**bid, "bid": 77})]) + "\n")
    with pytest.raises(TableError, match=rf"a.jsonl: journal line {bid['seq']}: bid can't be"):
        go_on_with(path, game())
