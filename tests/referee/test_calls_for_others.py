"""Bids, raps and passes that another seat enters in its panel: a broken button never stops a game."""

from __future__ import annotations

from table.games.engine.game_state import Phase
from table.observed_facts import MS, Call, Gesture
from tests.english import read
from tests.referee.tabletop import TableTop
from tests.referee.test_correction_panel import Hands, lines

FOUR = {"Ada": 40.0, "Ben": 130.0, "Cleo": 220.0, "Dan": 310.0}


class Panel(Hands):
    """The quick fingers of Ben, or somebody else, in a panel."""

    def __init__(self, table: TableTop, at: float, by: str = "Ben") -> None:
        super().__init__(table, at)
        self.by = by

    def do(self, gesture: Gesture, count: int = 0, seat: str = "") -> None:
        self.at += 300
        call = Call(round(self.at * MS), round((self.at + 100) * MS), seat or self.by, gesture, count)
        self.table.facts.append(call)
        self.table.settle(self.at + 200)


def test_a_dealer_s_rap_is_entered_by_another_seat() -> None:
    table = TableTop(first_dealer="Ada")
    Panel(table, 1000).choose("Ada has dealt")
    assert table.said("dealt") == [("dealt", "Ada")]
    assert table.referee.state.phase is Phase.BID
    notice = table.referee.view(0).notices[0]
    assert (notice.code, notice.seats) == ("said_so", ("Ben",))


def test_a_bid_a_rap_and_zero_are_entered_for_others_where_anyone_may_bid() -> None:
    table = TableTop(first_dealer="Ada")
    table.rap("Ada", 1000)
    ben = Panel(table, 2000)
    ben.choose("Button broken: press for somebody", "Cleo", "Cleo bids 3")
    ben.choose("Button broken: press for somebody", "Ben", "Ben lets others bid first")
    ben.choose("Button broken: press for Ada", "Ada bids 0")
    assert table.said("bid", "rap") == [("bid", "Cleo", 3), ("rap", "Ben"), ("bid", "Ada", 0)]


def test_only_what_a_seat_may_call_is_offered() -> None:
    table = TableTop("oh-hell", first_dealer="Ada", hands=[2])
    table.lay("7S", 500)
    table.rap("Ada", 1000)
    table.bid("Ben", 0, 3000)
    table.bid("Cleo", 1, 5000)
    ben = Panel(table, 8000)
    ben.choose("Button broken: press for Ada")
    assert lines(table) == ("Ada bids 0", "Ada bids 2")


def test_a_whole_auction_is_entered_and_a_pass_is_a_pass_whatever_the_dial_shows() -> None:
    table = TableTop("israeli-whist", FOUR, first_dealer="Ada", target=300)
    table.rap("Ada", 1000)
    ben = Panel(table, 2000)
    ben.choose("Button broken: press for Ada", "6", "Ada bids 6♦")
    table.bid("Ben", 2, 4500, until=5000)
    table.settle(5100)
    dial = table.referee.view(0).dial
    assert dial is not None
    assert dial.shown is not None
    cleo = Panel(table, 5200, "Cleo")
    cleo.choose("Button broken: press for Ben", "Ben passes")
    assert table.said("bid", "pass") == [("bid", "Ada", "6D"), ("pass", "Ben")]
    assert table.referee.view(0).dial is None


def test_fists_are_entered_and_a_bid_in_secret_once_all_others_are_in() -> None:
    table = TableTop("oh-shit", first_dealer="Ada", hands=[2])
    table.lay("7S", 500)
    table.rap("Ada", 1000)
    table.rap("Ben", 3000)
    table.rap("Cleo", 3100)
    ben = Panel(table, 4000)
    ben.choose("Ada is ready")
    table.bid("Ben", 1, 12_000)
    table.bid("Cleo", 2, 12_000)
    table.settle(14_000)
    assert table.said("bids_revealed") == []
    ben.at = 15_000
    ben.choose("Button broken: press for Ada", "Ada bids 1")
    assert table.said("bid") == [
        (*bid, True) for bid in (("bid", "Ben", 1), ("bid", "Cleo", 2), ("bid", "Ada", 1))
    ]


def test_who_enters_a_bid_in_secret_is_warned_while_others_have_still_to_bid() -> None:
    table = TableTop("oh-shit", first_dealer="Ada", hands=[2])
    table.lay("7S", 500)
    for number, seat in enumerate(("Ada", "Ada", "Ben", "Cleo")):
        table.rap(seat, 1000 + 1000 * number)
    ben = Panel(table, 12_000)
    table.settle(12_000)
    ben.choose("Button broken: press for somebody", "Ada", "Button broken: press for Ada")
    panel = table.referee.view(0).panel
    assert panel is not None
    assert read(panel).lost == "The others have not bid yet and will see it"
    assert lines(table) == ("No: leave it as it is", "Yes: Button broken: press for Ada")


def test_a_rap_in_an_open_lead_is_entered() -> None:
    table = TableTop(first_dealer="Ada")
    table.rap("Ada", 1000)
    for number, seat in enumerate(("Ben", "Cleo", "Ada")):
        table.bid(seat, 1, 3000 + 2000 * number)
    table.settle(11_000)
    assert table.referee.state.phase is Phase.LEAD
    Panel(table, 12_000).choose("Button broken: press for somebody", "Ada", "Ada lets others lead first")
    assert "Ada" in table.referee.state.raps


def test_what_was_entered_can_be_undone() -> None:
    table = TableTop(first_dealer="Ada")
    ben = Panel(table, 1000)
    ben.choose("Ada has dealt")
    ben.choose("Undo: Ada's deal")
    assert table.referee.state.phase is Phase.DEAL
