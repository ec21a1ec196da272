"""Oh Shit, rule by rule and option by option."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from table.cards import JOKER, Card, UnseenCard, card, cards
from table.events.game_events import (
    Bid,
    BidsRevealed,
    BidsTied,
    Played,
    Rapped,
    SuitNamed,
    TakenBack,
    TurnedUp,
)
from table.games.engine.dealing_and_scoring import ranking
from table.games.engine.game_state import HandResult, Phase, refuse
from table.games.oh_shit import points_for, tie_breaks
from table.games.registry import make_game
from tests.games.play import VECTORS, Story, events, legal


def fists(story: Story) -> None:
    story.does(*(Rapped(seat) for seat in story.state.players))


def reveal(story: Story, begin: str) -> list[str]:
    """All the bids at once: ``"A1 B0 C2"``."""
    fists(story)
    return events(story.does(BidsRevealed(tuple((one[0], int(one[1:])) for one in begin.split()))))


def begin(bids: str = "", turned: str = "2C", seats: str = "ABC", **options: Any) -> Story:
    story = Story("oh-shit", seats, **options)
    story.deals(turned)
    if bids:
        reveal(story, bids)
    return story


def no_trumps(cards: int = 4, **options: Any) -> Story:
    """A deal with the joker and without trumps; B leads."""
    return begin("A0 B0 C0", "AC", hands=[cards], joker=True, **options)


# --- deals and trumps ---------------------------------------------------------------------------------------


def test_deals() -> None:
    assert make_game("oh-shit", "ABC").options["hands"] == VECTORS["sequences"]["oh_shit_full"]
    assert (
        make_game("oh-shit", "ABC", {"half": True}).options["hands"] == VECTORS["sequences"]["oh_shit_half"]
    )


@pytest.mark.parametrize(
    ("players", "pack", "largest"), [(5, 52, 9), (6, 52, 8), (7, 52, 7), (6, 63, 9), (7, 63, 9)]
)
def test_the_largest_hand_goes_as_far_as_the_pack(players: int, pack: int, largest: int) -> None:
    game = make_game("oh-shit", "ABCDEFG"[:players], {"pack": pack})
    assert max(game.options["hands"]) == largest


def test_the_turned_card_makes_trumps_and_an_ace_or_the_joker_none() -> None:
    for turned, trump in (("2C", "C"), ("KH", "H"), ("AH", "NT"), ("JOKER", "NT")):
        story = begin(turned=turned, joker=True)
        assert story.said[-2].fields == {"suit": trump, "card": turned}
        assert story.state.trump == trump


@pytest.mark.parametrize("players", range(3, 8))
def test_six_or_seven_take_the_large_pack_unless_they_say_that_it_is_the_usual_one(players: int) -> None:
    def cards(**options: Any) -> int:
        game = make_game("oh-shit", "ABCDEFG"[:players], options)
        assert len(game.pack()) == game.options["pack"]
        return len(game.pack())

    assert cards() == (63 if players >= 6 else 52)
    assert cards(half=True) == cards()
    assert (cards(pack=52), cards(pack=63)) == (52, 63)


def test_without_the_joker_in_the_pack_none_can_be_turned() -> None:
    story = Story("oh-shit")
    assert story.refuses(TurnedUp(JOKER)).code == "no_such_card"


def test_with_the_stock_used_up_the_dealer_shows_the_own_last_card_and_plays_it_later() -> None:
    story = begin("A0 B0 C0 D0", "2C", "ABCD", hands=[13])
    assert story.refuses(Played("B", card("2C"))) == refuse(
        "card_twice", "dealer_s_card", seat="B", card=card("2C"), dealer="A"
    )
    story.plays("B:3C C:4C D:5C A:2C")
    story = begin("A0 B0 C0 D0", "2C", "ABCD", hands=[12])
    story.plays("B:3C C:4C D:5C")
    assert story.refuses(Played("A", card("2C"))).code == "card_twice"


def test_the_63_card_pack_ranks_11_12_13_between_ten_and_jack() -> None:
    story = begin("A0 B0 C0", "2C", hands=[3], pack=63)
    story.plays("B:10H C:13H A:12H")
    assert story.state.trick.winner == "C"
    story = begin("A0 B0 C0", "2C", hands=[3], pack=63)
    story.plays("B:JH C:13H A:12H")
    assert story.state.trick.winner == "B"
    assert story.refuses(TurnedUp(card("13H"))).code == "wrong_phase"


# --- bids ---------------------------------------------------------------------------------------------------


def test_all_put_the_fist_on_the_table_before_the_bids_are_shown() -> None:
    story = begin(hands=[3])
    assert story.expected().phase is Phase.SECRET_BID
    assert story.expected().seats == ("B", "C", "A")
    assert legal(story, "B") == []
    bids = BidsRevealed((("A", 1), ("B", 2), ("C", 0)))
    assert story.refuses(bids).code == "not_ready"
    story.does(Rapped("B"))
    assert story.expected().seats == ("C", "A")
    assert story.refuses(Rapped("B")).code == "already_rapped"
    story.does(Rapped("A"), Rapped("C"))
    assert story.expected().seats == ("B", "C", "A")
    assert legal(story, "B") == [0, 1, 2, 3]
    said = story.does(bids)
    assert events(said) == ["bids_revealed", "bid", "bid", "bid", "bidding_over"]
    assert said[0].fields == {"bids": {"A": 1, "B": 2, "C": 0}}
    assert [(one.fields["seat"], one.fields["bid"]) for one in said[1:4]] == [("B", 2), ("C", 0), ("A", 1)]
    assert said[-1].fields == {"bids": {"A": 1, "B": 2, "C": 0}, "over": 0}
    assert story.expected().seats == ("B",)


def test_bids_above_the_tricks_and_missing_ones_are_refused() -> None:
    story = begin(hands=[3])
    fists(story)
    assert story.refuses(BidsRevealed((("A", 4), ("B", 2), ("C", 0)))).code == "too_many"
    assert story.refuses(BidsRevealed((("A", 1), ("B", 2)))).code == "bids_missing"
    assert story.refuses(Bid("A", 1)).code == "wrong_phase"
    assert story.refuses(BidsTied(("A", "B"))).code == "wrong_phase"


# --- the joker ----------------------------------------------------------------------------------------------


def test_in_a_trump_deal_the_joker_is_the_highest_trump_in_all_things() -> None:
    story = begin("A0 B0 C0", "2C", hands=[3], joker=True)
    story.plays("B:AC")
    hand = (JOKER, card("3H"))
    assert story.game.legal_plays(story.state, "C", hand) == (JOKER,)
    story.plays("C:JOKER A:KC")
    assert story.state.trick.winner == "C"


def test_a_joker_kept_in_a_trump_deal_is_a_revoke_when_it_is_shown() -> None:
    story = begin("A0 B0 C0", "2C", hands=[3], joker=True)
    story.trick("B:AC C:3H A:KC")
    said = story.plays("B:4S C:JOKER")
    assert said[1].fields == {"seat": "C", "card": "3H", "trick": 1, "proved_by": "JOKER"}


def test_the_source_s_example_without_trumps_step_by_step() -> None:
    example = VECTORS["oh_shit_joker_nt"][0]
    story = no_trumps()
    hand = list(cards(example["hand"]))
    others = [["2S", "3S"], ["2C", "3C"], ["2H", "3H"], ["4H", "5H"]]
    for step, fillers in zip(example["steps"], others, strict=True):
        # Somebody else leads; C holds the joker.
        leader = story.state.trick.leader
        assert leader is not None
        order = story.state.seats_from(leader)
        if leader == "C":
            pytest.fail("the holder of the joker is not to lead in the example")
        for seat in order:
            if seat == "C":
                legal_cards = story.game.legal_plays(story.state, "C", hand)
                assert legal_cards == tuple(one for one in hand if str(one) in step["legal"])
                assert {str(one) for one in legal_cards} == set(step["legal"])
                hand.remove(card(step["play"]))
                story.does(Played("C", card(step["play"])))
            else:
                story.does(Played(seat, card(step["lead"] if seat == leader else fillers.pop())))
        winner = story.state.trick.winner
        if step.get("wins"):
            assert winner == "C"
        else:
            assert winner == leader
            story.trick_taken()
    assert "revoke" not in events(story.said)


@pytest.mark.parametrize("example", VECTORS["oh_shit_joker_nt"][1:], ids=lambda example: str(example["note"]))
def test_revokes_with_the_joker_without_trumps(example: dict[str, Any]) -> None:
    story = no_trumps(cards=5)
    fillers = iter(cards("2S 3S 4S 5S 6S 7S 8S 9S"))
    for lead, own in example["plays"]:
        leader = story.state.trick.leader
        assert leader is not None
        if leader == "C":
            # The joker has won: C's own lead is no part of the example.
            story.does(Played("C", card("2H")), Played("A", card("KH")), Played("B", next(fillers)))
            story.trick_taken()
            leader = "A"
        for seat in story.state.seats_from(leader):
            found: Card = card(lead) if seat == leader else card(own) if seat == "C" else next(fillers)
            story.does(Played(seat, found))
        story.trick_taken()
    revokes = [one.fields for one in story.said if one.event == "revoke" and one.fields["seat"] == "C"]
    assert bool(revokes) is example["revoke"]
    if revokes:
        assert revokes == [{"seat": "C", "card": "JOKER", "trick": 2, "proved_by": "KD"}]


def test_a_joker_without_trumps_wins_when_it_may_be_played_and_is_never_forced() -> None:
    story = no_trumps()
    story.plays("B:AH")
    assert story.game.legal_plays(story.state, "C", (card("3S"), JOKER)) == (card("3S"), JOKER)
    assert story.game.legal_plays(story.state, "C", (card("3H"), JOKER, card("3S"))) == (card("3H"), JOKER)
    story.plays("C:JOKER A:2H")
    assert story.state.trick.winner == "C"


def test_a_joker_to_a_suit_discarded_on_is_a_revoke_at_once_and_does_not_win() -> None:
    story = no_trumps()
    story.trick("B:AH C:2S A:2H")
    story.plays("B:KH")
    assert story.game.legal_plays(story.state, "C", (card("3S"), JOKER)) == (card("3S"),)
    said = story.plays("C:JOKER")
    assert said[1].fields == {"seat": "C", "card": "JOKER", "trick": 2, "proved_by": "JOKER"}
    story.plays("A:3H")
    assert story.state.trick.winner == "B"


def test_a_lead_laid_anew_may_make_a_revoke_of_the_joker_upon_it() -> None:
    story = no_trumps()
    story.trick("B:AH C:2S A:2H")
    assert "revoke" not in events(story.plays("B:KD C:JOKER"))
    story.does(TakenBack("B", card("KD")))
    said = story.plays("B:KH")
    assert events(said) == ["card_played", "revoke"]
    assert said[1].fields == {"seat": "C", "card": "JOKER", "trick": 2, "proved_by": "JOKER"}
    assert "revoke" not in events(story.plays("A:3H"))
    assert story.state.trick.winner == "B"


def test_a_joker_s_revoke_is_announced_once_however_often_the_lead_is_laid_anew() -> None:
    story = no_trumps()
    story.trick("B:AH C:2S A:2H")
    assert "revoke" in events(story.plays("B:KH C:JOKER"))
    for lead in ("QH", "KD", "KH"):
        lying = story.state.trick.plays[0].card
        story.does(TakenBack("B", lying))
        assert events(story.plays(f"B:{lead}")) == ["card_played"]
    # The joker itself taken back and played again proves it again.
    story.does(TakenBack("C", JOKER))
    assert "revoke" in events(story.plays("C:JOKER"))


def test_in_the_last_trick_the_joker_always_wins() -> None:
    story = no_trumps(cards=2)
    story.trick("B:AH C:2S A:2H")
    said = story.plays("B:KH C:JOKER A:3H")
    assert "revoke" not in events(said)
    assert story.state.trick.winner == "C"


def test_a_led_joker_names_a_suit_that_it_may_stand_for() -> None:
    story = no_trumps()
    story.trick("B:2H C:AH A:3H")
    # C has played a heart: by rule 2 the joker stands for hearts only once they have run out.
    story.plays("C:JOKER")
    assert story.phase() is Phase.NAME_SUIT
    assert story.game.legal_suits(story.state, "C") == ("S", "H", "D", "C")
    assert story.game.legal_suits(story.state, "C", cards("KH 2S")) == ("S", "D", "C")
    assert story.game.legal_suits(story.state, "C", cards("KC 2S")) == ("S", "H", "D", "C")
    assert story.game.legal_suits(story.state, "A") == ()
    story.does(SuitNamed("C", "H"))
    story.trick("A:4H B:5H")
    assert story.state.tricks[-1].winner == "C"
    said = story.plays("C:KH")
    assert said[1].fields == {"seat": "C", "card": "JOKER", "trick": 2, "proved_by": "KH"}


def test_a_joker_named_as_a_suit_discarded_on_is_a_revoke_and_loses() -> None:
    story = no_trumps()
    story.trick("B:2H C:3S A:AH")
    story.trick("A:2S B:3H C:AS")
    story.plays("C:JOKER")
    assert story.game.legal_suits(story.state, "C") == ("S", "D", "C")
    said = story.does(SuitNamed("C", "H"))
    assert said[1].fields == {"seat": "C", "card": "JOKER", "trick": 3, "proved_by": "JOKER"}
    story.plays("A:4H B:5H")
    assert story.state.trick.winner == "B"


def test_unseen_cards_that_have_lost_lose_to_a_joker_that_wins_nothing_by_its_rules() -> None:
    story = no_trumps()
    for seat in "BC":
        story.does(Played(seat, UnseenCard(won=False)))
    story.plays("A:JOKER")
    assert story.state.trick.winner == "A"


def test_others_follow_the_suit_that_a_joker_named() -> None:
    story = no_trumps()
    story.plays("B:JOKER")
    story.does(SuitNamed("B", "D"))
    assert story.game.legal_plays(story.state, "C", cards("2D 3H")) == (card("2D"),)
    story.trick("C:3H A:3D")
    said = story.plays("B:5C C:6C A:7C")
    assert "revoke" not in events(said)
    story.trick_taken()
    said = story.plays("A:4D B:5D C:2D")
    assert said[1].fields == {"seat": "C", "card": "3H", "trick": 1, "proved_by": "2D"}


# --- scores -------------------------------------------------------------------------------------------------


def test_the_source_s_round_of_scores() -> None:
    for _, bid, tricks, revoked, points in VECTORS["oh_shit_round"]:
        assert points_for(bid, tricks, revoked=revoked) == points
    for bid, tricks, points in VECTORS["oh_shit_revoke_floor"]:
        assert points_for(bid, tricks, revoked=True) == points


def test_a_proved_revoke_costs_once_a_hand() -> None:
    story = begin("A0 B0 C1", "2C", hands=[3])
    story.trick("B:AH C:3S A:2H")
    story.trick("B:KH C:4S A:3H")
    said = story.plays("B:QH C:5H A:4H")
    assert events(said).count("revoke") == 0
    story = begin("A0 B0 C1", "2C", hands=[3])
    story.trick("B:AH C:3S A:2H")
    story.trick("B:KH C:4S A:3H")
    story.plays("B:QH C:5H")
    assert events(story.said).count("revoke") == 2
    story.trick("A:4H")
    assert story.scored()[0]["points"] == {"A": 5, "B": 3, "C": -5}
    assert story.state.results[0].revoked == ("C",)


# --- ties ---------------------------------------------------------------------------------------------------


def one_card(story: Story, bids: str, winner: str) -> list[str]:
    """A deal of one card that ``winner`` wins with a trump; the events of its end."""
    story.deals("2C")
    reveal(story, bids)
    rest = iter("3456789")
    plays = [f"{seat}:{'AC' if seat == winner else next(rest) + 'H'}" for seat in _order(story)]
    return events(story.trick(" ".join(plays)))


def _order(story: Story) -> tuple[str, ...]:
    leader = story.state.trick.leader
    assert leader is not None
    return story.state.seats_from(leader)


@pytest.mark.parametrize(
    ("records", "places"),
    [
        # A fulfilled one contract more than B.
        ({"A": [(0, 0), (0, 0), (0, 2)], "B": [(1, 1), (1, 1), (1, 2)], "C": [(1, 0)] * 3}, "B A C"),
        ({"A": [(0, 0), (0, 0), (1, 2)], "B": [(1, 1), (0, 1), (3, 3)], "C": [(0, 0)] * 3}, "C B A"),
        # As many contracts, but a winning one.
        ({"A": [(0, 0), (2, 2)], "B": [(0, 0), (0, 0)], "C": [(1, 1), (1, 1)]}, "C A B"),
        # As many of both, but one exceeded rather than failed.
        ({"A": [(0, 0), (2, 1)], "B": [(0, 0), (1, 2)], "C": [(1, 1), (1, 1)]}, "C B A"),
        ({"A": [(0, 0), (1, 2)], "B": [(0, 0), (1, 2)], "C": [(1, 1), (1, 1)]}, "C AB"),
    ],
)
def test_equal_points_are_told_apart_by_the_three_tie_breaks(
    records: dict[str, list[tuple[int, int]]], places: str
) -> None:
    """Totals are set equal, so that nothing but the records decides."""
    story = Story("oh-shit", "ABC", hands=[1])
    zero = {"A": 0, "B": 0, "C": 0}
    results = tuple(
        HandResult(
            at + 1,
            3,
            "A",
            {seat: records[seat][at][0] for seat in "ABC"},
            {seat: records[seat][at][1] for seat in "ABC"},
            zero,
            zero,
        )
        for at in range(len(records["A"]))
    )
    state = replace(story.state, results=results, totals=zero)
    places_of_all = ranking(story.game.rules, state)
    assert places_of_all == [list(place) for place in places.split()]
    ties = tuple(tuple(place) for place in places.split() if len(place) > 1)
    assert story.game.rules.play_off_groups(places_of_all) == ties


def test_points_come_before_the_tie_breaks() -> None:
    story = Story("oh-shit", "ABC", hands=[1])
    assert one_card(story, "A1 B0 C1", "A")[-1] == "game_over"
    assert story.said[-1].fields["ranking"] == [["A"], ["B"], ["C"]]


def test_tied_players_play_five_cards_until_it_is_decided_and_the_points_stay_out() -> None:
    story = Story("oh-shit", "ABC", hands=[1])
    said = one_card(story, "A1 B0 C0", "A")
    assert said == ["trick_taken", "hand_scored", "play_off", "hand_started"]
    assert story.said[-2].fields == {"seats": ["B", "C"], "cards": 5}
    assert story.state.players == ("B", "C")
    story.deals("2S")
    fists(story)
    story.does(BidsRevealed((("B", 0), ("C", 0))))
    # Zero against all five tricks is a tie that the source overlooks: 5 and 5.
    for rank in "45678":
        story.trick(_five(story, rank))
    assert story.said[-2].event == "play_off"
    story.deals("2S")
    fists(story)
    story.does(BidsRevealed((("B", 5), ("C", 0))))
    for rank in "45678":
        story.trick(_five(story, rank))
    over = story.said[-1]
    assert over.event == "game_over"
    assert over.fields["totals"] == {"A": 11, "B": 5, "C": 5}
    assert over.fields["ranking"] == [["A"], ["B"], ["C"]]


def _five(story: Story, rank: str) -> str:
    """B wins every trick: with a trump, or with the lead that nobody follows."""
    return " ".join(f"{seat}:{rank}{'S' if seat == 'B' else 'H'}" for seat in _order(story))


def test_a_revoke_counts_as_unfulfilled_in_the_tie_breaks() -> None:
    story = Story("oh-shit", "ABC", hands=[1])
    result = HandResult(1, 2, "A", {"A": 1}, {"A": 1}, {"A": -5}, {"A": -5}, revoked=("A",))
    assert tie_breaks((result,), "A") == (0, 0, 0)
    made = replace(result, revoked=())
    exceeded = replace(made, tricks={"A": 2})
    zero = replace(made, bids={"A": 0}, tricks={"A": 0})
    play_off = replace(made, play_off=True)
    state = replace(story.state, results=(result, made, exceeded, zero, play_off))
    assert tie_breaks(state.counted_results, "A") == (2, 1, 3)


def test_two_players_tie_in_a_decider_exactly_where_the_vectors_say() -> None:
    ties = [
        [one, other, tricks]
        for one in range(6)
        for other in range(6)
        for tricks in range(6)
        if points_for(one, tricks, revoked=False) == points_for(other, 5 - tricks, revoked=False)
    ]
    wanted = VECTORS["oh_shit_decider_ties_b1_b2_t1"]
    assert sorted(ties) == sorted(wanted)
