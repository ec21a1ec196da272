"""The events at the table, as the referee judged them: whose card it was and which calls tied is known.

Each is a line of the journal, from which other lines (a trick won, a hand scored) follow; so a journal is read back by
applying its events again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from table.cards import BidValue, Card, PlayedCard
from table.events.event_spec import Play

# --- the deal -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dealt:
    """The dealer rapped: all cards have been dealt."""

    seat: str


@dataclass(frozen=True, slots=True)
class TurnedUp:
    """The turned-up card was detected on the mark."""

    card: Card


@dataclass(frozen=True, slots=True)
class CardsPassed:
    """All players have handed on their cards (gulash, exchange)."""


@dataclass(frozen=True, slots=True)
class ThrownIn:
    """The hand is thrown in, and the same dealer deals it again."""

    why: str
    """A code: ``misdeal``, ``all passed``, ``left``."""


# --- calls --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rapped:
    """A rap: pass, ready or confirm, depending on the phase."""

    seat: str


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid by a player."""

    seat: str
    bid: BidValue


@dataclass(frozen=True, slots=True)
class Passed:
    """A pass in the auction."""

    seat: str


@dataclass(frozen=True, slots=True)
class BidsTied:
    """Several simultaneous bids, in the order of their first edges: none of them counts."""

    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BidsRevealed:
    """All bids of a hand with secret bids."""

    bids: tuple[tuple[str, BidValue], ...]


# --- cards --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LeadsTied:
    """Several simultaneous leads. The kept one (if any) is played by a ``Played`` that follows at once."""

    kept: Play | None
    taken_back: tuple[Play, ...]
    """In the order of landing."""


@dataclass(frozen=True, slots=True)
class Played:
    """A player played a card: the lead, or the next card of the trick."""

    seat: str
    card: PlayedCard


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A player withdrew a card of the current trick from the mark."""

    seat: str
    card: PlayedCard


@dataclass(frozen=True, slots=True)
class SuitNamed:
    """The leader of a joker named the suit that it stands for."""

    seat: str
    suit: str


@dataclass(frozen=True, slots=True)
class TrickTaken:
    """The player ``seat`` picked up the complete trick from the mark."""

    seat: str


# --- who plays, and the score -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Left:
    """A player leaves the game, or sits out; the totals stay."""

    seat: str


@dataclass(frozen=True, slots=True)
class Came:
    """A player who was away (or comes late) plays from the next deal on."""

    seat: str


@dataclass(frozen=True, slots=True)
class Reseated:
    """Players change chairs between hands; their scores go with them."""

    seats: tuple[str, ...]
    """All players in the new playing order, beginning with the same chair as before."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The players end an endless game (or leave a game early); the finished hands count."""


@dataclass(frozen=True, slots=True)
class Rescored:
    """The score of a finished hand is corrected; the hands dealt and played since stay."""

    hand: int
    points: tuple[tuple[str, int], ...]
    """The new points of these players for the hand; the others keep theirs."""


Event: TypeAlias = (
    Dealt
    | TurnedUp
    | CardsPassed
    | ThrownIn
    | Rapped
    | Bid
    | Passed
    | BidsTied
    | BidsRevealed
    | LeadsTied
    | Played
    | TakenBack
    | SuitNamed
    | TrickTaken
    | Left
    | Came
    | Reseated
    | Ended
    | Rescored
)
