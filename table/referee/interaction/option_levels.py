"""Levels of options for people at the buttons: those of the panel and the answers to a question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from table.cards import SUITS, Card
from table.phrase import Phrase, make_phrase
from table.referee.call_judge import CallJudge
from table.referee.interaction.corrections import Corrections
from table.referee.interaction.panel_requests import TableRequests
from table.referee.interaction.questions import Questions
from table.referee.model.view import TrickReview
from table.referee.records.state_shared_by_judges import SharedState
from table.stepper import Entry, SteppedLevel


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
    corrections: Corrections
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
