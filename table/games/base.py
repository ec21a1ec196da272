"""What every game is: a value and a function, state + event -> new state and announcements, or a refusal.

The referee, the display and the virtual players know games only through what stands here. Events are what
happened at the table, as judged by the referee (who already knows whose card it was and which calls tied);
each event is one line of the journal, and what a game says besides (a trick won, a hand scored) follows from it.
So a journal is read back by applying its events again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, ClassVar, Literal

from table.cards import Card
from table.events.happenings import BidValue, Event
from table.events.kind import Play, Said
from table.phrase import Phrase


class Phase(Enum):
    """What the table waits for."""

    DEAL = "deal"
    """The dealer deals, then raps."""
    TURN_UP = "turn up"
    """The turned-up card is to be laid on the mark."""
    PASS_CARDS = "pass cards"
    """Cards are handed on; everybody raps when it is done."""
    AUCTION = "auction"
    BID = "bid"
    SECRET_BID = "secret bid"
    """Everybody bids at once; nothing is shown until all are in."""
    LEAD = "lead"
    NAME_SUIT = "name suit"
    """A led joker's suit is to be named."""
    FOLLOW = "follow"
    PICK_UP = "pick up"
    """The trick is complete: its winner is to take it from the mark."""
    OVER = "over"


# --- what comes of them -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Refusal:
    """An event that can't be, and why, in words for the screen. A value, never an exception."""

    code: str
    """One word for programs: ``not_your_turn``, ``forbidden_bid``, ``card_twice``, ``wrong_phase`` ..."""
    why: Phrase | str


@dataclass(frozen=True, slots=True)
class Trick:
    """The cards of one trick in playing order."""

    plays: tuple[Play, ...] = ()
    winner: str | None = None
    """Known once it is complete."""
    named: str | None = None
    """The suit that a led joker stands for, once named."""

    @property
    def lead(self) -> Play | None:
        """The first card, or None while nothing is led."""
        return self.plays[0] if self.plays else None


@dataclass(frozen=True, slots=True)
class HandResult:
    """A finished hand."""

    hand: int
    cards: int
    dealer: str
    bids: Mapping[str, BidValue]
    tricks: Mapping[str, int]
    points: Mapping[str, int]
    totals: Mapping[str, int]
    revoked: tuple[str, ...] = ()
    """The seats whose revoke was proved in this hand."""
    play_off: bool = False
    """Whether it only decided a tie; its points are not in the totals."""


@dataclass(frozen=True)
class State:
    """Where a game stands. Immutable; each game may add fields in a subclass of its own."""

    phase: Phase
    hand: int
    """The number of the hand, from 1."""
    cards: int
    """Cards dealt to each player, which is the number of tricks."""
    dealer: str
    players: tuple[str, ...]
    """The seats that play this hand, in seat order (others may be out)."""
    trump: str | None
    """``S H D C NT``; None while it is not known."""
    turned: Card | None = None
    bids: tuple[tuple[str, BidValue], ...] = ()
    """The valid bids in the order in which they were made."""
    raps: frozenset[str] = frozenset()
    """Who has rapped since the last bid, lead or tie."""
    leader: str | None = None
    """Who leads, or led, the current trick; None while a free lead is open."""
    trick: Trick = Trick()
    tricks: tuple[Trick, ...] = ()
    """The finished tricks of this hand that have been picked up."""
    results: tuple[HandResult, ...] = ()
    totals: Mapping[str, int] = field(default_factory=dict)
    winners: tuple[str, ...] = ()
    calls: tuple[tuple[str, str], ...] = ()
    """An auction so far, such as ``("Ada", "6C")`` and ``("Ben", "pass")``."""
    declarer: str | None = None
    """Who has won the auction."""
    play_off: tuple[tuple[str, ...], ...] = ()
    """The groups of tied players that have to play off, the one that plays now first."""
    away: frozenset[str] = frozenset()
    """Who has left, or has not come yet."""

    @property
    def bid_of(self) -> dict[str, BidValue]:
        """Bids by seat."""
        return dict(self.bids)

    def won(self, seat: str) -> int:
        """Tricks won by ``seat`` in this hand, the one on the mark included once it is complete."""
        done = sum(trick.winner == seat for trick in self.tricks)
        return done + (self.trick.winner == seat)

    def seen(self) -> tuple[Card, ...]:
        """Every card played so far in this hand, in order."""
        return tuple(play.card for trick in (*self.tricks, self.trick) for play in trick.plays)


@dataclass(frozen=True, slots=True)
class Step:
    """The state after an event, and what is announced: the event's own journal line first."""

    state: State
    said: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Expected:
    """What may happen next."""

    phase: Phase
    seats: tuple[str, ...]
    """Who may act now, in seat order starting at the one whose turn it is."""
    default: str | None
    """Whose turn it is; with free bids or leads, who must act when nobody else wants to."""
    free: bool = False
    """True when any of ``seats`` may act at any moment: acts at the same time are tied."""
    must: bool = False
    """True when ``default`` must act now: all the others have rapped, or a tie took their right."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What puts players out of a game, and how near each is to it."""

    kind: Literal["lives", "faults"]
    """Lives run out, faults add up."""
    of: Mapping[str, int]
    """By seat."""
    most: int
    """The lives to start with, or the faults that put a player out."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a game, as ``cardtable games`` lists it."""

    name: str
    kind: str
    """What is expected, in words: ``true or false``, ``a number from 1 to 10``, ``down-up, down or up-down``."""
    default: Any
    help: str


class Game(ABC):
    """A game with its seats and options; immutable. All methods are pure."""

    name: ClassVar[str]
    title: ClassVar[str]
    seat_range: ClassVar[tuple[int, int]]
    options_offered: ClassVar[tuple[Option, ...]]
    proposed: ClassVar[Mapping[str, Any]] = {}
    """What is proposed for options that the rules leave to the players to agree on."""
    short: ClassVar[tuple[int, ...]] = (3, 2, 1, 2)
    """The hands of a short game, to try the table with."""

    seats: tuple[str, ...]
    """In playing order: each next one sits to the left of the one before."""
    options: Mapping[str, Any]
    """Every option with its value, defaults filled in."""

    @abstractmethod
    def __init__(self, seats: Sequence[str], options: Mapping[str, Any] | None = None) -> None:
        """Check seats and options. ``ValueError`` says in a line which option is wrong and what was expected."""

    @abstractmethod
    def start(self) -> Step:
        """The first hand, to be dealt; says ``game_started``, ``hand_started``, and ``trump`` where fixed."""

    @abstractmethod
    def apply(self, state: State, event: Event) -> Step | Refusal:
        """What comes of an event. Never raises for any event, however impossible."""

    @abstractmethod
    def expected(self, state: State) -> Expected:
        """What may happen next, and who may do it."""

    @abstractmethod
    def legal_bids(self, state: State, seat: str) -> tuple[BidValue, ...]:
        """The bids that ``seat`` may make now; empty when it may not bid."""

    @abstractmethod
    def legal_plays(self, state: State, seat: str, hand: Sequence[Card]) -> tuple[Card, ...]:
        """The cards of a (known) hand that ``seat`` may play now by the rules; empty when it may not play."""

    def legal_suits(self, state: State, seat: str, hand: Sequence[Card] | None = None) -> tuple[str, ...]:
        """The suits that ``seat`` may name now for the joker it has led; empty when it may not.

        ``hand``: the rest of its hand, where it is known.
        """
        return ()

    @abstractmethod
    def pack(self) -> tuple[Card, ...]:
        """Every card that the game is played with."""

    def on_forehead(self, state: State) -> bool:
        """Whether each player holds the hand's only card to the forehead, seen by all the others."""
        return False

    def cards_to_pass(self, state: State) -> int:
        """How many cards everybody is to hand on now; 0 for none, and once it has been done."""
        return 0

    def tally(self, state: State) -> Tally | None:
        """What puts players out, where the game puts any out. Lives are its totals; faults are kept besides them."""
        return None

    @abstractmethod
    def account(self) -> str:
        """The rules as played with these options, a page of plain text for terminal and screen."""
