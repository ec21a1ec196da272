"""The naive implementation gives the examples of the sources and of the rules page by itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from table.simulation.reference_rules import make_reference_game
from table.simulation.reference_rules.israeli_whist import IsraeliWhist, elhanani, standard
from table.simulation.reference_rules.oh_hell import OhHell
from table.simulation.reference_rules.oh_shit import OhShit, points
from table.simulation.reference_rules.prediction_whist import PredictionWhist
from table.simulation.reference_rules.whysteria import Whysteria

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "games" / "vectors.json").read_text(encoding="utf-8")
)
SEATS = ["South", "West", "North", "East"]


@pytest.mark.parametrize("row", [row for row in VECTORS["hook"] if row.get("cards")], ids=str)
def test_the_last_bid_that_would_make_the_sum(row: dict[str, Any]) -> None:
    game = "oh-hell" if row["game"] == "any" else row["game"]
    seats = SEATS[: len(row["bids"]) + 1]
    naive = make_reference_game(game, seats, {"hands": [row["cards"]], "first_dealer": seats[-1]})
    naive.dealt()
    for seat, bid in zip(seats, row["bids"], strict=False):
        naive.bid(seat, bid)
    allowed = [bid for bid in range(row["cards"] + 1) if bid != row["forbidden"]]
    assert naive.legal_bids(seats[-1]) == allowed == row.get("allowed", allowed)


def test_the_auction_of_the_source() -> None:
    vector = VECTORS["israeli_whist_auction"]
    naive = IsraeliWhist(list(SEATS), {"target": 300})
    naive.dealt()
    for call in vector["calls"]:
        naive.call(naive.whose_bid(), "pass" if call == "P" else call)
    assert (naive.declarer, naive.trump, naive.bids) == ("North", "C", [("North", 7)])
    for letter, bid in vector["second_phase"]:
        assert naive.whose_bid()[0] == letter
        if letter == "W":
            assert vector["forbidden_W"] not in naive.legal_bids("West")
        naive.bid(naive.whose_bid(), bid)
    assert naive.sum_of_bids() == vector["total"] < 13
    assert naive.whose_turn() == "North"


@pytest.mark.parametrize("name", ["israeli_whist_score", "elhanani_score"])
def test_israeli_whists_scores(name: str) -> None:
    score = standard if name == "israeli_whist_score" else elhanani
    for bid, tricks, over, expected in VECTORS[name]:
        assert score(bid, tricks, over == "over") == expected


def test_oh_shits_scores_and_revokes() -> None:
    for _, bid, tricks, revoked, expected in VECTORS["oh_shit_round"]:
        assert points(bid, tricks, revoked) == expected
    for bid, tricks, expected in VECTORS["oh_shit_revoke_floor"]:
        assert points(bid, tricks, True) == expected


def test_oh_shits_deciding_deal_can_tie_as_listed() -> None:
    ties = []
    for first_bid in range(6):
        for second_bid in range(6):
            for tricks in range(6):
                if points(first_bid, tricks, False) == points(second_bid, 5 - tricks, False):
                    ties.append([first_bid, second_bid, tricks])
    assert ties == sorted(VECTORS["oh_shit_decider_ties_b1_b2_t1"])


@pytest.mark.parametrize("scoring", ["standard", "harsh", "quick"])
def test_oh_hells_scores(scoring: str) -> None:
    naive = OhHell(SEATS[:3], {"hands": [10], "scoring": scoring})
    for bid, tricks, expected in VECTORS[f"oh_hell_{scoring}"]:
        assert naive.points_for(bid, tricks) == expected


def test_oh_hells_bonus_for_all() -> None:
    for cards, bid, tricks, expected in VECTORS["oh_hell_made_all"]:
        naive = OhHell(SEATS[:3], {"hands": [cards], "made_all_bonus": True})
        assert naive.points_for(bid, tricks) == expected


def test_the_hands_sizes() -> None:
    sizes = VECTORS["sequences"]
    three = SEATS[:3]
    assert Whysteria(three, {}).sequence() == sizes["whysteria"]
    assert Whysteria(three, {"start": 10}).sequence() == sizes["whysteria_long"]
    assert OhShit(three, {}).sequence() == sizes["oh_shit_full"]
    assert OhShit(three, {"half": True}).sequence() == sizes["oh_shit_half"]
    assert OhHell(three, {}).sequence() == sizes["oh_hell_down_up"]
    assert OhHell(three, {"shape": "down"}).sequence() == sizes["oh_hell_short"]
    assert OhHell(three, {"shape": "up-down"}).sequence() == sizes["oh_hell_rock_and_roll_max10"]
    eleven = OhHell(three, {"shape": "up-down", "start": 11}).sequence()
    assert eleven == sizes["oh_hell_rock_and_roll_max11"]
    for way in ("jump", "climb"):
        naive = PredictionWhist(three, {"return": way})
        wanted, size, up = sizes[f"prediction_whist_{way}"], naive.cards, False
        for expected in wanted:
            assert size == expected
            size, up = naive.size_after(size, up)
    eight = [f"player {number}" for number in range(8)]
    assert PredictionWhist(eight, {}).cards == sizes["prediction_whist_8_players_start"]


def joker_hand(hand: list[str]) -> OhShit:
    naive = OhShit(SEATS[:3], {"hands": [len(hand)], "joker": True})
    naive.turn_up("AS")
    naive.waits = "play"
    return naive


def test_the_jokers_example_at_no_trumps_step_by_step() -> None:
    vector = VECTORS["oh_shit_joker_nt"][0]
    hand = list(vector["hand"])
    naive = joker_hand(hand)
    fillers = ["2C", "3C", "4C", "5C"]
    for step, filler in zip(vector["steps"], fillers, strict=True):
        naive.play("North", step["lead"])
        assert sorted(naive.legal_plays("South", hand)) == sorted(step["legal"])
        naive.play("South", step["play"])
        hand.remove(step["play"])
        winner = naive.play("West", filler)
        assert winner == ("South" if step.get("wins") else "North")
        if hand:
            naive.pick_up()


@pytest.mark.parametrize("vector", VECTORS["oh_shit_joker_nt"][1:], ids=lambda vector: str(vector["note"]))
def test_when_the_joker_is_a_revoke(vector: dict[str, Any]) -> None:
    naive = joker_hand(vector["hand"])
    for (lead, card), filler in zip(vector["plays"], ["2C", "3C", "4C"], strict=False):
        naive.play("North", lead)
        naive.play("South", card)
        naive.play("West", filler)
        naive.pick_up()
    assert naive.who_revoked() == ["South"] * vector["revoke"]
