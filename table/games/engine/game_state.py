"""The values of a running game: its state, what may happen next, and the result of an event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal, NamedTuple

from table.cards import BidValue, CallValue, Card, Contract, PlayedCard, tricks_of_bid
from table.events.event_spec import Announcement, Play
from table.phrase import Phrase


class Phase(Enum):
    """What the table waits for."""

    DEAL = "deal"
    """The dealer deals, then raps."""
    TURN_UP = "turn up"
    """The dealer is to lay the turned-up card on the mark."""
    PASS_CARDS = "pass cards"
    """Players hand cards on; everybody raps when it is done."""
    AUCTION = "auction"
    BID = "bid"
    SECRET_BID = "secret bid"
    """Everybody bids at once; nothing is shown until all bids are in."""
    LEAD = "lead"
    NAME_SUIT = "name suit"
    """The leader of a joker is to name its suit."""
    FOLLOW = "follow"
    PICK_UP = "pick up"
    """The trick is complete: its winner is to take it from the mark."""
    OVER = "over"

    __hash__ = object.__hash__  # by identity: an enumeration's own hash is a Python function

    @property
    def is_deal(self) -> bool:
        """Whether the hand is not dealt yet."""
        return self in (Phase.DEAL, Phase.TURN_UP)

    @property
    def is_play(self) -> bool:
        """Whether a card is to be played."""
        return self in (Phase.LEAD, Phase.FOLLOW)


# --- tricks and hands -------------------------------------------------------------------------------------


class Trick(NamedTuple):
    """The cards of one trick in playing order."""

    plays: tuple[Play, ...] = ()
    leader: str | None = None
    """None while a free lead is open."""
    winner: str | None = None
    """None until the trick is complete."""
    named: str | None = None
    """The suit that a led joker stands for, once named."""

    @property
    def lead(self) -> Play | None:
        """The leader's card; None before the lead, and while it is withdrawn from beneath the others' cards."""
        return self.plays[0] if self.plays and self.plays[0].seat == self.leader else None

    def card_of(self, seat: str) -> PlayedCard | None:
        """Return the card that a player has played to this trick, or None."""
        for play in self.plays:  # (no generator: no other function is called more often)
            if play.seat == seat:
                return play.card
        return None


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure to follow suit: a revoke, if the player had a card of the suit."""

    seat: str
    card: Card
    """The card that did not follow."""
    trick: int
    """The number of the trick, from 1."""
    suit: str
    """The suit led."""


@dataclass(frozen=True, slots=True)
class Revoke:
    """A failure to follow suit, and the card that proves it to be a revoke."""

    seat: str
    card: Card
    """The card that did not follow."""
    trick: int
    """The number of the trick with the revoke, from 1."""
    proved_by: Card
    proved_in: int
    """The number of the trick in which ``proved_by`` was played."""


@dataclass(frozen=True, slots=True)
class HandResult:
    """The result of a finished hand."""

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
    """Whether the hand only decided a tie; its points are not in the totals."""


# --- the state --------------------------------------------------------------------------------------------


@dataclass(frozen=True)  # without slots: see `copy_with_changes`
class State:
    """The state of a game. Immutable."""

    phase: Phase
    hand: int
    """The number of the hand, from 1."""
    cards: int
    """Cards dealt to each player, which is the number of tricks."""
    dealer: str
    seats: tuple[str, ...]
    """All players of the game, in playing order: each next one sits to the left of the one before."""
    players: tuple[str, ...]
    """The players of this hand, in the same order."""
    trump: str | None
    """``S H D C NT``; None while it is not known."""
    turned: Card | None = None
    card_passes: int = 0
    """How often players have handed on cards in this hand."""
    bids: tuple[tuple[str, BidValue], ...] = ()
    """The valid bids in the order in which they were made."""
    calls: tuple[tuple[str, CallValue], ...] = ()
    raps: frozenset[str] = frozenset()
    """The players who have rapped since the last bid, lead or tie."""
    forced: bool = False
    """Whether a tie took the others' right to bid or lead: only the default player may act."""
    trick: Trick = field(default_factory=Trick)
    tricks: tuple[Trick, ...] = ()
    """The finished tricks of this hand that have been picked up."""
    failures: tuple[Failure, ...] = ()
    """The failures to follow suit in finished tricks that no later card has proved to be revokes."""
    revokes: tuple[Revoke, ...] = ()
    """The proved revokes of this hand, without those whose proof has been taken back."""
    results: tuple[HandResult, ...] = ()
    totals: Mapping[str, int] = field(default_factory=dict)
    out: frozenset[str] = frozenset()
    """The players who are eliminated by the rules: no lives left, too many faults."""
    away: frozenset[str] = frozenset()
    """The players who have left, or have not come yet."""
    play_off: bool = False
    """Whether the hand is played by tied players alone, to decide between them."""
    winners: tuple[str, ...] = ()
    deal: int = 0
    """The number of the deal, from 1: a hand that is thrown in is dealt again under its own number."""

    @property
    def is_dealt(self) -> bool:
        """Whether the hand has been dealt, or its card turned up."""
        return self.phase is not Phase.DEAL or self.turned is not None

    @property
    def not_eliminated(self) -> tuple[str, ...]:
        """The players who are not eliminated, whether present or away, in seat order."""
        return tuple(seat for seat in self.seats if seat not in self.out)

    @property
    def present(self) -> tuple[str, ...]:
        """The players who are neither eliminated nor away, in seat order: they play the next hand."""
        return tuple(seat for seat in self.not_eliminated if seat not in self.away)

    def left_of(self, seat: str) -> str:
        """Return the next player to the left of ``seat`` who plays this hand."""
        start = self.seats.index(seat) + 1
        return next(player for player in (*self.seats[start:], *self.seats[:start]) if player in self.players)

    def seats_from(self, seat: str) -> tuple[str, ...]:
        """Return all players of this hand in playing order, beginning with ``seat``."""
        start = self.players.index(seat)
        return (*self.players[start:], *self.players[:start])

    @property
    def bids_by_seat(self) -> dict[str, BidValue]:
        """The bids by seat."""
        return dict(self.bids)

    def tricks_bid(self, seat: str) -> int:
        """Return the number of tricks that a seat has bid."""
        return tricks_of_bid(self.bids_by_seat[seat])

    @property
    def highest_call(self) -> tuple[str, Contract] | None:
        """The last bid of the auction and its player; None while nobody has bid."""
        return next(((seat, call) for seat, call in reversed(self.calls) if isinstance(call, Contract)), None)

    @property
    def is_passed_out(self) -> bool:
        """Whether everybody has passed in the auction and nobody has bid."""
        return len(self.calls) >= len(self.players) and self.highest_call is None

    @property
    def all_have_rapped(self) -> bool:
        """Whether all players of this hand have rapped."""
        return set(self.players) <= self.raps

    @property
    def is_last_trick(self) -> bool:
        """Whether the current trick is the hand's last."""
        return len(self.tricks) == self.cards - 1

    def tricks_won(self, seat: str) -> int:
        """Return the number of tricks won by ``seat`` in this hand, the complete one on the mark included."""
        finished_tricks = sum(trick.winner == seat for trick in self.tricks)
        return finished_tricks + (self.trick.winner == seat)

    def made_bid(self, seat: str) -> bool:
        """Return whether ``seat`` has won exactly the tricks it bid."""
        return self.tricks_won(seat) == self.tricks_bid(seat)

    def has_revoked(self, seat: str) -> bool:
        """Return whether a revoke of ``seat`` has been proved in this hand."""
        return any(revoke.seat == seat for revoke in self.revokes)

    def cards_played(self) -> tuple[PlayedCard, ...]:
        """Return every card played so far in this hand, in order."""
        return tuple([play.card for trick in (*self.tricks, self.trick) for play in trick.plays])

    @property
    def counted_results(self) -> tuple[HandResult, ...]:
        """The results of the hands that count, without those that only decided a tie."""
        return tuple(result for result in self.results if not result.play_off)


# --- results of an event ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why an event is impossible. A value, never an exception."""

    code: str
    """One code for programs: ``not_your_turn``, ``forbidden_bid``, ``card_twice``, ``wrong_phase`` ..."""
    why: Phrase
    """The more exact reason for people: a phrase whose code begins with ``refused.``."""


def refuse(code: str, why: str = "", /, **fields: Any) -> Refusal:
    """Return a refusal; ``why``: the phrase's code, where one code has several phrases."""
    return Refusal(code, Phrase(f"refused.{why or code}", fields))


class RefusedError(Exception):
    """An event is impossible; ``Game.apply`` returns the refusal as a value."""

    def __init__(self, code: str, why: str = "", /, **fields: Any) -> None:
        self.refusal = refuse(code, why, **fields)


class Step(NamedTuple):
    """The state after an event, and its announcements: the event's own journal line first."""

    state: State
    announcements: tuple[Announcement, ...]


@dataclass(frozen=True, slots=True)
class Expected:
    """Which players may act next."""

    phase: Phase
    seats: tuple[str, ...]
    """The players who may act now, in seat order starting at the one whose turn it is."""
    default_seat: str | None
    """The player whose turn it is; with free bids or leads, who must act when nobody else wants to."""
    anyone_may_act: bool = False
    """True when any of ``seats`` may act at any moment: simultaneous acts are tied."""

    @property
    def must_act(self) -> bool:
        """Whether ``default_seat`` must act now: nobody else may, or all the others have rapped or lost a tie."""
        return self.default_seat is not None and not self.anyone_may_act


@dataclass(frozen=True, slots=True)
class EliminationTally:
    """What eliminates players from a game, and how near each of them is to it."""

    kind: Literal["lives", "faults"]
    """Lives run out, faults add up."""
    counts: Mapping[str, int]
    """By seat."""
    limit: int
    """The lives at the start, or the number of faults that eliminates a player."""

    @property
    def eliminated(self) -> frozenset[str]:
        """The players who are eliminated."""
        lives = self.kind == "lives"
        return frozenset(
            seat for seat, count in self.counts.items() if (count <= 0 if lives else count >= self.limit)
        )
