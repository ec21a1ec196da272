"""Levels of options for people at the buttons: those of the panel and the answers to a question.

Some options are requests to whoever runs the table, outside the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from table.cards import SUITS, Card, card
from table.games.engine.game_state import Phase
from table.phrase import Phrase, make_phrase
from table.referee.call_judge import CallJudge
from table.referee.interaction.questions import Question, Questions
from table.referee.model.search_context import UndoRecord
from table.referee.model.view import TrickReview
from table.referee.records.state_shared_by_judges import SharedState
from table.stepper import Entry, SteppedLevel


class TableRequest(Enum):
    """A request outside the game."""

    NEXT = "next"
    """Play the same game once more, when it is over."""
    MENU = "menu"
    """Show the menu: another game, other people."""
    PAUSE = "pause"
    """Pause: nothing counts for a while."""
    OFF = "off"
    """Switch the table off."""


SCREEN_TABLE_REQUESTS = frozenset((TableRequest.NEXT, TableRequest.MENU, TableRequest.PAUSE))
"""The requests that a table with a screen offers. A recording's panel has the same lines, or presses would choose
others there."""


@dataclass(slots=True)
class TableRequests:
    """The requests that are offered, and the latest that was made."""

    offered: frozenset[TableRequest] = frozenset()
    requested: TableRequest | None = None
    """The latest request; reset to None by whoever fulfils it."""


@dataclass(frozen=True, slots=True)
class Level(SteppedLevel):
    """A titled list of options."""

    title: Phrase
    choices: tuple[Choice, ...]
    will_be_lost: Phrase | None = None
    """What will be lost by going on, for a confirmation."""
    reads_rules: bool = False
    """Whether each option is a paragraph of the game's rules, to be read."""
    reviews: tuple[TrickReview, ...] = ()
    """The moments of a trick, one an option, to be looked at."""

    @property
    def lines(self) -> tuple[Phrase, ...]:
        """The options as the screen shows them."""
        return tuple(choice.line for choice in self.choices)

    @property
    def takes_reading(self) -> bool:
        """Whether people read or look at it longer than they need to choose an option."""
        return self.reads_rules or bool(self.reviews)


Choice: TypeAlias = Entry[Phrase, Level, Callable[[int], object]]
"""One option; its action is given the stamp of the call."""


@dataclass(frozen=True, slots=True)
class PanelContext:
    """What options are made from, and what their actions change."""

    shared: SharedState
    questions: Questions
    calls: CallJudge
    requests: TableRequests
    by: str = ""
    """The player to whom the options are offered."""


def level_choice(line: Phrase, title: str, choices: Iterable[Choice]) -> Iterator[Choice]:
    """Yield the option that opens a level of these options; nothing where there are none. ``title``: a code."""
    level = Level(make_phrase(title), tuple(choices))
    if level.choices:
        yield Choice(line, open_level=lambda: level)


def make_suit_level(cards: Sequence[Card], chosen: Callable[[Card], Choice]) -> Level:
    """Return a level for choosing a card by suit, then by rank from high to low; the joker stands beside the suits.

    ``chosen``: makes the option for a card.
    """
    choices: list[Choice] = []
    for suit in SUITS:
        held = sorted({card for card in cards if card.suit == suit}, key=lambda card: -card.strength)
        choices += level_choice(make_phrase("panel.suit", suit=suit), "panel.which_rank", map(chosen, held))
    choices += [chosen(card) for card in dict.fromkeys(cards) if card.is_joker]
    return Level(make_phrase("panel.which_suit"), tuple(choices))


# --- answers to a question --------------------------------------------------------------------------------------


def is_bid_free(context: PanelContext) -> bool:
    """Return whether BID has no other meaning now than to answer a question."""
    phase = context.shared.expected.phase
    return phase.is_play or phase is Phase.PICK_UP


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
        shared, by, what = context.shared, context.by, make_phrase("panel.answer", choice=text)
        record = UndoRecord(what, choice, was_undo=False, pins=shared.search.context.pins)
        if context.questions.answer(question.number, choice, t_ns, by, record):
            shared.notify(shared.now_ns, "ruling", "answered", by, by=by, choice=text)

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
