"""Simulated games are reproducible, follow the rules, and agree with their own edges and motions."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from table.buttons.calls_of_all_seats import Gestures
from table.cards import card
from table.games.registry import GAMES
from table.observed_facts import END_NS, MS, Gesture
from table.simulation.players.game_director import ROUGH_MISHAPS, MishapRates, play_game
from table.simulation.players.simulated_game import World
from table.simulation.rendering.motions_over_time import Lay, Reach, Take
from table.simulation.simulated_config import make_simulated_config
from tests.simulation.perfect import NO_MISHAPS, journal_of

LIVELY = MishapRates(
    tied_bids=0.4, close_bids=0.3, raps=0.4, tied_leads=0.5, late_lead=0.2, out_of_turn=0.2, revoke=0.1
)


def whysteria(players: int, seed: int, mischief: MishapRates | None = None) -> World:
    config = make_simulated_config("whysteria", players, {"hands": [3, 1, 2]}, seed=seed)
    return play_game(config, seed, mischief=mischief, start_ns=10**12)


WORLDS = [(players, seed) for players in range(2, 8) for seed in (1, 2)]


@pytest.fixture(scope="module")
def worlds() -> list[World]:
    return [whysteria(players, seed, LIVELY) for players, seed in WORLDS]


def test_the_same_seed_plays_the_same_game() -> None:
    first, same_seed, other_seed = whysteria(4, 5), whysteria(4, 5), whysteria(4, 6)
    assert (first.edges, first.motions, first.truth) == (same_seed.edges, same_seed.motions, same_seed.truth)
    assert first.truth != other_seed.truth


@pytest.mark.parametrize("name", list(GAMES))
def test_every_game_is_played_to_its_end(name: str) -> None:
    game = GAMES[name]
    players = max(3, game.seat_range[0])
    options: dict[str, Any] = {"hands": [2, 1]}
    if name == "israeli-whist":
        options = {"target": 50, "hands": [13]}
    world = play_game(make_simulated_config(name, players, options, seed=2), 2)
    told = Counter(line["event"] for line in world.truth)
    assert world.truth[-1]["event"] == "game_over"
    assert told["card_played"] >= players * told["trick_won"] > 0
    assert told["trump"] == told["hand_scored"]


def test_edges_are_read_as_what_the_players_meant(worlds: list[World]) -> None:
    for world in worlds:
        heard = Gestures(world.config.seats, world.config.buttons).process_edges(world.edges, END_NS).calls
        told = [
            sorted((call.t_ns, call.seat, call.gesture.value, call.count) for call in calls)
            for calls in (heard, world.calls)
        ]
        assert told[0] == told[1]


def test_every_card_of_the_truth_was_laid_by_that_player_at_that_moment(worlds: list[World]) -> None:
    for world in worlds:
        laid = {(lay.t_ns, lay.seat, lay.card) for lay in world.motions if isinstance(lay, Lay)}
        # A tied lead left lying, or a card out of turn, is played where it was laid, earlier.
        shown = {(seat, name) for _, seat, name in laid}
        exact = 0
        for line in world.truth:
            if line["event"] == "card_played":
                assert (line["seat"], line["card"]) in shown
                exact += (line["t_ns"], line["seat"], line["card"]) in laid
        assert exact > 0


def test_tricks_and_scores_of_the_truth_add_up(worlds: list[World]) -> None:
    for world in worlds:
        won: Counter[str] = Counter()
        bids: dict[str, int] = {}
        totals: Counter[str] = Counter()
        trick: dict[str, Any] = {}
        for line in world.truth:
            if line["event"] == "bid":
                bids[line["seat"]] = line["bid"]
            elif line["event"] == "trick_won":
                if trick.get("trick") == line["trick"]:
                    won[trick["seat"]] -= 1  # a card was withdrawn, and the trick won anew
                trick = line
                cards = {card(play["card"]): play["seat"] for play in line["cards"]}
                led = next(iter(cards)).suit
                best = max(cards, key=lambda laid: (laid.suit == "S", laid.suit == led, laid.strength))
                assert cards[best] == line["seat"]
                won[line["seat"]] += 1
            elif line["event"] == "hand_scored":
                assert line["bids"] == {seat: bids[seat] for seat in world.config.names}
                assert line["tricks"] == {seat: won[seat] for seat in world.config.names}
                totals.update({seat for seat in world.config.names if won[seat] == bids[seat]})
                assert line["totals"] == {seat: totals[seat] for seat in world.config.names}
                won, bids, trick = Counter(), {}, {}


def test_tied_bids_begin_within_the_window_and_others_do_not(worlds: list[World]) -> None:
    seen = 0
    for world in worlds:
        window = world.config.buttons.tie_window_ms * MS
        ties = {line["t_ns"]: line for line in world.truth if line["event"] == "bids_tied"}
        bids = [call for call in world.calls if call.gesture in (Gesture.TAPS, Gesture.ZERO)]
        for earlier, later in pairwise(sorted(bids, key=lambda call: call.t_ns)):
            if later.t_ns - earlier.t_ns < window:
                assert any(0 <= earlier.t_ns - t_ns < window for t_ns in ties)
        for line in ties.values():
            group = [call for call in bids if 0 <= call.t_ns - line["t_ns"] < window]
            assert [call.seat for call in sorted(group, key=lambda call: call.t_ns)] == line["seats"]
            assert line["spread_ns"] == max(call.t_ns for call in group) - line["t_ns"]
            seen += 1
    assert seen > 5


def test_tied_leads_land_within_the_window_and_others_do_not(worlds: list[World]) -> None:
    kept = without = 0
    for world in worlds:
        window = world.config.camera.tie_window_ns
        lays = sorted(
            (stroke for stroke in world.motions if isinstance(stroke, Lay)), key=lambda lay: lay.t_ns
        )
        ties = {line["t_ns"]: line for line in world.truth if line["event"] == "leads_tied"}
        for earlier, later in pairwise(lays):
            assert (later.t_ns - earlier.t_ns < window) <= any(
                0 <= earlier.t_ns - t_ns < window for t_ns in ties
            )
        for line in ties.values():
            group = [lay for lay in lays if 0 <= lay.t_ns - line["t_ns"] < window]
            shown = [{"seat": lay.seat, "card": lay.card} for lay in group]
            if line["kept"] is None:
                without += 1
                assert line["taken_back"] == shown
            else:
                kept += 1
                assert [line["kept"], *line["taken_back"]] == shown
    assert kept > 5
    assert without > 0


def test_nobody_s_arm_does_two_things_at_once(worlds: list[World]) -> None:
    for world in worlds:
        for name in world.config.names:
            own = sorted(
                (stroke for stroke in world.motions if stroke.seat == name), key=lambda stroke: stroke.t_ns
            )
            assert all(earlier.end_ns <= later.start_ns for earlier, later in pairwise(own))


def test_every_card_laid_is_taken_again(worlds: list[World]) -> None:
    for world in worlds:
        laid = {stroke.id: stroke.t_ns for stroke in world.motions if isinstance(stroke, Lay)}
        taken = {
            card_id: stroke.t_ns
            for stroke in world.motions
            if isinstance(stroke, Take)
            for card_id in stroke.ids
        }
        assert laid.keys() == taken.keys()
        assert all(taken[card_id] > laid[card_id] for card_id in laid)


def test_a_peaceful_game_has_nothing_out_of_order() -> None:
    world = whysteria(3, 4, NO_MISHAPS)
    events = {line["event"] for line in journal_of(world)}
    assert not events & {"bids_tied", "leads_tied", "out_of_turn", "bid_refused", "card_taken_back", "revoke"}


def test_a_rough_game_has_the_same_truth_as_its_rulings_without_what_changes_nothing() -> None:
    reaches = blanks = 0
    for seed in range(6):
        config = make_simulated_config("whysteria", 3, {"hands": [3, 1]}, seed=seed)
        world = play_game(config, seed, mischief=ROUGH_MISHAPS)
        reaches += sum(isinstance(stroke, Reach) for stroke in world.motions)
        blanks += sum(isinstance(stroke, Lay) and stroke.card is None for stroke in world.motions)
        # A card that lay face down was no play: what is in the truth lay there face up.
        shown = {
            (stroke.seat, stroke.card) for stroke in world.motions if isinstance(stroke, Lay) and stroke.card
        }
        played = {(line["seat"], line["card"]) for line in world.truth if line["event"] == "card_played"}
        assert played <= shown
        assert world.truth[-1]["event"] == "game_over"
    assert reaches > 5
    assert blanks > 0
