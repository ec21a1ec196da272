"""Rules that the five source texts share: seats to the left, tricks, following suit, revokes, final ranking.

Cards are strings (``AS``, ``10H``, ``JOKER``), seats are names, suits ``S H D C`` and ``NT``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

SUITS = ["S", "H", "D", "C"]
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "J", "Q", "K", "A"]
BidValue = int | str
Bids = dict[str, BidValue]
Trick = list[tuple[str, str]]
"""Seat and card of each play in order; the card is empty where it was taken back."""


def height(card: str) -> int:
    """Return the position of a card's rank, from low to high; the joker is above all."""
    if card == "JOKER":
        return 100
    return RANKS.index(card[:-1])


def standard_pack() -> list[str]:
    """Return the 52 cards of a standard pack."""
    return [rank + suit for suit in SUITS for rank in RANKS if rank not in ("11", "12", "13")]


class ReferenceGame(ABC):
    """A game in progress by the reference rules. Each subclass adds the rules of its own source text.

    ``waits`` is the next step: ``deal`` (with ``turn up`` where a card is turned), ``pass cards`` (a gulash),
    ``auction``, ``bid``, ``secret bid``, ``play``, ``pick up`` or ``over``.
    """

    turns_one_up = False
    """Whether a card is turned up for trumps if the rules do not fix them."""
    leader: str | None
    """The seat that leads the trick; None if anybody may."""
    free_leads = False
    """Whether anybody may lead."""
    cards_in_play_off = 0
    places_played_off: int | None = 0
    """The number of places, from the first, for which tied players play off; None: all places."""

    def __init__(self, seats: Sequence[str], options: dict[str, Any]) -> None:
        self.seats = list(seats)
        self.options = options
        self.sizes: list[int] | None = options.get("hands")
        self.hand = 0
        self.cards = 0
        self.dealer = options.get("first_dealer") or seats[0]
        self.players = list(seats)
        self.totals = dict.fromkeys(seats, 0)
        self.points: dict[str, int] = {}
        self.faults: dict[str, int] = dict.fromkeys(seats, 0)
        self.last: dict[str, Any] = {}
        """The result of the last hand that was scored."""
        self.play_off = False
        self.decided: list[list[str]] = []
        """The ranking so far, while players who share a place play off."""
        self.ranking: list[list[str]] = []
        self.winners: list[str] = []
        self.begin_hand()

    # --- rules that differ between games --------------------------------------------------------------------

    def pack(self) -> list[str]:
        """Return all cards of the pack."""
        return standard_pack()

    def sequence(self) -> list[int] | None:
        """Return the sizes of all hands; None if they are not known from the start."""
        return self.sizes

    def hand_size(self) -> int:
        """Return the number of cards of the present hand."""
        sizes = self.sequence()
        assert sizes is not None
        return self.cards_in_play_off if self.play_off else sizes[self.hand - 1]

    def fixed_trump(self) -> str | None:
        """Return the trump suit if the rules fix it before the deal, else None."""
        return None

    def turn_up(self, card: str) -> None:  # noqa: B027  (most games turn none up)
        """Set the trumps by the turned-up card, if the game has one."""

    def makes_trumps(self, card: str) -> bool:
        """Return whether a turned-up card sets the trumps; if not, another is turned up."""
        return True

    def exchanged(self) -> int:
        """Return how many cards each player passes to a neighbour now, before the bidding."""
        return 0

    def side_passed_to(self) -> str:
        """Return on which side of each player that neighbour sits, ``left`` or ``right``."""
        return "left"

    def receiver(self, seat: str) -> str:
        """Return the player to whom ``seat`` passes cards."""
        order = self.round_from(seat)
        return order[1] if self.side_passed_to() == "left" else order[-1]

    def cards_passed(self) -> None:
        """Go on after all have passed cards."""
        self.dealt()

    def on_forehead(self) -> bool:
        """Return whether all players hold their single card to the forehead."""
        return False

    def dealt(self) -> None:
        """Start the bidding; cards are dealt, trumps known and cards exchanged."""
        self.leader = None if self.free_leads else self.left_of(self.dealer, self.players)
        self.waits = "bid"

    def whose_bid(self) -> str:
        """Return the seat whose turn it is to bid or to call; not valid where all bid at once."""
        return self.round_from(self.left_of(self.dealer, self.players))[len(self.bids)]

    def has_hook(self) -> bool:
        """Return whether the last bidder may not make the sum of the bids equal to the number of tricks."""
        return True

    def possible_bids(self) -> list[BidValue]:
        """Return the bids that whoever may bid may make now."""
        is_hooked = self.has_hook() and len(self.bids) == len(self.players) - 1
        numbers = range(self.cards + 1)
        return [bid for bid in numbers if not is_hooked or self.sum_of_bids() + bid != self.cards]

    @abstractmethod
    def score(self) -> None:
        """Score the hand after its last trick."""

    # --- seats ----------------------------------------------------------------------------------------------

    def left_of(self, seat: str, among: list[str]) -> str:
        """Return the first seat of ``among`` to the left of ``seat`` (itself only after a whole round)."""
        at = self.seats.index(seat) + 1
        return next(other for other in self.seats[at:] + self.seats[:at] if other in among)

    def round_from(self, first: str) -> list[str]:
        """Return this hand's players in order, from ``first`` to the left."""
        at = self.players.index(first)
        return self.players[at:] + self.players[:at]

    # --- the deal -------------------------------------------------------------------------------------------

    def begin_hand(self) -> None:
        """Start the next hand, which is to be dealt; the deal passes to the left."""
        self.hand += 1
        if self.hand > 1:
            self.dealer = self.left_of(self.dealer, self.players)
        self.cards = self.hand_size()
        self.fresh_deal()

    def fresh_deal(self) -> None:
        """Reset the hand for a deal, the first one or another after it was thrown in."""
        self.bids: list[tuple[str, BidValue]] = []
        self.calls: list[tuple[str, str]] = []
        self.rapped: list[str] = []
        self.trick: Trick = []
        self.named: str | None = None
        self.done: list[Trick] = []
        self.done_named: list[str | None] = []
        self.winners_of_tricks: list[str] = []
        self.leader = None
        self.revoked: list[str] = []
        self.announced: list[tuple[str, str, int, str]] = []
        self.trump = self.fixed_trump()
        self.waits = "deal"

    # --- who may act ----------------------------------------------------------------------------------------

    def default(self) -> str:
        """Return the seat that is to call, bid or play next (if nobody else wants to, where anybody may)."""
        turn = self.whose_turn() if self.waits == "play" else self.whose_bid()
        assert turn is not None
        return turn

    def must(self) -> bool:
        """Return whether the default seat must act, and nobody else may."""
        return True

    def who_may(self) -> list[str]:
        """Return the seats that may call, bid or play now, the default seat first."""
        return [self.default()]

    def rap(self, seat: str) -> None:
        """Record that the seat does not want to act next, where anybody may."""
        raise AssertionError("only one seat may act")

    def tie(self) -> None:
        """Record simultaneous bids or leads of which none counts, where anybody may act."""
        raise AssertionError("nothing can tie")

    # --- bids -----------------------------------------------------------------------------------------------

    def bid_of(self) -> Bids:
        """Return the bids by seat."""
        return dict(self.bids)

    def sum_of_bids(self) -> int:
        """Return the sum of the bids."""
        return sum(bid for _, bid in self.bids if isinstance(bid, int))

    def legal_bids(self, seat: str) -> list[BidValue]:
        """Return the bids that ``seat`` may make now."""
        is_bidding = self.waits in ("auction", "bid", "secret bid")
        return self.possible_bids() if is_bidding and seat in self.who_may() else []

    def bid(self, seat: str, bid: BidValue) -> None:
        """Record a legal bid; play begins after the last one."""
        assert bid in self.legal_bids(seat)
        self.bids.append((seat, bid))
        if len(self.bids) == len(self.players):
            self.waits = "play"

    def call(self, seat: str, call: str) -> str:
        """Make a call in the auction, where the game has one; return its outcome."""
        raise AssertionError("there is no auction")

    # --- tricks ---------------------------------------------------------------------------------------------

    def suit_in_play(self, card: str) -> str | None:
        """Return the suit that a card belongs to: the joker is a trump, and of no suit if there are no trumps."""
        if card == "JOKER":
            return None if self.trump in (None, "NT") else self.trump
        return card[-1]

    def led_suit(self, trick: Trick, named: str | None) -> str | None:
        """Return the suit to follow in a trick; None if there is none."""
        if not trick or trick[0][1] == "":
            return None
        first = trick[0][1]
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
        following = [card for card in hand if self.suit_in_play(card) == led]
        return following or list(hand)

    def public_suits(self, seat: str) -> list[str]:
        """Return the suits that a joker led at no trumps may stand for, by what all players know."""
        return SUITS

    def trick_winner(self, trick: Trick, named: str | None) -> str:
        """Return the winner's seat: highest trump, else highest card of the suit led; of two equal cards the first."""
        for seat, card in trick:
            if card == "JOKER" and self.trump == "NT" and self.joker_wins(seat):
                return seat
        led = self.led_suit(trick, named)
        trumps = [play for play in trick if self.trump != "NT" and self.suit_in_play(play[1]) == self.trump]
        followed = [play for play in trick if play[1] != "JOKER" and self.suit_in_play(play[1]) == led]
        return max(trumps or followed or trick[:1], key=lambda play: height(play[1]))[0]

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
        self.leader = None if self.free_leads else winner
        if len(self.done) == self.cards:
            self.revoked = self.who_revoked()
            bids = self.bid_of()
            self.last = {
                "hand": self.hand,
                "cards": self.cards,
                "dealer": self.dealer,
                "bids": {seat: bids[seat] for seat in self.players},
                "tricks": {seat: self.won(seat) for seat in self.players},
                "revoked": self.revoked,
                "play_off": self.play_off,
            }
            self.score()

    def won(self, seat: str) -> int:
        """Return the number of tricks that ``seat`` has picked up."""
        return self.winners_of_tricks.count(seat)

    # --- revokes --------------------------------------------------------------------------------------------

    def tricks_so_far(self) -> list[tuple[Trick, str | None]]:
        """Return all tricks of the hand, including the current one, each with the suit named for a led joker."""
        found = list(zip(self.done, self.done_named, strict=True))
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
                if self.excused(card):
                    continue
                proof = self.first_of_suit(seat, led, number)
                if proof:
                    found.append((seat, card, number, proof))
        return found

    def first_of_suit(self, seat: str, suit: str, number: int) -> str | None:
        """Return the first card of ``suit`` that ``seat`` played after trick ``number``; None if there is none."""
        for trick, _ in self.tricks_so_far()[number:]:
            for who, card in trick:
                if who == seat and card != "" and self.suit_in_play(card) == suit:
                    return card
        return None

    def new_revokes(self) -> list[tuple[str, str, int, str]]:
        """Return the proved revokes not announced before, by trick, and mark them as announced."""
        found = [revoke for revoke in self.revokes() if revoke not in self.announced]
        found.sort(key=lambda revoke: revoke[2])
        self.announced += found
        return found

    def excused(self, card: str) -> bool:
        """Return whether a card that did not follow suit was legal all the same."""
        return False

    def who_revoked(self) -> list[str]:
        """Return the seats with a proved revoke in this hand."""
        seats = [revoke[0] for revoke in self.revokes()]
        return [seat for seat in self.players if seat in seats]

    # --- the end --------------------------------------------------------------------------------------------

    def places(self, keys: dict[str, Any]) -> list[list[str]]:
        """Return groups of seats by key, the highest first; equal seats share a group in seat order."""
        values = sorted(set(keys.values()), reverse=True)
        return [[seat for seat in self.seats if seat in keys and keys[seat] == value] for value in values]

    def settle(self) -> None:
        """Let players who share a place play off, the best place first, where that is the rule; else end the game."""
        for group in self.decided[: self.places_played_off]:
            if len(group) > 1:
                self.players = group
                self.play_off = True
                self.begin_hand()
                return
        self.finish(self.decided)

    def after_play_off(self, scores: dict[str, int]) -> None:
        """Rank the players of a play-off by their scores; those still tied play again."""
        at = self.decided.index(self.players)
        self.decided = self.decided[:at] + self.places(scores) + self.decided[at + 1 :]
        self.settle()

    def finish(self, ranking: list[list[str]], winners: list[str] | None = None) -> None:
        """End the game with a ranking; the winners are the first group by default."""
        self.ranking = ranking
        self.winners = ranking[0] if winners is None else winners
        self.waits = "over"
