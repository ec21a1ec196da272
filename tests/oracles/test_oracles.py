"""Short runs of the comparisons, and proof that a comparison notices what it is there to notice."""

from __future__ import annotations

from typing import Any

import pytest

from table.games.registry import make_game
from table.simulation.reference_rules import REFERENCE_GAMES, israeli_whist, make_reference_game, oh_shit
from table.simulation.reference_rules.common import ReferenceGame
from table.simulation.reference_rules.israeli_whist import IsraeliWhist
from table.simulation.reference_rules.oh_hell import OhHell
from table.simulation.reference_rules.oh_shit import OhShit
from table.simulation.reference_rules.prediction_whist import PredictionWhist
from table.simulation.reference_rules.whysteria import Whysteria
from tests.oracles.compare import NAMES, DifferenceError, compare, random_table
from tests.oracles.perft import copy_of
from tests.oracles.spiel import compare_spiel, load_spiel
from tests.wrong import wrong


@pytest.mark.parametrize("name", list(REFERENCE_GAMES))
def test_random_games_go_alike_in_both_implementations(name: str) -> None:
    counts = compare(name, deals=50, seed=1)
    assert counts["games"] >= 3
    assert min(counts[what] for what in ("bids", "bid sets", "play sets", "tricks", "scores", "rankings")) > 0


@pytest.mark.parametrize("name", ["oh_hell", "bridge"])
def test_random_deals_go_alike_in_openspiel(name: str) -> None:
    if load_spiel() is None:
        pytest.skip("open_spiel is not installed")
    counts = compare_spiel(name, deals=40, seed=1)
    assert counts["deals"] == 40
    assert min(counts[what] for what in ("bids", "bid sets", "play sets", "tricks", "scores")) >= 40


# --- a comparison that could not fail would be worth nothing ------------------------------------------------


def lowest_wins(naive: ReferenceGame, trick: list[tuple[str, str]], named: str | None) -> str:
    return trick[-1][0]


def no_hook(naive: ReferenceGame, seat: str) -> list[int]:
    mine = naive.waits == "bid" and seat == naive.whose_bid()
    return list(range(naive.cards + 1)) if mine else []


def same_dealer(naive: ReferenceGame, seat: str, among: list[str]) -> str:
    return seat


WRONG: list[tuple[str, Any, str, Any]] = [
    (name, game, "trick_winner", lowest_wins) for name, game in REFERENCE_GAMES.items()
] + [
    ("whysteria", Whysteria, "default", lambda naive: naive.who_still_may()[-1]),
    ("whysteria", Whysteria, "must", lambda naive: naive.forced),
    ("whysteria", Whysteria, "fixed_trump", lambda naive: "H"),
    ("oh-hell", OhHell, "legal_bids", no_hook),
    ("oh-hell", OhHell, "points_for", lambda naive, bid, tricks: 10 + tricks if bid == tricks else 0),
    ("oh-hell", OhHell, "key", lambda naive, seat: (1, -naive.totals[seat])),
    ("prediction-whist", PredictionWhist, "legal_bids", no_hook),
    ("prediction-whist", PredictionWhist, "size_after", lambda naive, size, up: (max(1, size - 1), False)),
    ("prediction-whist", PredictionWhist, "fixed_trump", lambda naive: "S"),
    (
        "israeli-whist",
        israeli_whist,
        "standard",
        lambda bid, tricks, over: 10 + bid * bid if bid == tricks else 0,
    ),
    ("israeli-whist", israeli_whist, "elhanani", lambda bid, tricks, over: 0),
    ("israeli-whist", IsraeliWhist, "lowest_level", lambda naive: 5),
    ("oh-shit", oh_shit, "points", lambda bid, tricks, revoked: 10 + bid if bid == tricks else 0),
    ("oh-shit", OhShit, "turn_up", lambda naive, card: setattr(naive, "trump", card[-1])),
    ("oh-shit", OhShit, "joker_may_be", lambda naive, seat, hand, suit: True),
    ("oh-shit", OhShit, "revokes_with_the_joker", lambda naive: []),
]


@pytest.mark.parametrize(
    ("name", "where", "what", "wrong"), WRONG, ids=[f"{name}-{what}" for name, _, what, _ in WRONG]
)
def test_a_wrong_rule_is_noticed(
    name: str, where: Any, what: str, wrong: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, what, wrong)
    with pytest.raises(DifferenceError, match=f"{name}, seed"):
        compare(name, deals=2000, seed=2)


def test_the_same_seed_gives_the_same_games() -> None:
    assert compare("oh-shit", deals=10, seed=5) == compare("oh-shit", deals=10, seed=5)


def test_every_option_of_the_rules_is_drawn() -> None:
    import random

    wanted = {
        "whysteria": {"hands", "first_dealer", "start", "constant", "mark"},
        "oh-hell": {
            *("hands", "first_dealer", "shape", "start", "scoring", "made_all_bonus", "hook", "trump"),
            *(
                "no_trump_every",
                "joker",
                "exchange",
                "exchange_to",
                "forehead",
                "nullo",
                "packs",
                "tie_break",
            ),
        },
        "prediction-whist": {"hands", "first_dealer", "lives", "start", "return", "double_nil"},
        "israeli-whist": {"hands", "first_dealer", "target", "gulash", "scoring"},
        "oh-shit": {"hands", "first_dealer", "half", "joker", "pack"},
    }
    for name, options in wanted.items():
        rng = random.Random(name)
        drawn: set[str] = set()
        for _ in range(300):
            drawn |= set(random_table(name, rng)[1])
        assert drawn == options, name


def test_a_naive_game_copied_goes_its_own_way() -> None:
    naive = make_reference_game("oh-hell", ["Ada", "Ben", "Cleo"], {"hands": [1], "trump": "progressive"})
    naive.dealt()
    other = copy_of(naive)
    other.bid("Ben", 1)
    assert naive.bids == []
    assert other.bids == [("Ben", 1)]


LARGEST = [
    # The rules page: with a turned card 17, 12, 10, 8, 7; with two packs, from the same arithmetic.
    *[("oh-hell", players, {}, most) for players, most in [(3, 17), (4, 12), (5, 10), (6, 8), (7, 7)]],
    *[("oh-hell", players, {"packs": 2}, 103 // players) for players in range(3, 11)],
    # Hands that have no trumps leave no card to turn: thirteen for four players.
    ("oh-hell", 4, {"no_trump_every": 13}, 13),
    ("oh-hell", 4, {"no_trump_every": 13, "joker": True}, 13),
    ("oh-hell", 8, {"no_trump_every": 13, "packs": 2}, 13),
    ("oh-hell", 4, {"no_trump_every": 5}, 12),
    # The stock may be used up.
    *[("oh-shit", players, {"pack": 52}, 52 // players) for players in range(3, 8)],
    *[("oh-shit", players, {}, most) for players, most in [(3, 17), (4, 13), (5, 10), (6, 10), (7, 9)]],
    *[("oh-shit", players, {"pack": 63}, 63 // players) for players in range(3, 8)],
    # No card is turned.
    *[("whysteria", players, {}, 52 // players) for players in range(2, 8)],
    *[("prediction-whist", players, {}, 52 // players) for players in range(2, 11)],
    ("israeli-whist", 4, {"target": 300}, 13),
]


@pytest.mark.parametrize(("name", "players", "options", "most"), LARGEST)
def test_the_largest_hand_is_what_the_pack_gives(
    name: str, players: int, options: dict[str, Any], most: int
) -> None:
    seats = NAMES[:players]
    state = make_game(name, seats, {**options, "hands": [most]}).start().state
    assert state.cards == most
    with wrong("option.too_many_cards", size=most + 1, most=most):
        make_game(name, seats, {**options, "hands": [most + 1]})


@pytest.mark.parametrize(
    ("name", "players", "options"),
    [
        *[("whysteria", players, {}) for players in range(2, 8)],
        *[("whysteria", players, {"start": 10}) for players in range(2, 6)],
        *[
            ("oh-hell", players, {"shape": s})
            for players in range(3, 8)
            for s in ("down-up", "down", "up-down")
        ],
        ("oh-hell", 4, {"start": 13, "no_trump_every": 13}),
        ("oh-hell", 13, {"packs": 2, "no_trump_every": 8}),
        ("oh-hell", 13, {"packs": 2, "no_trump_every": 10}),
        *[("oh-shit", players, {"half": half}) for players in range(3, 8) for half in (False, True)],
        *[("oh-shit", players, {"pack": 63}) for players in range(3, 8)],
    ],
)
def test_the_hands_of_a_whole_game_are_the_same(name: str, players: int, options: dict[str, Any]) -> None:
    seats = NAMES[:players]
    sizes = make_game(name, seats, options).options["hands"]
    assert list(sizes) == make_reference_game(name, seats, options).sequence()
