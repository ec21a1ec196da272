"""Levels of options to choose from by a seat's buttons: taps step, a rap chooses, "that's wrong" leaves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from table.cards import SUITS, Card
from table.observed_facts import MS
from table.phrase import Phrase, make_phrase

AUTO_CLOSE_NS = 20_000 * MS
"""An open level closes when its player has pressed nothing for this long."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One option: it opens a level, or else runs ``action`` with a stamp. With neither it leaves the level."""

    text: Phrase
    action: Callable[[int], None] | None = None
    open_level: Callable[[], Level | None] | None = None
    """Makes the level that the option opens; None from it where nothing needs to be asked before ``action``."""
    key: object = None
    """The option's identity when the level is made anew, where the text is not enough."""

    @property
    def identity(self) -> object:
        """The option's identity: its key, or else its text."""
        return self.text if self.key is None else self.key


@dataclass(frozen=True, slots=True)
class Level:
    """A titled list of options."""

    title: Phrase
    choices: tuple[Choice, ...]
    will_be_lost: Phrase | None = None
    """What will be lost by going on, for a confirmation."""


@dataclass(frozen=True, slots=True)
class OpenLevel:
    """A level with the index of its marked option."""

    level: Level
    marked: int = 0

    @property
    def marked_choice(self) -> Choice:
        """The marked option."""
        return self.level.choices[self.marked]

    def step(self, taps: int) -> OpenLevel:
        """Return the level with the mark ``taps`` options further down, wrapping around."""
        return replace(self, marked=(self.marked + taps) % len(self.level.choices))


def make_suit_level(cards: Sequence[Card], chosen: Callable[[Card], Choice]) -> Level:
    """Return a level for choosing a card by suit, then by rank from high to low; the joker stands beside the suits.

    ``chosen``: makes the option for a card.
    """
    choices = []
    for suit in SUITS:
        held = sorted({card for card in cards if card.suit == suit}, key=lambda card: -card.strength)
        if held:
            ranks = Level(make_phrase("panel.which_rank"), tuple(chosen(card) for card in held))
            choices.append(make_level_choice(make_phrase("panel.suit", suit=suit), ranks))
    choices += [chosen(card) for card in dict.fromkeys(cards) if card.is_joker]
    return Level(make_phrase("panel.which_suit"), tuple(choices))


def make_level_choice(text: Phrase, level: Level) -> Choice:
    """Return an option that opens ``level``."""
    return Choice(text, open_level=lambda: level)
