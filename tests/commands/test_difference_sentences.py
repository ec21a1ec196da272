"""What the table was wrong about is told in sentences: what happened, and what it made of it."""

from __future__ import annotations

from typing import Any

from table.history.truth_comparison import Gap, compare, describe_gap
from table.i18n.terminal_output import phrase_text
from table.referee.records.journal import JournalLine


def line(event: str, t_ns: int, **fields: Any) -> JournalLine:
    return {"t_ns": t_ns, "event": event, **fields}


def texts(truth: list[JournalLine], journal: list[JournalLine]) -> list[str]:
    return [phrase_text(said) for gap in compare(truth, journal).gaps for _, said in describe_gap(gap)]


PLAYED = line("card_played", 9, seat="Ada", card="AS")


def test_another_bid_stands_beside_the_true_one() -> None:
    truth, journal = [line("bid", 5, seat="Ada", bid=2), PLAYED], [line("bid", 6, seat="Ada", bid=3), PLAYED]
    assert texts(truth, journal) == ["What happened: Ada bids 2. The table made of it: Ada bids 3."]


def test_what_one_side_has_alone_was_missed_or_did_not_happen() -> None:
    tail = line("card_played", 12, seat="Cleo", card="3S")
    missed = texts([PLAYED, tail], [tail])
    assert missed == ["What happened: Ada plays A♠. The table missed it."]
    assert texts([tail], [PLAYED, tail]) == ["The table wrote: Ada plays A♠. That did not happen."]


def test_a_player_s_event_stands_beside_the_same_player_s() -> None:
    truth = [line("card_played", 5, seat="Ada", card="2S"), line("card_played", 6, seat="Ben", card="3S")]
    journal = [line("card_played", 5, seat="Ben", card="4S"), line("card_played", 6, seat="Ada", card="5S")]
    assert texts(truth, journal) == [
        "What happened: Ada plays 2♠. The table made of it: Ada plays 5♠.",
        "What happened: Ben plays 3♠. The table made of it: Ben plays 4♠.",
    ]


def test_where_the_sentences_are_the_same_the_fields_are_told() -> None:
    def won(first: str) -> JournalLine:
        cards = [{"seat": first, "card": "2S"}, {"seat": "Cleo", "card": "3S"}]
        return line("trick_won", 7, trick=1, seat="Cleo", cards=cards)

    assert texts([won("Ada")], [won("Ben")]) == [
        "What happened: Cleo wins trick 1 (2♠ 3♠). "
        "The table made of it: the same, but for cards (Ben's 2♠, Cleo's 3♠)."
    ]


def test_a_call_at_another_time_is_told_as_such() -> None:
    def bid(t_ns: int) -> JournalLine:
        return line("bid", t_ns, seat="Ada", bid=2)

    early, late = texts([bid(10**9), PLAYED], [bid(0), PLAYED]), texts([bid(0)], [bid(10**9)])
    told = "What happened: Ada bids 2. The table made of it: the same, but 1000 ms too"
    assert (early, late) == ([f"{told} early."], [f"{told} late."])


def test_each_difference_has_the_moment_of_the_truth() -> None:
    gap = Gap((line("bid", 5, seat="Ada", bid=2),), (line("bid", 8, seat="Ada", bid=1), PLAYED))
    assert [t_ns for t_ns, _ in describe_gap(gap)] == [5, 9]


def test_places_where_nothing_differs_part_the_gaps() -> None:
    truth = [line("bid", 1, seat="Ada", bid=1), PLAYED, line("bid", 11, seat="Ben", bid=1)]
    journal = [line("bid", 1, seat="Ada", bid=0), PLAYED]
    gaps = compare(truth, journal).gaps
    assert [(len(gap.truth), len(gap.journal)) for gap in gaps] == [(1, 1), (1, 0)]
    assert compare(truth, truth).gaps == ()
