"""What the referee has to account for, in the order of its stamps: the log of the hand in play.

Every explanation is worked out from these alone, so an explanation can be worked out again whenever the past is seen
in another light: a card is read better, a person has said something.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from table.events.happenings import Bid, BidValue, Event
from table.events.kind import Said
from table.facts import CardGone, CardLanded
from table.referee.notices import Notice


@dataclass(frozen=True, slots=True)
class Landed:
    """Cards that came to rest within one tie window; elsewhere one card."""

    number: int
    """Names this observation within a game."""
    t_ns: int
    cards: tuple[CardLanded, ...]
    """At least one."""
    found: bool = False
    """No picture shows one of them landing: nobody knows when they did, nor whether the arm that was seen brought
    them."""

    def __post_init__(self) -> None:
        _with_cards(self.cards)


@dataclass(frozen=True, slots=True)
class Left:
    """Cards that left the mark in the same moment."""

    number: int
    t_ns: int
    cards: tuple[CardGone, ...]
    """At least one."""

    def __post_init__(self) -> None:
        _with_cards(self.cards)


@dataclass(frozen=True, slots=True)
class Quiet:
    """Nothing has moved for so long that a pick-up under way would have gone on."""

    number: int
    t_ns: int


@dataclass(frozen=True, slots=True)
class Idle:
    """A card was waited for, and for so long nothing has happened that the hand may well be over."""

    number: int
    t_ns: int


@dataclass(frozen=True, slots=True)
class Happened:
    """Somebody's call, or word in the panel, and what it means to the game."""

    number: int
    t_ns: int
    event: Event
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of its journal line."""
    notices: tuple[Notice, ...] = ()
    certain: bool = False
    """A person has said so in as many words: a state in which it can't be is not believed."""
    blind: bool = False
    """It was called by a dial that the screen did not show, since it was believed to be another player's turn: what
    it stood at follows from whatever had been called before."""


@dataclass(frozen=True, slots=True)
class Turned:
    """Somebody taps or holds BID in an auction: the dial moves, or, where there is none, a number is bid."""

    number: int
    t_ns: int
    seat: str
    taps: int
    """0 for a hold."""
    shown: BidValue | None
    """What the dial shows now, if the call is this player's."""

    @property
    def event(self) -> Event:
        """What it is where no dial is turned."""
        return Bid(self.seat, self.taps)


@dataclass(frozen=True, slots=True)
class Cleared:
    """Somebody says that what the own dial shows is wrong: it shows nothing."""

    number: int
    t_ns: int
    seat: str


@dataclass(frozen=True, slots=True)
class KeptBack:
    """Somebody bids in secret: what it is comes to light with the bids of the others."""

    number: int
    t_ns: int
    seat: str
    bid: BidValue


@dataclass(frozen=True, slots=True)
class Remarked:
    """Something is said that changes no state."""

    number: int
    t_ns: int
    said: Said
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Restarted:
    """The table came up again after a power cut: the camera sees every card that lies there anew."""

    number: int
    t_ns: int
    waiting: tuple[int, ...] = ()
    """The cards whose tie window nobody watched to its end."""


@dataclass(frozen=True, slots=True)
class Looked:
    """Since then the camera has looked for so long that it will have seen whatever lies there."""

    number: int
    t_ns: int


def _with_cards(cards: tuple[CardLanded, ...] | tuple[CardGone, ...]) -> None:
    """``ValueError`` where nothing was observed."""
    if not cards:
        raise ValueError("expected a card at least")


Observation: TypeAlias = (
    Landed | Left | Quiet | Idle | Happened | Turned | Cleared | KeptBack | Remarked | Restarted | Looked
)
