"""Free bids: order by first edges, ties, raps, refusals (Whysteria)."""

from __future__ import annotations

import itertools
from typing import Any

from table.i18n.terminal_output import phrase_text
from table.observed_facts import MS
from tests.referee.tabletop import TableTop


def dealt(**options: Any) -> TableTop:
    table = TableTop(**{"hands": [3, 2], **options})
    table.rap("Ada", 1000)
    return table


def test_bids_stand_in_the_order_of_their_first_edges() -> None:
    table = dealt()
    table.bid("Cleo", 2, 2000, until=3500)
    table.bid("Ben", 1, 2100)
    table.bid("Ada", 1, 4000)
    assert table.said("bid") == [("bid", "Cleo", 2), ("bid", "Ben", 1), ("bid", "Ada", 1)]


def test_a_bid_before_the_dealers_rap_is_refused_with_the_dealers_name() -> None:
    table = TableTop(hands=[2])
    table.bid("Ben", 1, 500)
    (refused,) = table.said("bid_refused")
    assert refused[:3] == ("bid_refused", "Ben", 1)
    assert refused[3] == "not_dealt"
    assert "Ada" in str(refused[4])


def test_two_bids_within_the_window_are_tied_and_the_default_bids() -> None:
    table = dealt()
    table.bid("Cleo", 2, 2000)
    table.bid("Ada", 1, 2029.9)
    presses_ns = [2_000_000_000, 2_029_900_000]
    assert table.said("bid", "bids_tied") == [("bids_tied", ["Cleo", "Ada"], "Ben", 29_900_000, presses_ns)]


def test_a_bid_at_the_windows_end_is_not_tied() -> None:
    table = dealt()
    table.bid("Cleo", 2, 2000)
    table.bid("Ada", 0, 2030)
    assert [line[0] for line in table.said("bid", "bids_tied")] == ["bid", "bid"]


def test_the_window_runs_from_the_earliest_call_alone() -> None:
    table = dealt()
    table.bid("Cleo", 2, 2000)
    table.bid("Ada", 1, 2020)
    table.bid("Ben", 1, 2040, until=2500)
    said = table.said("bids_tied", "bid", "bid_refused")
    assert said[0][:3] == ("bids_tied", ["Cleo", "Ada"], "Ben")
    assert said[1][0] == "bid_refused", "Ben's call began before the tie was over"


def test_a_refusal_has_the_time_of_its_call() -> None:
    table = dealt()
    table.bid("Cleo", 2, 2000)
    table.bid("Ada", 1, 2020)
    table.bid("Ben", 1, 2040)
    (line,) = [line for line in table.settle() if line["event"] == "bid_refused"]
    assert line["t_ns"] == 2040 * MS


def test_a_call_that_began_before_the_last_tied_burst_ended_is_refused() -> None:
    table = dealt()
    table.bid("Cleo", 2, 2000, until=3200)
    table.bid("Ada", 1, 2010, until=2500)
    table.bid("Ben", 1, 3100)
    table.bid("Ben", 2, 3300)
    said = table.said("bid", "bid_refused")
    assert said[0][:2] == ("bid_refused", "Ben")
    assert said[1] == ("bid", "Ben", 2)


def test_after_a_tie_only_the_default_may_bid() -> None:
    table = dealt()
    table.bid("Cleo", 2, 2000)
    table.bid("Ada", 1, 2010)
    table.bid("Cleo", 2, 4000)
    table.bid("Ben", 1, 5000)
    said = table.said("bid", "bid_refused")
    assert said[0][:2] == ("bid_refused", "Cleo")
    assert said[1] == ("bid", "Ben", 1)


def test_a_bid_by_one_who_has_bid_ties_with_nobody() -> None:
    table = dealt()
    table.bid("Cleo", 2, 2000)
    table.bid("Cleo", 1, 4000)
    table.bid("Ada", 0, 4005)
    assert table.said("bid", "bids_tied") == [("bid", "Cleo", 2), ("bid", "Ada", 0)]


def test_a_forbidden_number_ties_too() -> None:
    table = dealt()
    table.bid("Cleo", 9, 2000)
    table.bid("Ada", 1, 2010)
    assert [line[0] for line in table.said("bid", "bids_tied", "bid_refused")] == ["bids_tied"]


def test_raps_never_tie_and_do_not_void_a_bid() -> None:
    table = dealt()
    table.rap("Cleo", 2000)
    table.bid("Ada", 1, 2005)
    table.rap("Ben", 2010)
    assert table.said("bid", "bids_tied", "rap") == [
        ("rap", "Cleo"),
        ("bid", "Ada", 1),
        ("rap", "Ben"),
    ]


def test_the_last_bidder_is_hooked_with_the_reason_and_bids_again() -> None:
    table = dealt()
    table.bid("Cleo", 1, 2000)
    table.bid("Ada", 1, 3000)
    table.bid("Ben", 1, 4000)
    table.bid("Ben", 2, 5000)
    said = table.said("bid", "bid_refused", "bidding_over")
    assert said[2][:3] == ("bid_refused", "Ben", 1)
    assert said[3] == ("bid", "Ben", 2)
    assert said[4][0] == "bidding_over"


def test_the_order_and_the_lateness_of_delivery_never_change_a_ruling() -> None:
    def calls(table: TableTop) -> None:
        table.rap("Ada", 1000)
        table.bid("Cleo", 2, 2000)
        table.bid("Ada", 1, 2020)
        table.bid("Ben", 1, 4000)

    whole = TableTop(hands=[3])
    calls(whole)
    expected = whole.said("bid", "bids_tied", "bid_refused", "dealt")
    for order in itertools.permutations(range(4)):
        table = TableTop(hands=[3])
        calls(table)
        late = [table.facts[place] for place in order]
        table.facts = []
        for fact in late:
            table.referee.take([fact], 500_000_000, fact.t_ns)
        assert table.said("bid", "bids_tied", "bid_refused", "dealt") == expected


def test_a_tie_is_not_judged_while_an_earlier_edge_may_still_arrive() -> None:
    table = dealt()
    table.bid("Cleo", 2, 2000)
    table.settle(until=2029)
    assert not [line for line in table.referee.journal.lines if line["event"] == "bid"]
    table.bid("Ada", 1, 2029.5)
    assert table.said("bid", "bids_tied")[0][0] == "bids_tied"


def test_the_ruling_says_who_was_earlier() -> None:
    table = dealt()
    table.bid("Cleo", 2, 2000)
    table.bid("Ada", 1, 2042)
    table.settle()
    assert any(
        "Cleo was 42 ms earlier than Ada" in phrase_text(notice.phrase)
        for notice in table.referee.view(0).notices
    )
