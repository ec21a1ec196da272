"""The panel behind "that's wrong": everything that is no bid and no card, by the same buttons."""

from __future__ import annotations

from typing import Any

from table.facts import MS, Call, Gesture
from table.games.base import Phase
from tests.referee.tabletop import TableTop
from tests.referee.test_referee_cards import bidden, trick


class Hands:
    """Ada's fingers in a panel."""

    def __init__(self, table: TableTop, at: float) -> None:
        self.table, self.at = table, at

    def do(self, gesture: Gesture, count: int = 0, seat: str = "Ada") -> None:
        self.at += 1000
        self.table.facts.append(Call(int(self.at * MS), int((self.at + 500) * MS), seat, gesture, count))
        self.table.settle()

    def choose(self, start: str) -> None:
        """Open the panel, step to the line that begins so, rap."""
        self.do(Gesture.WRONG)
        panel = self.table.referee.view(0).panel
        assert panel is not None
        steps = next(n for n, line in enumerate(panel.lines) if line.startswith(start))
        if steps:
            self.do(Gesture.TAPS, steps)
        self.do(Gesture.RAP)


def lines(table: TableTop) -> tuple[str, ...]:
    panel = table.referee.view(0).panel
    return panel.lines if panel else ()


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
    assert table.said("corrected")[-1][1:3] == ("undo", "Ada's 9♥")
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
    Hands(table, 7000).choose("Misdeal")
    state = table.referee.state
    assert (state.phase, state.hand, state.dealer, state.bids) == (Phase.DEAL, 1, "Ada", ())
    assert table.said("thrown_in") == [("thrown_in", "misdeal")]
    table.clear("9H", at=12000)
    assert not table.said("card_taken_back")


def test_a_hand_is_played_again_from_its_deal() -> None:
    table = bidden()
    trick(table)
    table.settle()
    Hands(table, 9000).choose("Play this hand again")
    state = table.referee.state
    assert (state.phase, state.hand, state.seen()) == (Phase.DEAL, 1, ())


def test_a_trick_that_left_unseen_is_said_to_be_picked_up() -> None:
    table = bidden()
    trick(table)
    table.settle()
    Hands(table, 9000).choose("Ada has picked up the trick")
    assert table.said("trick_taken") == [("trick_taken", "Ada")]
    assert table.referee.state.phase is Phase.LEAD


def test_a_player_leaves_and_an_endless_game_is_ended() -> None:
    table = TableTop(constant=2)
    Hands(table, 1000).choose("Cleo leaves")
    assert table.said("player_left")[-1][1] == "Cleo"
    Hands(table, 9000).choose("End the game")
    assert table.referee.state.phase is Phase.OVER


def test_the_panel_takes_its_own_players_buttons_alone() -> None:
    table = TableTop(hands=[3])
    table.rap("Ada", 1000)
    table.settle()
    hands = Hands(table, 2000)
    hands.do(Gesture.WRONG)
    hands.do(Gesture.TAPS, 1)
    hands.do(Gesture.TAPS, 2, seat="Ben")
    panel: Any = table.referee.view(0).panel
    assert panel.at == 1
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
    assert not any(line.startswith(("Undo", "Play this hand again")) for line in lines(table))
    assert lines(table)[-1] == "Close: all is right"
