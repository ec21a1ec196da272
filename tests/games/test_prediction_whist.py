"""Prediction Whist, rule by rule and option by option."""

from __future__ import annotations

from typing import Any

import pytest

from table.events.game_events import Bid, Came, Left
from table.games.engine.game_state import Phase
from table.games.engine.option_checks import option_place
from table.games.registry import make_game
from tests.games.play import VECTORS, Story, events, legal
from tests.wrong import wrong


def begin(seats: str = "ABC", **options: Any) -> Story:
    story = Story("prediction-whist", seats, **options)
    story.deals()
    return story


@pytest.mark.parametrize("how", ["jump", "climb"])
def test_hand_sizes(how: str) -> None:
    game = make_game("prediction-whist", "ABC", {"return": how})
    wanted = VECTORS["sequences"][f"prediction_whist_{how}"]
    state = game.start().state
    assert [game.rules.hand_size(state, number) for number in range(1, len(wanted) + 1)] == wanted


def test_the_start_is_lowered_for_many_players_and_a_larger_one_refused() -> None:
    def start(players: int) -> int:
        return int(make_game("prediction-whist", [f"P{n}" for n in range(players)]).options["start"])

    assert start(8) == VECTORS["sequences"]["prediction_whist_8_players_start"]
    assert [start(players) for players in (2, 7, 9, 10, 13)] == [7, 7, 5, 5, 4]
    with wrong("option.too_many_cards", at=option_place("start"), size=7, players=8, most=6):
        make_game("prediction-whist", "ABCDEFGH", {"start": 7})


def test_a_start_of_one_stays_at_one() -> None:
    for how in ("jump", "climb"):
        game = make_game("prediction-whist", "ABC", {"return": how, "start": 1})
        assert [game.rules.hand_size(game.start().state, number) for number in (1, 2, 3)] == [1, 1, 1]


def test_diamonds_are_trumps_and_the_dealer_is_hooked() -> None:
    vector = next(one for one in VECTORS["hook"] if one["game"] == "prediction-whist")
    story = begin(hands=[vector["cards"]])
    assert story.state.trump == "D"
    story.bids(f"B{vector['bids'][0]} C{vector['bids'][1]}")
    assert vector["forbidden"] not in legal(story, "A")
    assert story.refuses(Bid("A", vector["forbidden"])).code == "forbidden_bid"


def test_a_miss_costs_a_life_and_the_lives_are_said() -> None:
    story = begin(hands=[1, 1])
    story.bids("B1 C1 A1")
    said = story.trick("B:AH C:2D A:KH")
    assert events(said) == ["trick_taken", "hand_scored", "lives", "hand_started", "trump"]
    assert said[1].fields["points"] == {"A": -1, "B": -1, "C": 0}
    assert said[1].fields["totals"] == {"A": 2, "B": 2, "C": 3}
    assert said[2].fields == {"lives": {"A": 2, "B": 2, "C": 3}, "out": []}


def test_who_is_out_is_passed_over_for_deal_bids_and_play() -> None:
    story = begin("ABCD", lives=1, start=2)
    story.bids("B0 C1 D1 A1")
    story.trick("B:2H C:3D D:4H A:5H")
    said = story.trick("C:2C D:3C A:4S B:6H")
    assert said[2].fields == {"lives": {"A": 0, "B": 1, "C": 1, "D": 1}, "out": ["A"]}
    assert story.state.players == ("B", "C", "D")
    assert story.state.dealer == "B"
    story.deals()
    assert story.refuses(Bid("A", 0)).code == "not_in_hand"
    story.bids("C1 D0")
    assert legal(story, "B") == [1]
    story.bids("B1")
    said = story.trick("C:2H D:3S B:3D")
    assert said[2].fields["out"] == ["C"]
    assert story.state.dealer == "D"


def test_the_last_one_alive_wins_and_who_is_out_longer_ranks_lower() -> None:
    story = begin("ABC", lives=1, start=1)
    story.bids("B0 C0 A0")
    said = story.trick("B:2H C:3H A:4H")
    assert said[2].fields["out"] == ["A"]
    story.deals()
    story.bids("C0 B0")
    said = story.trick("C:2H B:3H")
    assert said[-1].fields["ranking"] == [["C"], ["B"], ["A"]]
    assert said[-1].fields["winners"] == ["C"]
    assert story.phase() is Phase.OVER


def test_all_out_together_is_a_draw_of_those_alive_before() -> None:
    story = begin("ABC", lives=1, hands=[1, 2])
    story.bids("B0 C0 A0")
    story.trick("B:2H C:3H A:4H")
    story.deals()
    story.bids("C1 B0")
    story.trick("C:2H B:3H")
    said = story.trick("B:5S C:3S")
    assert said[1].fields["points"] == {"B": -1, "C": -1}
    assert said[-1].fields["ranking"] == [["B", "C"], ["A"]]
    assert said[-1].fields["winners"] == ["B", "C"]


def test_the_last_one_present_wins_and_not_who_has_left_with_more_lives() -> None:
    story = begin("ABC", lives=2, start=1)
    story.bids("B0 C0 A0")
    story.trick("B:2H C:3H A:4H")
    story.does(Left("B"))
    story.deals()
    story.bids("A0 C0")
    said = story.trick("A:3H C:2H")
    assert said[-1].fields["totals"] == {"A": 0, "B": 2, "C": 2}
    assert said[-1].fields["ranking"] == [["C"], ["A"], ["B"]]
    assert said[-1].fields["winners"] == ["C"]


def test_those_present_who_go_out_together_draw_though_one_has_left_alive() -> None:
    story = begin("ABC", lives=1, hands=[2, 2])
    story.does(Left("B"))
    story.deals()
    story.bids("C0 A0")
    story.trick("C:2H A:3H")
    said = story.trick("A:2S C:3S")
    assert said[-1].fields["ranking"] == [["A", "C"], ["B"]]
    assert said[-1].fields["winners"] == ["A", "C"]


def test_who_comes_back_alive_is_in_it_again() -> None:
    story = begin("ABC", lives=3, hands=[1])
    story.does(Left("B"))
    story.deals()
    story.bids("C1 A1")
    story.does(Came("B"))
    said = story.trick("C:2H A:3H")
    assert said[-1].fields["ranking"] == [["A", "B"], ["C"]]


def test_double_nil_gives_a_life_back_up_to_the_starting_number_and_counts_zero() -> None:
    story = begin("ABC", double_nil=True, hands=[1, 1, 1])
    assert legal(story, "B") == [0, 1, "double nil"]
    story.does(Bid("B", "double nil"))
    story.bids("C0")
    assert legal(story, "A") == [0, "double nil"]
    story.does(Bid("A", "double nil"))
    assert story.said[-1].fields == {"bids": {"A": "double nil", "B": "double nil", "C": 0}, "over": -1}
    said = story.trick("B:2H C:3H A:4H")
    assert said[1].fields["points"] == {"A": -1, "B": 0, "C": 0}
    assert said[1].fields["bids"]["A"] == "double nil"
    story.deals()
    story.bids("C1")
    story.does(Bid("A", "double nil"))
    assert legal(story, "B") == [1]
    assert story.refuses(Bid("B", "double nil")).code == "forbidden_bid"


def test_a_double_nil_made_gives_a_life_back() -> None:
    story = begin("ABC", double_nil=True, hands=[1, 1])
    story.bids("B1 C0 A1")
    story.trick("B:2H C:3S A:4H")
    assert story.state.totals == {"A": 3, "B": 2, "C": 3}
    story.deals()
    story.bids("C0 A0")
    story.does(Bid("B", "double nil"))
    said = story.trick("C:9H A:3H B:2H")
    assert said[1].fields["points"] == {"A": 0, "B": 1, "C": -1}


def test_without_the_option_there_is_no_double_nil() -> None:
    story = begin()
    assert story.refuses(Bid("B", "double nil")).code == "no_such_bid"


def test_a_list_of_hands_ends_the_game_and_most_lives_win() -> None:
    story = begin(hands=[1])
    story.bids("B0 C0 A0")
    said = story.trick("B:2H C:3H A:4H")
    assert said[-1].fields["ranking"] == [["B", "C"], ["A"]]
