"""Prepared answers: a recording's ``answers.csv`` in the place of people at the buttons."""

from __future__ import annotations

from collections.abc import Sequence

from table.observed_facts import Answer
from table.referee.interaction.questions import Question


def find_prepared_answer(answers: Sequence[Answer], question: Question, t_ns: int) -> str | None:
    """Return the prepared answer to a question that is open at ``t_ns``; None where nobody answers."""
    for answer in answers:
        if answer.t_ns <= t_ns and _matches(answer, question):
            return _answer_choice(answer, question)
    return None


def _matches(answer: Answer, question: Question) -> bool:
    asked = (question.about, question.hand, question.trick)
    if (answer.about, answer.hand, answer.trick) != asked:
        return False
    if question.about == "owner":
        return answer.card in ("", question.card)
    if question.about == "bid" and answer.card not in question.choices:
        return False  # the question is about another call of that player
    return question.seat in (None, answer.seat)


def _answer_choice(answer: Answer, question: Question) -> str:
    """Return the choice of an answer: a seat for ``owner``; of an order whichever of lead and leader is asked for;
    else a card.
    """
    if question.about == "owner":
        return answer.seat
    if question.about == "order" and answer.card not in question.choices:
        return answer.seat
    return answer.card
