"""The panel behind "that's wrong": everything that is no bid and no card, by the same buttons."""

from __future__ import annotations

import json
from typing import Any

import pytest

from table.games.engine.game_state import Phase
from table.history.export import hand_rows
from table.i18n.rules_page import rules_paragraphs
from table.i18n.terminal_output import phrase_text
from table.observed_facts import MS, Call, Gesture
from table.referee.records.journal import Journal
from table.referee.records.journal_of_hypothesis import read_journal
from tests.english import Read, read
from tests.referee.tabletop import TableTop
from tests.referee.test_referee_cards import bidden, trick
from tests.referee.test_referee_games import fists


class Hands:
    """A player's fingers in a panel."""

    def __init__(self, table: TableTop, at: float, seat: str = "Ada") -> None:
        self.table, self.at, self.seat = table, at, seat

    def do(self, gesture: Gesture, count: int = 0, seat: str = "") -> None:
        self.at += 1000
        call = Call(int(self.at * MS), int((self.at + 500) * MS), seat or self.seat, gesture, count)
        self.table.facts.append(call)
        self.table.settle(self.at + 600)

    def choose(self, *starts: str) -> None:
        """Open the panel; on each level step to the line that begins so, and rap."""
        self.do(Gesture.WRONG)
        for start in starts:
            self.mark(start)
            self.do(Gesture.RAP)

    def mark(self, start: str) -> None:
        """Step to the line that begins so."""
        panel = self.table.referee.view(0).panel
        assert panel is not None
        to = [n for n, line in enumerate(panel.options) if phrase_text(line).startswith(start)]
        assert to, (start, panel)
        if to[0] != panel.marked:
            self.do(Gesture.TAPS, (to[0] - panel.marked) % len(panel.options))


def lines(table: TableTop) -> tuple[str, ...]:
    panel = table.referee.view(0).panel
    return tuple(map(phrase_text, panel.options)) if panel else ()


def dealt() -> tuple[TableTop, Hands]:
    """A table at which three cards each are dealt and nobody has bid yet, and Ada's hands."""
    table = TableTop(hands=[3])
    table.rap("Ada", 1000)
    table.settle()
    return table, Hands(table, 2000)


def test_the_likeliest_answer_is_one_rap_away() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada", others=[("6H", 0.2)])
    table.settle()
    hands = Hands(table, 7000)
    hands.do(Gesture.WRONG)
    assert lines(table)[0] == "Ada's 9♥ is the 6♥"
    hands.do(Gesture.RAP)
    assert table.said("card_played")[-1] == ("card_played", "Ada", "6H")
    assert table.referee.view(0).panel is None


def test_a_card_given_to_the_wrong_player_is_mended() -> None:
    table = bidden()
    table.lay("9H", 6000, None)
    table.settle()
    Hands(table, 7000).choose("The 9♥ is Ben's")
    assert table.referee.state.trick.plays[0].seat == "Ben"
    table.lay("4H", 12000, "Cleo")
    assert table.said("card_played")[-1] == ("card_played", "Cleo", "4H")


def test_undo_takes_the_last_decision_back_and_the_card_with_it() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    table.settle()
    Hands(table, 7000).choose("Undo: Ada's 9♥")
    assert table.referee.state.phase is Phase.LEAD
    assert table.said("corrected")[-1][1:3] == ("undo", {"event": "card_played", "seat": "Ada", "card": "9H"})
    table.withdraw("9H", 12000)
    table.lay("8H", 13000, "Ada")
    assert table.said("card_played", "card_taken_back")[-2:] == [
        ("card_taken_back", "Ada", "9H"),
        ("card_played", "Ada", "8H"),
    ]


def test_a_misdeal_is_thrown_in_and_dealt_again() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    table.settle()
    Hands(table, 7000).choose("Misdeal", "Yes")
    state = table.referee.state
    assert (state.phase, state.hand, state.dealer, state.bids) == (Phase.DEAL, 1, "Ada", ())
    assert table.said("thrown_in") == [("thrown_in", "misdeal")]
    table.clear("9H", at=12000)
    assert not table.said("card_taken_back")


def test_a_hand_is_played_again_from_its_deal() -> None:
    table = bidden()
    trick(table)
    table.settle()
    Hands(table, 9000).choose("Undo several steps", "Play hand 1 again", "Yes")
    state = table.referee.state
    assert (state.phase, state.hand, state.cards_played()) == (Phase.DEAL, 1, ())


def test_a_trick_that_left_unseen_is_said_to_be_picked_up() -> None:
    table = bidden()
    trick(table)
    table.settle()
    Hands(table, 9000).choose("Ada has picked up the trick")
    assert table.said("trick_taken") == [("trick_taken", "Ada")]
    assert table.referee.state.phase is Phase.LEAD


def test_a_player_leaves_and_an_endless_game_is_ended() -> None:
    table = TableTop(constant=2)
    Hands(table, 1000).choose("A player leaves", "Cleo leaves", "Yes")
    assert table.said("player_left")[-1][1] == "Cleo"
    Hands(table, 9000).choose("End the game", "Yes")
    assert table.referee.state.phase is Phase.OVER


def test_who_leaves_in_mid_hand_has_it_thrown_in_and_the_screen_says_so() -> None:
    table = bidden()
    Hands(table, 7000).choose("A player leaves", "Cleo leaves", "Yes")
    assert table.referee.state.phase is Phase.DEAL
    said = phrase_text(table.referee.view(0).notices[0].phrase)
    assert said == "Ada says so: Cleo leaving and the hand thrown in (a player has left)"


def test_who_leaves_between_hands_throws_nothing_in() -> None:
    table = TableTop(hands=[3])
    Hands(table, 1000).choose("A player leaves", "Cleo leaves", "Yes")
    assert phrase_text(table.referee.view(0).notices[0].phrase) == "Ada says so: Cleo leaving"


def test_the_panel_takes_its_own_players_buttons_alone() -> None:
    table, hands = dealt()
    hands.do(Gesture.WRONG)
    hands.do(Gesture.TAPS, 1)
    hands.do(Gesture.TAPS, 2, seat="Ben")
    panel = opened(table)
    assert panel.lines[panel.at] == "Button broken: press for somebody"
    assert table.said("bid") == [("bid", "Ben", 2)]


def test_presses_for_a_panel_that_another_covers_are_no_bids_and_it_is_there_again_afterwards() -> None:
    table, hands = dealt()
    hands.do(Gesture.WRONG)
    hands.mark("Misdeal")
    hands.do(Gesture.WRONG, seat="Ben")
    assert opened(table).seat == "Ben"
    hands.do(Gesture.TAPS, 2)
    hands.do(Gesture.RAP)
    hands.do(Gesture.WRONG, seat="Ben")
    panel = opened(table)
    assert panel.seat == "Ada"
    assert panel.lines[panel.at].startswith("Misdeal")
    assert table.said("bid", "rap", "thrown_in") == []


def test_a_covered_panel_follows_what_was_chosen_above_it() -> None:
    table = TableTop(hands=[3])
    table.rap("Ada", 1000)
    table.bid("Cleo", 2, 2000)
    table.settle()
    hands = Hands(table, 3000)
    hands.do(Gesture.WRONG)
    hands.mark("Undo: Cleo's bid of 2")
    Hands(table, hands.at, "Ben").choose("Undo: Cleo's bid of 2")
    panel = opened(table)
    assert panel.seat == "Ada"
    assert panel.lines[panel.at] == "Close: all is right"
    assert "Undo: Cleo's bid of 2" not in panel.lines


def test_a_covered_panel_is_brought_up_by_thats_wrong_and_closes_by_itself() -> None:
    table, hands = dealt()
    for seat in ("Ada", "Ben", "Ada"):
        hands.do(Gesture.WRONG, seat=seat)
    assert opened(table).seat == "Ada"
    hands.do(Gesture.WRONG)
    assert opened(table).seat == "Ben"
    table.settle(hands.at + 21_000)
    assert table.referee.view(0).panel is None
    Hands(table, hands.at + 22_000).do(Gesture.TAPS, 2, seat="Ben")
    assert table.said("bid") == [("bid", "Ben", 2)]


def test_thats_wrong_closes_it_and_changes_nothing() -> None:
    table = bidden()
    table.settle()
    before = table.referee.state
    hands = Hands(table, 7000)
    hands.do(Gesture.WRONG)
    hands.do(Gesture.WRONG)
    assert table.referee.view(0).panel is None
    assert table.referee.state == before


def test_nothing_that_the_game_does_not_allow_is_offered() -> None:
    table = TableTop(hands=[2])
    Hands(table, 1000).do(Gesture.WRONG)
    assert not any(line.startswith(("Undo", "Take back", "Correct")) for line in lines(table))
    assert lines(table)[-2:] == ("Close: all is right", "Read the rules, as agreed")


# --- corrections at any time ------------------------------------------------------------------------------------------


def opened(table: TableTop) -> Read:
    panel = table.referee.view(0).panel
    assert panel is not None
    return read(panel)


def played_hand(table: TableTop, start: float, dealer: str, first: str, second: str) -> None:
    """A hand of one card: ``first`` wins it with a bid of 1; the others bid 0 and 1."""
    table.rap(dealer, start + 1000)
    table.bid(first, 1, start + 2000)
    table.bid(second, 0, start + 3000)
    table.bid(dealer, 1, start + 4000)
    table.lay("9H", start + 7000, first)
    table.lay("8H", start + 8000, second)
    table.lay("7H", start + 9000, dealer)
    table.clear("9H", "8H", "7H", at=start + 11000, arm=first)
    table.settle()


def two_hands(game: str = "whysteria", **options: Any) -> TableTop:
    table = TableTop(game, hands=[1, 1, 1, 1], **options)
    played_hand(table, 0, "Ada", "Ben", "Cleo")
    played_hand(table, 20000, "Ben", "Cleo", "Ada")
    return table


def test_an_earlier_card_of_this_trick_is_any_card_by_suit_then_rank() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    table.lay("8H", 7000, "Ben")
    table.settle()
    Hands(table, 8000).choose("Correct a card of this trick", "Ada's 9♥", "Another card", "♦", "Q♦")
    assert [str(play.card) for play in table.referee.state.trick.plays] == ["QD", "8H"]
    assert phrase_text(table.referee.view(0).notices[0].phrase) == "Ada corrected: Ada's 9♥ is Ada's Q♦"


@pytest.mark.thorough
def test_a_card_of_the_last_trick_is_put_right_and_what_followed_with_it() -> None:
    table = bidden()
    trick(table)
    table.clear("9H", "8H", "4H", at=9000, arm="Ada")
    table.settle()
    table.lay("4S", 10000, "Ada")
    table.settle()
    taken = table.referee.state.tricks[0]
    assert taken.winner == "Ada"
    Hands(table, 11000).choose("Correct a card of the last trick", "Ben's", "Another card", "♥", "K♥")
    assert table.referee.state.tricks[0].winner == "Ben"


@pytest.mark.thorough
def test_a_card_that_was_laid_before_may_be_named_and_that_one_was_misread() -> None:
    table = bidden()
    trick(table)
    table.clear("9H", "8H", "4H", at=9000, arm="Ada")
    table.lay("4S", 10_000, "Ada")
    table.lay("5S", 11_000, "Ben")
    table.settle()
    hands = Hands(table, 12_000)
    hands.choose("Correct a card of this trick", "Ben's 5♠", "Another card", "♥", "8♥")
    assert opened(table).lost == "This will be lost: Ben's 8♥"
    hands.mark("Yes")
    hands.do(Gesture.RAP)
    state = table.referee.state
    assert [str(play.card) for play in state.trick.plays] == ["4S", "8H"]
    assert [str(play.card) for play in state.tricks[0].plays] == ["9H", "?", "4H"]


def test_the_card_that_nobody_saw_is_named_by_suit_then_rank() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    table.lay("4H", 8000, "Cleo")
    table.clear("9H", "4H", at=9000, arm="Ada")
    table.lay("3S", 10000, "Ada")
    table.settle()
    assert str(table.referee.state.tricks[0].plays[1].card) == "?"
    hands = Hands(table, 11000)
    hands.choose("Correct a card of the last trick", "Ben's ?")
    assert opened(table).lines == ("♠", "♥", "♦", "♣")
    hands.mark("♥")
    hands.do(Gesture.RAP)
    assert "9♥" not in opened(table).lines
    hands.mark("K♥")
    hands.do(Gesture.RAP)
    if table.referee.view(0).panel is not None:
        hands.mark("Yes")
        hands.do(Gesture.RAP)
    taken = table.referee.state.tricks[0]
    assert (str(taken.plays[1].card), taken.winner) == ("KH", "Ben")


def test_a_bid_of_this_hand_is_put_right_and_can_be_taken_back() -> None:
    table = bidden()
    table.settle()
    before = table.referee.state
    seat, bid = before.bids[0]
    assert isinstance(bid, int)
    hands = Hands(table, 7000)
    hands.choose("Correct a bid", f"{seat}'s bid of {bid}", f"{seat} bid {bid + 1}, not {bid}", "Yes")
    assert table.referee.state.bids_by_seat.get(seat) == bid + 1
    hands.choose("Take back")
    if table.referee.view(0).panel is not None:
        hands.mark("Yes")
        hands.do(Gesture.RAP)
    assert table.referee.state == before


def test_a_bid_of_the_fists_is_put_right() -> None:
    table = fists()
    for seat, bid, at in (("Ben", 0, 8010), ("Cleo", 2, 8050), ("Ada", 1, 8900)):
        table.bid(seat, bid, at)
    table.settle()
    Hands(table, 10_000).choose("Correct a bid", "Cleo's bid of 2", "Cleo bid 1, not 2")
    assert table.referee.state.bids_by_seat == {"Ada": 1, "Ben": 0, "Cleo": 1}


def test_bids_of_the_fists_that_are_undone_are_made_again_after_another_count() -> None:
    table = fists()
    for seat, bid, at in (("Ben", 0, 8010), ("Cleo", 2, 8050), ("Ada", 1, 8900)):
        table.bid(seat, bid, at)
    table.settle()
    Hands(table, 10_000).choose("Undo: the bids")
    assert table.referee.view(0).countdown_ends_ns == 15_000 * MS
    for seat, at in (("Ben", 15_100), ("Cleo", 15_200), ("Ada", 15_300)):
        table.bid(seat, 1, at)
    table.settle()
    assert table.referee.state.bids_by_seat == {"Ada": 1, "Ben": 1, "Cleo": 1}


def test_a_fist_that_is_undone_ends_the_count_and_the_bids_since_stand_no_more() -> None:
    table = fists()
    table.bid("Ben", 2, 8010)
    table.settle()
    Hands(table, 10_000).choose("Undo: Ada's rap")
    assert table.referee.view(0).countdown_ends_ns is None
    table.rap("Ada", 20_000)
    for seat, at in (("Cleo", 23_100), ("Ada", 23_200)):
        table.bid(seat, 1, at)
    table.settle()
    assert table.referee.state.phase is Phase.SECRET_BID
    table.bid("Ben", 0, 23_900)
    table.settle()
    assert table.referee.state.bids_by_seat == {"Ada": 1, "Ben": 0, "Cleo": 1}


def test_a_bid_of_the_last_hand_changes_its_score_and_nothing_played_since() -> None:
    table = two_hands()
    table.rap("Cleo", 41000)
    table.bid("Ada", 0, 42000)
    table.settle()
    state = table.referee.state
    Hands(table, 50000).choose("Correct a bid", "Cleo's bid of 1 in hand 2", "Cleo bid 0, not 1")
    after = table.referee.state
    assert after.totals == {**state.totals, "Cleo": state.totals["Cleo"] - 1}
    assert (after.hand, after.bids) == (3, state.bids)


def test_only_points_that_a_hand_can_score_are_offered_where_these_are_few() -> None:
    table = two_hands()
    hands = Hands(table, 40000)
    hands.choose("Correct an earlier hand's score", "Hand 1", "Ben")
    assert lines(table) == ("Ben: 0",)
    hands.do(Gesture.RAP)
    after = table.referee.state
    assert (after.results[0].points["Ben"], after.totals["Ben"]) == (0, 0)


def test_the_score_of_an_earlier_hand_is_put_right_and_totals_follow() -> None:
    table = two_hands("oh-hell", trump="progressive")
    before = table.referee.state
    was = before.results[0].points["Ben"]
    hands = Hands(table, 40000)
    hands.choose("Correct an earlier hand's score", "Hand 1", "Ben", "20 to 29", "Ben: 21")
    after = table.referee.state
    assert after.results[0].points["Ben"] == 21
    assert after.totals["Ben"] == before.totals["Ben"] + 21 - was
    assert after.results[1].totals["Ben"] == before.results[1].totals["Ben"] + 21 - was
    assert table.said("hand_rescored")[-1][1:3] == (1, {"Ben": 21})
    rows = hand_rows(table.referee.journal.lines)
    assert [(row["points"], row["total"]) for row in rows if row["seat"] == "Ben"] == [
        (result.points["Ben"], result.totals["Ben"]) for result in after.results
    ]
    lines = json.loads(json.dumps(table.referee.journal.lines))
    assert read_journal(table.referee.game, Journal(earlier=lines)).hypothesis.state == after
    hands.choose("Undo: the score of hand 1")
    assert table.referee.state == before


def test_a_longer_undo_names_what_is_lost_and_can_be_done_again() -> None:
    table = bidden()
    trick(table)
    table.clear("9H", "8H", "4H", at=9000, arm="Ada")
    table.settle()
    before = table.referee.state
    hands = Hands(table, 10000)
    hands.choose("Undo several steps", "Play hand 1 again")
    panel = opened(table)
    assert panel.lines[panel.at] == "No: leave it as it is"
    assert panel.lost == "This will be lost: 1 trick and 3 bids of hand 1"
    assert panel.path == ("Undo several steps", "Play hand 1 again from its deal")
    hands.do(Gesture.RAP)
    assert table.referee.state == before
    assert opened(table).asks == "Back to before"
    hands.do(Gesture.RAP)
    hands.mark("Yes")
    hands.do(Gesture.RAP)
    assert table.referee.state.bids == ()
    hands.choose("Do again")
    assert table.referee.state == before


def test_a_bid_that_took_the_place_of_an_undone_one_is_not_lost_without_asking() -> None:
    table = TableTop(hands=[3])
    table.rap("Ada", 1000)
    table.bid("Ben", 1, 2000)
    table.settle()
    hands = Hands(table, 4000)
    hands.choose("Undo: Ben's bid of 1")
    table.bid("Ben", 3, hands.at + 1000)
    hands.at += 2000
    hands.choose("Do again: Ben's bid of 1")
    assert opened(table).lost == "This will be lost: Ben's bid of 3"
    hands.do(Gesture.RAP)
    assert table.referee.state.bids == (("Ben", 3),)


def test_leaving_and_ending_ask_once_more_and_can_be_undone() -> None:
    for path in (("A player leaves", "Cleo leaves"), ("End the game",), ("Misdeal",)):
        table = bidden()
        table.settle()
        before = table.referee.state
        hands = Hands(table, 7000)
        hands.choose(*path)
        assert opened(table).lost == "This will be lost: 3 bids of hand 1"
        hands.mark("Yes")
        hands.do(Gesture.RAP)
        assert table.referee.state != before
        assert phrase_text(table.referee.view(0).notices[0].phrase).startswith("Ada says so: ")
        hands.choose("Undo")
        assert table.referee.state == before


# --- the panel and the game move on together --------------------------------------------------------------------------


def test_a_stale_mark_undoes_nobody_elses_bid() -> None:
    table = TableTop(hands=[3])
    table.rap("Ada", 1000)
    table.bid("Ben", 1, 2000)
    table.settle(2900)
    hands = Hands(table, 3000)
    hands.do(Gesture.WRONG)
    hands.mark("Undo: Ben's bid of 1")
    hands.do(Gesture.TAPS, 2, seat="Cleo")
    panel = opened(table)
    assert "Undo: Cleo's bid of 2" in panel.lines
    assert panel.lines[panel.at] == "Close: all is right"
    hands.do(Gesture.RAP)
    assert table.referee.view(0).panel is None
    assert table.referee.state.bids_by_seat == {"Ben": 1, "Cleo": 2}


def test_a_level_that_no_longer_holds_the_marked_line_closes() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    table.settle(6500)
    hands = Hands(table, 6000)
    hands.choose("Correct a card of this trick", "Ada's 9♥")
    hands.mark("Another card")
    table.lay("8H", hands.at + 700, "Ben")
    table.settle(hands.at + 1000)
    assert opened(table).lines[-1] == "Another card ..."
    table.reread("9H", "6H", hands.at + 1100, 1.0)
    table.withdraw("8H", hands.at + 1200)
    table.settle(hands.at + 1500)
    assert opened(table).asks in ("What instead", "Which card", "What is wrong")


def test_it_closes_by_itself_after_twenty_quiet_seconds_of_its_player() -> None:
    table = TableTop(hands=[3])
    table.rap("Ada", 1000)
    hands = Hands(table, 2000)
    hands.do(Gesture.WRONG)
    hands.do(Gesture.TAPS, 1)
    pressed = hands.at + 500
    table.bid("Ben", 1, pressed + 10_000)
    table.settle(pressed + 19_999)
    assert table.referee.view(0).panel is not None
    table.settle(pressed + 20_001)
    assert table.referee.view(0).panel is None


def test_thats_wrong_leaves_one_level_at_a_time() -> None:
    table = bidden()
    table.settle()
    hands = Hands(table, 7000)
    hands.choose("Correct a bid")
    hands.do(Gesture.RAP)
    assert opened(table).asks == "What instead"
    hands.do(Gesture.WRONG)
    assert opened(table).asks == "Which bid"
    hands.do(Gesture.WRONG)
    assert opened(table).asks == "What is wrong"
    hands.do(Gesture.WRONG)
    assert table.referee.view(0).panel is None


def test_a_bid_that_could_be_no_other_is_not_offered() -> None:
    table = TableTop("prediction-whist", hands=[1])
    table.rap("Ada", 1000)
    table.bid("Ben", 0, 2000)
    table.bid("Cleo", 0, 4000)
    table.bid("Ada", 0, 6000)
    table.settle(7000)
    hands = Hands(table, 7100)
    hands.choose("Correct a bid")
    assert opened(table).lines == ("Cleo's bid of 0", "Ben's bid of 0")


def test_the_rules_are_read_paragraph_by_paragraph_and_for_longer() -> None:
    table = bidden()
    hands = Hands(table, 7000)
    hands.choose("Read the rules")
    panel = table.referee.view(0).panel
    assert panel is not None
    assert panel.reads_rules
    count = len(rules_paragraphs("whysteria", table.referee.game.rules_page_values()))
    assert len(panel.options) == count
    hands.do(Gesture.TAPS, 2)
    table.settle(hands.at + 40_000)
    panel = table.referee.view(0).panel
    assert panel is not None, "reading takes longer than choosing"
    assert panel.marked == 2
    hands.at += 40_000
    hands.do(Gesture.RAP)
    panel = table.referee.view(0).panel
    assert panel is not None
    assert not panel.reads_rules
