"""What the screen is told stands until what it is about is over, and no longer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from table.display.view_picture import draw_canvas
from table.i18n.catalogue import load_catalogue
from table.i18n.terminal_output import phrase_text
from table.observed_facts import MS, Gesture
from table.pipeline import referee_from_config
from table.referee.model.hypothesis import add_line_fields
from table.referee.model.notice_expiry import SCOPES, event_notices
from table.referee.records.journal import Journal
from table.simulation.players.game_director import play_game
from table.simulation.simulated_config import make_simulated_config
from tests.referee.tabletop import TableTop, redo, undo
from tests.referee.test_referee_games import FOUR, Auction
from tests.simulation.perfect import card_facts


def standing_at(table: TableTop, until: float) -> list[str]:
    """What the screen may say when all is known up to then, in ms."""
    table.settle(until)
    return [phrase_text(notice.phrase) for notice in table.referee.view(int(until * MS)).notices]


def test_every_sentence_says_what_it_is_about() -> None:
    codes = (code.partition(".") for code in load_catalogue().entries)
    assert SCOPES.keys() == {name for part, _, name in codes if part == "notice"}


def test_a_bid_before_the_deal_is_refused_in_sight_and_asked_for_again_until_its_player_bids() -> None:
    table = TableTop(hands=[2])
    table.bid("Ben", 1, 1000)
    assert standing_at(table, 2000) == ["Ben can't bid yet: Ada is to deal 2 each and say when it is done"]
    table.rap("Ada", 3000)
    assert standing_at(table, 4000) == ["Ben: your bid did not count, bid again"]
    table.bid("Cleo", 1, 5000)
    assert standing_at(table, 6000) == ["Ben: your bid did not count, bid again"]
    table.bid("Ben", 1, 7000)
    assert standing_at(table, 8000) == []


def test_a_dealer_who_bids_before_the_deal_is_told_to_deal_first() -> None:
    table = TableTop(hands=[2])
    table.bid("Ada", 1, 1000)
    assert standing_at(table, 2000) == ["Ada can't bid yet: Ada is to deal 2 each and say when it is done"]


def test_a_bid_out_of_turn_is_asked_for_again_once_its_player_s_turn_has_come() -> None:
    table = TableTop("prediction-whist", hands=[2])
    table.rap("Ada", 1000)
    table.bid("Ada", 1, 2000)
    assert standing_at(table, 3000) == ["Ada can't bid now: Ben is to bid"]
    table.bid("Ben", 0, 4000)
    assert standing_at(table, 5000) == ["Ada: your bid did not count, bid when it is your turn"]
    table.bid("Cleo", 0, 6000)
    assert standing_at(table, 8000) == ["Ada: your bid did not count, bid again"]
    table.bid("Ada", 1, 9000)
    assert standing_at(table, 10000) == []


def test_a_refused_bid_of_one_who_may_bid_stands_until_that_player_has_bid() -> None:
    table = TableTop(hands=[2])
    table.rap("Ada", 1000)
    table.bid("Ben", 5, 2000)
    refusal = "Ben can't bid 5: the hand has 2 tricks"
    assert standing_at(table, 3000) == [refusal]
    table.bid("Cleo", 1, 4000)
    assert standing_at(table, 5000) == [refusal]
    table.bid("Ben", 1, 6000)
    assert standing_at(table, 7000) == []


@pytest.mark.parametrize("apart", [299, 301], ids=["close", "apart"])
def test_of_two_free_bids_close_together_the_earlier_one_is_named_also_after_an_undo(apart: int) -> None:
    table = TableTop(hands=[2])
    table.rap("Ada", 1000)
    table.bid("Ben", 1, 3000)
    table.bid("Cleo", 0, 3000 + apart)
    told = [sentence for sentence in standing_at(table, 5000) if "earlier" in sentence]
    assert len(told) == (apart == 299)
    assert undo(table.referee, 6000 * MS, "Ada")
    assert not [sentence for sentence in standing_at(table, 6000) if "earlier" in sentence]
    assert redo(table.referee, 7000 * MS, "Ada")
    assert [sentence for sentence in standing_at(table, 7000) if "earlier" in sentence] == told


def test_only_bids_that_were_heard_are_a_close_call() -> None:
    """Bids that are assumed at a lead all have its stamp."""
    table = TableTop(hands=[2])
    table.rap("Ada", 1000)
    table.bid("Ben", 1, 3000)
    table.bid("Cleo", 0, 3100)
    table.settle(4000)
    later = next(table.referee.shared.search.best.entries())
    assert later.previous is not None
    unheard = [
        replace(entry, announcements=add_line_fields(entry.announcements, {"heard": False}))
        for entry in (later, later.previous)
    ]
    state, game = table.referee.state, table.referee.shared.game
    close = [
        [notice.phrase.code for notice in event_notices(entry, state, game)]
        for entry in (later, unheard[0], replace(later, previous=unheard[1]))
    ]
    assert close == [["notice.close_call"], [], []]


def test_a_hand_that_all_have_passed_is_told_until_it_is_dealt_again() -> None:
    table = Auction()
    for seat in FOUR:
        table.do(seat, Gesture.RAP)
    assert standing_at(table, table.at + 1000) == ["All passed: South deals again"]
    table.do("South", Gesture.RAP)
    assert standing_at(table, table.at + 1000) == []


def test_why_cards_are_passed_on_is_told_until_the_auction_begins_again() -> None:
    table = Auction(gulash="plain")
    for seat in FOUR:
        table.do(seat, Gesture.RAP)
    why = "All passed: everybody passes cards on, then the auction begins again"
    assert standing_at(table, table.at + 1000) == [why]
    for seat in FOUR:
        assert why in standing_at(table, table.at + 1100)
        table.do(seat, Gesture.RAP)
    assert standing_at(table, table.at + 1000) == []


def test_who_was_first_is_told_until_the_bidding_is_over_and_a_card_led() -> None:
    table = TableTop(hands=[2])
    table.rap("Ada", 1000)
    table.bid("Cleo", 1, 2000)
    table.bid("Ben", 0, 2040)
    assert standing_at(table, 2500) == ["Cleo was 40 ms earlier than Ben"]
    table.bid("Ada", 0, 3000)
    assert standing_at(table, 3500) == ["Cleo was 40 ms earlier than Ben"]
    table.lay("9H", 5000, "Ada")
    assert standing_at(table, 7000) == []


def test_a_tie_of_bids_stands_until_who_must_has_bid() -> None:
    table = TableTop(hands=[2])
    table.rap("Ada", 1000)
    table.bid("Cleo", 1, 2000)
    table.bid("Ben", 0, 2004)
    (tie,) = standing_at(table, 2700)
    assert tie == "Cleo and Ben bid at the same time (4.0 ms apart): neither counts, Ben bids"
    table.bid("Ben", 1, 4000)
    assert standing_at(table, 5000) == []


def test_a_tie_of_leads_asks_for_the_card_until_it_is_taken_back_and_then_only_tells_why() -> None:
    table = TableTop(hands=[2])
    table.rap("Ada", 1000)
    for seat, at in (("Ben", 2000), ("Cleo", 3000), ("Ada", 4000)):
        table.bid(seat, 0 if seat != "Ada" else 1, at)
    table.lay("9H", 6000, "Ben")
    table.lay("4D", 6100, "Cleo", place=(12.0, 5.0))
    (asks,) = standing_at(table, 8000)
    assert asks.startswith("Led at the same time: Ben's card stays (")
    assert asks.endswith("; Cleo: take yours back")
    table.withdraw("4D", 9000)
    assert standing_at(table, 10000)[-1] == asks.removesuffix("; Cleo: take yours back")


def test_a_card_that_was_taken_back_is_told_until_its_player_has_played() -> None:
    table = TableTop(hands=[2])
    table.rap("Ada", 1000)
    for seat, at in (("Ben", 2000), ("Cleo", 3000), ("Ada", 4000)):
        table.bid(seat, 0 if seat != "Ada" else 1, at)
    table.lay("9H", 6000, "Ben")
    table.lay("4H", 8000, "Cleo")
    standing_at(table, 9000)
    table.withdraw("4H", 10000)
    assert standing_at(table, 11000) == ["Cleo took the 4♥ back"]
    table.lay("5H", 12000, "Cleo")
    assert standing_at(table, 13500) == []


def test_a_card_to_be_taken_back_is_told_while_it_lies_and_not_under_game_over() -> None:
    table = TableTop(hands=[1])
    table.rap("Ada", 1000)
    for seat, at in (("Ben", 2000), ("Cleo", 3000)):
        table.bid(seat, 0, at)
    table.bid("Ada", 0, 4000)
    table.lay("9H", 6000, "Ada")
    table.lay("KH", 7000, "Ben")
    table.lay("2H", 8000, "Cleo")
    table.lay("4D", 9000, "Cleo", place=(150.0, 0.0))
    assert standing_at(table, 10500) == ["Cleo: take the 4♦ back, Ben is to pick up the trick first"]
    table.clear("9H", "KH", "2H", at=11000, arm="Ben")
    assert standing_at(table, 16000) == []
    assert table.referee.state.winners


def test_a_revoke_is_told_with_its_proof_until_the_next_hand_is_dealt() -> None:
    table = TableTop(hands=[2, 1])
    table.rap("Ada", 1000)
    table.bid("Ben", 0, 2000)
    table.bid("Cleo", 0, 3000)
    table.bid("Ada", 0, 4000)
    for at, card, seat in ((6000, "9H", "Ada"), (7000, "KC", "Ben"), (8000, "2H", "Cleo")):
        table.lay(card, at, seat)
    table.clear("9H", "KC", "2H", at=10000, arm="Ada")
    assert standing_at(table, 11000) == []
    for at, card, seat in ((12000, "3D", "Ada"), (13000, "5H", "Ben")):
        table.lay(card, at, seat)
    revoke = "Ben revoked: the K♣ in trick 1 did not follow suit, as the 5♥ proves"
    assert standing_at(table, 14500) == [revoke]
    table.lay("4D", 15000, "Cleo")
    table.clear("3D", "5H", "4D", at=17000, arm="Cleo")
    assert standing_at(table, 18000) == [revoke]
    table.rap("Ben", 19000)
    assert standing_at(table, 20000) == []


def test_who_goes_out_is_told_with_how_many_are_left_and_not_under_game_over() -> None:
    table = TableTop("prediction-whist", hands=[1, 1], lives=1)
    table.rap("Ada", 1000)
    table.bid("Ben", 0, 2000)
    table.bid("Cleo", 0, 3000)
    table.bid("Ada", 0, 4000)
    for at, card, seat in ((6000, "9H", "Ben"), (7000, "KH", "Cleo"), (8000, "2H", "Ada")):
        table.lay(card, at, seat)
    table.clear("9H", "KH", "2H", at=10000, arm="Cleo")
    assert standing_at(table, 11000) == ["Cleo is out: 2 players left"]
    table.rap("Ben", 12000)
    table.bid("Ada", 0, 13000)
    table.bid("Ben", 0, 14000)
    table.lay("3C", 15000, "Ada")
    table.lay("KC", 16000, "Ben")
    table.clear("3C", "KC", at=18000, arm="Ben")
    assert standing_at(table, 19000) == []
    assert table.referee.state.winners == ("Ada",)


@pytest.mark.parametrize(
    ("bid", "told"),
    [
        (0, "Ada and Cleo are tied: this hand decides"),
        (1, "Ada and Cleo are tied: this hand decides their places"),
    ],
)
def test_a_play_off_says_whether_it_decides_who_wins_or_only_lower_places(bid: int, told: str) -> None:
    table = TableTop("oh-hell", hands=[1], trump="progressive", tie_break="every")
    table.rap("Ada", 1000)
    for seat, at in (("Ben", 2000), ("Cleo", 3000), ("Ada", 4000)):
        table.bid(seat, bid, at)
    for card, at, seat in (("9H", 6000, "Ben"), ("8H", 7000, "Cleo"), ("7H", 8000, "Ada")):
        table.lay(card, at, seat)
    table.clear("9H", "8H", "7H", at=10000, arm="Ben")
    assert standing_at(table, 11000) == [told]


def test_why_a_deciding_hand_is_played_stands_until_its_first_card() -> None:
    config = make_simulated_config("israeli-whist", 4, {"hands": [13], "target": 300}, seed=1)
    world = play_game(config, 1)
    referee = referee_from_config(config, Journal())
    referee.start(world.start_ns)
    told: list[tuple[int, bool, bool]] = []
    boxes: list[tuple[int, set[str]]] = []
    for fact in sorted([*world.calls, *card_facts(world)], key=lambda fact: fact.t_ns):
        referee.take((fact,), fact.t_ns, fact.t_ns)
        view, state = referee.view(fact.t_ns), referee.state
        why = any(
            phrase_text(one.phrase) == "Ben and Cleo are tied: this hand decides" for one in view.notices
        )
        told.append((state.hand, bool(state.tricks or state.trick.plays), why))
        if not boxes or boxes[-1][0] != state.hand:
            texts = {placed.text for placed in draw_canvas(view, (1280, 720)).placed}
            boxes.append((state.hand, texts & {"Hand 1 of 1", "Hand 2", "Deciding hand"}))
        if state.hand == 2 and state.tricks:
            break
    assert {(hand, played) for hand, played, why in told if why} == {(2, False)}
    assert all(why for hand, played, why in told if (hand, played) == (2, False))
    assert boxes == [(1, {"Hand 1 of 1"}), (2, {"Deciding hand"})]
