"""What a game says for itself: the hooks by which the games differ, each with what most of them do."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from table.cards import NO_TRUMP, SUITS, Card, pack
from table.events.happenings import Bid, BidValue, Passed
from table.events.kind import Play, Said
from table.games.base import Game, HandResult, Phase, Refusal, State
from table.games.options import Check, check_seats, resolve
from table.games.state import (
    Change,
    TableState,
    ranked,
)
from table.games.tricks import Revoke, following, revokes, suit_led, suit_of


class Hooks(Game):
    """A game of tricks, as far as its own rules go."""

    free: ClassVar[bool] = False
    """Whether anyone may bid and lead, with a default player for when nobody wants to."""
    checks: ClassVar[Mapping[str, Check]] = {}
    """Of the options that are this game's own."""

    def __init__(self, seats: Sequence[str], options: Mapping[str, Any] | None = None) -> None:
        self.seats = check_seats(self.name, seats, self.seats_allowed(options or {}))
        self.options = resolve(self.name, self.seats, self.options_offered, self.checks, options)
        self.settle_options()
        self._pack = self.make_pack()
        self.copies = {one: self._pack.count(one) for one in self._pack}

    def pack(self) -> tuple[Card, ...]:
        """Every card that the game is played with."""
        return self._pack

    @classmethod
    def seats_allowed(cls, given: Mapping[str, Any]) -> tuple[int, int]:
        """The fewest and the most players under the options given (not checked yet)."""
        return cls.seat_range

    def settle_options(self) -> None:
        """Check the options against each other and against the seats (``ValueError``); change derived ones."""

    def make_pack(self) -> tuple[Card, ...]:
        """Every card that the game is played with."""
        return pack()

    @abstractmethod
    def size_of(self, state: TableState, number: int) -> int | None:
        """The cards of the ``number``-th counting hand (from 1), or None when the game ends before it."""

    def trump_of(self, state: TableState) -> str | None:
        """The trump suit where the rules fix it for a new hand, else None."""
        return None

    def turns_up(self, state: TableState) -> bool:
        """Whether a card is turned up for trumps in this hand."""
        return False

    def trump_turned(self, card: Card) -> str | Refusal:
        """The trump suit that a turned card makes."""
        return card.suit or NO_TRUMP

    def turned_stays_out(self, state: TableState) -> bool:
        """Whether the turned card can't be played in this hand (it belongs to the stock)."""
        return True

    def bid_phase(self, state: TableState) -> Phase:
        """How the bidding goes: ``BID``, ``SECRET_BID``, ``AUCTION``; ``LEAD`` for none."""
        return Phase.BID

    def bids_by_rule(self, state: TableState) -> tuple[tuple[str, BidValue], ...]:
        """The bids of a hand that is played without bidding."""
        return ()

    def bidders(self, state: TableState) -> tuple[str, ...]:
        """Who bids, in the order in which they must when nobody wants to."""
        return self.round_from(self.after(state.dealer, state), state)

    def bid_values(self, state: TableState, seat: str) -> tuple[BidValue, ...]:
        """The bids there are in this hand, the hook left aside."""
        return tuple(range(state.cards + 1))

    def hooked(self, state: TableState) -> bool:
        """Whether the last bidder may not make the sum equal to the number of tricks."""
        return True

    def first_leader(self, state: TableState) -> str:
        """Who leads the first trick (by default, with free leads)."""
        return self.after(state.dealer, state)

    def later_leader(self, state: TableState, winner: str) -> str:
        """Who leads the next trick (by default, with free leads)."""
        return winner

    def joker_wins(self, state: TableState, plays: Sequence[Play]) -> int | None:
        """The index of a joker that wins the complete trick outright, if one does."""
        return None

    def names_suit(self, state: TableState, lead: Play) -> bool:
        """Whether the player of this lead must name its suit."""
        return False

    def may_name(self, state: TableState, hand: Sequence[Card] | None) -> tuple[str, ...]:
        """The suits that the leader of a joker may name, as far as is public or by the known hand."""
        return SUITS

    def proved(self, state: TableState, seat: str) -> tuple[Revoke, ...]:
        """The revokes of a seat that have been proved so far in this hand."""
        return revokes((*state.tricks, state.trick), seat, state.trump)

    def playable(self, state: TableState, seat: str, hand: Sequence[Card]) -> tuple[Card, ...]:
        """The cards of a known hand that may be played by the player whose turn it is."""
        led = self.led(state)
        return following(hand, led, state.trump) if led else tuple(hand)

    @abstractmethod
    def points(self, state: TableState) -> dict[str, int]:
        """What each player of the finished hand gets for it."""

    def start_totals(self) -> dict[str, int]:
        """The totals before the first hand."""
        return dict.fromkeys(self.seats, 0)

    def extra_score(self, state: TableState, result: HandResult) -> dict[str, Any]:
        """Further fields of ``hand_scored``."""
        return {}

    def extra_lines(self, state: TableState) -> list[Said]:
        """What is said right after ``hand_scored``; ``state`` holds the result."""
        return []

    def living(self, state: TableState) -> tuple[str, ...]:
        """Who plays the next hand, in seat order."""
        return self.seats

    def finished(self, state: TableState) -> bool:
        """Whether the game ends now although hands are left."""
        return False

    def ranking(self, state: TableState) -> list[list[str]]:
        """The places, best first, equal ones in seat order together."""
        return self.ranked(lambda seat: state.totals[seat])

    def ties_to_play(self, state: TableState) -> tuple[tuple[str, ...], ...]:
        """Groups of tied players that play another hand to decide, after the last hand; the next one first."""
        return ()

    def card_barred(self, state: TableState, seat: str, card: Card) -> Refusal | None:
        """Why this player can't have this card, where the game tells."""
        return None

    def lasted(self, state: TableState, seat: str) -> tuple[bool, int]:
        """How long a seat has lasted where players go out: whether it is in it still, else its last counting hand.

        Who has left the table is in it no more.
        """
        if seat in self.living(state) and seat not in state.away:
            return True, 0
        played = [result.hand for result in state.results if seat in result.bids and not result.play_off]
        return False, max(played, default=0)

    @staticmethod
    def play_off_points(state: State, seat: str) -> tuple[int, ...]:
        """What a seat got in the play-offs it took part in, in order."""
        return tuple(one.points[seat] for one in state.results if one.play_off and seat in one.points)

    def play_off_size(self, state: TableState) -> int:
        """The cards of a hand that decides a tie; 0 in a game that plays none off."""
        return 0

    def passed(self, state: TableState, event: Passed) -> Change | Refusal:
        """A pass, in a game with an auction."""
        return Refusal("wrong_phase", "there is no passing in this game")

    def auction_bid(self, state: TableState, event: Bid) -> Change | Refusal:
        """A bid in the auction, in a game with one."""
        return Refusal("wrong_phase", "there is no auction in this game")

    # --- seats and tricks ------------------------------------------------------------------------------------

    def after(self, seat: str, state: State) -> str:
        """The next player to the left of ``seat`` who plays this hand."""
        at = self.seats.index(seat)
        for step in range(1, len(self.seats) + 1):
            found = self.seats[(at + step) % len(self.seats)]
            if found in state.players:
                return found
        raise AssertionError("nobody plays")

    def round_from(self, seat: str, state: State) -> tuple[str, ...]:
        """All who play this hand, from ``seat`` on to the left."""
        at = state.players.index(seat)
        return (*state.players[at:], *state.players[:at])

    def ranked(self, key: Callable[[str], Any]) -> list[list[str]]:
        """The seats by a key, the highest first, equal ones together in seat order."""
        return ranked(self.seats, key)

    def led(self, state: TableState) -> str | None:
        """The suit to be followed in the current trick; None before the lead."""
        lead = self.lead_of(state)
        if lead is None or lead.card.suit is not None or not lead.card.is_unseen:
            return suit_led(lead, state.trick.named, state.trump) if lead else None
        # Nobody saw the lead: most follow suit, so it is taken to be that of the next card.
        suits = (suit_of(play.card, state.trump) for play in state.trick.plays)
        return next((suit for suit in suits if suit is not None), None)

    def last_trick(self, state: State) -> bool:
        """Whether the current trick is the hand's last."""
        return len(state.tricks) == state.cards - 1

    @staticmethod
    def lead_of(state: State) -> Play | None:
        """The lead of the current trick; None while it is missing."""
        return next((play for play in state.trick.plays if play.seat == state.leader), None)

    def turn(self, state: TableState) -> str | None:
        """Whose card is missing next from the current trick."""
        if state.leader is None:
            return None
        have = {play.seat for play in state.trick.plays}
        return next((seat for seat in self.round_from(state.leader, state) if seat not in have), None)

    def waiting(self, state: TableState) -> tuple[str, ...]:
        """Who has still to bid, the one whose turn it is first."""
        done = state.bid_of
        order = self.bidders(state)
        if self.free and state.bids:
            order = self.round_from(self.after(state.bids[-1][0], state), state)
        return tuple(seat for seat in order if seat not in done)

    def default_leader(self, state: TableState) -> str:
        """Who leads next, or with free leads must when nobody wants to."""
        winner = state.tricks[-1].winner if state.tricks else None
        return self.later_leader(state, winner) if winner else self.first_leader(state)
