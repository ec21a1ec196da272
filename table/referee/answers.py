"""Answers that were noted beforehand: a recording's ``answers.csv`` in the place of people at the buttons."""

from __future__ import annotations

from collections.abc import Sequence

from table.facts import Answer
from table.referee.questions import Question


def noted(answers: Sequence[Answer], question: Question, t_ns: int) -> str | None:
    """What is answered to a question that is open at ``t_ns``; None: nobody answers."""
    for answer in answers:
        if answer.t_ns <= t_ns and _meant(answer, question):
            return _choice(answer, question)
    return None


def _meant(answer: Answer, question: Question) -> bool:
    asked = (question.about, question.hand, question.trick)
    if (answer.about, answer.hand, answer.trick) != asked:
        return False
    if question.about == "owner":
        return answer.card in ("", question.card)
    if question.about == "bid" and answer.card not in question.choices:
        return False  # it is about another call of that player
    return question.seat in (None, answer.seat)


def _choice(answer: Answer, question: Question) -> str:
    """A seat for ``owner``; of an order whichever of lead and leader is asked for; a card for all else."""
    if question.about == "owner":
        return answer.seat
    if question.about == "order" and answer.card not in question.choices:
        return answer.seat
    return answer.card
