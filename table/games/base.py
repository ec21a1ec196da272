"""The values that everybody knows games by: where one stands, what may happen next, what comes of what happened.

Events are what happened at the table, as judged by the referee (who already knows whose card it was and which
calls tied); each is one line of the journal, and what a game says besides (a trick won, a hand scored) follows from it.
So a journal is read back by applying its events again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal, TypeAlias

from table.cards import Card
from table.events.happenings import BidValue
from table.events.kind import Play, Said
from table.phrase import Phrase

PASS = "pass"
"""A call of an auction that is no bid."""
DOUBLE_NIL = "double nil"


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


# --- tricks and hands -------------------------------------------------------------------------------------


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

    def card_of(self, seat: str) -> Card | None:
        """What a player has played to it."""
        for play in self.plays:  # (no generator: this is asked more often than anything else)
            if play.seat == seat:
                return play.card
        return None


@dataclass(frozen=True, slots=True)
class Revoke:
    """A failure to follow suit and the card that proves it."""

    seat: str
    card: Card
    """The card that did not follow."""
    trick: int
    """The number of the trick in which it did not, from 1."""
    proved_by: Card
    proved_in: int
    """The number of the trick in which ``proved_by`` was played."""


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


def number_of(bid: BidValue) -> int:
    """The tricks that a bid of the play stands for; a double nil counts 0."""
    return bid if isinstance(bid, int) else 0


# --- the state --------------------------------------------------------------------------------------------


@dataclass(frozen=True)  # without slots: see `but`
class State:
    """Where a game stands. Immutable."""

    phase: Phase
    hand: int
    """The number of the hand, from 1."""
    cards: int
    """Cards dealt to each player, which is the number of tricks."""
    dealer: str
    seats: tuple[str, ...]
    """Everybody of the game, in playing order: each next one sits to the left of the one before."""
    players: tuple[str, ...]
    """Who plays this hand, in the same order."""
    trump: str | None
    """``S H D C NT``; None while it is not known."""
    turned: Card | None = None
    card_passes: int = 0
    """How often cards have been handed on in this hand."""
    bids: tuple[tuple[str, BidValue], ...] = ()
    """The valid bids in the order in which they were made."""
    calls: tuple[tuple[str, str], ...] = ()
    """An auction so far, such as ``("Ada", "6C")`` and ``("Ben", "pass")``."""
    declarer: str | None = None
    """Who has won the auction."""
    raps: frozenset[str] = frozenset()
    """Who has rapped since the last bid, lead or tie."""
    forced: bool = False
    """A tie took the others' right to bid or lead: only the default may."""
    leader: str | None = None
    """Who leads, or led, the current trick; None while a free lead is open."""
    trick: Trick = Trick()
    tricks: tuple[Trick, ...] = ()
    """The finished tricks of this hand that have been picked up."""
    announced: tuple[Revoke, ...] = ()
    """The revokes of this hand that have been announced and whose proof has not been taken back."""
    results: tuple[HandResult, ...] = ()
    totals: Mapping[str, int] = field(default_factory=dict)
    out: frozenset[str] = frozenset()
    """Who plays no more by the rules: no lives left, too many faults."""
    away: frozenset[str] = frozenset()
    """Who has left, or has not come yet."""
    play_off: tuple[tuple[str, ...], ...] = ()
    """The groups of tied players that have to play off, the one that plays now first."""
    winners: tuple[str, ...] = ()
    deal: int = 0
    """The number of the deal, from 1: a hand that is thrown in is dealt again under its own number."""

    @property
    def alive(self) -> tuple[str, ...]:
        """Who is not out, whether there or away, in seat order."""
        return tuple(seat for seat in self.seats if seat not in self.out)

    @property
    def present(self) -> tuple[str, ...]:
        """Who is alive and there: who plays the next hand, in seat order."""
        return tuple(seat for seat in self.alive if seat not in self.away)

    def left_of(self, seat: str) -> str:
        """The next player to the left of ``seat`` who plays this hand."""
        at = self.seats.index(seat) + 1
        return next(one for one in (*self.seats[at:], *self.seats[:at]) if one in self.players)

    def round_from(self, seat: str) -> tuple[str, ...]:
        """All who play this hand, from ``seat`` on to the left."""
        at = self.players.index(seat)
        return (*self.players[at:], *self.players[:at])

    @property
    def bid_of(self) -> dict[str, BidValue]:
        """Bids by seat."""
        return dict(self.bids)

    def tricks_bid(self, seat: str) -> int:
        """The tricks that a seat's bid stands for."""
        return number_of(self.bid_of[seat])

    @property
    def passed_out(self) -> bool:
        """Whether everybody has passed in the auction, and nobody has bid."""
        return len(self.calls) >= len(self.players) and all(call == PASS for _, call in self.calls)

    @property
    def all_have_rapped(self) -> bool:
        """Whether nobody who plays this hand has still to rap."""
        return set(self.players) <= self.raps

    @property
    def last_trick(self) -> bool:
        """Whether the current trick is the hand's last."""
        return len(self.tricks) == self.cards - 1

    def won(self, seat: str) -> int:
        """Tricks won by ``seat`` in this hand, the one on the mark included once it is complete."""
        done = sum(trick.winner == seat for trick in self.tricks)
        return done + (self.trick.winner == seat)

    def made(self, seat: str) -> bool:
        """Whether ``seat`` has won exactly the tricks it bid."""
        return self.won(seat) == self.tricks_bid(seat)

    def has_revoked(self, seat: str) -> bool:
        """Whether a revoke of ``seat`` has been announced in this hand."""
        return any(revoke.seat == seat for revoke in self.announced)

    def seen(self) -> tuple[Card, ...]:
        """Every card played so far in this hand, in order."""
        return tuple([play.card for trick in (*self.tricks, self.trick) for play in trick.plays])

    @property
    def counting(self) -> tuple[HandResult, ...]:
        """The finished hands that count: not those that only decided a tie."""
        return tuple(result for result in self.results if not result.play_off)


# --- what comes of an event -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Refusal:
    """An event that can't be, and why. A value, never an exception."""

    code: str
    """One word for programs: ``not_your_turn``, ``forbidden_bid``, ``card_twice``, ``wrong_phase`` ..."""
    why: Phrase
    """For people, who are told more exactly: a phrase whose code begins with ``refused.``."""


def refuse(code: str, why: str = "", /, **fields: Any) -> Refusal:
    """A refusal; ``why``: the phrase's code, where one code has several."""
    return Refusal(code, Phrase(f"refused.{why or code}", fields))


Change: TypeAlias = tuple[State, list[Said]]
"""A new state and what is announced, the event's own line first."""


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

    @property
    def out(self) -> frozenset[str]:
        """Who is out."""
        lives = self.kind == "lives"
        return frozenset(
            seat for seat, count in self.of.items() if (count <= 0 if lives else count >= self.most)
        )
