"""Answering the table's questions by the buttons, while play goes on.

While cards are led, played or picked up, BID is free: any seat's tap takes the question up, more taps step, its rap
answers. Whoever has taken a question up presses for nothing else, even when the question has settled itself
meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from table.cards import Card, card
from table.games.engine.game_state import Phase
from table.observed_facts import Call, Gesture
from table.phrase import Phrase, make_phrase
from table.referee.interaction.corrections import Corrections
from table.referee.interaction.questions import Question, Questions
from table.referee.model.option_stepper import AUTO_CLOSE_NS, Choice, Level, OpenLevel, make_suit_level
from table.referee.model.view import OpenQuestion
from table.referee.records.state_shared_by_judges import SharedState

FREE_PHASES = (Phase.LEAD, Phase.FOLLOW, Phase.PICK_UP)
"""The phases in which BID has no other meaning."""


@dataclass(frozen=True, slots=True)
class ClaimedQuestion:
    """A question that a player has taken up."""

    seat: str
    question: Question
    levels: tuple[OpenLevel, ...]
    closes_ns: int


class AnswerJudge:
    """Handles the calls of the player who answers a question."""

    def __init__(self, shared: SharedState, questions: Questions, corrections: Corrections) -> None:
        self.shared = shared
        self._questions = questions
        self._corrections = corrections
        self.claimed: ClaimedQuestion | None = None

    @property
    def visible_question(self) -> OpenQuestion | None:
        """The question that the screen shows; None where none is open."""
        if self.claimed is not None:
            now = self.claimed.levels[-1]
            lines = tuple(choice.text for choice in now.level.choices)
            settled = not self._is_open(self.claimed.question)
            asks = make_phrase("panel.settled") if settled else now.level.title
            return OpenQuestion(asks, () if settled else lines, self.claimed.seat, now.marked)
        if not self._questions.open:
            return None
        level = self.make_level(self._questions.open[0], "")
        hint = make_phrase("panel.by_tap" if self.shared.expected.phase in FREE_PHASES else "panel.by_panel")
        return OpenQuestion(level.title, tuple(choice.text for choice in level.choices), hint=hint)

    @property
    def closes_ns(self) -> int | None:
        """When a question is dropped whose player has pressed nothing for too long; None where none is taken up."""
        return self.claimed.closes_ns if self.claimed is not None else None

    def close(self) -> None:
        """Drop the question that was taken up, as its time is over."""
        self.claimed = None

    # --- in the panel -------------------------------------------------------------------------------------------

    def make_panel_choice(self, by: str) -> Choice | None:
        """Return the oldest question as the panel's first option, while BID is not free to answer it; else None."""
        if not self._questions.open or self.shared.expected.phase in FREE_PHASES:
            return None
        level = self.make_level(self._questions.open[0], by)
        return Choice(make_phrase("panel.question", asks=level.title), open_level=lambda: level)

    def make_level(self, question: Question, by: str) -> Level:
        """Return the level of answers to a question, the likeliest first."""

        def chosen(found: Card) -> Choice:
            return self._answer_choice(question, str(found), by)

        about_card = question.about == "card"
        choices = [
            chosen(card(name)) if about_card else self._answer_choice(question, name, by)
            for name in question.choices
        ]
        if about_card:
            others = [
                candidate for candidate in self.shared.game.pack() if str(candidate) not in question.choices
            ]
            suits = make_suit_level(others, chosen)
            choices.append(Choice(make_phrase("panel.another"), open_level=lambda: suits))
        return Level(question.text, tuple(choices))

    def _answer_choice(self, question: Question, choice: str, by: str) -> Choice:
        text = _answer_text(question, choice)

        def do(t_ns: int) -> None:
            if not self._is_open(question):
                return
            self._corrections.record_answer(make_phrase("panel.answer", choice=text), choice)
            if self._questions.answer(question.number, choice, t_ns, by):
                self._corrections.notify("answered", by, choice=text)

        return Choice(text, do)

    def _is_open(self, question: Question) -> bool:
        return any(asked.number == question.number for asked in self._questions.open)

    # --- while cards are played ---------------------------------------------------------------------------------

    def handle_claimant_call(self, call: Call) -> bool:
        """Handle a call of the player who has taken a question up; return whether it was one."""
        taken = self.claimed
        if taken is None or call.seat != taken.seat:
            return False
        *above, now = taken.levels
        steps = call.count if call.gesture in (Gesture.TAPS, Gesture.ZERO) else 0
        opened = (*above, now.step(steps))
        if call.gesture is Gesture.WRONG:
            opened = tuple(above)
        elif call.gesture is Gesture.RAP or (call.gesture is Gesture.ZERO and call.count):
            opened = self._choose(opened, call.t_ns) if self._is_open(taken.question) else ()
        still = replace(taken, levels=opened, closes_ns=call.end_ns + AUTO_CLOSE_NS)
        self.claimed = still if opened else None
        return True

    def _choose(self, opened: tuple[OpenLevel, ...], t_ns: int) -> tuple[OpenLevel, ...]:
        """Return the levels after the marked option has been chosen; none once it has been answered."""
        choice = opened[-1].marked_choice
        level = choice.open_level() if choice.open_level is not None else None
        if level is not None:
            return (*opened, OpenLevel(level))
        if choice.action is not None:
            choice.action(t_ns)
        return ()

    def claim_by_tap(self, call: Call) -> bool:
        """Handle a tap that takes a question up, while BID is free for it; return whether it was one."""
        if not self._questions.open or self.shared.expected.phase not in FREE_PHASES:
            return False
        if call.gesture is not Gesture.TAPS:
            return False
        if self.claimed is None:
            question = self._questions.open[0]
            first = OpenLevel(self.make_level(question, call.seat)).step(call.count - 1)
            self.claimed = ClaimedQuestion(call.seat, question, (first,), call.end_ns + AUTO_CLOSE_NS)
        return True


def _answer_text(question: Question, choice: str) -> Phrase:
    """Return the text of an answer: a card, a bid, or a name."""
    if question.about == "card":
        return make_phrase("panel.card", card=choice)
    if question.code == "asked_suit":
        return make_phrase("panel.suit", suit=choice)
    return (
        make_phrase("panel.number", bid=choice)
        if question.about == "bid"
        else make_phrase("panel.name", name=choice)
    )
