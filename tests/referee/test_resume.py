"""After a power cut the game goes on where the journal left it."""

from __future__ import annotations

import json

from table.events.event_registry import event_from_line
from table.games.engine.game_state import Refusal
from table.games.game import Game
from table.games.registry import make_game
from table.phrase import make_phrase
from table.referee.records.journal import Journal, JournalLine, effective_lines
from table.referee.records.journal_of_hypothesis import JournalSync, read_journal
from tests.referee.tabletop import TableTop, undo
from tests.wrong import wrong


def played() -> list[JournalLine]:
    """The journal of a game of two hands, with a tie, a refusal, a take-back and a correction."""
    table = TableTop(hands=[1, 1])
    start = 0
    for dealer, first, second in (("Ada", "Ben", "Cleo"), ("Ben", "Cleo", "Ada")):
        table.rap(dealer, start + 1000)
        table.bid(first, 0, start + 2000)
        table.bid(dealer, 1, start + 2010)
        table.bid(first, 0, start + 3000)
        table.bid(second, 1, start + 4000)
        table.bid(dealer, 0, start + 5000)
        table.bid(dealer, 1, start + 5800)
        table.lay("9H", start + 7000, first)
        table.lay("8H", start + 8000, second)
        table.withdraw("8H", start + 8500)
        table.lay("7H", start + 9000, second)
        table.lay("6H", start + 9500, dealer)
        table.clear("9H", "7H", "6H", at=start + 11000, arm=first)
        start += 20000
        table.settle()
    lines = table.settle()
    assert lines[-1]["event"] == "game_over"
    return [json.loads(json.dumps(line)) for line in lines]


def resumed(game: Game, journal: Journal) -> JournalSync:
    """The game as its journal leaves it, with what a power cut tore off its last event."""
    book = read_journal(game, journal)
    book.write_missing(0)
    return book


def test_wherever_the_power_goes_the_lines_after_it_are_those_that_would_have_been() -> None:
    lines = played()
    game = make_game("whysteria", ("Ada", "Ben", "Cleo"), {"hands": [1, 1]})
    for cut in range(1, len(lines) + 1):
        journal = Journal(earlier=lines[:cut])
        book = resumed(game, journal)
        for line in lines[len(journal.lines) :]:
            event = event_from_line(line)
            if event is not None:
                before = book.hypothesis
                step = game.apply(before.state, event)
                assert not isinstance(step, Refusal)
                after = before.add_entry(event, step.announcements, line["t_ns"], state=step.state)
                assert book.sync_to(after, 0) is None
        told = [{"event": line["event"], "seat": line.get("seat")} for line in journal.lines]
        silent = {"bid_refused"}
        expected = [
            {"event": line["event"], "seat": line.get("seat")}
            for number, line in enumerate(lines)
            if number < cut or line["event"] not in silent
        ]
        assert told == expected, cut


def test_lines_that_a_power_cut_tore_off_are_known_by_their_new_numbers() -> None:
    lines = played()
    game = make_game("whysteria", ("Ada", "Ben", "Cleo"), {"hands": [1, 1]})
    torn = 0
    for cut in range(1, len(lines) + 1):
        journal = Journal(earlier=lines[:cut])
        book = resumed(game, journal)
        if len(journal.lines) > cut:
            torn += 1
            assert book.line_number_after(book.hypothesis) == len(journal.lines)
    assert torn > 5


def test_a_correction_in_the_journal_is_read_back() -> None:
    table = TableTop(hands=[2])
    table.rap("Ada", 1000)
    table.bid("Ben", 1, 2000)
    table.settle()
    undo(table.referee, 4_000_000_000, "Ben")
    table.bid("Ben", 2, 5000)
    lines = table.settle()
    assert read_journal(table.referee.game, Journal(earlier=lines)).hypothesis.state == table.referee.state
    assert [line["bid"] for line in effective_lines(lines) if line["event"] == "bid"] == [2]


def test_the_journal_of_another_game_is_refused_in_one_line() -> None:
    with wrong("journal.other_game"):
        read_journal(make_game("whysteria", ("Ada", "Ben"), {"hands": [1]}), Journal(earlier=played()))


def test_a_line_that_can_not_be_is_named() -> None:
    lines = played()
    lines[3]["seat"] = "Nobody"
    bad = next(line for line in lines if line["event"] == "bid")
    bad["bid"] = 99
    with wrong("journal.impossible", at=make_phrase("at.journal_line", line=bad["seq"]), event="bid"):
        read_journal(
            make_game("whysteria", ("Ada", "Ben", "Cleo"), {"hands": [1, 1]}), Journal(earlier=lines)
        )


def test_the_hypothesis_up_to_a_line_is_what_was_told_up_to_it() -> None:
    lines = played()
    game = make_game("whysteria", ("Ada", "Ben", "Cleo"), {"hands": [1, 1]})
    whole, cuts = read_journal(game, Journal(earlier=lines)), 0
    for number in range(len(game.start().announcements), len(lines) + 1):
        cut, journal = whole.hypothesis_after(number), Journal(earlier=lines[:number])
        alone = resumed(game, journal)
        if len(journal.lines) > number:
            assert cut is None, number
        elif cut is not None:
            assert cut.state == alone.hypothesis.state, number
            assert whole.line_number_after(cut) == alone.line_number_after(alone.hypothesis), number
            cuts += 1
    assert cuts > 20
