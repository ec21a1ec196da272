"""Cards: free leads and their ties, cards out of turn, withdrawing, picking up, misreadings (Whysteria)."""

from __future__ import annotations

from typing import Any

import pytest

from table.games.engine.game_state import Phase
from table.i18n.terminal_output import phrase_text
from table.observed_facts import MS
from tests.referee.tabletop import TableTop, correct, find_last, undo


def bidden(cards: int = 3, **options: Any) -> TableTop:
    """Ada deals; bids Cleo 2, Ada 0, Ben 0: the default leader is Cleo, left of the last bidder."""
    table = TableTop(**{"hands": [cards, 1], **options})
    table.rap("Ada", 1000)
    table.bid("Cleo", cards - 1, 2000)
    table.bid("Ada", 0, 3000)
    table.bid("Ben", 0, 4000)
    return table


CARDS = (
    "card_played",
    "leads_tied",
    "card_taken_back",
    "out_of_turn",
    "trick_won",
    "trick_taken",
    "corrected",
)


def notices(table: TableTop) -> list[str]:
    return [phrase_text(notice.phrase) for notice in table.referee.view(0).notices]


def test_anyone_may_lead_and_the_arm_tells_who() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    assert table.said(*CARDS) == [("card_played", "Ada", "9H")]


def test_a_lead_that_neither_turn_nor_arm_tells_is_the_default_leaders_and_marked_doubtful() -> None:
    table = bidden()
    table.lay("9H", 6000, None)
    assert table.said(*CARDS) == [("card_played", "Cleo", "9H", True)]


def test_of_tied_leads_in_a_pile_the_card_underneath_stays() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    table.lay("8D", 6100, "Cleo", upon=["9H"])
    table.withdraw("8D", 8000)
    table.lay("4H", 9000, "Ben")
    assert table.said(*CARDS) == [
        ("leads_tied", {"seat": "Ada", "card": "9H"}, [{"seat": "Cleo", "card": "8D"}], "Ben"),
        ("card_played", "Ada", "9H"),
        ("card_taken_back", "Cleo", "8D"),
        ("card_played", "Ben", "4H"),
    ]
    (tie,) = [line for line in table.settle() if line["event"] == "leads_tied"]
    assert tie["t_ns"] == 6000 * MS, "the first lead's stamp"


def test_a_lead_and_the_next_card_that_landed_while_no_pictures_came_are_no_tie() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada", unseen=1000)
    table.lay("8D", 6000, "Ben", upon=["9H"], unseen=1000)
    table.lay("4H", 7000, "Cleo")
    assert [line[:3] for line in table.said(*CARDS)][:3] == [
        ("card_played", "Ada", "9H"),
        ("card_played", "Ben", "8D"),
        ("card_played", "Cleo", "4H"),
    ]


def test_leads_that_landed_while_no_pictures_came_for_less_than_the_window_are_tied() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada", unseen=200)
    table.lay("8D", 6000, "Ben", upon=["9H"], unseen=200)
    assert [line[0] for line in table.said(*CARDS)] == ["leads_tied", "card_played"]


def test_tied_leads_apart_in_the_same_moment_all_go_back_and_the_default_leads() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    table.lay("8D", 6010, "Ben")
    table.withdraw("9H", 8000)
    table.withdraw("8D", 8100)
    table.lay("4H", 9000, "Cleo")
    said = table.said(*CARDS)
    assert said[0] == (
        "leads_tied",
        None,
        [{"seat": "Ada", "card": "9H"}, {"seat": "Ben", "card": "8D"}],
        "Cleo",
    )
    assert said[1:] == [
        ("card_taken_back", "Ada", "9H"),
        ("card_taken_back", "Ben", "8D"),
        ("card_played", "Cleo", "4H"),
    ]


def test_leads_on_a_trick_that_nobody_saw_picked_up_are_tied_though_the_second_could_follow() -> None:
    table = bidden()
    trick(table)
    table.lay("AC", 12000, "Ada")
    table.lay("2C", 12010, "Ben")
    table.lay("4C", 15000, "Cleo")
    table.clear("AC", "2C", "4C", at=17000, arm="Ada")
    table.lay("AD", 19000, "Ada")
    table.settle()
    tied = [{"seat": "Ada", "card": "AC"}, {"seat": "Ben", "card": "2C"}]
    assert ("leads_tied", None, tied, "Ben") in table.said(*CARDS)
    assert [play.seat for play in table.referee.state.tricks[1].plays] == ["Ben", "Cleo", "Ada"]


def test_after_all_went_back_only_the_default_may_lead() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    table.lay("8D", 6010, "Ben")
    table.withdraw("9H", 8000)
    table.withdraw("8D", 8100)
    table.lay("9H", 9000, "Ada")
    assert ("out_of_turn", "Ada", "9H") in table.said(*CARDS)
    assert table.referee.state.phase is Phase.LEAD


def test_of_two_tied_cards_under_one_arm_the_one_on_the_other_players_side_is_that_players() -> None:
    table = bidden()
    table.lay("2H", 6000, "Ada", place=(20, -40))
    table.lay("5D", 6050, "Cleo", upon=["2H"], place=(-50, 0))
    table.lay("KS", 6100, "Cleo", upon=["2H", "5D"], place=(10, 50))
    assert table.said("leads_tied")[0][1:3] == (
        {"seat": "Ada", "card": "2H"},
        [{"seat": "Cleo", "card": "5D"}, {"seat": "Ben", "card": "KS"}],
    )


def test_a_player_who_throws_two_cards_leads_one_of_them() -> None:
    table = TableTop(angles={"Ada": 0.0, "Ben": 180.0}, hands=[2])
    table.rap("Ada", 1000)
    table.bid("Ben", 1, 2000)
    table.bid("Ada", 0, 3000)
    table.lay("2H", 6000, "Ada")
    table.lay("5D", 6050, "Ada")
    assert table.said("leads_tied", "card_played", "out_of_turn") == [
        ("card_played", "Ada", "2H"),
        ("out_of_turn", "Ada", "5D"),
    ]


def test_a_default_leader_who_was_tied_may_leave_the_card_as_the_lead() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    table.lay("8D", 6010, "Cleo")
    table.withdraw("9H", 8000)
    table.lay("9D", 9000, "Ada")
    assert table.said(*CARDS)[2:] == [("card_played", "Cleo", "8D"), ("card_played", "Ada", "9D")]


@pytest.mark.parametrize("order", [("8D", "9H"), ("9H", "8D")])
def test_after_all_went_back_the_last_to_leave_has_gone_back_too(order: tuple[str, str]) -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    table.lay("8D", 6010, "Cleo")
    table.withdraw(order[0], 8000)
    table.clear(order[1], at=9000)
    table.lay("7D", 10_000, "Cleo")
    back = [("card_taken_back", "Ada" if name == "9H" else "Cleo", name) for name in order]
    assert table.said(*CARDS)[1:] == [*back, ("card_played", "Cleo", "7D")]


def test_a_lead_outside_the_window_is_out_of_turn() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    table.lay("8D", 6250, "Cleo", upon=["9H"])
    assert table.said(*CARDS) == [("card_played", "Ada", "9H"), ("out_of_turn", "Cleo", "8D")]


def test_a_second_lead_of_the_player_who_is_next_is_simply_played() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    table.lay("8H", 6300, "Ben", upon=["9H"])
    assert table.said(*CARDS) == [("card_played", "Ada", "9H"), ("card_played", "Ben", "8H")]


def test_a_tied_card_left_lying_is_played_when_the_next_card_falls() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    table.lay("8H", 6100, "Ben", upon=["9H"])
    table.lay("4H", 9000, "Cleo", upon=["8H"])
    assert table.said(*CARDS) == [
        ("leads_tied", {"seat": "Ada", "card": "9H"}, [{"seat": "Ben", "card": "8H"}], "Ben"),
        ("card_played", "Ada", "9H"),
        ("card_played", "Ben", "8H"),
        ("card_played", "Cleo", "4H"),
        (
            "trick_won",
            1,
            "Ada",
            [{"seat": "Ada", "card": "9H"}, {"seat": "Ben", "card": "8H"}, {"seat": "Cleo", "card": "4H"}],
        ),
    ]


def test_a_tied_card_that_does_not_follow_suit_may_not_stay() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    table.lay("8D", 6100, "Ben", upon=["9H"])
    table.lay("4H", 9000, "Cleo", upon=["8D"])
    assert ("out_of_turn", "Cleo", "4H") in table.said(*CARDS)


def test_a_tied_card_left_by_the_last_of_the_trick_counts_when_the_pile_is_picked_up() -> None:
    table = TableTop(angles={"Ada": 0.0, "Ben": 180.0}, hands=[2])
    table.rap("Ada", 1000)
    table.bid("Ben", 1, 2000)
    table.bid("Ada", 0, 3000)
    table.lay("9H", 6000, "Ada")
    table.lay("8H", 6100, "Ben", upon=["9H"])
    table.clear("9H", "8H", at=9000, arm="Ada")
    said = [line[0] for line in table.said(*CARDS)]
    assert said == ["leads_tied", "card_played", "card_played", "trick_won", "trick_taken"]


def test_without_the_mark_a_pile_says_nothing() -> None:
    table = bidden(mark=False)
    table.lay("9H", 6000, "Ada")
    table.lay("8D", 6100, "Ben", upon=["9H"])
    assert table.said(*CARDS)[0][1] is None


def test_a_card_out_of_turn_that_still_lies_counts_when_its_turn_comes() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    table.lay("4H", 7000, "Cleo")
    table.lay("8H", 8000, "Ben")
    assert table.said(*CARDS)[:4] == [
        ("card_played", "Ada", "9H"),
        ("out_of_turn", "Cleo", "4H"),
        ("card_played", "Ben", "8H"),
        ("card_played", "Cleo", "4H"),
    ]


def trick(table: TableTop) -> None:
    table.lay("9H", 6000, "Ada")
    table.lay("8H", 7000, "Ben")
    table.lay("4H", 8000, "Cleo")


def test_a_lead_before_the_trick_is_picked_up_never_counts() -> None:
    table = bidden()
    trick(table)
    table.lay("AS", 8500, "Ada")
    table.withdraw("AS", 9000)
    table.clear("9H", "8H", "4H", at=10000, arm="Ada")
    table.lay("AS", 11000, "Ada")
    said = table.said(*CARDS)
    assert said[4:] == [
        ("out_of_turn", "Ada", "AS"),
        ("card_taken_back", "Ada", "AS"),
        ("trick_taken", "Ada"),
        ("card_played", "Ada", "AS"),
    ]


def test_an_early_lead_left_lying_while_the_trick_goes_must_still_go_back() -> None:
    table = bidden()
    trick(table)
    table.lay("AS", 8500, "Ada")
    for card in ("9H", "8H", "4H"):
        table.withdraw(card, 9000)
    said = table.said(*CARDS)
    assert said[4:] == [("out_of_turn", "Ada", "AS"), ("trick_taken", "Ada")]
    assert table.referee.state.phase is Phase.LEAD
    table.withdraw("AS", 12000)
    assert table.said(*CARDS)[-1] == ("card_taken_back", "Ada", "AS")


def test_withdrawing_the_last_card_of_a_trick_opens_it_again() -> None:
    table = bidden()
    trick(table)
    table.withdraw("4H", 9000)
    table.lay("KH", 11000, "Cleo")
    said = table.said(*CARDS)
    assert said[3][:3] == ("trick_won", 1, "Ada")
    assert said[4:6] == [("card_taken_back", "Cleo", "4H"), ("card_played", "Cleo", "KH")]
    assert said[6][:3] == ("trick_won", 1, "Cleo")


def test_a_card_beneath_others_that_is_lost_from_sight_was_not_withdrawn() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    table.lay("8H", 7000, "Ben", upon=["9H"])
    table.withdraw("9H", 7900)
    table.lay("4H", 8000, "Cleo", upon=["8H"])
    table.clear("8H", "4H", at=9000, arm="Ada")
    assert [line[0] for line in table.said(*CARDS)] == [*["card_played"] * 3, "trick_won", "trick_taken"]


def test_a_card_beneath_a_complete_trick_that_is_lost_from_sight_was_not_withdrawn() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    table.lay("8H", 7000, "Ben", upon=["9H"])
    table.lay("4H", 8000, "Cleo", upon=["8H"])
    table.withdraw("9H", 8100)
    table.clear("8H", "4H", at=13000, arm="Ada")
    assert [line[0] for line in table.said(*CARDS)] == [*["card_played"] * 3, "trick_won", "trick_taken"]


def test_a_trick_picked_up_in_two_grabs_is_taken_once() -> None:
    table = bidden()
    trick(table)
    table.withdraw("8H", 9000)
    table.clear("9H", "4H", at=9900, arm="Ada")
    assert [line[0] for line in table.said(*CARDS)][4:] == ["trick_taken"]


def test_a_trick_of_which_one_card_was_not_seen_to_go_is_taken_before_the_next_lead() -> None:
    table = bidden()
    trick(table)
    table.withdraw("8H", 9000)
    table.withdraw("4H", 9000)
    table.lay("AC", 9150, "Ben", upon=["9H"])
    table.lay("2C", 11000, "Cleo")
    said = table.said(*CARDS)
    assert said[4:] == [("trick_taken", "Ada"), ("card_played", "Ben", "AC"), ("card_played", "Cleo", "2C")]


def test_who_was_seen_to_begin_picking_a_trick_up_took_it_though_nobody_saw_the_rest() -> None:
    table = bidden()
    trick(table)
    table.withdraw("4H", 9000, "Ben")
    for at, card, seat in ((11000, "AC", "Ben"), (12000, "2C", "Cleo"), (13000, "3C", "Ada")):
        table.lay(card, at, seat)
    table.clear("AC", "2C", "3C", at=14000, arm="Ben")
    table.lay("AD", 16000, "Ben")
    taken = [line[1] for line in table.said("trick_taken")]
    assert taken == ["Ben", "Ben"], "the trick that Ada won, and Ben's own"


def test_a_trick_is_taken_though_its_top_card_seems_to_stay() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    table.lay("8H", 7000, "Ben", upon=["9H"])
    table.lay("4H", 8000, "Cleo", upon=["9H", "8H"])
    table.withdraw("9H", 9000)
    table.withdraw("8H", 9000)
    table.lay("AC", 10000, "Ada", upon=["4H"])
    assert table.said(*CARDS)[4:] == [("trick_taken", "Ada"), ("card_played", "Ada", "AC")]


@pytest.mark.thorough
def test_a_trick_picked_up_before_its_last_card_was_seen_can_be_laid_again() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    table.lay("8H", 7000, "Ben")
    table.clear("9H", "8H", at=9000, arm="Ada")
    table.settle()
    assert any("Cleo's card was not seen" in notice for notice in notices(table))
    table.lay("9H", 16000, "Ada")
    table.lay("8H", 17000, "Ben")
    table.lay("7H", 18000, "Cleo")
    assert table.said("trick_won")[-1][:3] == ("trick_won", 1, "Ada")


def test_a_withdrawn_lead_opens_the_lead_again_to_all() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    table.clear("9H", at=7000, arm="Ada")
    table.lay("8D", 9000, "Ben")
    assert table.said(*CARDS) == [
        ("card_played", "Ada", "9H"),
        ("card_taken_back", "Ada", "9H"),
        ("card_played", "Ben", "8D"),
    ]


def test_a_card_seen_twice_is_taken_for_its_next_best_reading() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    table.lay("9H", 7000, "Ben", others=[("6H", 0.3)], confidence=0.6)
    assert table.said(*CARDS)[1] == ("card_played", "Ben", "6H")
    assert notices(table) == ["Seen as 9♥, which can't be: taken for 6♥"]


def test_a_card_of_which_no_reading_can_be_is_said_to_be_unreadable_and_taken_for_no_other() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada", confidence=0.5)
    table.lay("9H", 7000, "Ben", confidence=0.6)
    table.lay("4H", 8000, "Cleo")
    assert table.said(*CARDS)[1][:3] == ("card_played", "Ben", "?")
    assert notices(table) == ["Ben's card can't be read: turn it, or say what it is"]


def test_an_unread_card_is_played_once_it_is_read() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    table.lay("?", 7000, "Ben")
    table.reread("?", "2H", 8000)
    assert table.said(*CARDS) == [("card_played", "Ada", "9H"), ("card_played", "Ben", "2H")]


def test_a_much_better_look_corrects_a_misread_card_and_what_followed_from_it() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada", confidence=0.5)
    table.lay("8H", 7000, "Ben")
    table.lay("7H", 8000, "Cleo")
    table.reread("9H", "6H", 9000)
    said = table.said(*CARDS)
    assert said[4][0] == "corrected"
    assert said[5] == ("card_played", "Ada", "6H")
    assert said[-1][:3] == ("trick_won", 1, "Ben")


def test_a_card_before_the_bidding_is_over_goes_back() -> None:
    table = TableTop(hands=[2])
    table.rap("Ada", 1000)
    table.lay("9H", 2000, "Ben")
    table.withdraw("9H", 3000)
    assert table.said(*CARDS) == [("out_of_turn", "Ben", "9H"), ("card_taken_back", "Ben", "9H")]


def test_an_arm_that_nobody_sits_behind_leaves_the_card_to_the_turn() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    table.lay("8H", 7000, "Cleo", sure=0.2)
    assert table.said(*CARDS)[1] == ("card_played", "Ben", "8H")


def test_a_whole_hand_is_scored_when_its_last_trick_is_picked_up() -> None:
    table = bidden(1)
    table.lay("9H", 6000, "Ada")
    table.lay("8H", 7000, "Ben")
    table.lay("4H", 8000, "Cleo")
    assert not table.said("hand_scored")
    table.clear("9H", "8H", "4H", at=9000, arm="Ada")
    (scored,) = table.said("hand_scored")
    assert scored[3] == {"Ada": 1, "Ben": 0, "Cleo": 0}


def test_undo_makes_the_last_decision_never_have_happened() -> None:
    table = bidden()
    table.settle()
    before = table.referee.state
    table.lay("9H", 6000, "Ada")
    table.settle()
    assert undo(table.referee, 7_000_000_000, "Ada")
    assert table.referee.state == before


def test_a_corrected_card_is_worked_out_again_from_there() -> None:
    table = bidden()
    trick(table)
    table.settle()
    from table.cards import card
    from table.events.game_events import Played

    at = find_last(table.referee, lambda entry: entry.cause == Played("Ada", card("9H")))
    assert at is not None
    assert correct(table.referee, at, Played("Ada", card("3H")), 9_000_000_000, "Ada")
    assert table.referee.state.trick.winner == "Ben"


def test_a_card_that_is_pushed_about_stays_the_play_it_was() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    first = table.ids["9H"]
    table.lay("9H", 6900, "Ben", place=(40, 20))
    pushed = table.ids["9H"]
    table.ids["9H"] = first
    table.withdraw("9H", 7200)  # sight gives the place where it was up only later
    table.lay("4H", 7400, "Ben")
    table.ids["9H"] = pushed
    table.withdraw("9H", 8000)
    assert table.said(*CARDS) == [
        ("card_played", "Ada", "9H"),
        ("card_played", "Ben", "4H"),
        ("card_taken_back", "Ada", "9H"),
    ]


def test_a_card_to_go_back_that_is_pushed_about_is_taken_back_once() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    table.lay("8D", 7000, "Cleo", place=(0, 30))
    table.lay("8D", 7900, "Cleo", place=(20, 50))
    table.withdraw("8D", 9000)
    assert table.said(*CARDS) == [
        ("card_played", "Ada", "9H"),
        ("out_of_turn", "Cleo", "8D"),
        ("card_taken_back", "Cleo", "8D"),
    ]


def test_a_second_copy_of_a_card_that_lies_there_is_a_card_of_its_own_misread() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    first = table.ids["9H"]
    table.lay("4H", 7000, "Ben")
    table.lay("9H", 8000, "Cleo", place=(-250, -40))
    assert table.said("card_played") == [
        ("card_played", "Ada", "9H"),
        ("card_played", "Ben", "4H"),
        ("card_played", "Cleo", "?", False, None),
    ]
    second, table.ids["9H"] = table.ids["9H"], first
    table.withdraw("9H", 10_000)
    table.ids["9H"] = second
    table.clear("4H", "9H", at=10_000, arm="Ada")
    assert table.said("trick_taken") == [("trick_taken", "Ada")]


def test_a_card_of_the_trick_that_was_lost_beneath_others_and_is_pushed_into_view_is_no_new_card() -> None:
    table = bidden()
    table.lay("9H", 6000, "Ada")
    table.lay("4H", 7000, "Ben", upon=["9H"])
    table.lay("6H", 8000, "Cleo", upon=["9H", "4H"])
    table.withdraw("9H", 8300)  # no longer to be seen
    table.lay("9H", 10_000, "Ben", place=(30, 40))
    table.clear("4H", "6H", "9H", at=11_000, arm="Ada")
    said = [line[:3] for line in table.said(*CARDS)]
    assert said == [
        ("card_played", "Ada", "9H"),
        ("card_played", "Ben", "4H"),
        ("card_played", "Cleo", "6H"),
        ("trick_won", 1, "Ada"),
        ("trick_taken", "Ada"),
    ]


def test_a_card_that_is_read_more_or_less_surely_as_before_is_no_correction() -> None:
    table = bidden()
    table.lay("4D", 6000, "Ben", confidence=0.9)
    for at, name, confidence in ((9500, "9D", 0.65), (10500, "9D", 0.9), (11500, "9D", 0.95)):
        table.settle(at - 500)
        table.reread("4D", name, at, confidence)
    table.settle()
    corrections = [line for line in table.referee.journal.lines if line["event"] == "corrected"]
    assert [(line["from"]["card"], line["to"]["card"]) for line in corrections] == [("4D", "9D")]
    assert table.said("card_played") == [("card_played", "Ben", "4D"), ("card_played", "Ben", "9D")]
