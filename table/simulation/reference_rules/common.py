"""Rules that the five source texts share: seats to the left, tricks, following suit, revokes, final ranking.

Cards are strings (``AS``, ``10H``, ``JOKER``), seats are names, suits ``S H D C`` and ``NT``.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from typing import Any

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "J", "Q", "K", "A"]
BidValue = int | str
Bids = dict[str, BidValue]


def height(card: str) -> int:
    """Return the position of a card's rank, from low to high; the joker is above all."""
    if card == "JOKER":
        return 100
    return RANKS.index(card[:-1])


def standard_pack() -> list[str]:
    """Return the 52 cards of a standard pack."""
    cards = []
    for suit in ["S", "H", "D", "C"]:
        for rank in ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]:
            cards.append(rank + suit)
    return cards


def pack_of_63() -> list[str]:
    """Return the six-handed pack: with 11 and 12 in black suits, 11, 12 and 13 in red ones, and the joker."""
    cards = standard_pack()
    cards += ["11S", "12S"]
    cards += ["11H", "12H", "13H", "11D", "12D", "13D"]
    cards += ["11C", "12C"]
    cards.append("JOKER")
    return cards


class ReferenceGame(ABC):
    """A game in progress by the reference rules. Each subclass adds the rules of its own source text.

    ``waits`` is the next step: ``deal`` (with ``turn up`` where a card is turned), ``pass`` (cards are
    handed on), ``auction``, ``bid``, ``secret bid``, ``play``, ``pick up`` or ``over``.
    """

    turns_one_up = False
    """Whether a card is turned up for trumps if the rules do not fix them."""

    def __init__(self, seats: list[str], options: dict[str, Any]) -> None:
        self.seats = seats
        self.options = options
        self.sizes: list[int] | None = options.get("hands")
        self.hand = 0
        self.cards = 0
        self.dealer = options.get("first_dealer") or seats[0]
        self.players = list(seats)
        self.trump: str | None = None
        self.bids: list[tuple[str, BidValue]] = []
        self.trick: list[tuple[str, str]] = []
        self.named: str | None = None
        self.done: list[list[tuple[str, str]]] = []
        self.done_named: list[str | None] = []
        self.winners_of_tricks: list[str] = []
        self.leader: str | None = None
        self.totals: dict[str, int] = {seat: self.opening_total() for seat in seats}
        self.points: dict[str, int] = {}
        self.faults: dict[str, int] = {}
        self.revoked: list[str] = []
        self.announced: list[tuple[str, str, int, str]] = []
        self.play_off = False
        self.last: dict[str, Any] = {}
        self.waits = "deal"
        self.ranking: list[list[str]] = []
        self.winners: list[str] = []
        self.begin_hand()

    # --- rules that differ between games --------------------------------------------------------------------

    def opening_total(self) -> int:
        """Return the total that a player starts with."""
        return 0

    def pack(self) -> list[str]:
        """Return all cards of the pack."""
        return standard_pack()

    def sequence(self) -> list[int] | None:
        """Return the sizes of all hands; None if they are not known from the start."""
        return self.sizes

    @abstractmethod
    def begin_hand(self) -> None:
        """Start the next hand, which is to be dealt."""

    def fixed_trump(self) -> str | None:
        """Return the trump suit if the rules fix it before the deal, else None."""
        return None

    def turn_up(self, card: str) -> None:  # noqa: B027  (most games turn none up)
        """Set the trumps by the turned-up card, if the game has one."""

    def makes_trumps(self, card: str) -> bool:
        """Return whether a turned-up card sets the trumps; if not, another is turned up."""
        return True

    def exchanged(self) -> int:
        """Return how many cards each player passes to the left before the bidding."""
        return 0

    def on_forehead(self) -> bool:
        """Return whether all players hold their single card to the forehead."""
        return False

    @abstractmethod
    def dealt(self) -> None:
        """Start the bidding; cards are dealt, trumps known and cards exchanged."""

    def whose_bid(self) -> str:
        """Return the seat whose turn it is to bid; not valid where all bid at once or anyone may."""
        raise AssertionError(f"{type(self).__name__} has no turns to bid")

    @abstractmethod
    def legal_bids(self, seat: str) -> list[BidValue]:
        """Return the bids that ``seat`` may make now."""

    @abstractmethod
    def score(self) -> None:
        """Score the hand after its last trick."""

    # --- seats ----------------------------------------------------------------------------------------------

    def left_of(self, seat: str, among: list[str]) -> str:
        """Return the first seat of ``among`` to the left of ``seat`` (itself only after a whole round)."""
        at = self.seats.index(seat)
        for step in range(1, len(self.seats) + 1):
            other = self.seats[(at + step) % len(self.seats)]
            if other in among:
                return other
        raise AssertionError("nobody is there")

    def round_from(self, first: str) -> list[str]:
        """Return this hand's players in order, from ``first`` to the left."""
        order = [first]
        while len(order) < len(self.players):
            order.append(self.left_of(order[-1], self.players))
        return order

    # --- bids -----------------------------------------------------------------------------------------------

    def bid_of(self) -> Bids:
        """Return the bids by seat."""
        return dict(self.bids)

    def sum_of_bids(self) -> int:
        """Return the sum of the bids."""
        total = 0
        for _, bid in self.bids:
            if isinstance(bid, int):
                total += bid
        return total

    def bid(self, seat: str, bid: BidValue) -> None:
        """Record a legal bid."""
        assert bid in self.legal_bids(seat)
        self.bids.append((seat, bid))
        if len(self.bids) == len(self.players):
            self.bidding_over()

    def bidding_over(self) -> None:
        """End the bidding; play begins."""
        self.waits = "play"

    # --- tricks ---------------------------------------------------------------------------------------------

    def suit_in_play(self, card: str) -> str | None:
        """Return the suit that a card belongs to: the joker is a trump, and of no suit if there are no trumps."""
        if card == "JOKER":
            return None if self.trump in (None, "NT") else self.trump
        return card[-1]

    def led_suit(self, trick: list[tuple[str, str]], named: str | None) -> str | None:
        """Return the suit to follow in a trick; None if there is none."""
        if not trick:
            return None
        first = trick[0][1]
        if first == "":
            return None
        if first == "JOKER" and self.trump == "NT":
            return named
        return self.suit_in_play(first)

    def whose_turn(self) -> str | None:
        """Return the seat that plays next; None if anybody may lead."""
        for seat, card in self.trick:
            if card == "":
                return seat
        if self.trick:
            return self.left_of(self.trick[-1][0], self.players)
        return self.leader

    def legal_plays(self, seat: str, hand: list[str]) -> list[str]:
        """Return the cards of ``hand`` that ``seat``, whose turn it is, may play."""
        if not self.trick or self.trick[0][1] == "":
            return list(hand)
        led = self.led_suit(self.trick, self.named)
        following = []
        for card in hand:
            if self.suit_in_play(card) == led:
                following.append(card)
        if following:
            return following
        return list(hand)

    def trick_winner(self, trick: list[tuple[str, str]], named: str | None) -> str:
        """Return the winner's seat: highest trump, else highest card of the suit led; of two equal cards the first."""
        led = self.led_suit(trick, named)
        best: tuple[str, str] | None = None
        for seat, card in trick:
            if card == "JOKER" and self.trump == "NT" and self.joker_wins(seat):
                return seat
        for seat, card in trick:
            if self.trump == "NT" or self.suit_in_play(card) != self.trump:
                continue
            if best is None or height(card) > height(best[1]):
                best = (seat, card)
        if best is not None:
            return best[0]
        for seat, card in trick:
            if card == "JOKER" or self.suit_in_play(card) != led:
                continue
            if best is None or height(card) > height(best[1]):
                best = (seat, card)
        if best is None:
            return trick[0][0]
        return best[0]

    def joker_wins(self, seat: str) -> bool:
        """Return whether a joker in the present trick wins at no trumps."""
        return True

    def play(self, seat: str, card: str, named: str | None = None) -> str | None:
        """Play a card (``named``: the suit of a joker led at no trumps); return the winner if the trick is complete."""
        if (seat, "") in self.trick:
            self.trick[self.trick.index((seat, ""))] = (seat, card)
        else:
            self.trick.append((seat, card))
        if self.trick[0] == (seat, card):
            self.named = named
        if len(self.trick) < len(self.players) or "" in [laid for _, laid in self.trick]:
            return None
        self.waits = "pick up"
        return self.trick_winner(self.trick, self.named)

    def take_back(self, place: int) -> None:
        """Return a card of the trick to its hand: its player plays again before anybody else."""
        seat, card = self.trick[place]
        self.trick[place] = (seat, "")
        while self.trick and self.trick[-1][1] == "":
            self.trick.pop()
        if place == 0:
            self.named = None
        self.waits = "play"
        # A revoke that the card proved is announced again if it is proved again.
        proved = self.revokes()
        self.announced = [
            revoke for revoke in self.announced if revoke in proved or (revoke[0], revoke[3]) != (seat, card)
        ]

    def pick_up(self) -> None:
        """Let the winner take the complete trick; score the hand after the last one."""
        winner = self.trick_winner(self.trick, self.named)
        self.done.append(self.trick)
        self.done_named.append(self.named)
        self.winners_of_tricks.append(winner)
        self.trick = []
        self.named = None
        self.waits = "play"
        self.leader = self.next_leader(winner)
        if len(self.done) == self.cards:
            self.revoked = self.who_revoked()
            self.last = {
                "hand": self.hand,
                "cards": self.cards,
                "dealer": self.dealer,
                "bids": self.bid_of(),
                "tricks": self.tricks_won(),
                "revoked": self.revoked,
                "play_off": self.play_off,
            }
            self.score()

    def next_leader(self, winner: str) -> str | None:
        """Return the seat that leads next; None if anybody may."""
        return winner

    def won(self, seat: str) -> int:
        """Return the number of tricks that ``seat`` has picked up."""
        count = 0
        for winner in self.winners_of_tricks:
            if winner == seat:
                count += 1
        return count

    def tricks_won(self) -> dict[str, int]:
        """Return the number of tricks won by each player."""
        return {seat: self.won(seat) for seat in self.players}

    def fresh_deal(self) -> None:
        """Reset the hand for a deal, the first one or another after it was thrown in."""
        self.bids = []
        self.trick = []
        self.named = None
        self.done = []
        self.done_named = []
        self.winners_of_tricks = []
        self.leader = None
        self.revoked = []
        self.announced = []
        self.trump = self.fixed_trump()
        self.waits = "deal"

    # --- revokes --------------------------------------------------------------------------------------------

    def tricks_so_far(self) -> list[tuple[list[tuple[str, str]], str | None]]:
        """Return all tricks of the hand, including the current one, each with the suit named for a led joker."""
        found = []
        for number in range(len(self.done)):
            found.append((self.done[number], self.done_named[number]))
        if self.trick:
            found.append((self.trick, self.named))
        return found

    def revokes(self) -> list[tuple[str, str, int, str]]:
        """Return the proved revokes: seat, card that did not follow, its trick (from 1), the card that proves it."""
        found = []
        tricks = self.tricks_so_far()
        for number, (trick, named) in enumerate(tricks, start=1):
            led = self.led_suit(trick, named)
            if led is None:
                continue
            for place, (seat, card) in enumerate(trick):
                if place == 0 or card == "" or self.suit_in_play(card) == led:
                    continue
                if self.excused(seat, number, card, led):
                    continue
                for later, _ in tricks[number:]:
                    mine = [other for who, other in later if who == seat and other != ""]
                    proof = [other for other in mine if self.suit_in_play(other) == led]
                    if proof:
                        found.append((seat, card, number, proof[0]))
                        break
        return found

    def new_revokes(self) -> list[tuple[str, str, int, str]]:
        """Return the proved revokes not announced before, by trick, and mark them as announced."""
        found = [revoke for revoke in self.revokes() if revoke not in self.announced]
        found.sort(key=lambda revoke: revoke[2])
        self.announced += found
        return found

    def excused(self, seat: str, number: int, card: str, led: str) -> bool:
        """Return whether a card that did not follow suit was legal all the same."""
        return False

    def who_revoked(self) -> list[str]:
        """Return the seats with a proved revoke in this hand."""
        seats = [revoke[0] for revoke in self.revokes()]
        return [seat for seat in self.players if seat in seats]

    # --- the end --------------------------------------------------------------------------------------------

    def places(self, keys: dict[str, Any]) -> list[list[str]]:
        """Return groups of seats by key, the highest first; equal seats share a group in seat order."""
        groups: list[list[str]] = []
        left = list(self.seats)
        while left:
            best = max(keys[seat] for seat in left)
            group = [seat for seat in left if keys[seat] == best]
            groups.append(group)
            left = [seat for seat in left if seat not in group]
        return groups

    def finish(self, ranking: list[list[str]], winners: list[str] | None = None) -> None:
        """End the game with a ranking; the winners are the first group by default."""
        self.ranking = ranking
        self.winners = ranking[0] if winners is None else winners
        self.waits = "over"

    def copy(self) -> Any:
        """Return an independent copy of the game."""
        other = copy.copy(self)
        for name, value in vars(self).items():
            if isinstance(value, list | dict):
                setattr(other, name, value.copy())
        return other
