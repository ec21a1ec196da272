"""The answers to the table's questions, as levels of options."""

from __future__ import annotations

from collections.abc import Iterator

from table.cards import Card, card
from table.games.engine.game_state import Phase
from table.phrase import Phrase, make_phrase
from table.referee.interaction.option_levels import Choice, Level, PanelContext, make_suit_level
from table.referee.interaction.questions import Question


def is_bid_free(context: PanelContext) -> bool:
    """Return whether BID has no other meaning now than to answer a question."""
    return context.shared.expected.phase in (Phase.LEAD, Phase.FOLLOW, Phase.PICK_UP)


def question_choices(context: PanelContext) -> Iterator[Choice]:
    """Yield the oldest question as the panel's first option, while BID is not free to answer it."""
    if context.questions.open and not is_bid_free(context):
        level = make_answer_level(context, context.questions.open[0])
        yield Choice(make_phrase("panel.question", asks=level.title), open_level=lambda: level)


def make_answer_level(context: PanelContext, question: Question) -> Level:
    """Return the level of answers to a question, the likeliest first."""

    def chosen(answer: Card | str) -> Choice:
        return _answer_choice(context, question, str(answer))

    if question.about != "card":
        return Level(question.text, tuple(map(chosen, question.choices)))
    others = [other for other in context.shared.game.pack() if str(other) not in question.choices]
    suits = make_suit_level(others, chosen)
    another = Choice(make_phrase("panel.another"), open_level=lambda: suits)
    return Level(question.text, (*map(chosen, map(card, question.choices)), another))


def _answer_choice(context: PanelContext, question: Question, choice: str) -> Choice:
    text = _answer_text(question, choice)

    def do(t_ns: int) -> None:
        if question not in context.questions.open:
            return
        context.corrections.record_answer(make_phrase("panel.answer", choice=text), choice)
        if context.questions.answer(question.number, choice, t_ns, context.by):
            context.corrections.notify("answered", context.by, choice=text)

    return Choice(text, do)


def _answer_text(question: Question, choice: str) -> Phrase:
    """Return the text of an answer: a card, a bid, or a name."""
    if question.about == "card":
        return make_phrase("panel.card", card=choice)
    if question.code == "asked_suit":
        return make_phrase("panel.suit", suit=choice)
    if question.about == "bid":
        return make_phrase("panel.number", bid=choice)
    return make_phrase("panel.name", name=choice)
