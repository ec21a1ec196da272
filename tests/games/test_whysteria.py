"""Whysteria, rule by rule."""

from __future__ import annotations

import pytest

from table.cards import card
from table.events.event_spec import Play
from table.events.game_events import (
    Bid,
    BidsTied,
    Dealt,
    Ended,
    LeadsTied,
    Played,
    Rapped,
    TakenBack,
    TrickTaken,
)
from table.games.engine.game_state import Phase
from table.games.engine.option_checks import option_place
from table.games.registry import make_game
from table.phrase import make_phrase
from tests.games.play import VECTORS, Story, events, legal
from tests.wrong import wrong


def begin(seats: str = "ABC", **options: object) -> Story:
    story = Story("whysteria", seats, **options)
    story.deals()
    return story


def playing(bids: str = "B1 C1 A1", seats: str = "ABC", **options: object) -> Story:
    options.setdefault("hands", [2])
    story = begin(seats, **options)
    story.bids(bids)
    assert story.phase() is Phase.LEAD
    return story


# --- hands --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("start", "vector"), [(7, "whysteria"), (10, "whysteria_long")])
def test_hands_go_down_to_one_and_back(start: int, vector: str) -> None:
    assert make_game("whysteria", "ABC", {"start": start}).options["hands"] == VECTORS["sequences"][vector]


def test_ten_cards_are_for_up_to_five_players() -> None:
    make_game("whysteria", "ABCDE", {"start": 10})
    with wrong("option.long_game", at=("whysteria", option_place("start")), most=5, players=6):
        make_game("whysteria", "ABCDEF", {"start": 10})


def test_a_hand_that_the_pack_has_not_is_refused_with_the_number() -> None:
    with wrong("option.too_many_cards", at=option_place("hands"), size=8, players=7, most=7):
        make_game("whysteria", "ABCDEFG", {"hands": [8]})


def test_the_trump_is_said_right_after_the_hand_starts() -> None:
    story = Story("whysteria", hands=[1])
    assert events(story.said) == ["game_started", "hand_started", "trump"]
    assert story.said[2].fields == {"suit": "S", "card": None}
    assert story.said[1].fields == {"hand": 1, "cards": 1, "dealer": "A"}


def test_the_deal_goes_to_the_left_and_the_game_ends_after_the_last_hand() -> None:
    story = begin(hands=[1, 1])
    story.bids("B0 C0 A0")
    said = story.trick("B:2H C:3H A:4H")
    assert events(said) == ["trick_taken", "hand_scored", "hand_started", "trump"]
    assert said[2].fields["dealer"] == "B"
    story.deals()
    story.bids("C0 A0 B0")
    said = story.trick("C:2H A:3H B:4H")
    assert events(said) == ["trick_taken", "hand_scored", "game_over"]
    assert said[-1].fields == {
        "totals": {"A": 1, "B": 1, "C": 2},
        "ranking": [["C"], ["A", "B"]],
        "winners": ["C"],
    }
    assert story.state.winners == ("C",)


def test_a_tie_at_the_end_is_a_shared_win() -> None:
    story = playing("B0 C0 A0", hands=[1])
    said = story.trick("B:2H C:3H A:4H")
    assert said[-1].fields["winners"] == ["B", "C"]
    assert said[-1].fields["ranking"] == [["B", "C"], ["A"]]


def test_the_endless_game_ends_when_the_players_end_it_and_finished_hands_count() -> None:
    story = begin(constant=1)
    for _ in range(30):
        order = story.state.seats_from(story.expected().default_seat or "")
        story.does(*(Bid(seat, 0) for seat in order))
        story.trick(" ".join(f"{seat}:{card}" for seat, card in zip(order, ("2H", "3H", "4H"), strict=True)))
        story.deals()
    story.does(Bid(story.expected().default_seat or "", 0))
    said = story.does(Ended())
    assert events(said) == ["game_over"]
    assert sum(said[0].fields["totals"].values()) == 60
    assert story.phase() is Phase.OVER


# --- bidding ------------------------------------------------------------------------------------------------


def test_anyone_may_bid_at_any_time_and_the_default_is_left_of_the_last_bidder() -> None:
    story = begin("ABCD", hands=[3])
    assert story.expected().seats == ("B", "C", "D", "A")
    assert (story.expected().default_seat, story.expected().anyone_may_act, story.expected().must_act) == (
        "B",
        True,
        False,
    )
    story.bids("D1")
    assert story.expected().seats == ("A", "B", "C")
    story.bids("B2")
    assert story.expected().seats == ("C", "A")
    story.bids("A3")
    assert (story.expected().seats, story.expected().anyone_may_act, story.expected().must_act) == (
        ("C",),
        False,
        True,
    )


def test_the_default_skips_who_has_bid() -> None:
    story = begin("ABCD", hands=[3])
    story.bids("C1 B1")
    assert story.expected().default_seat == "D"


def test_the_last_bidder_may_not_make_the_sum_equal_to_the_tricks() -> None:
    vector = next(one for one in VECTORS["hook"] if one["game"] == "whysteria")
    story = begin(hands=[vector["cards"]])
    story.bids(f"C{vector['bids'][0]} A{vector['bids'][1]}")
    assert legal(story, "B") == vector["allowed"]
    refusal = story.refuses(Bid("B", vector["forbidden"]))
    assert refusal.code == "forbidden_bid"
    assert refusal.why == make_phrase("refused.forbidden_bid", seat="B", bid=1, cards=7)
    assert story.expected().seats == ("B",)
    said = story.bids("B2")
    assert events(said) == ["bid", "bidding_over"]
    assert said[1].fields == {"bids": {"A": 4, "B": 2, "C": 2}, "over": 1}


def test_nothing_is_forbidden_once_the_sum_is_above_the_tricks() -> None:
    vector = next(one for one in VECTORS["hook"] if one["game"] == "any")
    story = begin("ABCD", hands=[vector["cards"]])
    for seat, bid in zip("BCD", vector["bids"], strict=True):
        story.does(Bid(seat, bid))
    assert legal(story, "A") == [0, 1, 2, 3, 4, 5]


def test_a_bid_stands() -> None:
    story = begin(hands=[3])
    story.bids("A1")
    assert story.refuses(Bid("A", 2)).code == "already_bid"


def test_a_bid_above_the_tricks_is_refused() -> None:
    story = begin(hands=[2])
    assert story.refuses(Bid("B", 3)).why == make_phrase("refused.too_many", seat="B", bid=3, cards=2)


def test_a_bid_before_the_dealer_s_rap_names_whom_the_table_waits_for() -> None:
    story = Story("whysteria", hands=[2])
    refusal = story.refuses(Bid("B", 1))
    assert refusal.code == "not_dealt"
    assert refusal.why.fields["waits"] == make_phrase("waits.deal", seat="A", cards=2)
    assert story.refuses(Dealt("B")).code == "not_your_turn"


def test_the_default_must_bid_once_all_the_others_have_rapped() -> None:
    story = begin("ABCD", hands=[3])
    assert events(story.does(Rapped("C"))) == ["rap"]
    story.does(Rapped("D"))
    assert not story.expected().must_act
    story.does(Rapped("A"))
    assert story.expected().must_act
    assert story.expected().seats == ("B",)
    assert not story.expected().anyone_may_act
    assert story.refuses(Bid("C", 1)).code == "not_your_turn"
    assert story.refuses(Rapped("B")).code == "must_act"


def test_a_rap_is_taken_back_by_bidding_before_the_last_one_needed_and_raps_are_forgotten_after_a_bid() -> (
    None
):
    story = begin("ABCD", hands=[3])
    story.does(Rapped("C"), Rapped("D"))
    story.bids("C1")
    assert story.state.raps == frozenset()
    assert story.expected().seats == ("D", "A", "B")
    story.does(Rapped("A"), Rapped("B"))
    assert story.expected().must_act


def test_a_rap_counts_once_and_only_of_those_who_may_still_bid() -> None:
    story = begin(hands=[3])
    story.does(Rapped("C"))
    assert story.refuses(Rapped("C")).code == "already_rapped"
    story.bids("C1")
    assert story.refuses(Rapped("C")).code == "not_your_turn"


def test_with_two_players_one_rap_makes_the_default_bid_and_the_second_bidder_is_the_last() -> None:
    story = begin("AB", hands=[3])
    story.does(Rapped("A"))
    assert story.expected().must_act
    assert story.expected().seats == ("B",)
    story.bids("B1")
    assert story.expected().seats == ("A",)
    assert legal(story, "A") == [0, 1, 3]


def test_tied_bids_are_void_and_only_the_default_may_bid() -> None:
    story = begin("ABCD", hands=[3])
    story.does(Rapped("A"))
    said = story.does(BidsTied(("D", "C")))
    assert said[0].fields == {"seats": ["D", "C"], "next": "B"}
    assert story.state.bids == ()
    assert story.state.raps == frozenset()
    assert (story.expected().seats, story.expected().must_act, story.expected().anyone_may_act) == (
        ("B",),
        True,
        False,
    )
    assert story.refuses(Bid("D", 1)).code == "not_your_turn"
    assert story.refuses(BidsTied(("C", "D"))).code == "wrong_phase"
    story.bids("B1")
    assert story.expected().seats == ("C", "D", "A")
    assert story.expected().anyone_may_act


def test_when_the_last_two_tie_the_default_bids_and_the_other_is_hooked() -> None:
    story = begin(hands=[3])
    story.bids("B1")
    story.does(BidsTied(("A", "C")))
    assert story.expected().seats == ("C",)
    story.bids("C1")
    assert legal(story, "A") == [0, 2, 3]


def test_no_tie_of_one_bid_nor_of_one_who_has_bid() -> None:
    story = begin(hands=[3])
    assert story.refuses(BidsTied(("B",))).code == "no_tie"
    assert story.refuses(BidsTied(("B", "B"))).code == "no_tie"
    story.bids("B1")
    assert story.refuses(BidsTied(("A", "B"))).code == "not_your_turn"


# --- leading ------------------------------------------------------------------------------------------------


def test_anyone_may_lead_and_the_default_is_left_of_the_last_bidder() -> None:
    story = playing("B1 A0 C0")
    assert story.expected().seats == ("A", "B", "C")
    assert story.expected().anyone_may_act
    assert story.state.trick.leader is None
    story.plays("B:4H")
    assert story.state.trick.leader == "B"
    assert story.expected().seats == ("C",)


def test_later_the_default_leader_is_left_of_the_winner() -> None:
    story = playing()
    story.trick("B:4H C:5H A:6H")
    assert story.expected().default_seat == "B"
    assert story.expected().anyone_may_act


def test_the_default_must_lead_once_all_the_others_have_rapped() -> None:
    story = playing()
    story.does(Rapped("A"))
    assert story.expected().seats == ("B", "C", "A")
    story.does(Rapped("C"))
    assert (story.expected().seats, story.expected().must_act) == (("B",), True)
    assert story.refuses(Played("A", card("AS"))).code == "out_of_turn"
    story.plays("B:4H")
    assert story.state.raps == frozenset()


def test_a_rap_is_taken_back_by_leading() -> None:
    story = playing()
    story.does(Rapped("A"))
    story.plays("A:4H")
    assert story.state.trick.leader == "A"


def test_of_tied_leads_the_kept_one_is_played_and_the_trick_goes_on_to_its_left() -> None:
    story = playing()
    said = story.leads_tie("A:9C", "C:8D")
    assert said[0].fields == {
        "kept": {"seat": "A", "card": "9C"},
        "taken_back": [{"seat": "C", "card": "8D"}],
        "next": "B",
    }
    assert story.expected().seats == ("A",)
    assert events(story.plays("A:9C")) == ["card_played"]
    assert story.expected().seats == ("B",)
    said = story.plays("B:3C C:8C")
    assert events(said) == ["card_played", "trick_won"]


def test_when_all_tied_leads_go_back_only_the_default_may_lead() -> None:
    story = playing()
    said = story.leads_tie(None, "A:9C", "C:8D")
    assert said[0].fields["kept"] is None
    assert said[0].fields["next"] == "B"
    assert (story.expected().seats, story.expected().must_act) == (("B",), True)
    story.plays("B:4H")
    story.takes_back("B:4H")
    assert story.expected().seats == ("B",)
    story.trick("B:5H C:8D A:9C")
    assert story.expected().anyone_may_act


def test_without_the_mark_no_tied_lead_stays() -> None:
    story = playing(mark=False)
    kept = LeadsTied(Play("A", card("9C")), (Play("C", card("8D")),))
    assert story.refuses(kept).code == "no_mark"
    story.leads_tie(None, "A:9C", "C:8D")
    assert story.expected().seats == ("B",)


def test_no_lead_before_the_last_trick_is_picked_up() -> None:
    story = playing()
    story.plays("B:4H C:5H A:6H")
    refusal = story.refuses(Played("B", card("AS")))
    assert refusal.code == "not_picked_up"
    assert refusal.why.fields["waits"] == make_phrase("waits.pick_up", seat="A", cards=2)


# --- tricks -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("B:4H C:5H A:6H", "A"),
        ("B:4H C:AD A:3H", "B"),
        ("B:AH C:2S A:KH", "C"),
        ("B:AH C:2S A:3S", "A"),
        ("B:2S C:AH A:AD", "B"),
        ("B:10H C:9H A:JH", "A"),
    ],
)
def test_the_highest_spade_wins_else_the_highest_card_of_the_suit_led(cards: str, winner: str) -> None:
    story = playing()
    said = story.plays(cards)
    assert said[-1].fields["seat"] == winner
    assert said[-1].fields["cards"] == [{"seat": one[0], "card": one[2:]} for one in cards.split()]


def test_suit_must_be_followed_from_a_known_hand() -> None:
    story = playing()
    hand = (card("AS"), card("3H"), card("9H"), card("2C"))
    assert story.game.legal_plays(story.state, "C", hand) == hand
    story.plays("B:4H")
    assert story.game.legal_plays(story.state, "C", hand) == (card("3H"), card("9H"))
    assert story.game.legal_plays(story.state, "C", hand[:1]) == hand[:1]
    assert story.game.legal_plays(story.state, "A", hand) == ()


def test_a_card_seen_already_or_not_in_the_pack_is_refused() -> None:
    story = playing()
    story.plays("B:4H")
    assert story.refuses(Played("C", card("4H"))).code == "card_twice"
    assert story.refuses(Played("C", card("11H"))).code == "no_such_card"
    assert story.refuses(Played("C", card("JOKER"))).code == "no_such_card"
    assert story.refuses(Played("A", card("5H"))).code == "out_of_turn"


def test_no_card_more_than_the_hand_had() -> None:
    story = playing("B1 C1 A0", hands=[1])
    story.plays("B:4H C:5H A:6H")
    assert story.refuses(Played("B", card("AS"))).code == "too_many_cards"
    story = playing("B1 C1 A0", hands=[1, 1])
    story.trick("B:4H C:5H A:6H")
    assert story.refuses(Played("B", card("AS"))).code == "not_dealt"


# --- taking back --------------------------------------------------------------------------------------------


def test_a_card_taken_back_leaves_a_hole_that_its_player_fills_first() -> None:
    story = playing(seats="ABCD", bids="B1 C1 D0 A1")
    story.plays("B:4H C:5H D:6H")
    said = story.takes_back("C:5H")
    assert said[0].fields == {"seat": "C", "card": "5H", "played": True}
    assert story.expected().seats == ("C",)
    story.plays("C:AH")
    assert story.expected().seats == ("A",)
    said = story.plays("A:7H")
    assert [one["card"] for one in said[-1].fields["cards"]] == ["4H", "AH", "6H", "7H"]
    assert said[-1].fields["seat"] == "C"


def test_a_single_lead_taken_back_leaves_the_lead_open_to_all() -> None:
    story = playing()
    story.plays("A:4H")
    story.takes_back("A:4H")
    assert story.expected().anyone_may_act
    assert story.expected().seats == ("B", "C", "A")
    story.plays("C:9D")
    assert story.state.trick.leader == "C"


def test_a_lead_taken_from_under_the_others_is_led_again_by_its_player() -> None:
    story = playing()
    story.plays("B:4H C:5H")
    story.takes_back("B:4H")
    assert story.expected().phase is Phase.LEAD
    assert (story.expected().seats, story.expected().must_act) == (("B",), True)
    assert story.game.legal_plays(story.state, "B", (card("2C"), card("3H"))) == (card("2C"), card("3H"))
    story.takes_back("C:5H")
    story.plays("B:2C C:5C A:3C")
    assert story.state.trick.winner == "C"


def test_a_complete_trick_is_open_again_when_a_card_is_taken_back_and_won_anew() -> None:
    story = playing()
    story.plays("B:4H C:5H A:6H")
    story.takes_back("A:6H")
    assert story.expected().seats == ("A",)
    said = story.plays("A:3H")
    assert events(said) == ["card_played", "trick_won"]
    assert said[1].fields["seat"] == "C"


def test_only_cards_of_the_trick_on_the_mark_can_be_taken_back() -> None:
    story = playing()
    story.trick("B:4H C:5H A:6H")
    assert story.refuses(TakenBack("A", card("6H"))).code == "not_there"


# --- revokes ------------------------------------------------------------------------------------------------


def test_a_revoke_is_announced_right_after_the_card_that_proves_it() -> None:
    story = playing()
    story.trick("B:4H C:5D A:6H")
    said = story.plays("C:9H")
    assert events(said) == ["card_played", "revoke"]
    assert said[1].fields == {"seat": "C", "card": "5D", "trick": 1, "proved_by": "9H"}


def test_a_revoke_is_said_once_for_each_trick_in_which_suit_was_not_followed() -> None:
    story = playing("B1 C1 A1", hands=[4])
    story.trick("B:4H C:5D A:6H")
    story.trick("B:7H C:6D A:8H")
    said = story.plays("C:9H")
    assert events(said) == ["card_played", "revoke", "revoke"]
    assert [one.fields["trick"] for one in said[1:]] == [1, 2]
    said = story.trick("A:10H B:2C")
    assert events(story.plays("C:JH")) == ["card_played"]


def test_the_last_card_of_a_trick_says_its_revoke_before_the_trick_is_won() -> None:
    story = playing()
    story.trick("B:4H C:5H A:6D")
    said = story.plays("B:7H C:8H A:9H")
    assert events(said) == ["card_played", "revoke", "trick_won"]


def test_a_failure_to_follow_that_is_taken_back_in_time_is_no_revoke() -> None:
    story = playing()
    story.plays("B:4H C:5D")
    story.takes_back("C:5D")
    story.trick("C:9H A:6H")
    assert events(story.plays("C:5D")) == ["card_played"]


def test_a_discard_without_the_suit_is_no_revoke() -> None:
    story = playing()
    story.trick("B:4H C:5D A:6H")
    story.trick("C:9D A:7H B:8H")
    assert "revoke" not in events(story.said)


# --- the end of a hand --------------------------------------------------------------------------------------


def test_a_trick_taken_by_another_hand_still_belongs_to_its_winner() -> None:
    story = playing("B0 C0 A0", hands=[1])
    story.plays("B:4H C:5H A:6H")
    story.does(TrickTaken("C"))
    assert story.scored()[0]["tricks"] == {"A": 1, "B": 0, "C": 0}


def test_a_hand_of_one_card_is_held_to_the_forehead() -> None:
    story = Story("whysteria", hands=[2, 1])
    assert not story.game.rules.on_forehead(story.state)
    assert Story("whysteria", hands=[1]).game.rules.on_forehead(Story("whysteria", hands=[1]).state)


def test_seven_players_play_seven_cards_each() -> None:
    story = begin("ABCDEFG")
    assert story.state.cards == 7
    story.bids("B1 C1 D1 E1 F1 G1")
    assert legal(story, "A") == [0, 2, 3, 4, 5, 6, 7]


def test_the_recorded_game_comes_out_as_it_was_played() -> None:
    """Ties of bids and leads, take-backs and the shared win, as at a real table."""
    story = begin(hands=[2, 1])
    story.does(BidsTied(("A", "B")))
    story.bids("B1 A1 C1")
    story.leads_tie("B:9C", "A:8D")
    story.trick("B:9C C:4C A:8C")
    story.trick("C:3S A:8D B:AD")
    assert story.scored()[0] == {
        "hand": 1,
        "bids": {"A": 1, "B": 1, "C": 1},
        "tricks": {"A": 0, "B": 1, "C": 1},
        "points": {"A": 0, "B": 1, "C": 1},
        "totals": {"A": 0, "B": 1, "C": 1},
    }
    story.deals()
    said = story.does(BidsTied(("B", "C")))
    assert said[0].fields["next"] == "C"
    story.bids("C0 B1 A1")
    said = story.leads_tie("C:10H", "A:3C")
    assert said[0].fields["next"] == "A"
    said = story.trick("C:10H A:3C B:AD")
    assert said[-1].fields == {
        "totals": {"A": 0, "B": 1, "C": 1},
        "ranking": [["B", "C"], ["A"]],
        "winners": ["B", "C"],
    }
