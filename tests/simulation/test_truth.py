"""The simulation's truth is independent: the reference rules make it, and the referee is compared with it."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from table.events.event_registry import COMPARED_EVENTS
from table.history.truth_comparison import compare
from table.simulation.players.game_director import ROUGH_MISHAPS, MishapRates, play_game
from table.simulation.players.simulated_game import World
from table.simulation.simulated_config import make_simulated_config
from tests.simulation.perfect import card_facts, journal_of
from tests.speeds import first_quick

SIMULATION = Path(__file__).parents[2] / "table" / "simulation"
WILD = MishapRates(
    tied_bids=0.3,
    tied_leads=0.5,
    late_lead=0.3,
    out_of_turn=0.3,
    revoke=0.25,
    second_thoughts=0.3,
    left_lying=0.7,
    three_way_share=0.4,
    apart_share=0.5,
    face_down=0.1,
)
TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("whysteria", 2, {"hands": [4, 1, 2]}),
    ("whysteria", 3, {"hands": [3, 2, 1, 2]}),
    ("whysteria", 4, {"hands": [3, 2], "mark": False}),
    ("whysteria", 6, {"hands": [3, 1]}),
    ("oh-hell", 3, {"hands": [3, 2, 1, 2]}),
    ("oh-hell", 4, {"hands": [3, 2, 4], "joker": True, "no_trump_every": 2}),
    ("oh-hell", 5, {"hands": [4, 1], "exchange": 2, "scoring": "catastrophe"}),
    ("oh-hell", 3, {"hands": [3, 2, 1], "nullo": True}),
    ("oh-hell", 4, {"hands": [3, 3], "trump": "progressive", "forehead": True, "scoring": "harsh"}),
    ("oh-hell", 3, {"hands": [4, 4], "packs": 2, "scoring": "quick"}),
    ("prediction-whist", 3, {"hands": [3, 2, 1, 2]}),
    ("prediction-whist", 4, {"lives": 1, "start": 3, "double_nil": True}),
    ("prediction-whist", 2, {"lives": 2, "start": 4, "return": "climb"}),
    ("israeli-whist", 4, {"target": 300, "hands": [13]}),
    ("israeli-whist", 4, {"hands": [5, 4], "gulash": "plain"}),
    ("israeli-whist", 4, {"target": 30, "hands": [6], "gulash": "rising", "scoring": "elhanani"}),
    ("oh-shit", 3, {"hands": [3, 2, 1, 2]}),
    ("oh-shit", 4, {"hands": [5, 4], "joker": True}),
    ("oh-shit", 6, {"hands": [4]}),
    ("oh-shit", 4, {"hands": [13]}),
    ("oh-hell", 3, {"hands": [2, 1], "nullo": "race"}),
    ("oh-hell", 3, {"hands": [1, 2, 1], "forehead": "final", "exchange": 1, "exchange_to": "right"}),
    ("oh-hell", 4, {"hands": [1], "scoring": "tricks", "tie_break": "every"}),
]
SEEDS = range(3)
QUICK = (1, 4, 10, 14, 16)
"""Places of the tables that `make test` plays: one of each game."""


def games(name: str, players: int, options: dict[str, Any], seeds: Iterable[int] = SEEDS) -> Iterator[World]:
    for seed in seeds:
        config = make_simulated_config(name, players, options, seed=seed)
        for mischief in (None, ROUGH_MISHAPS, WILD):
            yield play_game(config, seed, mischief=mischief, pace=0.8, start_ns=10**12)


@first_quick("seed", SEEDS)
@first_quick(
    ("name", "players", "options"),
    [TABLES[place] for place in sorted(range(len(TABLES)), key=lambda place: place not in QUICK)],
    quick=len(QUICK),
    ids=str,
)
def test_a_referee_who_is_told_everything_as_it_was_makes_the_truth_of_it(
    name: str, players: int, options: dict[str, Any], seed: int
) -> None:
    for world in games(name, players, options, [seed]):
        comparison = compare(world.truth, journal_of(world))
        assert comparison.differences == (), world.seed
        assert comparison.matched == len(world.truth) > 0


def test_these_games_have_everything_that_a_truth_can_name() -> None:
    told: Counter[str] = Counter()
    for name, players, options in TABLES[:2] + TABLES[13:15]:
        for world in games(name, players, options):
            told.update(line["event"] for line in world.truth)
    assert told.keys() == COMPARED_EVENTS


def test_the_truth_names_the_moment_at_which_a_card_was_withdrawn() -> None:
    withdrawn = 0
    for world in games("whysteria", 3, {"hands": [3, 2, 1]}):
        gone = {fact.t_ns for fact in card_facts(world)}
        for line in world.truth:
            if line["event"] == "card_taken_back":
                withdrawn += 1
                assert line["t_ns"] in gone
    assert withdrawn > 5


def imported(path: Path) -> set[str]:
    """Return the names of the modules that a module imports."""
    modules: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            modules.add(node.module)
    return modules


def test_what_rules_the_truth_shares_no_rule_and_no_judge_with_the_table() -> None:
    for name in (
        "simulated_game",
        "ground_truth_referee",
        "player_strategy",
        "acts_on_simulated_table",
    ):
        modules = imported(SIMULATION / "players" / f"{name}.py")
        assert not {module for module in modules if module.startswith("table.referee")}, name
        assert {module for module in modules if module.startswith("table.games")} <= {
            "table.games.engine.game_state"
        }, name
    for path in (SIMULATION / "reference_rules").glob("*.py"):
        own = {module for module in imported(path) if module.startswith("table")}
        assert all(module.startswith("table.simulation.reference_rules") for module in own), path.name


def test_a_wrong_rule_of_the_table_does_not_reach_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    config = make_simulated_config("oh-hell", 3, {"hands": [3, 2]}, seed=3)
    truth = play_game(config, 3).truth
    winner = "table.games.engine.apply_play_events.trick_winner"
    monkeypatch.setattr(winner, lambda state, _: state.trick.plays[-1].seat)
    world = play_game(config, 3)
    assert world.truth == truth
    assert compare(world.truth, journal_of(world)).differences


def test_a_turned_joker_goes_back_to_the_stock_and_is_not_played() -> None:
    turned = 0
    options = {"hands": [2, 2, 2], "joker": True}
    for seed in range(60):
        bids, aside = 0, False
        for line in play_game(make_simulated_config("oh-hell", 3, options, seed=seed), seed).truth:
            if line["event"] == "hand_scored":
                bids, aside = 0, False
            bids += line["event"] == "bid"
            if line["event"] == "card_taken_back" and line["card"] == "JOKER" and not bids:
                aside, turned = True, turned + 1
            if line["event"] == "card_played":
                assert line["card"] != "JOKER" or not aside
    assert turned > 0
