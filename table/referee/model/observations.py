"""The observations of the hand in play, in the order of their stamps: the log that the search explains.

Every hypothesis is computed from these alone, so it can be computed again whenever the past is seen in another light:
a card is read better, or a person has said something.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from table.cards import BidValue
from table.events.event_spec import Announcement
from table.events.game_events import Bid, Event
from table.observed_facts import CardGone, CardLanded, Reading
from table.referee.model.notices import Notice


@dataclass(frozen=True, slots=True)
class CardsLanded:
    """Cards that came to rest within one tie window; a single card where leads can't tie."""

    number: int
    """The observation's number, unique within a game."""
    t_ns: int
    cards: tuple[CardLanded, ...]
    """At least one, except after a restart."""
    unobserved: bool = False
    """Some landing is in no frame: neither its time is known, nor whether the detected arm brought the card."""
    after_restart: bool = False
    """These are all cards that lie there when the camera has looked for long enough since it restarted."""

    def __post_init__(self) -> None:
        if not self.after_restart:
            _with_cards(self.cards)

    def reread(self, number: int, readings: tuple[Reading, ...]) -> CardsLanded:
        """Return the same observation with another reading of card ``number``, which pools all its detections."""
        cards = (replace(fact, readings=readings) if fact.id == number else fact for fact in self.cards)
        return replace(self, cards=tuple(cards))


@dataclass(frozen=True, slots=True)
class CardsLeft:
    """Cards that left the mark in the same moment."""

    number: int
    t_ns: int
    cards: tuple[CardGone, ...]
    """At least one."""

    def __post_init__(self) -> None:
        _with_cards(self.cards)


@dataclass(frozen=True, slots=True)
class PickUpOver:
    """Nothing has moved for longer than the pause between two grabs of one pick-up."""

    number: int
    t_ns: int


@dataclass(frozen=True, slots=True)
class HandMayBeOver:
    """A card has been waited for, and nothing has happened for so long that the hand may be over."""

    number: int
    t_ns: int


@dataclass(frozen=True, slots=True)
class CallMade:
    """A player's call, or what somebody entered in the panel, with its meaning as an event of the game."""

    number: int
    t_ns: int
    event: Event
    extra_fields: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of its journal line."""
    notices: tuple[Notice, ...] = ()
    certain: bool = False
    """A person has said so expressly: hypotheses in which the event is impossible are not believed."""


@dataclass(frozen=True, slots=True)
class DialTurned:
    """A tap or hold of BID in an auction: it turns the dial or, where there is none, bids a number."""

    number: int
    t_ns: int
    seat: str
    taps: int
    """The number of taps; 0 for a hold."""

    @property
    def event(self) -> Event:
        """The event that the taps are where no dial is in use: a bid of their number."""
        return Bid(self.seat, self.taps)


@dataclass(frozen=True, slots=True)
class DialCleared:
    """A player clears the own dial by "that's wrong": it shows nothing any more."""

    number: int
    t_ns: int
    seat: str


@dataclass(frozen=True, slots=True)
class SecretBid:
    """A bid made in secret; it is revealed with the bids of the others."""

    number: int
    t_ns: int
    seat: str
    bid: BidValue


@dataclass(frozen=True, slots=True)
class Remark:
    """A journal line, with notices, that changes no state."""

    number: int
    t_ns: int
    announcement: Announcement
    """The journal line."""
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class JournalEvent:
    """An event of the game, or a remark, of which only the journal tells: the facts behind it are lost."""

    number: int
    t_ns: int
    cause: Event | Announcement
    extra_fields: Mapping[str, Any] = field(default_factory=dict)
    """Further fields of an event's journal line."""


@dataclass(frozen=True, slots=True)
class Restarted:
    """The table came up again after a power cut: the camera reports every card that lies there anew.

    A landing of all of them follows, even if there are none.
    """

    number: int
    t_ns: int
    open_tie_ids: tuple[int, ...] = ()
    """The ids of the cards whose tie window nobody watched to its end."""


def _with_cards(cards: tuple[CardLanded, ...] | tuple[CardGone, ...]) -> None:
    """Raise ``ValueError`` where an observation of cards has none."""
    if not cards:
        raise ValueError("expected a card at least")


def landed_cards(log: Iterable[Observation]) -> Iterator[CardLanded]:
    """Yield the cards that landed in these observations, as they were read last."""
    return (fact for seen in log if isinstance(seen, CardsLanded) for fact in seen.cards)


Observation: TypeAlias = (
    CardsLanded
    | CardsLeft
    | PickUpOver
    | HandMayBeOver
    | CallMade
    | DialTurned
    | DialCleared
    | SecretBid
    | Remark
    | JournalEvent
    | Restarted
)
