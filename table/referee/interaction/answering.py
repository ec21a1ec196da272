"""Answering the table's questions by the buttons, while play goes on.

While cards are led, played or picked up, BID is free: any seat's tap takes the question up, more taps step, its rap
answers (:mod:`table.stepper`). Whoever has taken a question up presses for nothing else, even when the question has
settled itself meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from table.cards import Card, card
from table.games.engine.game_state import Phase
from table.observed_facts import Call, Gesture
from table.phrase import Phrase, make_phrase
from table.referee.interaction.corrections import Corrections
from table.referee.interaction.questions import Question, Questions
from table.referee.model.option_levels import AUTO_CLOSE_NS, Choice, Level, make_suit_level
from table.referee.model.view import OpenQuestion
from table.referee.records.state_shared_by_judges import SharedState
from table.stepper import Stepper, chooses

FREE_PHASES = (Phase.LEAD, Phase.FOLLOW, Phase.PICK_UP)
"""The phases in which BID has no other meaning."""


@dataclass(frozen=True, slots=True)
class ClaimedQuestion:
    """A question that a player has taken up."""

    seat: str
    question: Question
    stepper: Stepper[Level]
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
            level = self.claimed.stepper.shown
            if not self._is_open(self.claimed.question):
                return OpenQuestion(make_phrase("panel.settled"), (), self.claimed.seat, level.selected)
            return OpenQuestion(level.title, level.lines, self.claimed.seat, level.selected)
        if not self._questions.open:
            return None
        level = self._make_level(self._questions.open[0], "")
        hint = make_phrase("panel.by_tap" if self._is_bid_free else "panel.by_panel")
        return OpenQuestion(level.title, level.lines, hint=hint)

    @property
    def closes_ns(self) -> int | None:
        """When a question is dropped whose player has pressed nothing for too long; None where none is taken up."""
        return self.claimed.closes_ns if self.claimed is not None else None

    def close(self) -> None:
        """Drop the question that was taken up, as its time is over."""
        self.claimed = None

    @property
    def _is_bid_free(self) -> bool:
        return self.shared.expected.phase in FREE_PHASES

    def _is_open(self, question: Question) -> bool:
        return any(asked.number == question.number for asked in self._questions.open)

    # --- the answers --------------------------------------------------------------------------------------------

    def panel_choices(self, by: str) -> Iterator[Choice]:
        """Yield the oldest question as the panel's first option, while BID is not free to answer it."""
        if self._questions.open and not self._is_bid_free:
            level = self._make_level(self._questions.open[0], by)
            yield Choice(make_phrase("panel.question", asks=level.title), open_level=lambda: level)

    def _make_level(self, question: Question, by: str) -> Level:
        """Return the level of answers to a question, the likeliest first."""

        def chosen(answer: Card | str) -> Choice:
            return self._answer_choice(question, str(answer), by)

        if question.about != "card":
            return Level(question.text, tuple(map(chosen, question.choices)))
        others = [other for other in self.shared.game.pack() if str(other) not in question.choices]
        suits = make_suit_level(others, chosen)
        another = Choice(make_phrase("panel.another"), open_level=lambda: suits)
        return Level(question.text, (*map(chosen, map(card, question.choices)), another))

    def _answer_choice(self, question: Question, choice: str, by: str) -> Choice:
        text = _answer_text(question, choice)

        def do(t_ns: int) -> None:
            if not self._is_open(question):
                return
            self._corrections.record_answer(make_phrase("panel.answer", choice=text), choice)
            if self._questions.answer(question.number, choice, t_ns, by):
                self._corrections.notify("answered", by, choice=text)

        return Choice(text, do)

    # --- while cards are played ---------------------------------------------------------------------------------

    def handle_claimant_call(self, call: Call) -> bool:
        """Handle a call of the player who has taken a question up; return whether it was one."""
        taken = self.claimed
        if taken is None or call.seat != taken.seat:
            return False
        pressed = taken.stepper.press(call, taken.stepper.shown.choices)
        if pressed.action is not None:
            pressed.action(call.t_ns)
        is_chosen_late = chooses(call) and not self._is_open(taken.question)
        ends = pressed.action is not None or is_chosen_late or not pressed.stepper.levels
        closes_ns = call.end_ns + AUTO_CLOSE_NS
        self.claimed = None if ends else replace(taken, stepper=pressed.stepper, closes_ns=closes_ns)
        return True

    def claim_by_tap(self, call: Call) -> bool:
        """Handle a tap that takes a question up, while BID is free for it; return whether it was one."""
        if not self._questions.open or not self._is_bid_free or call.gesture is not Gesture.TAPS:
            return False
        if self.claimed is None:
            question = self._questions.open[0]
            level = self._make_level(question, call.seat)
            level = replace(level, selected=(call.count - 1) % len(level.choices))
            self.claimed = ClaimedQuestion(
                call.seat, question, Stepper((level,)), call.end_ns + AUTO_CLOSE_NS
            )
        return True


def _answer_text(question: Question, choice: str) -> Phrase:
    """Return the text of an answer: a card, a bid, or a name."""
    if question.about == "card":
        return make_phrase("panel.card", card=choice)
    if question.code == "asked_suit":
        return make_phrase("panel.suit", suit=choice)
    if question.about == "bid":
        return make_phrase("panel.number", bid=choice)
    return make_phrase("panel.name", name=choice)
