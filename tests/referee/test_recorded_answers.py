"""Answers noted beforehand: each is given to the question that it is about, and not before its time."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from table.observed_facts import END_NS, Answer
from table.referee.interaction.questions import Question, find_prepared_answer
from table.referee.records.journal import JournalLine, effective_lines
from tests.referee.tabletop import TableTop

CARD = Question(1, "card", 2, 3, "Ben", "?", ("QS", "KS"))
OWNER = Question(2, "owner", 1, 1, "Ada", "9H", ("Ada", "Cleo"))
ORDER = Question(3, "order", 1, 1, None, None, ("Ada", "Cleo"))


@pytest.mark.parametrize(
    ("answer", "question", "choice"),
    [
        (Answer(5, "card", 2, 3, "Ben", "8H"), CARD, "8H"),
        (Answer(5, "card", 2, 3, "Ada", "8H"), CARD, None),
        (Answer(5, "card", 2, 2, "Ben", "8H"), CARD, None),
        (Answer(5, "card", 1, 3, "Ben", "8H"), CARD, None),
        (Answer(11, "card", 2, 3, "Ben", "8H"), CARD, None),
        (Answer(5, "owner", 1, 1, "Cleo", "9H"), OWNER, "Cleo"),
        (Answer(5, "owner", 1, 1, "Cleo", ""), OWNER, "Cleo"),
        (Answer(5, "owner", 1, 1, "Cleo", "8H"), OWNER, None),
        (Answer(5, "order", 1, 1, "Cleo", "9H"), ORDER, "Cleo"),
    ],
)
def test_an_answer_is_given_to_its_own_question(
    answer: Answer, question: Question, choice: str | None
) -> None:
    assert find_prepared_answer([answer], question, 10) == choice


def misread(answers: Sequence[Answer]) -> TableTop:
    """Oh Hell: Ben's heart of the first trick was read as the king, which Cleo plays in the second."""
    table = TableTop("oh-hell", hands=[3, 1], trump="progressive", first_dealer="Cleo")
    table.referee.answerer = lambda question, t_ns: find_prepared_answer(answers, question, t_ns)
    table.rap("Cleo", 1000)
    for at, seat in enumerate(("Ada", "Ben", "Cleo")):
        table.bid(seat, 0, 2000 + 1000 * at)
    table.lay("9H", 6000, "Ada")
    table.lay("KH", 7000, "Ben")
    table.lay("4H", 8000, "Cleo")
    table.clear("9H", "KH", "4H", at=10_000)
    table.lay("AS", 13_000, "Ada")
    table.lay("2S", 14_000, "Ben")
    table.lay("KH", 15_000, "Cleo")
    table.clear("AS", "2S", "KH", at=16_500, arm="Ada")
    return table


def first_trick(lines: Sequence[JournalLine]) -> list[str]:
    trick = next(line for line in effective_lines(lines) if line["event"] == "trick_won")
    return [play["card"] for play in trick["cards"]]


def test_an_answer_names_the_card_and_is_said_by_the_player_who_was_asked() -> None:
    lines = misread([Answer(0, "card", 1, 1, "Ben", "8H")]).settle()
    assert first_trick(lines) == ["9H", "8H", "4H"]
    (answered,) = [line for line in lines if line["event"] == "answered"]
    assert (answered["by"], answered["choice"], answered["t_ns"]) == ("Ben", "8H", 15_000_000_000)


def test_an_answer_is_given_at_its_time_though_nothing_happens_any_more() -> None:
    table = misread([Answer(20_000_000_000, "card", 1, 1, "Ben", "8H")])
    assert first_trick(table.settle(until=30_000)) == ["9H", "?", "4H"]
    assert first_trick(table.settle()) == ["9H", "8H", "4H"]


def test_without_an_answer_the_question_stays_open() -> None:
    table = misread([Answer(0, "card", 1, 2, "Ben", "8H")])
    assert first_trick(table.settle()) == ["9H", "?", "4H"]
    assert [question.about for question in table.referee.questions] == ["card"]


def test_an_answer_that_is_none_of_the_games_leaves_the_question_open() -> None:
    table = misread([Answer(0, "card", 1, 1, "Ben", "taken back")])
    assert first_trick(table.settle()) == ["9H", "?", "4H"]
    assert len(table.referee.questions) == 1


@pytest.mark.parametrize("due", [0, 15_500_000_000])
def test_answers_are_given_at_the_same_place_however_the_facts_are_handed_over(due: int) -> None:
    answers = [Answer(due, "card", 1, 1, "Ben", "8H")]
    at_once = misread(answers)
    at_once.settle()
    one_by_one = misread(answers)
    facts, one_by_one.facts = sorted(one_by_one.facts, key=lambda fact: fact.t_ns), []
    for number, fact in enumerate(facts):
        later = facts[number + 1].t_ns if number + 1 < len(facts) else END_NS
        one_by_one.referee.take([fact], later, facts[-1].t_ns)
    assert one_by_one.referee.journal.lines == at_once.referee.journal.lines
