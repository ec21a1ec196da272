"""What was chosen last is read back as it was; what can't be understood is as if nothing had been kept."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from table.games.registry import GAMES
from table.menu.next_game_plan import MAX_KNOWN_PLAYERS, GamePlan
from table.menu.remembered_choices import load_plan, save_plan

PLAN = GamePlan(
    "oh-hell",
    "harsh",
    {"1": "Ada", "3": "Zoë שרה"},
    "Ada",
    screen={"sound": False, "four_colours": True},
    known_players=("Ada", "Zoë שרה", "Ben"),
    changes={"hook": False, "hands": [3, 2], "start": None},
    kept_rules={"whysteria": {"Sunday שבת": {"start": 10}}},
    angles={"1": 12.5, "3": 200.0},
)


def test_a_plan_is_read_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "state" / "chosen.json"
    assert load_plan(path) is None
    save_plan(path, PLAN)
    assert load_plan(path) == PLAN
    assert list(path.parent.iterdir()) == [path], "nothing half-written lies there"


def test_rules_that_were_kept_are_not_lost_however_many_they_are(tmp_path: Path) -> None:
    options = {
        name: {option.name: option.value_of({}) for option in kind.option_specs}
        for name, kind in GAMES.items()
    }
    kept = {name: {f"Rules {n}": options[name] for n in range(200)} for name in GAMES}
    plan = replace(PLAN, kept_rules=kept)
    path = tmp_path / "chosen.json"
    save_plan(path, plan)
    assert load_plan(path) == plan


@pytest.mark.parametrize(
    "changes",
    [
        {"game": "chess"},
        {"screen": {"language": "xx"}},
        {"screen": {"lies_flat": 1}},
        {"screen": {"language": ["en"]}},
        {"screen": 3},
        {"seated": {"1": "Ada", "2": "Ada"}},
        {"seated": {"1": ""}},
        {"seated": ["Ada"]},
        {"known": ["\u0007"]},
        {"known": 3},
        {"changes": 3},
        {"angles": {"1": "north"}},
        {"kept_rules": {"whysteria": {"\u0007": {}}}},
    ],
)
def test_what_is_garbled_counts_for_nothing(tmp_path: Path, changes: dict[str, Any]) -> None:
    path = tmp_path / "chosen.json"
    save_plan(path, PLAN)
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
    assert load_plan(path) is None
    path.write_text("[" * 3000)
    assert load_plan(path) is None


def test_options_of_another_version_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "chosen.json"
    changes = {"hook": False, "chess_clock": True, "scoring": "new"}
    save_plan(path, replace(PLAN, changes=changes, kept_rules={"chess": {"Club": {}}}))
    found = load_plan(path)
    assert found is not None
    assert (found.changes, found.kept_rules) == ({"hook": False}, {})


def test_what_was_kept_when_the_screen_had_no_part_of_its_own_is_read(tmp_path: Path) -> None:
    path = tmp_path / "chosen.json"
    save_plan(path, PLAN)
    kept = json.loads(path.read_text())
    del kept["screen"]
    path.write_text(json.dumps({**kept, "sound": False, "language": "de"}))
    found = load_plan(path)
    assert found is not None
    assert found.screen == {"sound": False, "language": "de"}


def test_a_place_that_can_t_be_written_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    save_plan(tmp_path / "state" / "chosen.json", PLAN)


def test_so_many_names_are_known_and_no_more() -> None:
    plan = GamePlan().with_known_players(*(f"Guest {number}" for number in range(100)))
    assert len(plan.known_players) == MAX_KNOWN_PLAYERS
    assert plan.with_known_players("guest 3").known_players[0] == "guest 3"
    assert len(plan.with_known_players("guest 3").known_players) == MAX_KNOWN_PLAYERS
