"""Israeli Whist, rule by rule and option by option."""

from __future__ import annotations

from typing import Any

import pytest

from table.cards import DENOMINATIONS, parse_bid
from table.events.game_events import Bid, CardsPassed, Passed, Rapped
from table.games.engine.game_state import Phase, refuse
from table.games.engine.option_checks import option_place
from table.games.engine.shared_rules import auction_declarer
from table.games.israeli_whist import elhanani_points, standard_points
from table.games.registry import make_game
from tests.games.play import VECTORS, Story, events, legal
from tests.wrong import wrong

SEATS = "SWNE"
"""South, West, North, East: to the left is clockwise."""


def begin(**options: Any) -> Story:
    options.setdefault("target", 300)
    story = Story("israeli-whist", SEATS, **options)
    story.deals()
    return story


def calls(story: Story, begin: str) -> list[str]:
    """``calls("P 5H 6C")`` from whose turn it is; the events of the last call."""
    said: list[str] = []
    for call in begin.split():
        seat = story.expected().default_seat
        assert seat is not None
        said = events(story.does(Passed(seat) if call == "P" else Bid(seat, parse_bid(call))))
    return said


def test_the_target_has_to_be_agreed_unless_hands_end_the_game() -> None:
    with wrong("option.target", at=("israeli-whist", option_place("target"))):
        make_game("israeli-whist", SEATS, {})
    make_game("israeli-whist", SEATS, {"hands": [13]})
    make_game("israeli-whist", SEATS, {"target": 300})


def test_the_source_s_example_of_an_auction() -> None:
    example = VECTORS["israeli_whist_auction"]
    story = begin(first_dealer=example["dealer"])
    said = calls(story, " ".join(example["calls"]))
    assert said == ["pass", "trump"]
    assert story.said[-1].fields == {"suit": example["contract"][1], "card": None}
    assert auction_declarer(story.state) == example["declarer"]
    assert story.state.bids_by_seat == {example["declarer"]: example["contract"][0]}
    for seat, bid in example["second_phase"]:
        assert story.expected().seats == (seat,)
        if seat == "W":
            assert example["forbidden_W"] not in legal(story, "W")
            assert story.refuses(Bid("W", example["forbidden_W"])).code == "forbidden_bid"
        story.does(Bid(seat, bid))
    over = story.said[-1].fields
    assert sum(over["bids"].values()) == example["total"]
    assert over["over"] == -1
    assert over["bids"] == {"S": 0, "W": 3, "N": 7, "E": 2}
    assert story.expected().seats == (example["opening_leader"],)
    assert story.state.trump == "C"


def test_the_auction_starts_with_the_dealer_and_each_bid_outranks_the_last() -> None:
    story = begin()
    assert story.expected().phase is Phase.AUCTION
    assert story.expected().seats == ("S",)
    every = [f"{number}{suit}" for number in range(5, 14) for suit in DENOMINATIONS]
    assert legal(story, "S") == every
    calls(story, "6H")
    assert legal(story, "W") == every[every.index("6H") + 1 :]
    assert legal(story, "W")[:2] == ["6S", "6NT"]
    assert story.refuses(Bid("W", parse_bid("6D"))).code == "too_low"
    assert story.refuses(Bid("W", parse_bid("6H"))) == refuse(
        "too_low", "not_above", seat="W", bid="6H", other="S", last="6H"
    )
    assert story.refuses(Bid("N", parse_bid("7C"))).code == "not_your_turn"
    assert story.refuses(Passed("N")).code == "not_your_turn"
    assert story.refuses(Bid("W", parse_bid("14C"))).code == "no_such_bid"
    assert story.refuses(Bid("W", 7)).code == "no_such_bid"


def test_the_auction_starts_from_five() -> None:
    story = begin()
    assert story.refuses(Bid("S", parse_bid("4NT"))) == refuse("too_low", seat="S", bid="4NT", lowest=5)


def test_a_bidder_may_raise_the_own_bid_after_three_passes() -> None:
    story = begin()
    calls(story, "5C P P P")
    assert story.phase() is Phase.AUCTION
    assert story.expected().seats == ("S",)
    calls(story, "7C P P P")
    assert calls(story, "P") == ["pass", "trump"]
    assert story.state.bids_by_seat == {"S": 7}


def test_who_has_passed_may_bid_later() -> None:
    story = begin()
    calls(story, "P P 5C P 5D")
    assert story.state.calls[-1] == ("S", parse_bid("5D"))


def test_passed_out_is_dealt_again_by_the_same_dealer() -> None:
    story = begin()
    assert calls(story, "P P P P") == ["pass", "thrown_in", "hand_started"]
    assert story.said[-1].fields == {"hand": 1, "cards": 13, "dealer": "S"}
    assert story.phase() is Phase.DEAL


def passes_cards(story: Story) -> list[str]:
    assert story.phase() is Phase.PASS_CARDS
    assert story.refuses(Passed("S")).code == "wrong_phase"
    story.does(Rapped("N"), Rapped("S"), Rapped("E"))
    said = story.does(Rapped("W"))
    assert said[1].fields["cards"] == 3
    return events(said)


@pytest.mark.parametrize(("gulash", "lowest"), [("plain", ["5C", "5C"]), ("rising", ["6C", "7C", "8C"])])
def test_gulash_hands_on_three_cards_and_bids_again(gulash: str, lowest: list[str]) -> None:
    story = begin(gulash=gulash)
    assert legal(story, "S")[0] == "5C"
    for first in lowest:
        assert calls(story, "P P P P") == ["pass"]
        assert passes_cards(story) == ["rap", "cards_passed"]
        assert story.expected().seats == ("S",)
        assert legal(story, "S")[0] == first
    assert calls(story, "P P P P") == ["pass", "thrown_in", "hand_started"]
    assert story.state.dealer == "S"
    story.deals()
    assert legal(story, "S")[0] == "5C"


def test_cards_may_be_said_to_be_passed_without_the_raps() -> None:
    story = begin(gulash="plain")
    calls(story, "P P P P")
    assert events(story.does(CardsPassed())) == ["cards_passed"]
    assert story.phase() is Phase.AUCTION
    assert story.refuses(CardsPassed()).code == "wrong_phase"


def test_after_thirteen_and_two_zeros_the_last_may_not_bid_zero() -> None:
    story = begin()
    calls(story, "13NT P P P P")
    story.bids("W0 N0")
    assert legal(story, "E") == list(range(1, 14))


def test_the_second_bids_go_from_zero_to_thirteen_in_turn() -> None:
    story = begin()
    calls(story, "P 5S P P P P")
    assert story.expected().seats == ("N",)
    assert legal(story, "N") == list(range(14))
    assert story.refuses(Bid("E", 1)).code == "not_your_turn"
    assert story.refuses(Bid("N", parse_bid("6C"))).code == "no_such_bid"


def test_standard_points() -> None:
    for bid, tricks, over, points in VECTORS["israeli_whist_score"]:
        for case in (True, False) if over is None else (over == "over",):
            assert standard_points(bid, tricks, over=case) == points


def test_elhanani_points() -> None:
    for bid, tricks, over, points in VECTORS["elhanani_score"]:
        for case in (True, False) if over is None else (over == "over",):
            assert elhanani_points(bid, tricks, over=case) == points


def short(scoring: str = "standard", hands: tuple[int, ...] = (1,), target: int | None = None) -> Story:
    """One card each: South declares 1 in spades."""
    story = Story("israeli-whist", SEATS, hands=list(hands), scoring=scoring, target=target)
    story.deals()
    calls(story, "1S P P P P")
    return story


def test_over_and_under_count_for_zeros() -> None:
    story = short()
    story.bids("W0 N1 E0")
    story.trick("S:AS W:2S N:3S E:4S")
    assert story.scored()[0]["points"] == {"S": 11, "W": 30, "N": -10, "E": 30}
    assert story.scored()[0]["bids"] == {"S": 1, "W": 0, "N": 1, "E": 0}


def test_by_elhanani_nobody_scores_when_all_fail() -> None:
    story = short("elhanani")
    story.bids("W0 N1 E1")
    story.trick("S:2S W:AS N:3S E:4S")
    assert story.scored()[0]["points"] == {"S": 0, "W": 0, "N": 0, "E": 0}


def test_a_tie_plays_on_until_one_is_alone_in_front() -> None:
    story = short()
    story.bids("W0 N1 E0")
    said = story.trick("S:AS W:2S N:3S E:4S")
    assert said[-1].event == "hand_started"
    assert said[-1].fields == {"hand": 2, "cards": 1, "dealer": "W", "level": ["W", "E"]}
    assert story.game.tied_players(story.state) == ("W", "E")
    story.deals()
    calls(story, "1S P P P P")
    assert auction_declarer(story.state) == "W"
    story.bids("N1 E1 S1")
    said = story.trick("W:AS N:2S E:3S S:4S")
    assert said[-1].event == "game_over"
    assert said[-1].fields["ranking"] == [["W"], ["E"], ["S"], ["N"]]


def test_the_game_ends_when_somebody_has_the_target() -> None:
    story = short(hands=(1, 1, 1), target=11)
    story.bids("W1 N1 E1")
    said = story.trick("S:AS W:2S N:3S E:4S")
    assert said[-1].event == "game_over"
    assert said[-1].fields["winners"] == ["S"]
    assert said[-1].fields["totals"] == {"S": 11, "W": -10, "N": -10, "E": -10}


def test_who_shares_the_target_plays_a_hand_that_decides() -> None:
    story = short(hands=(1, 1, 1), target=30)
    assert story.game.tied_players(story.state) == ()
    story.bids("W0 N1 E0")
    said = story.trick("S:AS W:2S N:3S E:4S")
    assert said[-1].fields["level"] == ["W", "E"]


def test_the_declarer_leads_and_the_winner_leads_next() -> None:
    story = Story("israeli-whist", SEATS, hands=[2])
    story.deals()
    calls(story, "P 2NT P P P P")
    story.bids("N0 E1 S0")
    assert story.expected().seats == ("W",)
    story.trick("W:5H N:AS E:6H S:7H")
    assert story.expected().seats == ("S",)


def test_a_list_of_hands_is_played_to_its_end() -> None:
    story = short(hands=(1, 2))
    story.bids("W1 N1 E1")
    said = story.trick("S:AS W:2S N:3S E:4S")
    assert said[-1].fields == {"hand": 2, "cards": 2, "dealer": "W"}
    story.deals()
    calls(story, "2H P P P P")
    story.bids("N0 E1 S1")
    story.trick("W:AH N:2S E:3S S:4S")
    said = story.trick("W:KH N:2C E:3C S:4C")
    assert said[-1].event == "game_over"
    assert story.state.totals == {"S": 1, "W": 4, "N": 20, "E": -20}


def test_a_target_of_a_point_is_a_target() -> None:
    assert make_game("israeli-whist", SEATS, {"target": 1}).options["target"] == 1
