"""Calls that never arrive: what comes after them shows that they were made, and the table asks what they were."""

from __future__ import annotations

from table.cards import Contract
from table.events.game_events import Bid, Passed
from table.games.engine.game_state import Phase
from table.i18n.terminal_output import phrase_text
from table.observed_facts import MS, Call, Gesture
from table.referee.records.journal import effective_lines
from tests.referee.tabletop import TableTop, correct, find_last
from tests.referee.test_referee_games import Auction, fists, joker_led


def no_trumps(table: Auction) -> Auction:
    """South bids 5NT, West passes, and North's pass is lost."""
    table.do("South", Gesture.TAPS, 5)
    table.do("South", Gesture.RAP)
    table.do("West", Gesture.RAP)
    return table


def test_one_early_call_in_the_auction_is_refused_and_nothing_more() -> None:
    table = no_trumps(Auction())
    table.do("East", Gesture.RAP)
    assert table.said("pass", "corrected", "asked") == [("pass", "West")]
    table.do("North", Gesture.RAP)
    table.do("East", Gesture.RAP)
    table.do("South", Gesture.RAP)
    assert [line[1] for line in table.said("pass")] == ["West", "North", "East", "South"]
    assert table.referee.state.phase is Phase.BID


def test_when_the_next_two_call_a_pass_that_never_arrived_was_made() -> None:
    table = no_trumps(Auction())
    table.do("East", Gesture.RAP)
    table.do("South", Gesture.RAP)
    table.do("West", Gesture.TAPS, 6)
    assert [line[1] for line in table.said("pass")] == ["West", "North", "East", "South"]
    assert table.said("trump") == [("trump", "NT", None)]
    assert table.said("bid")[-1][1:3] == ("West", 6)
    for seat in ("North", "East"):
        table.do(seat, Gesture.TAPS, 2)
    table.lay("3D", table.at + 3000, "South")
    table.settle()
    (question,) = table.referee.questions
    assert (question.about, question.seat, question.choices[0]) == ("bid", "North", "pass")


def test_a_bid_of_the_dial_whose_rap_never_arrived_was_made() -> None:
    table = Auction()
    table.do("South", Gesture.TAPS, 5, taps_ms=900)
    table.at -= 1000
    table.do("West", Gesture.RAP, taps_ms=100)
    table.at -= 1500
    table.do("North", Gesture.RAP, taps_ms=100)
    table.settle(until=table.at + 200)
    assert table.said("bid", "pass")[:3] == [
        ("bid", "South", "5NT", False),
        ("pass", "West"),
        ("pass", "North"),
    ]


def test_what_stands_in_the_place_of_a_bid_lets_the_bids_be_that_were_heard() -> None:
    table = TableTop("oh-hell", hands=[1], trump="progressive", first_dealer="Cleo")
    table.rap("Cleo", 1000)
    table.bid("Ben", 0, 2000)
    table.bid("Cleo", 1, 3000)  # by the hook she could not, had Ada bid 0
    for at, (seat, name) in enumerate((("Ada", "9H"), ("Ben", "8H"), ("Cleo", "4H"))):
        table.lay(name, 6000 + 1000 * at, seat)
    table.clear("9H", "8H", "4H", at=9500, arm="Ada")
    table.settle(until=10_000)
    (scored,) = [
        line for line in effective_lines(table.referee.journal.lines) if line["event"] == "hand_scored"
    ]
    assert scored["bids"] == {"Ada": 1, "Ben": 0, "Cleo": 1}
    (question,) = table.referee.questions
    assert (question.about, question.seat, question.choices) == ("bid", "Ada", ("1", "0"))


def test_a_dealers_rap_that_never_arrived_was_made_before_the_opening_bid_was_dialled() -> None:
    table = Auction(dealt=False)
    table.do("South", Gesture.TAPS, 2)
    table.do("South", Gesture.TAPS, 1)
    for seat in ("South", "West", "North", "East", "South"):
        table.do(seat, Gesture.RAP)
    assert table.said("bid", "pass") == [
        ("bid", "South", "5H"),
        *(("pass", seat) for seat in ("West", "North", "East", "South")),
    ]
    assert not table.referee.questions


def test_a_dial_that_is_turned_before_the_deal_is_no_bid_while_the_dealer_has_not_rapped() -> None:
    table = Auction(dealt=False)
    table.do("South", Gesture.TAPS, 3)
    table.do("South", Gesture.RAP)
    table.do("South", Gesture.TAPS, 1)
    table.do("South", Gesture.RAP)
    assert table.said("bid_refused", "dealt", "bid")[1:] == [("dealt", "South"), ("bid", "South", "5C")]


def dialled_after_a_lost_rap() -> Auction:
    """South's rap after dialling 5NT is lost; West dials 6C, and quiet calls South's bid after that."""
    table = Auction()
    table.do("South", Gesture.TAPS, 5)
    table.at -= 500
    table.do("West", Gesture.TAPS, 1)
    for seat in ("West", "North", "East", "South", "West"):
        table.do(seat, Gesture.RAP)
    for seat in ("North", "East", "South"):
        table.do(seat, Gesture.TAPS, 2)
    table.settle()
    return table


def test_a_bid_dialled_after_one_whose_rap_never_arrived_counts_although_quiet_called_that_later() -> None:
    table = dialled_after_a_lost_rap()
    assert table.said("bid", "pass")[-8:] == [
        ("bid", "West", "6C"),
        *(("pass", seat) for seat in ("North", "East", "South", "West")),
        *(("bid", seat, 2) for seat in ("North", "East", "South")),
    ]


def test_taps_after_an_auction_that_seemed_over_turned_a_dial_if_a_bid_of_it_was_not_heard() -> None:
    table = Auction()
    table.do("South", Gesture.TAPS, 5)
    table.at -= 500
    table.do("West", Gesture.TAPS, 1)
    for seat in ("West", "North", "East", "South"):
        table.do(seat, Gesture.RAP)
    table.do("West", Gesture.TAPS, 2)  # a number, it seems; to West a step from 6C to 6H
    for seat in ("West", "North", "East", "South", "West"):
        table.do(seat, Gesture.RAP)
    for seat in ("North", "East", "South"):
        table.do(seat, Gesture.TAPS, 2)
    calls = [line for line in table.said("bid", "pass") if line[0] == "bid"]
    assert calls[-4:] == [("bid", "West", "6H"), *(("bid", seat, 2) for seat in ("North", "East", "South"))]


def test_a_rap_that_called_what_a_dial_showed_can_be_put_right_to_a_pass() -> None:
    table = dialled_after_a_lost_rap()
    at = find_last(table.referee, lambda entry: entry.cause == Bid("West", Contract(6, "C")))
    assert at is not None
    assert correct(table.referee, at, Passed("West"), 60_000 * MS, "West")
    calls = [
        line for line in effective_lines(table.referee.journal.lines) if line["event"] in ("bid", "pass")
    ]
    assert [(line["seat"], line.get("bid")) for line in calls][:2] == [("South", "5NT"), ("West", None)]


def test_a_rap_after_the_own_dial_was_cleared_is_a_pass_whatever_it_showed() -> None:
    table = Auction()
    table.do("South", Gesture.TAPS, 2)
    table.at -= 500
    table.do("South", Gesture.WRONG)
    table.do("South", Gesture.RAP)
    assert table.said("bid", "pass") == [("pass", "South")]


def test_what_was_called_unheard_is_what_its_player_says() -> None:
    table = no_trumps(Auction())
    for seat in ("East", "South"):
        table.do(seat, Gesture.RAP)
    for seat in ("West", "North", "East"):
        table.do(seat, Gesture.TAPS, 2)
    table.lay("3D", table.at + 3000, "South")
    table.settle()
    (question,) = table.referee.questions
    assert table.referee.answer(question.number, "6H", 0, "North")
    effective = [line for line in table.said("bid", "pass", "corrected") if line[0] != "pass"]
    assert effective[-1] == ("bid", "North", "6H")
    assert (table.referee.state.phase, table.referee.expected.default_seat) == (Phase.AUCTION, "West")
    assert not table.referee.questions


def thrown_in() -> Auction:
    """All pass, of whom West is not heard; North's and East's raps and South's next one show it."""
    table = Auction()
    for seat in ("South", "North", "East"):
        table.do(seat, Gesture.RAP)
    table.settle()
    return table


def test_a_call_of_a_hand_that_was_thrown_in_is_asked_about_until_it_is_dealt_again() -> None:
    table = thrown_in()
    assert table.said("thrown_in") == [("thrown_in", "all passed", True)]
    (question,) = table.referee.questions
    assert (question.seat, question.choices[0], question.auction_place) == ("West", "pass", 1)
    table.do("South", Gesture.RAP)
    table.settle()
    assert table.referee.state.phase is Phase.AUCTION
    assert not table.referee.questions


def test_the_answer_of_who_was_not_heard_takes_a_hand_up_that_seemed_to_be_thrown_in() -> None:
    table = thrown_in()
    (question,) = table.referee.questions
    assert table.referee.answer(question.number, "5C", 0, "West")
    assert "thrown_in" not in [line["event"] for line in effective_lines(table.referee.journal.lines)]
    assert (table.referee.state.phase, table.referee.expected.default_seat) == (Phase.AUCTION, "South")


def test_what_was_called_in_a_hand_that_was_thrown_in_is_no_call_of_the_next_deal() -> None:
    table = thrown_in()
    (question,) = table.referee.questions
    assert table.referee.answer(question.number, "pass", 0, "West")
    for seat in ("South", "South", "North"):  # the deal, a pass, and a rap before West has called
        table.do(seat, Gesture.RAP)
    table.settle()
    assert table.referee.state.calls == (("South", "pass"),)
    assert table.referee.expected.default_seat == "West"


def test_a_player_two_of_whose_calls_were_not_heard_is_asked_about_each() -> None:
    """North's pass and, after the auction, North's number: an answer to one is none to the other."""
    table = no_trumps(Auction())
    for seat in ("East", "South"):
        table.do(seat, Gesture.RAP)
    table.do("West", Gesture.TAPS, 6)
    table.do("East", Gesture.TAPS, 2)
    for number, (seat, name) in enumerate((("South", "3D"), ("West", "4D"), ("North", "5D"), ("East", "6D"))):
        table.lay(name, table.at + 3000 + 1000 * number, seat)
    table.settle()
    assert {(one.seat, one.choices[0], one.auction_place) for one in table.referee.questions} == {
        ("North", "pass", 2),
        ("North", "3", None),
    }
    for question in table.referee.questions:
        answer, to_the_other = ("pass", "5") if question.auction_place is not None else ("5", "pass")
        assert not table.referee.answer(question.number, to_the_other, 0, "North")
        assert table.referee.answer(question.number, answer, 0, "North")
    assert table.referee.state.bids == (("South", 5), ("West", 6), ("North", 5), ("East", 2))
    assert len(table.referee.state.trick.plays) == 4
    assert not table.referee.questions


def test_taps_at_another_players_turn_leave_nothing_on_the_own_dial() -> None:
    table = Auction()
    table.do("West", Gesture.TAPS, 3)
    table.do("South", Gesture.RAP)
    table.do("West", Gesture.TAPS, 1)
    assert table.watch().shown == "5C"


def lost_fist() -> TableTop:
    """Oh Shit: Ada's bid of 2 never arrives, and the first trick is played."""
    table = fists()
    table.bid("Cleo", 1, 8050)
    table.bid("Ben", 1, 8100)
    table.lay("3D", 12000, "Ben")
    table.lay("4D", 13000, "Cleo", upon=["3D"])
    table.lay("9D", 14000, "Ada", upon=["4D"])
    table.clear("3D", "4D", "9D", at=16000, arm="Ada")
    table.lay("2C", 18000, "Ada")
    table.lay("5C", 19000, "Ben", upon=["2C"])
    table.lay("9C", 20000, "Cleo", upon=["5C"])
    return table


def test_play_shows_that_a_secret_bid_never_arrived_and_its_player_is_asked() -> None:
    table = lost_fist()
    table.settle(until=20500)
    (revealed,) = table.said("bids_revealed")
    assert revealed[1] == {"Ada": 0, "Ben": 1, "Cleo": 1}
    assert revealed[2] == ["Ada"]
    assert [line[1:3] for line in table.said("card_played")][:2] == [("Ben", "3D"), ("Cleo", "4D")]
    (question,) = table.referee.questions
    assert (question.about, question.seat) == ("bid", "Ada")
    assert table.referee.answer(question.number, "2", 21_000 * MS, "Ada")
    assert table.said("bids_revealed")[-1] == ("bids_revealed", {"Ada": 2, "Ben": 1, "Cleo": 1})


def test_a_secret_bid_that_comes_after_a_lead_was_not_lost() -> None:
    table = fists()
    table.bid("Cleo", 1, 8050)
    table.bid("Ben", 1, 8100)
    table.lay("3D", 12000, "Ben")
    table.bid("Ada", 2, 13000)
    assert table.said("bids_revealed") == [("bids_revealed", {"Ada": 2, "Ben": 1, "Cleo": 1})]
    assert [line[1:3] for line in table.said("card_played")] == [("Ben", "3D")]
    assert not table.referee.questions


def test_a_call_at_another_players_turn_is_told_whose_it_is() -> None:
    table = Auction()
    table.facts.append(Call(3000 * MS, 3600 * MS, "West", Gesture.TAPS, 2))
    table.settle(until=4000)
    assert any(
        "South's turn" in phrase_text(notice.phrase) for notice in table.referee.view(4000 * MS).notices
    )


def test_when_cards_were_handed_on_and_all_bid_the_rap_that_never_arrived_was_made() -> None:
    table = TableTop("oh-hell", hands=[2], trump="progressive", first_dealer="Cleo", exchange=1)
    table.rap("Cleo", 1000)
    for at, seat in enumerate(("Cleo", "Ada")):
        table.rap(seat, 2000 + 1000 * at)
    for place, seat in enumerate(("Ada", "Ben", "Cleo")):
        table.bid(seat, place % 2, 5000 + 1000 * place)
    for at, (seat, name) in enumerate((("Ada", "9H"), ("Ben", "8H"), ("Cleo", "4H"))):
        table.lay(name, 9000 + 1000 * at, seat)
    table.settle(until=12_000)
    assert table.referee.state.bids == (("Ada", 0), ("Ben", 1), ("Cleo", 0))
    assert [str(play.card) for play in table.referee.state.trick.plays] == ["9H", "8H", "4H"]
    raps = [line for line in effective_lines(table.referee.journal.lines) if line["event"] == "rap"]
    assert [(line["seat"], line.get("heard", True)) for line in raps] == [
        ("Cleo", True),
        ("Ada", True),
        ("Ben", False),
    ]
    assert not table.referee.questions


def test_when_all_have_bid_and_play_the_dealers_rap_that_never_arrived_was_made() -> None:
    table = TableTop("oh-hell", hands=[3, 1], trump="progressive", first_dealer="Cleo")
    for place, seat in enumerate(("Ada", "Ben", "Cleo")):
        table.bid(seat, place % 2, 2000 + 1000 * place)
    table.settle(until=5900)
    assert table.referee.state.phase is Phase.DEAL
    table.lay("9H", 6000, "Ada")
    table.lay("8H", 7000, "Ben")
    table.lay("4H", 8000, "Cleo")
    table.settle(until=9000)
    assert table.referee.state.bids == (("Ada", 0), ("Ben", 1), ("Cleo", 0))
    assert [str(play.card) for play in table.referee.state.trick.plays] == ["9H", "8H", "4H"]
    assert not table.referee.questions


def follow(table: TableTop, *cards: str) -> None:
    """Cleo and Ada follow with a heart each, unless told otherwise, and Ben takes the trick."""
    laid = cards or ("5H", "8H")
    for at, (seat, name) in enumerate(zip(("Cleo", "Ada"), laid, strict=False)):
        table.lay(name, 16_000 + 1500 * at, seat, upon=["JOKER"])
    table.clear("JOKER", *laid, at=20_000, arm="Ben")
    table.lay("KH", 22_000, "Ben")
    table.settle(until=23_000)


def test_the_suit_on_the_jokers_dial_was_named_where_the_rap_never_arrived_and_play_went_on() -> None:
    table = joker_led()
    table.bid("Ben", 2, 13_000)
    table.settle(until=14_000)
    dial = table.referee.view(14_000 * MS).dial
    assert dial is not None
    follow(table)
    assert table.said("joker_named") == [("joker_named", "Ben", dial.shown, False)]
    assert [line[2] for line in table.said("card_played")] == ["JOKER", "5H", "8H", "KH"]
    assert table.said("trick_won")[0][2] == "Ben"


def test_what_a_joker_stood_for_that_nobody_heard_is_told_by_the_cards_that_follow_and_asked() -> None:
    table = joker_led()
    follow(table)
    assert table.said("joker_named") == [("joker_named", "Ben", "H", False)]
    (question,) = table.referee.questions
    assert (question.about, question.trick, question.seat, question.code) == ("bid", 1, "Ben", "asked_suit")
    assert question.choices == ("H", "S", "D", "C")
    assert table.referee.answer(question.number, "D", 23_500 * MS, "Ben")
    assert table.said("joker_named")[-1] == ("joker_named", "Ben", "D")
    assert not table.referee.questions


def test_a_card_laid_while_a_jokers_suit_is_named_does_not_name_it() -> None:
    table = joker_led()
    table.lay("5H", 13_000, "Cleo", upon=["JOKER"])
    table.settle(until=14_000)
    assert table.referee.state.phase is Phase.NAME_SUIT
    table.bid("Ben", 1, 15_000)
    table.rap("Ben", 17_000)
    assert [line[1] for line in table.said("joker_named")] == ["Ben"]
    assert table.referee.state.trick.plays[-1].seat == "Cleo"


def test_a_dial_that_shows_that_a_pass_never_arrived_stands_by_the_bid_that_was_then_made() -> None:
    """South bids 5NT, West's pass is lost, North bids 6C: so what East dials with one tap is 6D."""
    table = Auction()
    table.do("South", Gesture.TAPS, 5)
    table.do("South", Gesture.RAP)
    shown = []
    for seat in ("North", "East"):
        table.do(seat, Gesture.TAPS, 1)
        dial = table.watch()
        shown.append(dial and (dial.seat, dial.shown))
        table.do(seat, Gesture.RAP)
    assert shown == [None, ("East", "6D")]
    assert table.said("bid", "pass")[-4:] == [
        ("bid", "South", "5NT"),
        ("pass", "West", False),
        ("bid", "North", "6C"),
        ("bid", "East", "6D"),
    ]


def test_when_raps_and_taps_follow_as_in_an_auction_the_rap_of_who_handed_cards_on_was_made() -> None:
    """All have passed; East's rap as cards were handed on is lost, three pass again, and East bids."""
    table = Auction(gulash="plain")
    for seat in ("South", "West", "North", "East"):
        table.do(seat, Gesture.RAP)
    for seat in ("South", "West", "North"):
        table.do(seat, Gesture.RAP)
    for seat in ("South", "West", "North"):
        table.do(seat, Gesture.RAP)
    table.do("East", Gesture.TAPS, 1)
    dial = table.watch()
    assert dial is not None
    assert dial.seat == "East"
    table.do("East", Gesture.RAP)
    assert table.said("bid", "pass")[-4:] == [
        *(("pass", seat) for seat in ("South", "West", "North")),
        ("bid", "East", dial.shown),
    ]
