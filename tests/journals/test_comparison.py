"""--check compares what truth names, in order, and says each difference in one line."""

from __future__ import annotations

from typing import Any

from table.journals.comparison import compare
from table.referee.journal import JournalLine
from table.words.spoken import text


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
    assert comparison.delays_ns == (10, 30)


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


def test_an_empty_truth_and_journal_agree() -> None:
    assert text(compare([], []).summary()) == "0 of 0 events as in the truth, 0 differences"
