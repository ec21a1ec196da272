"""Reference rules of Oh Shit: simultaneous bids, no trumps for a turned-up ace or joker, four rules of the joker."""

from __future__ import annotations

from typing import Any

from table.simulation.reference_rules.common import SUITS, ReferenceGame, standard_pack

SIX_HANDED_CARDS = ["11S", "12S", "11H", "12H", "13H", "11D", "12D", "13D", "11C", "12C", "JOKER"]
"""What the six-handed pack of 63 has besides the standard one."""


class OhShit(ReferenceGame):
    """Oh Shit by the reference rules, with the counts that its tie-breaks need."""

    turns_one_up = True
    cards_in_play_off = 5
    places_played_off = None

    def __init__(self, seats: list[str], options: dict[str, Any]) -> None:
        self.fulfilled = dict.fromkeys(seats, 0)
        self.winning_fulfilled = dict.fromkeys(seats, 0)
        self.fulfilled_or_exceeded = dict.fromkeys(seats, 0)
        super().__init__(seats, options)

    def pack(self) -> list[str]:
        """Return 52 cards, with a joker by agreement, or the pack of 63, which six or seven use if they have it."""
        if (self.options.get("pack") or (63 if len(self.seats) in (6, 7) else 52)) == 63:
            return [*standard_pack(), *SIX_HANDED_CARDS]
        return [*standard_pack(), "JOKER"] if self.options.get("joker") else standard_pack()

    def sequence(self) -> list[int]:
        """Return the hand sizes: 1 to 9 and back, or 9 to 1; the largest is limited by the pack."""
        if self.sizes:
            return self.sizes
        top = min(9, len(self.pack()) // len(self.seats))
        down = list(range(top, 0, -1))
        return down if self.options.get("half") else [*range(1, top), *down]

    def turn_up(self, card: str) -> None:
        """Set the trumps by the turned-up card (the dealer's last card if all are dealt); ace or joker: no trumps."""
        if card == "JOKER" or card[0] == "A":
            self.trump = "NT"
        else:
            self.trump = card[-1]

    def dealt(self) -> None:
        """Start the simultaneous bidding; the player to the dealer's left will lead."""
        super().dealt()
        self.waits = "secret bid"

    def who_may(self) -> list[str]:
        """Return the seats that may bid, each once, or play now."""
        if self.waits == "secret bid":
            return [seat for seat in self.players if seat not in self.bid_of()]
        return super().who_may()

    def has_hook(self) -> bool:
        """Return False: any number can be bid."""
        return False

    # --- the joker at no trumps -----------------------------------------------------------------------------

    def has_played(self, seat: str, suit: str, before: int) -> bool:
        """Return whether ``seat`` played a card of ``suit`` before that trick."""
        earlier = [play for trick, _ in self.tricks_so_far()[: before - 1] for play in trick]
        return any(who == seat and card != "JOKER" and card[-1] == suit for who, card in earlier)

    def has_discarded_on(self, seat: str, suit: str, before: int) -> bool:
        """Return whether ``seat`` played another suit to a lead of ``suit`` before that trick."""
        tricks = self.tricks_so_far()[: before - 1]
        same_suit = [play for trick, named in tricks if self.led_suit(trick, named) == suit for play in trick]
        return any(who == seat and card != "JOKER" and card[-1] != suit for who, card in same_suit)

    def joker_may_be(self, seat: str, hand: list[str], suit: str) -> bool:
        """Return whether the hand's joker may be played as ``suit`` in the present trick (rules 1, 2 and 3)."""
        number = len(self.done) + 1
        if number == self.cards:
            return True
        is_void = all(card == "JOKER" or card[-1] != suit for card in hand)
        is_open = is_void or not self.has_played(seat, suit, number)
        return is_open and not self.has_discarded_on(seat, suit, number)

    def suits_to_name(self, seat: str, hand: list[str]) -> list[str]:
        """Return the suits that a joker led at no trumps may stand for."""
        if len(self.done) + 1 == self.cards:
            fitting = [s for s in SUITS if not self.has_discarded_on(seat, s, self.cards)]
            return fitting or list(SUITS)
        return [suit for suit in SUITS if self.joker_may_be(seat, hand, suit)]

    def public_suits(self, seat: str) -> list[str]:
        """Return all suits in the last trick, else those on which the player has not discarded, if there are any."""
        number = len(self.done) + 1
        fitting = [s for s in SUITS if number == self.cards or not self.has_discarded_on(seat, s, number)]
        return fitting or SUITS

    def legal_plays(self, seat: str, hand: list[str]) -> list[str]:
        """Return the cards that follow suit; the joker at no trumps has its own rules."""
        if self.trump != "NT" or "JOKER" not in hand:
            return super().legal_plays(seat, hand)
        others = [card for card in hand if card != "JOKER"]
        if not self.trick or self.trick[0][1] == "":
            return list(hand) if self.suits_to_name(seat, hand) else others
        led = self.led_suit(self.trick, self.named)
        assert led is not None
        legal = [card for card in others if card[-1] == led] or others
        if self.joker_may_be(seat, hand, led):
            legal = [*legal, "JOKER"]
        return [card for card in hand if card in legal]

    def joker_wins(self, seat: str) -> bool:
        """Return whether the joker wins: not for a player who has publicly discarded on the suit led."""
        tricks = self.tricks_so_far()
        number = len(tricks)
        if number == self.cards:
            return True
        trick, named = tricks[-1]
        led = self.led_suit(trick, named)
        assert led is not None
        return not self.has_discarded_on(seat, led, number)

    def excused(self, card: str) -> bool:
        """Return True for the joker at no trumps, which has its own rules."""
        return card == "JOKER" and self.trump == "NT"

    def revokes(self) -> list[tuple[str, str, int, str]]:
        """Return the proved revokes, including those with the joker."""
        return super().revokes() + self.revokes_with_the_joker()

    def revokes_with_the_joker(self) -> list[tuple[str, str, int, str]]:
        """Return the revokes with the joker: played, before the last trick, as a suit that it could not stand for.

        After a discard on that suit, the joker itself proves the revoke. After cards of that suit were played, the
        joker claims that its player has no more, which a later card of the suit disproves.
        """
        found: list[tuple[str, str, int, str]] = []
        if self.trump != "NT":
            return found
        tricks = self.tricks_so_far()
        for number, (trick, named) in enumerate(tricks, start=1):
            led = self.led_suit(trick, named)
            for seat, card in trick:
                if card != "JOKER" or number == self.cards or led is None:
                    continue
                if self.has_discarded_on(seat, led, number):
                    found.append((seat, card, number, card))
                elif self.has_played(seat, led, number):
                    proof = self.first_of_suit(seat, led, number)
                    if proof:
                        found.append((seat, card, number, proof))
        return found

    # --- score ----------------------------------------------------------------------------------------------

    def score(self) -> None:
        """Score the points and the tie-break counts; then start the next hand or end the game."""
        bids = {seat: int(bid) for seat, bid in self.bids}
        self.points = {seat: points(bid, self.won(seat), seat in self.revoked) for seat, bid in bids.items()}
        if self.play_off:
            self.after_play_off(self.points)
            return
        for seat, bid in bids.items():
            self.totals[seat] += self.points[seat]
            if seat not in self.revoked:
                self.fulfilled[seat] += self.won(seat) == bid
                self.winning_fulfilled[seat] += self.won(seat) == bid > 0
                self.fulfilled_or_exceeded[seat] += self.won(seat) >= bid
        if self.hand < len(self.sequence()):
            self.begin_hand()
            return
        keys = {}
        for seat in self.seats:
            counts = self.fulfilled[seat], self.winning_fulfilled[seat], self.fulfilled_or_exceeded[seat]
            keys[seat] = (self.totals[seat], *counts)
        self.decided = self.places(keys)
        self.settle()


def points(bid: int, tricks: int, revoked: bool) -> int:
    """Return the points of a hand; a revoke gives at most minus five points."""
    if tricks >= bid:
        result = tricks
        if tricks == bid:
            result += 10 if bid > 0 else 5
    else:
        result = -(bid - tricks)
    if revoked:
        return min(result, -5)
    return result
