"""Reference rules of Oh Shit: simultaneous bids, no trumps for a turned-up ace or joker, four rules of the joker."""

from __future__ import annotations

from table.simulation.reference_rules.common import BidValue, ReferenceGame, pack_of_63, standard_pack

SUITS = ["S", "H", "D", "C"]


class OhShit(ReferenceGame):
    """Oh Shit by the reference rules, with the counts that its tie-breaks need."""

    fulfilled: dict[str, int]
    winning_fulfilled: dict[str, int]
    fulfilled_or_exceeded: dict[str, int]
    turns_one_up = True
    decided: list[list[str]]

    def pack(self) -> list[str]:
        """Return 52 cards, with a joker by agreement, or the six-handed pack of 63."""
        if self.options.get("pack") == 63:
            return pack_of_63()
        cards = standard_pack()
        if self.options.get("joker"):
            cards.append("JOKER")
        return cards

    def sequence(self) -> list[int]:
        """Return the hand sizes: 1 to 9 and back, or 9 to 1; the largest is limited by the pack."""
        if self.sizes:
            return self.sizes
        top = min(9, len(self.pack()) // len(self.seats))
        down = []
        for less in range(top):
            down.append(top - less)
        if self.options.get("half"):
            return down
        up = []
        for size in range(1, top):
            up.append(size)
        return up + down

    def begin_hand(self) -> None:
        """Start the next hand of the list, or the deciding deal of five cards."""
        self.hand += 1
        if self.hand == 1:
            self.fulfilled = dict.fromkeys(self.seats, 0)
            self.winning_fulfilled = dict.fromkeys(self.seats, 0)
            self.fulfilled_or_exceeded = dict.fromkeys(self.seats, 0)
            self.decided = []
        else:
            self.dealer = self.left_of(self.dealer, self.players)
        if self.play_off:
            self.cards = 5
        else:
            self.cards = self.sequence()[self.hand - 1]
        self.fresh_deal()

    def turn_up(self, card: str) -> None:
        """Set the trumps by the turned-up card (the dealer's last card if all are dealt); ace or joker: no trumps."""
        if card == "JOKER" or card[0] == "A":
            self.trump = "NT"
        else:
            self.trump = card[-1]

    def dealt(self) -> None:
        """Start the simultaneous bidding; the player to the dealer's left will lead."""
        self.leader = self.left_of(self.dealer, self.players)
        self.waits = "secret bid"

    def legal_bids(self, seat: str) -> list[BidValue]:
        """Return the legal bids: any number, once for each player."""
        if self.waits != "secret bid" or seat not in self.players:
            return []
        if seat in [who for who, _ in self.bids]:
            return []
        return list(range(self.cards + 1))

    # --- the joker at no trumps -----------------------------------------------------------------------------

    def tricks_before(self, number: int) -> list[tuple[list[tuple[str, str]], str | None]]:
        """Return the tricks before trick ``number`` (from 1)."""
        return self.tricks_so_far()[: number - 1]

    def has_played(self, seat: str, suit: str, before: int) -> bool:
        """Return whether ``seat`` played a card of ``suit`` before that trick."""
        for trick, _ in self.tricks_before(before):
            for who, card in trick:
                if who == seat and card != "JOKER" and card[-1] == suit:
                    return True
        return False

    def has_discarded_on(self, seat: str, suit: str, before: int) -> bool:
        """Return whether ``seat`` played another suit to a lead of ``suit`` before that trick."""
        for trick, named in self.tricks_before(before):
            if self.led_suit(trick, named) != suit:
                continue
            for who, card in trick:
                if who == seat and card != "JOKER" and card[-1] != suit:
                    return True
        return False

    def joker_may_be(self, seat: str, hand: list[str], suit: str) -> bool:
        """Return whether the hand's joker may be played as ``suit`` in the present trick (rules 1, 2 and 3)."""
        number = len(self.done) + 1
        if number == self.cards:
            return True
        if self.has_discarded_on(seat, suit, number):
            return False
        if not self.has_played(seat, suit, number):
            return True
        held = [card for card in hand if card != "JOKER" and card[-1] == suit]
        return not held

    def suits_to_name(self, seat: str, hand: list[str]) -> list[str]:
        """Return the suits that a joker led at no trumps may stand for."""
        if len(self.done) + 1 == self.cards:
            fitting = [s for s in SUITS if not self.has_discarded_on(seat, s, self.cards)]
            return fitting or list(SUITS)
        return [suit for suit in SUITS if self.joker_may_be(seat, hand, suit)]

    def legal_plays(self, seat: str, hand: list[str]) -> list[str]:
        """Return the cards that follow suit; the joker at no trumps has its own rules."""
        if self.trump != "NT" or "JOKER" not in hand:
            return super().legal_plays(seat, hand)
        others = [card for card in hand if card != "JOKER"]
        if not self.trick or self.trick[0][1] == "":
            if self.suits_to_name(seat, hand):
                return list(hand)
            return others
        led = self.led_suit(self.trick, self.named)
        assert led is not None
        legal = [card for card in others if card[-1] == led]
        if not legal:
            legal = others
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

    def excused(self, seat: str, number: int, card: str, led: str) -> bool:
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
                    for later, _ in tricks[number:]:
                        proof = [other for who, other in later if who == seat and other[-1:] == led]
                        if proof:
                            found.append((seat, card, number, proof[0]))
                            break
        return found

    # --- score ----------------------------------------------------------------------------------------------

    def score(self) -> None:
        """Score the points and the tie-break counts; then start the next hand or end the game."""
        self.points = {}
        for seat, bid in self.bids:
            assert isinstance(bid, int)
            self.points[seat] = points(bid, self.won(seat), seat in self.revoked)
        if self.play_off:
            self.after_play_off()
            return
        for seat, bid in self.bids:
            assert isinstance(bid, int)
            self.totals[seat] += self.points[seat]
            if seat in self.revoked:
                continue
            if self.won(seat) == bid:
                self.fulfilled[seat] += 1
                if bid > 0:
                    self.winning_fulfilled[seat] += 1
            if self.won(seat) >= bid:
                self.fulfilled_or_exceeded[seat] += 1
        if self.hand == len(self.sequence()):
            keys = {}
            for seat in self.seats:
                keys[seat] = (
                    self.totals[seat],
                    self.fulfilled[seat],
                    self.winning_fulfilled[seat],
                    self.fulfilled_or_exceeded[seat],
                )
            self.decided = self.places(keys)
            self.settle()
        else:
            self.begin_hand()

    def settle(self) -> None:
        """Start a deciding deal among players tied for a position, the best position first; else end the game."""
        for group in self.decided:
            if len(group) > 1:
                self.players = group
                self.play_off = True
                self.begin_hand()
                return
        self.finish(self.decided)

    def after_play_off(self) -> None:
        """Rank the tied players by the points of the deciding deal; those still tied play again."""
        ordered: list[list[str]] = []
        left = list(self.players)
        while left:
            best = max(self.points[seat] for seat in left)
            ordered.append([seat for seat in left if self.points[seat] == best])
            left = [seat for seat in left if self.points[seat] != best]
        groups = []
        for group in self.decided:
            if group == self.players:
                groups += ordered
            else:
                groups.append(group)
        self.decided = groups
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
