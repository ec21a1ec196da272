"""Answering what the table asks, by the buttons and while play goes on.

While cards are led, played or picked up, BID is free: any seat's tap takes the question up, more taps step, its rap
answers. Whoever has taken one up presses for nothing else, even when the question has settled itself meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from table.cards import Card, card
from table.facts import Call, Gesture
from table.games.base import Phase
from table.phrase import Phrase, say
from table.referee.blackboard import Blackboard
from table.referee.levels import QUIET_NS, Choice, Level, Opened, by_suit
from table.referee.mending import Mending
from table.referee.questions import Question, Questions
from table.referee.view import OpenQuestion

FREE = (Phase.LEAD, Phase.FOLLOW, Phase.PICK_UP)
"""While these last, nothing else is awaited from BID."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A question that somebody has taken up."""

    seat: str
    question: Question
    opened: tuple[Opened, ...]
    closes_ns: int


class AnswerJudge:
    """Takes the calls of who answers."""

    def __init__(self, blackboard: Blackboard, questions: Questions, mending: Mending) -> None:
        self.blackboard = blackboard
        self._questions = questions
        self._mending = mending
        self.taken: Taken | None = None

    @property
    def shown(self) -> OpenQuestion | None:
        """What is asked, for the screen."""
        if self.taken is not None:
            now = self.taken.opened[-1]
            lines = tuple(choice.text for choice in now.level.choices)
            settled = not self._is_open(self.taken.question)
            asks = say("panel.settled") if settled else now.level.title
            return OpenQuestion(asks, () if settled else lines, self.taken.seat, now.at)
        if not self._questions.open:
            return None
        level = self.level(self._questions.open[0], "")
        hint = say("panel.by_tap" if self.blackboard.expected.phase in FREE else "panel.by_panel")
        return OpenQuestion(level.title, tuple(choice.text for choice in level.choices), hint=hint)

    @property
    def closes_ns(self) -> int | None:
        """When who has taken the question up has been quiet for too long."""
        return self.taken.closes_ns if self.taken is not None else None

    def close(self) -> None:
        """That moment has come."""
        self.taken = None

    # --- in the panel -------------------------------------------------------------------------------------------

    def first(self, by: str) -> Choice | None:
        """The oldest question as the panel's first line, while BID is not free to answer it."""
        if not self._questions.open or self.blackboard.expected.phase in FREE:
            return None
        level = self.level(self._questions.open[0], by)
        return Choice(say("panel.question", asks=level.title), asks=lambda: level)

    def level(self, question: Question, by: str) -> Level:
        """What is asked, with its answers, the likeliest first."""

        def chosen(found: Card) -> Choice:
            return self._choice(question, str(found), by)

        about_card = question.about == "card"
        choices = [
            chosen(card(name)) if about_card else self._choice(question, name, by)
            for name in question.choices
        ]
        if about_card:
            others = [one for one in self.blackboard.game.pack() if str(one) not in question.choices]
            suits = by_suit(others, chosen)
            choices.append(Choice(say("panel.another"), asks=lambda: suits))
        return Level(question.asks, tuple(choices))

    def _choice(self, question: Question, choice: str, by: str) -> Choice:
        text = _value(question, choice)

        def do(t_ns: int) -> None:
            if not self._is_open(question):
                return
            self._mending.noting(say("panel.answer", choice=text), choice)
            if self._questions.answer(question.number, choice, t_ns, by):
                self._mending.tell("answered", by, choice=text)

        return Choice(text, do)

    def _is_open(self, question: Question) -> bool:
        return any(one.number == question.number for one in self._questions.open)

    # --- while cards are played ---------------------------------------------------------------------------------

    def holds(self, call: Call) -> bool:
        """Whether the call is of who has taken a question up; then it is dealt with."""
        taken = self.taken
        if taken is None or call.seat != taken.seat:
            return False
        *above, now = taken.opened
        steps = call.count if call.gesture in (Gesture.TAPS, Gesture.ZERO) else 0
        opened = (*above, now.step(steps))
        if call.gesture is Gesture.WRONG:
            opened = tuple(above)
        elif call.gesture is Gesture.RAP or (call.gesture is Gesture.ZERO and call.count):
            opened = self._choose(opened, call.t_ns) if self._is_open(taken.question) else ()
        still = replace(taken, opened=opened, closes_ns=call.end_ns + QUIET_NS)
        self.taken = still if opened else None
        return True

    def _choose(self, opened: tuple[Opened, ...], t_ns: int) -> tuple[Opened, ...]:
        """The levels after the marked line has been chosen; none once it has been answered."""
        choice = opened[-1].choice
        level = choice.asks() if choice.asks is not None else None
        if level is not None:
            return (*opened, Opened(level))
        if choice.do is not None:
            choice.do(t_ns)
        return ()

    def takes_up(self, call: Call) -> bool:
        """Whether a tap takes a question up, while BID is free for it."""
        if not self._questions.open or self.blackboard.expected.phase not in FREE:
            return False
        if call.gesture is not Gesture.TAPS:
            return False
        if self.taken is None:
            question = self._questions.open[0]
            first = Opened(self.level(question, call.seat)).step(call.count - 1)
            self.taken = Taken(call.seat, question, (first,), call.end_ns + QUIET_NS)
        return True


def _value(question: Question, choice: str) -> Phrase:
    """An answer as its line says it: a card, a bid, or a name."""
    if question.about == "card":
        return say("panel.card", card=choice)
    if question.code == "asked_suit":
        return say("panel.suit", suit=choice)
    return say("panel.number", bid=choice) if question.about == "bid" else say("panel.name", name=choice)
