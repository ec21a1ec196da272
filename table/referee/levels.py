"""Levels of lines to choose from by a seat's buttons: taps step, a rap chooses, "that's wrong" leaves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from table.cards import SUITS, Card
from table.facts import MS
from table.phrase import Phrase, say

QUIET_NS = 20_000 * MS
"""What somebody has opened closes when that player has pressed nothing for so long."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One line: what it asks next, or else what it does at a time. With neither it leaves the level."""

    text: Phrase
    do: Callable[[int], None] | None = None
    asks: Callable[[], Level | None] | None = None
    """The level that it opens; None where there is nothing to ask before it is done."""
    key: object = None
    """What it is known by when the level is made anew, where the text is not enough."""

    @property
    def name(self) -> object:
        """What it is known by."""
        return self.text if self.key is None else self.key


@dataclass(frozen=True, slots=True)
class Level:
    """A few lines to choose from."""

    title: Phrase
    choices: tuple[Choice, ...]
    lost: Phrase | None = None
    """What will be lost."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A level, and which of its lines is marked."""

    level: Level
    at: int = 0

    @property
    def choice(self) -> Choice:
        """The marked line."""
        return self.level.choices[self.at]

    def step(self, taps: int) -> Opened:
        """So many lines down, and round."""
        return replace(self, at=(self.at + taps) % len(self.level.choices))


def by_suit(cards: Sequence[Card], chosen: Callable[[Card], Choice]) -> Level:
    """A card by its suit, then its rank from high to low; the joker beside the suits."""
    choices = []
    for suit in SUITS:
        held = sorted({one for one in cards if one.suit == suit}, key=lambda one: -one.strength)
        if held:
            ranks = Level(say("panel.which_rank"), tuple(chosen(one) for one in held))
            choices.append(opening(say("panel.suit", suit=suit), ranks))
    choices += [chosen(one) for one in dict.fromkeys(cards) if one.is_joker]
    return Level(say("panel.which_suit"), tuple(choices))


def opening(text: Phrase, level: Level) -> Choice:
    """A line that opens a level."""
    return Choice(text, asks=lambda: level)
