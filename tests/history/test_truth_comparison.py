"""--check compares what truth names, in order, and says each difference in one line."""

from __future__ import annotations

from typing import Any

import pytest

from table.history.truth_comparison import compare
from table.i18n.terminal_output import phrase_text
from table.observed_facts import MS
from table.referee.records.journal import JournalLine, dump

S = 1_000 * MS


def line(event: str, t_ns: int = 0, **fields: Any) -> JournalLine:
    return {"t_ns": t_ns, "event": event, **fields}


def decided(event: str, t_ns: int, decided_ns: int, **fields: Any) -> JournalLine:
    return {"seq": 1, "t_ns": t_ns, "decided_ns": decided_ns, "event": event, **fields}


TRUTH = [line("bid", 5, seat="Ada", bid=2), line("card_played", 9, seat="Ada", card="AS")]


def test_the_same_events_have_no_difference_whatever_times_and_confidence_say() -> None:
    journal = [
        decided("rap", 1, 2, seat="Ben"),
        decided("bid", 6, 16, seat="Ada", bid=2),
        decided("card_played", 7, 37, seat="Ada", card="AS", confidence=0.7, by="camera"),
    ]
    comparison = compare(TRUTH, journal)
    assert not comparison.differences
    assert comparison.matched == 2
    assert comparison.decision_delays_ns == (10, 30)


def test_what_only_one_side_has_is_a_difference_in_its_place() -> None:
    journal = [
        decided("bid", 6, 16, seat="Ada", bid=3),
        decided("card_played", 7, 37, seat="Ada", card="AS"),
        decided("trick_won", 8, 38, seat="Ada"),
    ]
    differences = compare(TRUTH, journal).differences
    assert [text[0] for text in differences] == ["-", "+", "+"]
    assert '"bid": 2' in differences[0]
    assert '"bid": 3' in differences[1]
    assert "trick_won" in differences[2]


def test_another_order_is_a_difference() -> None:
    journal = [
        decided("card_played", 7, 37, seat="Ada", card="AS"),
        decided("bid", 8, 38, seat="Ada", bid=2),
    ]
    assert len(compare(TRUTH, journal).differences) == 2


def test_what_was_corrected_later_is_left_out() -> None:
    journal = [
        decided("bid", 6, 16, seat="Ada", bid=3),
        decided("corrected", 6, 20, what="Bid", since=1),
        decided("bid", 6, 20, seat="Ada", bid=2),
        decided("card_played", 7, 37, seat="Ada", card="AS"),
    ]
    for number, one in enumerate(journal, start=1):
        one["seq"] = number
    assert not compare(TRUTH, journal).differences


@pytest.mark.parametrize("late_ms", [-101, 101, -1000])
def test_a_call_more_than_100_ms_off_is_a_difference(late_ms: int) -> None:
    truth = [line("bid", 9 * S, seat="Ada", bid=2)]
    at_ns = 9 * S + late_ms * MS
    comparison = compare(truth, [decided("bid", at_ns, at_ns, seat="Ada", bid=2)])
    assert comparison.differences == (f"~ {dump({**truth[0], 'off_ns': late_ms * MS})}",)
    assert (comparison.matched, comparison.expected) == (0, 1)
    assert compare(truth, [decided("bid", 9 * S + 100 * MS, 0, seat="Ada", bid=2)]).differences == ()


@pytest.mark.parametrize("event", ["card_played", "leads_tied", "trump"])
def test_a_card_more_than_500_ms_off_is_a_difference(event: str) -> None:
    every: dict[str, dict[str, Any]] = {
        "card_played": {"seat": "Ada", "card": "AS"},
        "leads_tied": {"kept": None, "taken_back": [], "next": "Ada"},
        "trump": {"suit": "S", "card": "9S"},
    }
    fields = every[event]
    truth = [line(event, 9 * S, **fields)]
    off = [compare(truth, [decided(event, 9 * S + ms * MS, 0, **fields)]) for ms in (-501, 500, 501)]
    assert [len(comparison.differences) for comparison in off] == [1, 0, 1]


def test_what_follows_from_calls_and_cards_has_no_moment_of_its_own() -> None:
    """Nor has a card that people named because no camera saw it come."""
    truth = [
        line("trump", 1 * S, suit="S", card=None),
        line("card_played", 2 * S, seat="Ada", card="AS"),
        line("hand_scored", 3 * S, hand=1),
    ]
    journal = [
        decided("trump", 9 * S, 9 * S, suit="S", card=None),
        decided("card_played", 9 * S, 9 * S, seat="Ada", card="AS", by="corrected"),
        decided("hand_scored", 9 * S, 9 * S, hand=1),
    ]
    assert compare(truth, journal).differences == ()


def test_of_equal_events_the_one_at_that_time_is_meant() -> None:
    truth = [line("card_played", at * S, seat="Ada", card="AS") for at in (2, 6)]
    journal = [decided("card_played", 6 * S, 6 * S, seat="Ada", card="AS")]
    assert compare(truth, journal).differences == (f"- {dump(truth[0])}",)


def test_the_summary_says_how_far_off_calls_and_cards_are() -> None:
    truth = [line("bid", 1 * S, seat=seat, bid=1) for seat in ("Ada", "Ben", "Cleo")]
    journal = [
        decided("bid", 1 * S + ms * MS, 2 * S, seat=one["seat"], bid=1)
        for one, ms in zip(truth, (-40, 10, 20), strict=True)
    ]
    told = phrase_text(compare(truth, journal).summary())
    assert told.endswith(
        "distance in time of calls: 20 ms (median), 40 ms (worst), of cards: none to compare"
    )


def test_an_empty_truth_and_journal_agree() -> None:
    assert phrase_text(compare([], []).summary()) == "0 of 0 events as in the truth, 0 differences"
