"""A trick of a scored hand is looked at again from the panel, card by card; the hand in play never is."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from table.events.event_registry import line_sentence
from table.games.engine.game_state import Phase
from table.i18n.terminal_output import phrase_text
from table.observed_facts import MS, Gesture
from table.phrase import Phrase
from table.referee.model.view import OpenOptions, TrickReview
from table.referee.records.journal import JournalLine, effective_lines
from table.referee.referee import Referee
from tests.referee.recorded_facts import load, replayed
from tests.referee.tabletop import ANGLES, TableTop
from tests.referee.test_correction_panel import Hands, lines, played_hand, two_hands
from tests.referee.test_referee_cards import bidden
from tests.referee.test_referee_games import joker_led

REVIEW = "Look at a trick again"


def tied_and_revoked() -> TableTop:
    """A hand of two tricks: Ada's and Cleo's leads tie in a pile, and Cleo's first card proves to be a revoke."""
    table = bidden(2)
    table.lay("9H", 6000, "Ada")
    table.lay("8D", 6100, "Cleo", upon=["9H"])
    table.withdraw("8D", 8000)
    table.lay("4H", 9000, "Ben")
    table.lay("7C", 10_000, "Cleo")
    table.clear("9H", "4H", "7C", at=12_000, arm="Ada")
    table.lay("2S", 14_000, "Ada")
    table.lay("5S", 15_000, "Ben")
    table.lay("KH", 16_000, "Cleo")
    table.clear("2S", "5S", "KH", at=18_000, arm="Ben")
    table.settle(22_000)
    assert len(table.referee.state.results) == 1
    return table


def panel_of(table: TableTop) -> OpenOptions:
    panel = table.referee.view(0).panel
    assert panel is not None
    return panel


def review_of(table: TableTop) -> TrickReview:
    review = panel_of(table).review
    assert review is not None
    return review


def cards(review: TrickReview) -> list[tuple[str, str]]:
    return [(play.seat, str(play.card)) for play in review.state.trick.plays]


def told(review: TrickReview) -> str:
    return phrase_text(review.said) if review.said is not None else ""


def stepped(hands: Hands) -> list[TrickReview]:
    """The moments of the open trick, from the one that shows to the last."""
    seen = [review_of(hands.table)]
    for _ in range(len(panel_of(hands.table).options) - 1):
        hands.do(Gesture.TAPS, 1)
        seen.append(review_of(hands.table))
    return seen


def test_a_trick_is_chosen_by_hand_and_number_with_who_led_and_who_won() -> None:
    hands = Hands(tied_and_revoked(), 23_000)
    hands.choose(REVIEW)
    assert [line.split(":")[0] for line in lines(hands.table)] == ["Hand 1"]
    hands.do(Gesture.RAP)
    assert lines(hands.table) == ("Trick 1: Ada led, Ada won", "Trick 2: Ada led, Ben won")
    hands.do(Gesture.RAP)
    review = review_of(hands.table)
    assert phrase_text(panel_of(hands.table).title) == "Trick 1: Ada led, Ada won"
    assert review.state.hand == 1
    assert cards(review) == [("Ada", "9H"), ("Ben", "4H"), ("Cleo", "7C")], "the whole trick comes first"


def test_taps_show_each_ruling_and_then_the_trick_card_by_card() -> None:
    hands = Hands(tied_and_revoked(), 23_000)
    hands.choose(REVIEW, "Hand 1", "Trick 1")
    tied, revoked, *moments = stepped(hands)
    assert told(tied).startswith("Leads at the same time: Ada's 9♥ was first and stays, Cleo's 8♦ goes back")
    assert told(revoked).startswith("Cleo revoked: did not follow suit with 7♣ in trick 1, as K♥ proves")
    assert cards(tied) == cards(revoked) == [("Ada", "9H"), ("Ben", "4H"), ("Cleo", "7C")]
    back = [[(card.seat, str(card.card)) for card in moment.cards_to_take_back] for moment in moments]
    assert told(moments[0]) == told(tied)
    assert cards(moments[0]) == [("Ada", "9H")], "the lead that stays lies there"
    assert [(told(moment), len(cards(moment))) for moment in moments[1:]] == [
        ("Ada plays 9♥.", 1),
        ("Cleo takes 8♦ back.", 1),
        ("Ben plays 4♥.", 2),
        ("Cleo plays 7♣.", 3),
    ]
    assert back == [[("Cleo", "8D")], [("Cleo", "8D")], [], [], []]


def test_the_ruling_on_tied_leads_has_its_photo_finish_as_long_as_one_is_kept() -> None:
    table = tied_and_revoked()
    (tied,) = (line for line in table.referee.journal.lines if line["event"] == "leads_tied")
    pictures: dict[int, bytes] = {}
    table.referee.shared.picture_of = pictures.get
    hands = Hands(table, 23_000)
    hands.choose(REVIEW, "Hand 1", "Trick 1")
    assert {moment.picture for moment in stepped(hands)} == {None}
    hands.do(Gesture.WRONG)
    hands.do(Gesture.WRONG)
    pictures.update({tied["seq"] - 1: b"another", tied["seq"]: b"photo", tied["seq"] + 1: b"another"})
    hands.choose(REVIEW, "Hand 1", "Trick 1")
    shown = [(told(moment)[:21], moment.picture) for moment in stepped(hands)]
    assert shown[0] == ("Leads at the same tim", None), "the complete trick comes first"
    assert [moment for moment in shown if moment[1]] == [("Leads at the same tim", b"photo")]


def test_a_revoke_is_told_with_the_trick_in_which_it_was_proved_too() -> None:
    hands = Hands(tied_and_revoked(), 23_000)
    hands.choose(REVIEW, "Hand 1", "Trick 2")
    whole, *moments = stepped(hands)
    assert told(whole).startswith("Cleo revoked")
    assert told(moments[-1]) == told(whole)


def test_a_rap_leads_back_to_the_tricks_and_a_minute_of_quiet_closes_it() -> None:
    table = tied_and_revoked()
    hands = Hands(table, 23_000)
    hands.choose(REVIEW, "Hand 1", "Trick 2")
    table.settle(hands.at + 50_000)
    assert panel_of(table).title.fields["trick"] == 2, "looking takes longer than choosing"
    hands.at += 50_000
    hands.do(Gesture.RAP)
    panel = panel_of(table)
    assert panel.review is None
    assert phrase_text(panel.options[panel.marked]).startswith("Trick 2")
    hands.do(Gesture.RAP)
    table.settle(hands.at + 70_000)
    assert table.referee.view(0).panel is None


def test_nothing_of_the_hand_in_play_is_offered_at_any_moment_of_it() -> None:
    table = TableTop(hands=[1, 2])
    played_hand(table, 0, "Ada", "Ben", "Cleo")
    hands = Hands(table, 13_000)

    def hands_offered() -> list[str]:
        hands.choose(REVIEW)
        offered = [line.split(":")[0] for line in lines(table)]
        hands.do(Gesture.WRONG)
        hands.do(Gesture.WRONG)
        return offered

    assert hands_offered() == ["Hand 1"]
    at = hands.at
    table.rap("Ben", at + 1000)
    table.bid("Cleo", 1, at + 2000)
    table.bid("Ada", 0, at + 3000)
    table.bid("Ben", 0, at + 4000)
    table.lay("9H", at + 6000, "Cleo")
    table.lay("8H", at + 7000, "Ada")
    table.lay("4H", at + 8000, "Ben")
    table.settle(at + 9000)
    hands.at = at + 9000
    assert table.referee.state.phase is Phase.PICK_UP
    assert hands_offered() == ["Hand 1"]
    table.clear("9H", "8H", "4H", at=hands.at + 2000, arm="Cleo")
    table.settle(hands.at + 5000)
    assert len(table.referee.state.tricks) == 1, "a finished trick of a hand that is not scored"
    hands.at += 5000
    assert hands_offered() == ["Hand 1"]


def test_nothing_is_offered_before_a_hand_is_scored() -> None:
    table = bidden()
    table.settle()
    Hands(table, 7000).do(Gesture.WRONG)
    assert REVIEW not in lines(table)


def test_an_undo_of_a_hands_end_takes_its_tricks_off_the_screen() -> None:
    table = two_hands()
    hands = Hands(table, 42_000)
    hands.choose(REVIEW, "Hand 2", "Trick 1")
    assert review_of(table).state.hand == 2
    Hands(table, hands.at, "Ben").choose("Undo")
    assert (table.referee.state.hand, table.referee.state.phase) == (2, Phase.PICK_UP)
    panel = panel_of(table)
    assert (panel.seat, panel.review) == ("Ada", None)
    after = Hands(table, hands.at + 5_000)
    after.mark(REVIEW)
    after.do(Gesture.RAP)
    assert [line.split(":")[0] for line in lines(table)] == ["Hand 1"]


def test_a_corrected_hand_shows_what_stands_now() -> None:
    table = two_hands()
    hands = Hands(table, 42_000)
    hands.choose("Correct a bid", "Ada's bid of 0 in hand 2", "Ada bid 1")
    hands.choose("Correct an earlier hand's score", "Hand 1", "Ada", "Ada: 1")
    hands.choose(REVIEW, "Hand 2", "Trick 1")
    review = review_of(table)
    assert review.state.bids_by_seat["Ada"] == 1
    assert review.state.totals["Ada"] == 1, "the totals before this hand, as corrected since"


def test_a_hand_that_was_dealt_again_shows_its_last_deal_alone() -> None:
    table = TableTop(hands=[1, 1])
    table.rap("Ada", 1000)
    for seat, at in (("Ben", 2000), ("Cleo", 3000), ("Ada", 4000)):
        table.bid(seat, 0 if seat == "Cleo" else 1, at)
    table.lay("2H", 6000, "Ben")
    table.settle(8000)
    hands = Hands(table, 8000)
    hands.choose("Misdeal", "Yes")
    table.clear("2H", at=hands.at + 2000)
    table.settle(hands.at + 3000)
    played_hand(table, hands.at + 4000, "Ada", "Ben", "Cleo")
    hands.at += 16_000
    hands.choose(REVIEW, "Hand 1")
    assert lines(table) == ("Trick 1: Ben led, Ben won",)
    hands.do(Gesture.RAP)
    assert [told(moment) for moment in stepped(hands)][1:] == [
        "Ben plays 9♥.",
        "Cleo plays 8♥.",
        "Ada plays 7♥.",
    ]


def test_after_the_game_and_after_a_power_cut_its_tricks_are_there() -> None:
    table = TableTop(hands=[1])
    played_hand(table, 0, "Ada", "Ben", "Cleo")
    assert table.referee.state.phase is Phase.OVER
    hands = Hands(table, 13_000)
    hands.do(Gesture.RAP)
    hands.mark(REVIEW)
    hands.do(Gesture.RAP)
    hands.do(Gesture.RAP)
    hands.do(Gesture.RAP)
    before = stepped(hands)
    again = TableTop(hands=[1])
    again.referee = Referee(table.referee.game, ANGLES, table.referee.journal)
    again.referee.resume(int(60e9))
    hands = Hands(again, 60_000)
    hands.choose(REVIEW, "Hand 1", "Trick 1")
    assert stepped(hands) == before


def test_a_card_that_nobody_saw_stands_as_one() -> None:
    table = TableTop(hands=[1, 1])
    table.rap("Ada", 1000)
    table.bid("Ben", 1, 2000)
    table.bid("Cleo", 0, 3000)
    table.bid("Ada", 1, 4000)
    table.lay("9H", 7000, "Ben")
    table.lay("8H", 8000, "Cleo")
    table.clear("9H", "8H", at=11_000, arm="Ben")
    table.rap("Ben", 20_000)
    table.settle(22_000)
    assert len(table.referee.state.results) == 1
    Hands(table, 23_000).choose(REVIEW, "Hand 1", "Trick 1")
    assert sorted(cards(review_of(table))) == [("Ada", "?"), ("Ben", "9H"), ("Cleo", "8H")]


GAMES = (
    "whysteria-ghost-lead",
    "israeli-whist-taken-back-proof",
    "oh-shit-ghost-last-trick",
    "prediction-whist-16",
    "oh-hell-1",
)
"""A recorded game of each kind: with revokes, tied leads, cards that were taken back and cards that nobody saw."""


@pytest.mark.parametrize("name", GAMES)
def test_every_trick_of_every_game_is_shown_as_the_journal_tells_it(name: str) -> None:
    game = load(name)
    referees: list[tuple[Referee, int]] = []
    journal = replayed(game, lambda referee, now_ns: referees.append((referee, now_ns)))
    table = TableTop(game.game, dict(game.angles), **game.options)
    table.referee, now_ns = referees[-1]
    hands = Hands(table, now_ns / MS)
    journalled = tricks_of_scored_hands(effective_lines(journal))
    assert journalled
    for hand, tricks in enumerate(journalled, start=1):
        for number, happened in enumerate(tricks, start=1):
            hands.choose(REVIEW, f"Hand {hand}", f"Trick {number}:")
            whole, *moments = stepped(hands)
            won = [line for line in happened if line["event"] == "trick_won"][-1]
            plays = [(play["seat"], play["card"]) for play in won["cards"]]
            assert (whole.state.hand, cards(whole)) == (hand, plays)
            led_and_won = {"trick": number, "leader": plays[0][0], "winner": won["seat"]}
            assert panel_of(hands.table).title == Phrase("panel.trick", led_and_won)
            latest = [cards(moment)[-1:] for moment in moments]
            for line in happened:
                if line["event"] == "card_played":
                    assert [(line["seat"], line["card"])] in latest
                elif line["event"] in ("card_taken_back", "leads_tied", "revoke"):
                    assert phrase_text(line_sentence(line)) in map(told, moments)
            while table.referee.view(0).panel is not None:
                hands.do(Gesture.WRONG)


def tricks_of_scored_hands(lines: Sequence[JournalLine]) -> list[list[list[JournalLine]]]:
    """The lines of each trick of each scored hand; a trick that is won anew after a correction is one."""
    hands: list[list[list[JournalLine]]] = []
    tricks: dict[int, list[JournalLine]] = {}
    since: list[JournalLine] = []
    for line in lines:
        since.append(line)
        if line["event"] == "trick_won":
            tricks.setdefault(line["trick"], []).extend(since)
            since = []
        elif line["event"] == "hand_scored":
            hands.append(list(tricks.values()))
            tricks, since = {}, []
    return hands


def test_a_led_joker_stands_with_the_suit_that_was_named_for_it() -> None:
    table = joker_led()
    table.bid("Ben", 2, 13_000)
    table.rap("Ben", 15_000)
    table.lay("9H", 17_000, "Cleo")
    table.lay("8H", 18_000, "Ada")
    table.clear("JOKER", "9H", "8H", at=20_000, arm="Ben")
    table.lay("2S", 22_000, "Ben")
    table.lay("3S", 23_000, "Cleo")
    table.lay("4S", 24_000, "Ada")
    table.clear("2S", "3S", "4S", at=26_000, arm="Ada")
    table.settle(30_000)
    (named,) = (line["suit"] for line in table.referee.journal.lines if line["event"] == "joker_named")
    hands = Hands(table, 31_000)
    hands.choose(REVIEW, "Hand 1", "Trick 1")
    whole, *moments = stepped(hands)
    assert cards(whole)[0] == ("Ben", "JOKER")
    assert [moment.state.trick.named for moment in (whole, *moments)] == [named, None, named, named, named]
