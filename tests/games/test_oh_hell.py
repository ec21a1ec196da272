"""Oh Hell, rule by rule and option by option."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from table.cards import JOKER, card
from table.events.game_events import Bid, Dealt, Left, Played, Rapped, SuitNamed, TurnedUp
from table.games.engine.game_state import Phase, refuse
from table.games.engine.option_checks import option_place
from table.games.game import Game
from table.games.oh_hell import OhHellOptions
from table.games.registry import make_game
from table.i18n.rules_page import rules_page
from tests.games.play import VECTORS, Story, events, legal
from tests.wrong import wrong


def game(players: int = 4, **options: Any) -> Game:
    return make_game("oh-hell", "ABCDEFGHIJKLMN"[:players], options)


def begin(turned: str | None = "2C", seats: str = "ABC", **options: Any) -> Story:
    story = Story("oh-hell", seats, **options)
    story.deals(turned)
    return story


def bid_all(story: Story, bid: int = 0) -> None:
    while story.phase() is Phase.BID:
        seat = story.expected().seats[0]
        bids = story.game.legal_bids(story.state, seat)
        story.does(Bid(seat, bid if bid in bids else bids[0]))


def points_of(vector: str, **options: Any) -> None:
    for bid, tricks, points in VECTORS[vector]:
        assert points_in(bid, tricks, 7, **options) == points


def points_in(bid: int, tricks: int, cards: int, **options: Any) -> int:
    return OhHellOptions(**options).points_for(bid, tricks, cards)


# --- hands --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "vector"),
    [
        ({}, "oh_hell_down_up"),
        ({"shape": "down"}, "oh_hell_short"),
        ({"shape": "up-down"}, "oh_hell_rock_and_roll_max10"),
        ({"shape": "up-down", "start": 11}, "oh_hell_rock_and_roll_max11"),
    ],
)
def test_shapes(options: dict[str, Any], vector: str) -> None:
    assert game(**options).options["hands"] == VECTORS["sequences"][vector]


@pytest.mark.parametrize(("players", "largest"), [(3, 17), (4, 12), (5, 10), (6, 8), (7, 7)])
def test_the_largest_hand_leaves_a_card_to_turn_up(players: int, largest: int) -> None:
    for joker in (False, True):
        assert game(players, joker=joker).options["start"] == min(10, largest)
        assert max(game(players, start=largest, joker=joker).options["hands"]) == largest
        with wrong("option.too_many_cards", at=option_place("start"), size=largest + 1, most=largest):
            game(players, start=largest + 1, joker=joker)


@pytest.mark.parametrize(("players", "largest"), [(3, 34), (7, 14), (8, 12), (10, 10), (14, 7)])
def test_two_packs_have_twice_as_many_cards(players: int, largest: int) -> None:
    assert max(game(players, packs=2, start=largest).options["hands"]) == largest
    with wrong("option.too_many_cards", most=largest):
        game(players, packs=2, start=largest + 1)


def test_eight_players_need_two_packs() -> None:
    with wrong("option.players", at="oh-hell", low=3, high=7, n=8):
        game(8)
    assert game(8, packs=2).options["start"] == 10


# --- trumps -------------------------------------------------------------------------------------------------


def test_the_turned_card_may_come_before_or_after_the_dealer_s_rap() -> None:
    story = Story("oh-hell", hands=[2])
    said = story.does(TurnedUp(card("JD")))
    assert [(one.event, one.fields) for one in said] == [("trump", {"suit": "D", "card": "JD"})]
    assert story.phase() is Phase.DEAL
    assert events(story.does(Dealt("A"))) == ["dealt"]
    assert story.phase() is Phase.BID
    story = Story("oh-hell", hands=[2])
    story.does(Dealt("A"))
    assert story.phase() is Phase.TURN_UP
    assert story.refuses(Bid("B", 1)).code == "not_dealt"
    story.does(TurnedUp(card("JD")))
    assert (story.phase(), story.state.trump) == (Phase.BID, "D")


def test_a_card_is_turned_up_once_and_never_played() -> None:
    story = begin("JD", hands=[2])
    assert story.refuses(TurnedUp(card("3D"))).code == "wrong_phase"
    bid_all(story)
    assert story.refuses(Played("B", card("JD"))).code == "card_twice"


def test_a_turned_joker_is_turned_again() -> None:
    story = Story("oh-hell", hands=[2], joker=True)
    refusal = story.refuses(TurnedUp(JOKER))
    assert refusal == refuse("turn_another", card=JOKER)
    story.does(TurnedUp(card("3D")))
    assert story.state.trump == "D"


def test_progressive_trumps_go_one_step_a_hand_and_no_trump_hands_come_before_them() -> None:
    story = Story("oh-hell", trump="progressive", hands=[1, 1, 2, 1, 1, 1], no_trump_every=2)
    trumps = []
    for hand in range(6):
        assert events(story.said).count("trump") == hand + 1
        trumps.append(story.state.trump)
        story.deals()
        bid_all(story)
        ranks = iter("23456789")
        while story.state.hand == hand + 1 and story.phase() is not Phase.OVER:
            story.trick(" ".join(f"{seat}:{next(ranks)}H" for seat in order(story)))
    assert trumps == ["C", "D", "NT", "S", "NT", "C"]


def order(story: Story) -> tuple[str, ...]:
    leader = story.state.trick.leader
    assert leader is not None
    return story.state.seats_from(leader)


def test_turned_trumps_win() -> None:
    story = begin("2C", hands=[1])
    bid_all(story)
    story.plays("B:AH C:3C A:KH")
    assert story.state.trick.winner == "C"


def test_at_no_trumps_the_highest_card_of_the_suit_led_wins() -> None:
    story = begin(None, hands=[1], no_trump_every=1)
    bid_all(story)
    story.plays("B:4H C:AS A:5H")
    assert story.state.trick.winner == "A"


def test_the_joker_is_the_highest_trump_and_of_the_trump_suit() -> None:
    story = begin("2C", hands=[2], joker=True)
    bid_all(story)
    hand = (JOKER, card("3H"))
    story.plays("B:AC")
    assert story.game.legal_plays(story.state, "C", hand) == (JOKER,)
    story.plays("C:JOKER A:KC")
    assert story.state.trick.winner == "C"


def test_a_joker_led_at_trumps_leads_trumps_and_names_nothing() -> None:
    story = begin("2C", hands=[2], joker=True)
    bid_all(story)
    story.plays("B:JOKER")
    assert story.phase() is Phase.FOLLOW
    assert story.game.legal_plays(story.state, "C", (card("3C"), card("AH"))) == (card("3C"),)


def test_a_joker_led_without_trumps_names_its_suit_and_always_wins() -> None:
    story = begin(None, hands=[2], joker=True, no_trump_every=2)
    bid_all(story)
    story.plays("B:JOKER")
    assert story.expected().phase is Phase.NAME_SUIT
    assert story.refuses(Played("C", card("AH"))).code == "wrong_phase"
    assert story.refuses(SuitNamed("C", "H")).code == "not_your_turn"
    assert story.refuses(SuitNamed("B", "NT")).code == "no_such_suit"
    said = story.does(SuitNamed("B", "H"))
    assert [(one.event, one.fields) for one in said] == [("joker_named", {"seat": "B", "suit": "H"})]
    assert story.game.legal_plays(story.state, "C", (card("3H"), card("AS"))) == (card("3H"),)
    story.plays("C:AH A:2H")
    assert story.state.trick.winner == "B"


def test_a_joker_laid_on_a_suit_without_trumps_wins() -> None:
    story = begin(None, hands=[2], joker=True, no_trump_every=2)
    bid_all(story)
    story.plays("B:AH C:JOKER A:2H")
    assert story.state.trick.winner == "C"


def test_of_two_equal_cards_the_first_wins_and_a_card_can_be_played_twice() -> None:
    story = begin("2C", hands=[2], packs=2)
    bid_all(story)
    story.plays("B:AH C:AH A:KH")
    assert story.state.trick.winner == "B"
    story = begin("2C", hands=[2], packs=2)
    bid_all(story)
    story.trick("B:KH C:AH A:AH")
    assert story.state.tricks[0].winner == "C"
    assert story.refuses(Played("C", card("AH"))).code == "card_twice"


# --- bids ---------------------------------------------------------------------------------------------------


def test_bids_go_from_the_dealer_s_left_to_the_dealer() -> None:
    story = begin(hands=[3])
    assert story.expected().seats == ("B",)
    assert story.refuses(Bid("C", 1)).code == "not_your_turn"
    assert story.refuses(Rapped("B")).code == "wrong_phase"
    story.bids("B1 C1")
    assert story.expected().seats == ("A",)


def test_the_dealer_is_hooked() -> None:
    vector = next(one for one in VECTORS["hook"] if one["game"] == "oh-hell")
    story = begin(seats="ABCD", hands=[vector["cards"]])
    for seat, bid in zip("BCD", vector["bids"], strict=True):
        story.does(Bid(seat, bid))
    assert legal(story, "A") == [0, 2, 3, 4, 5]
    assert story.refuses(Bid("A", vector["forbidden"])).code == "forbidden_bid"


def test_a_hand_without_trumps_needs_no_card_to_turn() -> None:
    story = Story("oh-hell", "ABCD", start=13, shape="down", no_trump_every=13)
    assert (story.state.cards, story.state.trump, story.phase()) == (13, "NT", Phase.DEAL)
    for options in ({"hands": [12, 13]}, {"hands": [13], "no_trump_every": 5}):
        with wrong("option.too_many_cards", at=option_place("hands"), size=13, players=4, most=12):
            game(4, **options)


def test_screw_up_leaves_the_dealer_free() -> None:
    story = begin(hands=[3], hook=False)
    story.bids("B1 C1")
    assert legal(story, "A") == [0, 1, 2, 3]
    story.bids("A1")


def test_nullo_has_no_bidding_and_the_most_made_hands_win() -> None:
    story = begin(seats="ABC", hands=[1, 1, 1], nullo=True)
    assert story.phase() is Phase.LEAD
    assert events(story.said)[-1] == "bidding_over"
    assert story.state.bids_by_seat == {"A": 0, "B": 0, "C": 0}
    story.trick("B:3H C:4H A:5H")
    story.deals("2C")
    story.trick("C:3H A:5H B:4H")
    story.deals("2C")
    said = story.trick("A:3H B:5H C:4H")
    assert said[-1].fields["ranking"] == [["C"], ["B"], ["A"]]


def test_a_race_at_nullo_goes_on_until_somebody_has_made_as_many_hands_as_are_listed() -> None:
    story = begin(seats="ABC", hands=[1, 1], nullo="race")
    story.trick("B:5H C:4H A:3H")
    story.deals("2C")
    story.trick("C:3H A:5H B:4H")
    # C has made both hands listed: the race is over.
    assert story.said[-1].fields["winners"] == ["C"]

    story = begin(seats="ABC", hands=[1, 2], nullo="race")
    story.trick("B:5H C:4H A:3H")
    story.deals("2C")
    story.trick("C:5H A:4H B:3H")
    said = story.trick("C:6H A:9H B:7H")
    # Nobody has made two: the hands are dealt again from the first one, and two players win together.
    assert said[-1].fields == {"hand": 3, "cards": 1, "dealer": "C"}
    assert story.game.hand_sizes == ()
    story.deals("2C")
    said = story.trick("A:3H B:5H C:4H")
    assert said[2].fields == {"seats": ["A", "C"], "cards": 3}


def test_in_a_race_the_last_single_card_of_each_round_is_held_to_the_forehead() -> None:
    rules = game(3, hands=[1, 2, 1], nullo="race", forehead="final").rules
    state = game(3, hands=[1], nullo="race").start().state
    numbers = [number for number in range(1, 10) if rules.on_forehead(replace(state, hand=number))]
    assert numbers == [3, 6, 9]


@pytest.mark.parametrize(("side", "options"), [("left", {}), ("right", {"exchange_to": "right"})])
def test_exchange_hands_cards_to_a_neighbour_before_the_bidding(side: str, options: dict[str, Any]) -> None:
    story = Story("oh-hell", hands=[2], exchange=2, **options)
    story.deals("2C")
    assert story.phase() is Phase.PASS_CARDS
    assert story.refuses(Bid("B", 1)).code == "wrong_phase"
    story.does(Rapped("A"), Rapped("B"))
    said = story.does(Rapped("C"))
    assert events(said) == ["rap", "cards_passed"]
    assert said[1].fields["cards"] == 2
    assert said[1].fields["to"] == side
    assert story.phase() is Phase.BID


def test_the_forehead_hand_is_every_hand_of_one_card_and_has_no_exchange() -> None:
    story = begin(hands=[1], forehead=True, exchange=1)
    assert story.game.rules.on_forehead(story.state)
    assert story.phase() is Phase.BID
    assert not begin(hands=[1]).game.rules.on_forehead(begin(hands=[1]).state)
    assert not begin(hands=[2], forehead=True).game.rules.on_forehead(begin(hands=[2]).state)


def test_the_forehead_may_be_for_the_last_hand_of_one_card_alone() -> None:
    story = Story("oh-hell", hands=[1, 2, 1, 3], forehead="final", exchange=1)
    seen = []
    for _ in range(4):
        story.deals("2C")
        seen.append(story.game.rules.on_forehead(story.state))
        while story.phase() is Phase.PASS_CARDS:
            story.does(Rapped(story.expected().seats[0]))
        bid_all(story)
        _everything_to(story, story.expected().seats[0])
    assert seen == [False, False, True, False]
    with wrong(
        "expected.choice", at=option_place("forehead"), choices=(False, True, "final"), instead="last"
    ):
        game(forehead="last")


# --- scores -------------------------------------------------------------------------------------------------


def test_scoring_tables() -> None:
    points_of("oh_hell_standard")
    points_of("oh_hell_harsh", scoring="harsh")
    points_of("oh_hell_quick", scoring="quick")
    points_of("oh_hell_standard", scoring="catastrophe")


def test_a_trick_scores_a_point_even_where_the_bid_was_missed() -> None:
    expected = {(0, 0): 10, (3, 3): 13, (7, 7): 17, (3, 1): 1, (3, 0): 0, (3, 5): 5, (0, 2): 2}
    assert {pair: points_in(*pair, 7, scoring="tricks") for pair in expected} == expected
    assert points_in(5, 5, 5, scoring="tricks", made_all_bonus=True) == 25
    assert points_in(5, 4, 5, scoring="tricks", made_all_bonus=True) == 4


def test_the_bonus_for_making_all() -> None:
    for cards, bid, tricks, points in VECTORS["oh_hell_made_all"]:
        assert points_in(bid, tricks, cards, made_all_bonus=True) == points
    assert points_in(1, 1, 1, made_all_bonus=True) == 21
    assert points_in(1, 1, 1, made_all_bonus=7) == 18
    assert points_in(5, 4, 5, made_all_bonus=True) == 0
    assert points_in(5, 5, 5) == 15


def test_the_recorded_game_comes_out_as_it_was_played() -> None:
    story = begin("JD", hands=[2, 1])
    story.bids("B2 C1 A0")
    story.trick("B:3D C:5C A:QH")
    said = story.trick("B:6C C:3C A:AH")
    assert said[1].fields == {
        "hand": 1,
        "bids": {"A": 0, "B": 2, "C": 1},
        "tricks": {"A": 0, "B": 2, "C": 0},
        "points": {"A": 10, "B": 12, "C": 0},
        "totals": {"A": 10, "B": 12, "C": 0},
    }
    story.deals("5C")
    story.bids("C0 A1 B1")
    said = story.trick("C:5D A:8C B:KS")
    assert said[-1].event == "game_over"
    assert said[-1].fields["totals"] == {"A": 21, "B": 12, "C": 10}
    assert said[-1].fields["ranking"] == [["A"], ["B"], ["C"]]


def test_a_tie_is_decided_by_three_card_hands_among_the_tied_alone_until_it_is() -> None:
    story = begin(hands=[1])
    story.bids("B0 C0 A0")
    said = story.trick("B:3H C:4H A:5H")
    assert events(said) == ["trick_taken", "hand_scored", "play_off", "hand_started"]
    assert said[2].fields == {"seats": ["B", "C"], "cards": 3}
    assert said[3].fields == {"hand": 2, "cards": 3, "dealer": "B", "players": ["B", "C"]}
    story.deals("2C")
    assert story.refuses(Bid("A", 0)).code == "not_in_hand"
    story.bids("C3 B1")
    story.trick("C:3H B:4H")
    story.trick("B:5H C:6H")
    said = story.trick("C:7H B:8H")
    assert said[1].fields["points"] == {"B": 0, "C": 0}
    assert said[2].event == "play_off"
    story.deals("2C")
    story.bids("B1 C1")
    story.trick("B:4H C:3H")
    story.trick("B:5H C:6H")
    said = story.trick("C:8H B:7H")
    assert said[-1].fields["ranking"] == [["B"], ["C"], ["A"]]
    assert said[-1].fields["totals"] == {"A": 0, "B": 10, "C": 10}


def test_a_tie_for_every_place_is_decided_best_place_first_where_that_is_agreed() -> None:
    for tie_break, groups in (("first", [("B", "C")]), ("every", [("B", "C"), ("D", "E")])):
        rules = game(5, hands=[1], tie_break=tie_break).rules
        assert list(rules.play_off_groups([["B", "C"], ["A"], ["D", "E"]])) == groups
    story = begin(seats="ABCD", hands=[1], tie_break="every")
    story.bids("B1 C1 D1 A1")
    said = story.trick("B:6H C:5H D:4H A:3H")
    # B has won alone; the others are tied for the second place.
    assert said[2].fields == {"seats": ["A", "C", "D"], "cards": 3}
    story.deals("2C")
    assert story.state.players == ("A", "C", "D")
    story.bids("D1 A1 C3")
    _everything_to(story, "C")
    assert story.said[-2].event == "play_off"
    assert story.said[-2].fields["seats"] == ["A", "D"]


def test_catastrophe_counts_faults_puts_out_and_the_best_of_those_left_wins() -> None:
    story = begin(seats="ABC", hands=[10, 10, 10, 2, 1], scoring="catastrophe")
    for hand in range(2):
        if hand:
            story.deals("2C")
        first, second, dealer = (story.expected().seats[0], *_rest(story))
        for seat in (first, second, dealer):
            story.does(Bid(seat, 10 if seat == "C" else 0 if seat != "A" else 1))
        _everything_to(story, "A")
    faults = [one["faults"] for one in story.scored()]
    assert faults == [{"A": 9, "B": 0, "C": 10}, {"A": 18, "B": 0, "C": 20}]
    assert story.state.players == ("A", "B")
    assert story.said[-1].event == "hand_started"
    story.deals("2C")
    assert set("AB") == {story.expected().seats[0], *_rest(story)}
    for seat in (story.expected().seats[0], *_rest(story)):
        story.does(Bid(seat, 5 if seat == "A" else 0))
    _everything_to(story, "A")
    over = story.said[-1]
    assert over.event == "game_over"
    assert over.fields["ranking"] == [["B"], ["A"], ["C"]]


def _rest(story: Story) -> tuple[str, ...]:
    first = story.expected().seats[0]
    return story.state.seats_from(first)[1:]


def _everything_to(story: Story, winner: str) -> None:
    """All tricks of a hand to one player (spades and clubs are for the others)."""
    hand = story.state.hand
    high = [f"{rank}{suit}" for suit in "HD" for rank in ("A", "K", "Q", "J", "10", "9", "8", "7")]
    low = [f"{rank}{suit}" for suit in "HD" for rank in ("2", "3", "4", "5", "6")]
    low += [f"{rank}S" for rank in ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q")]
    if story.state.trick.leader != winner:
        # The lead goes over by a trump.
        plays = [f"{seat}:{'KC' if seat == winner else low.pop()}" for seat in order(story)]
        story.trick(" ".join(plays))
    while story.state.hand == hand and story.phase() is Phase.LEAD:
        plays = [f"{seat}:{high.pop(0) if seat == winner else low.pop()}" for seat in order(story)]
        story.trick(" ".join(plays))


def test_numbers_that_switch_something_off_may_be_zero_or_false() -> None:
    for off in (0, False, None):
        assert game(no_trump_every=off).options["no_trump_every"] is None
    with wrong("expected.whole_from", at=option_place("start"), low=1, instead=0):
        game(start=0)


# --- the page ---------------------------------------------------------------------------------------------------------


def page_of(**options: Any) -> str:
    return " ".join(rules_page("oh-hell", game(3, **options).rules_page_values()).split())


@pytest.mark.parametrize("trump", ["turned", "progressive"])
def test_the_page_speaks_of_no_turned_card_where_no_hand_has_trumps(trump: str) -> None:
    for options in ({"no_trump_every": 1}, {"no_trump_every": 3, "hands": [6, 3]}):
        text = page_of(trump=trump, **options)
        assert "There are no trumps." in text
        assert "of the stock" not in text
        assert "hand by hand" not in text
    assert "of the stock" in page_of(no_trump_every=2, hands=[2, 4])  # a tie is decided by three cards
    assert "There are no trumps." not in page_of(no_trump_every=2)


def test_the_page_says_that_a_joker_at_no_trumps_does_not_follow() -> None:
    without = "does not follow"
    assert without in page_of(joker=True, trump="progressive")
    assert without in page_of(joker=True, no_trump_every=2)
    assert without not in page_of(joker=True)
    assert "highest trump" in page_of(joker=True).lower()
    assert "joker is the highest trump" not in page_of(joker=True, no_trump_every=1)


def test_catastrophe_is_not_won_by_who_has_left() -> None:
    story = Story("oh-hell", "ABCD", hands=[1, 1], scoring="catastrophe")
    story.deals("2C")
    story.bids("B1 C0 D0 A1")
    story.trick("B:AH C:3H D:5H A:4H")
    story.does(Left("B"))
    story.deals("2C")
    story.bids("D1 A1 C1")
    said = story.trick("D:3H A:4H C:5H")
    assert said[-1].fields["totals"] == {"A": 0, "B": 11, "C": 21, "D": 10}
    assert said[-1].fields["ranking"] == [["C"], ["D"], ["A"], ["B"]]
    assert said[-1].fields["winners"] == ["C"]
