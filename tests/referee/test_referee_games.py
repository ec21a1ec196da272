"""What the other games need from calls and cards: the dial, fists, the turned-up card, the joker's suit, two packs."""

from __future__ import annotations

from typing import Any

from table.games.engine.game_state import Phase
from table.observed_facts import MS, Call, Gesture
from table.referee.records.journal import effective_lines
from tests.referee.tabletop import TableTop, undo

FOUR = {"South": 180.0, "West": 270.0, "North": 0.0, "East": 90.0}


class Auction(TableTop):
    """Israeli Whist, South deals and begins; every call comes two seconds after the one before."""

    def __init__(self, *, dealt: bool = True, **options: Any) -> None:
        super().__init__("israeli-whist", FOUR, **{"target": 300, **options})
        self.at = 1000.0
        if dealt:
            self.do("South", Gesture.RAP)

    def do(self, seat: str, gesture: Gesture, count: int = 0, *, taps_ms: float = 500) -> None:
        self.at += 2000
        self.facts.append(Call(int(self.at * MS), int((self.at + taps_ms) * MS), seat, gesture, count))

    def watch(self) -> Any:
        """The dial, with everything known up to the last call's end."""
        self.settle(until=self.at + 501)
        return self.referee.view(0).dial


def test_taps_step_the_dial_and_a_rap_calls_it() -> None:
    table = Auction()
    table.do("South", Gesture.TAPS, 3)
    assert table.watch().shown == "5H"
    table.do("South", Gesture.TAPS, 1)
    assert table.watch().shown == "5S"
    table.do("South", Gesture.RAP)
    assert table.said("bid") == [("bid", "South", "5S")]


def test_the_first_tap_sets_the_lowest_bid_that_is_still_legal() -> None:
    table = Auction()
    table.do("South", Gesture.TAPS, 3)
    table.do("South", Gesture.RAP)
    table.do("West", Gesture.TAPS, 1)
    assert table.watch().shown == "5S"


def test_a_hold_goes_up_a_level_in_the_same_denomination() -> None:
    table = Auction()
    table.do("South", Gesture.TAPS, 3)
    table.do("South", Gesture.ZERO)
    assert table.watch().shown == "6H"


def test_on_a_one_button_seat_a_tap_then_a_hold_steps_and_calls() -> None:
    table = Auction()
    table.do("South", Gesture.ZERO, 1)
    table.do("West", Gesture.RAP)
    assert table.said("bid", "pass") == [("bid", "South", "5C"), ("pass", "West")]


def test_quiet_calls_what_the_dial_shows_two_and_a_half_seconds_after_the_last_press() -> None:
    table = Auction()
    table.do("South", Gesture.TAPS, 2)
    assert table.watch().calls_at_ns == int((table.at + 2500) * MS)
    table.settle(until=table.at + 2499)
    assert not [line for line in table.referee.journal.lines if line["event"] == "bid"]
    table.settle(until=table.at + 2500)
    assert [line["bid"] for line in table.referee.journal.lines if line["event"] == "bid"] == ["5D"]


def test_quiet_calls_no_dial_that_a_panel_has_covered_until_it_is_turned_again() -> None:
    table = Auction()
    table.do("South", Gesture.TAPS, 2)
    table.do("West", Gesture.WRONG)
    table.do("South", Gesture.TAPS, 1)
    table.settle(until=table.at + 4000)
    table.do("West", Gesture.WRONG)
    table.settle(until=table.at + 4000)
    dial = table.referee.view(0).dial
    assert dial is not None
    assert (dial.shown, dial.calls_at_ns) == ("5H", None)
    table.do("South", Gesture.TAPS, 1)
    table.settle(until=table.at + 2500)
    assert [line["bid"] for line in table.referee.journal.lines if line["event"] == "bid"] == ["5S"]


def test_a_call_of_the_dial_happened_when_the_dial_was_turned_first() -> None:
    table = Auction()
    table.do("South", Gesture.TAPS, 4)
    table.do("South", Gesture.WRONG)
    table.do("South", Gesture.TAPS, 2)
    turned_ns = int(table.at * MS)
    table.do("South", Gesture.TAPS, 1)
    table.do("South", Gesture.RAP)
    table.do("West", Gesture.RAP)
    table.settle(until=table.at + 501)
    calls = [line for line in table.referee.journal.lines if line["event"] in ("bid", "pass")]
    assert [line["t_ns"] for line in calls] == [turned_ns, int(table.at * MS)]


def test_once_a_bid_is_undone_the_dial_shows_it_again_and_a_rap_calls_what_the_dial_shows() -> None:
    table = Auction()
    table.do("South", Gesture.TAPS, 3)
    table.do("South", Gesture.RAP)
    table.settle(until=table.at + 501)
    assert undo(table.referee, int(table.at * MS), "South")
    dial = table.watch()
    assert (dial.seat, dial.shown, dial.calls_at_ns) == ("South", "5H", None)
    table.do("South", Gesture.WRONG)
    assert table.watch() is None
    table.do("South", Gesture.RAP)
    table.settle(until=table.at + 501)
    held = effective_lines(table.referee.journal.lines)
    assert [line["event"] for line in held if line["event"] in ("bid", "pass")] == ["pass"]


def test_thats_wrong_clears_the_dial() -> None:
    table = Auction()
    table.do("South", Gesture.TAPS, 4)
    table.do("South", Gesture.WRONG)
    assert table.watch() is None
    table.do("South", Gesture.RAP)
    assert table.said("bid", "pass") == [("pass", "South")]


def test_four_passes_throw_the_hand_in() -> None:
    table = Auction()
    for seat in FOUR:
        table.do(seat, Gesture.RAP)
    assert [line[0] for line in table.said("pass", "thrown_in")] == ["pass"] * 4 + ["thrown_in"]


def test_the_example_of_the_source_from_the_dial_to_the_last_bid() -> None:
    table = Auction()
    table.do("South", Gesture.RAP)
    table.do("West", Gesture.TAPS, 3)
    table.do("West", Gesture.RAP)
    table.do("North", Gesture.TAPS, 1)
    table.do("North", Gesture.TAPS, 2)
    table.do("North", Gesture.RAP)
    for seat in ("East", "South"):
        table.do(seat, Gesture.RAP)
    table.do("West", Gesture.TAPS, 2)
    table.do("West", Gesture.RAP)
    table.do("North", Gesture.TAPS, 3)
    table.do("North", Gesture.RAP)
    for seat in ("East", "South", "West", "North"):
        table.do(seat, Gesture.RAP)
    table.do("East", Gesture.TAPS, 2)
    table.do("South", Gesture.ZERO)
    table.do("West", Gesture.TAPS, 4)
    table.do("West", Gesture.TAPS, 3)
    bids = [line[1:3] for line in table.said("bid")]
    assert bids[:4] == [("West", "5H"), ("North", "6C"), ("West", "6H"), ("North", "7C")]
    assert bids[4:] == [("East", 2), ("South", 0), ("West", 3)]
    assert table.said("bid_refused")[0][1:3] == ("West", 4)
    assert table.said("trump")[-1][1:3] == ("C", None)
    assert table.referee.expected.default_seat == "North"


def fists() -> TableTop:
    """Oh Shit with all fists on the table at 5 s: the count ends at 8 s."""
    table = TableTop("oh-shit", hands=[2], joker=True)
    table.rap("Ada", 1000)
    table.lay("8D", 2000)
    table.clear("8D", at=3000)
    for place, seat in enumerate(("Cleo", "Ben", "Ada")):
        table.rap(seat, 4000 + 500 * place)
    return table


def test_bids_made_at_once_are_kept_back_until_all_are_in() -> None:
    table = fists()
    table.bid("Cleo", 2, 8050)
    table.bid("Ben", 0, 8010)
    table.settle()
    assert not table.said("bid", "bids_revealed")
    table.bid("Ada", 1, 8900)
    assert table.said("bids_revealed")[0][1] == {"Ada": 1, "Ben": 0, "Cleo": 2}
    assert [line[1:3] for line in table.said("bid")] == [("Ben", 0), ("Cleo", 2), ("Ada", 1)]


def test_a_burst_that_began_before_the_pump_does_not_stand_and_the_first_after_it_does() -> None:
    table = fists()
    table.bid("Ben", 2, 7990)
    table.bid("Ben", 1, 8100)
    table.bid("Ben", 2, 9000)
    table.bid("Cleo", 2, 8050)
    table.bid("Ada", 1, 8900)
    assert table.said("bids_revealed")[0][1]["Ben"] == 1


def test_a_bid_above_the_tricks_is_made_again() -> None:
    table = fists()
    for seat, bid, at in (("Ben", 3, 8100), ("Cleo", 2, 8200), ("Ada", 1, 8300), ("Ben", 2, 9500)):
        table.bid(seat, bid, at)
    assert table.said("bids_revealed")[0][1]["Ben"] == 2


def test_a_secret_bid_that_can_t_be_is_told_to_nobody_before_all_have_bid() -> None:
    table = fists()
    table.bid("Ben", 3, 8100)
    table.bid("Cleo", 2, 8200)
    table.settle()
    before = len(table.referee.view(0).notices)
    table.bid("Ada", 1, 8300)
    table.settle()
    assert [notice.seats for notice in table.referee.view(0).notices[before:]] == [("Ben",)]
    assert not any("Ben" in notice.seats for notice in list(table.referee.view(0).notices)[:before])
    assert not table.said("bids_revealed")


def test_the_turned_up_card_makes_trumps_and_is_never_a_card_played() -> None:
    for order in ((1000, 3000), (3000, 1000)):
        table = TableTop("oh-hell", hands=[2])
        table.rap("Ada", order[0])
        table.lay("JD", order[1])
        table.clear("JD", at=4000)
        assert table.said("trump", "card_played", "card_taken_back", "out_of_turn") == [("trump", "D", "JD")]
        assert table.referee.state.phase is Phase.BID


def test_a_double_nil_is_called_before_looking() -> None:
    table = TableTop("prediction-whist", hands=[2], double_nil=True)
    table.rap("Ada", 1000)
    table.facts.append(Call(2000 * MS, 2600 * MS, "Ben", Gesture.DOUBLE_NIL))
    assert table.said("bid") == [("bid", "Ben", "double nil")]


def joker_led() -> TableTop:
    """Oh Shit at no trumps: Ben has led the joker, and is to name its suit."""
    table = TableTop("oh-shit", hands=[2], joker=True)
    table.rap("Ada", 1000)
    table.lay("AD", 2000)
    table.clear("AD", at=3000)
    for place, seat in enumerate(("Cleo", "Ben", "Ada")):
        table.rap(seat, 4000 + 500 * place)
    for seat in ("Ada", "Ben", "Cleo"):
        table.bid(seat, 1, 9000)
    table.lay("JOKER", 12_000, "Ben")
    table.settle()
    assert table.referee.state.phase is Phase.NAME_SUIT
    return table


def test_a_joker_led_at_no_trumps_has_its_suit_named_by_the_button() -> None:
    table = joker_led()
    phases = [table.referee.state.phase]
    table.bid("Ben", 2, 13000)
    table.settle()
    dial = table.referee.view(0).dial
    assert dial is not None
    named = str(dial.shown)
    table.rap("Ben", 15000)
    assert table.said("joker_named") == [("joker_named", "Ben", named)]
    phases.append(table.referee.state.phase)
    assert phases == [Phase.NAME_SUIT, Phase.FOLLOW]


def test_with_two_packs_an_equal_card_is_no_misreading_and_the_first_one_wins() -> None:
    table = TableTop("oh-hell", hands=[1], packs=2)
    table.lay("2C", 500)
    table.clear("2C", at=800)
    table.rap("Ada", 1000)
    table.bid("Ben", 1, 2000)
    table.bid("Cleo", 1, 3000)
    table.bid("Ada", 0, 4000)
    table.lay("9H", 6000, "Ben")
    table.lay("9H", 7000, "Cleo", others=[("6H", 0.3)], confidence=0.6)
    table.lay("8H", 8000, "Ada")
    assert [line[1:3] for line in table.said("card_played")][:2] == [("Ben", "9H"), ("Cleo", "9H")]
    assert table.said("trick_won")[0][2] == "Ben"
