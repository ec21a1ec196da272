"""Oh Shit, after the text: bids at once, an ace or the joker turned is no trumps, the joker's four rules."""

from __future__ import annotations

from table.virtual.naive.common import BidValue, Naive, pack_of_63, standard_pack

SUITS = ["S", "H", "D", "C"]


class OhShit(Naive):
    """Oh Shit, with the counts that its tie-breaks want."""

    fulfilled: dict[str, int]
    winning_fulfilled: dict[str, int]
    fulfilled_or_exceeded: dict[str, int]
    turns_one_up = True
    decided: list[list[str]]

    def pack(self) -> list[str]:
        """52 cards, a joker by agreement, or the six-handed pack."""
        if self.options.get("pack") == 63:
            return pack_of_63()
        cards = standard_pack()
        if self.options.get("joker"):
            cards.append("JOKER")
        return cards

    def sequence(self) -> list[int]:
        """1 to 9 and back, or 9 to 1; the largest hand is what the pack gives."""
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
        """The next of the list, or the deciding deal's five cards."""
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
        """The card turned, or the dealer's last where all are dealt: its suit is trumps."""
        if card == "JOKER" or card[0] == "A":
            self.trump = "NT"
        else:
            self.trump = card[-1]

    def dealt(self) -> None:
        """Everybody bids at once; the dealer's left leads."""
        self.leader = self.left_of(self.dealer, self.players)
        self.waits = "secret bid"

    def legal_bids(self, seat: str) -> list[BidValue]:
        """Any number, once."""
        if self.waits != "secret bid" or seat not in self.players:
            return []
        if seat in [who for who, _ in self.bids]:
            return []
        return list(range(self.cards + 1))

    # --- the joker at no trumps -----------------------------------------------------------------------------

    def tricks_before(self, number: int) -> list[tuple[list[tuple[str, str]], str | None]]:
        """The tricks before trick ``number`` (from 1)."""
        return self.tricks_so_far()[: number - 1]

    def has_played(self, seat: str, suit: str, before: int) -> bool:
        """Whether ``seat`` played a card of ``suit`` before that trick."""
        for trick, _ in self.tricks_before(before):
            for who, card in trick:
                if who == seat and card != "JOKER" and card[-1] == suit:
                    return True
        return False

    def has_discarded_on(self, seat: str, suit: str, before: int) -> bool:
        """Whether ``seat`` played another suit to a lead of ``suit`` before that trick."""
        for trick, named in self.tricks_before(before):
            if self.led_suit(trick, named) != suit:
                continue
            for who, card in trick:
                if who == seat and card != "JOKER" and card[-1] != suit:
                    return True
        return False

    def joker_may_be(self, seat: str, hand: list[str], suit: str) -> bool:
        """Rules 1 and 2 and 3: whether the joker of this hand may be played as ``suit`` in the present trick."""
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
        """The suits that a joker led at no trumps may stand for."""
        if len(self.done) + 1 == self.cards:
            fitting = [s for s in SUITS if not self.has_discarded_on(seat, s, self.cards)]
            return fitting or list(SUITS)
        return [suit for suit in SUITS if self.joker_may_be(seat, hand, suit)]

    def legal_plays(self, seat: str, hand: list[str]) -> list[str]:
        """Suit is followed; the joker at no trumps goes by its own rules."""
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
        """What was public then: a player who discarded on the suit can't have the joker stand for it."""
        tricks = self.tricks_so_far()
        number = len(tricks)
        if number == self.cards:
            return True
        trick, named = tricks[-1]
        led = self.led_suit(trick, named)
        assert led is not None
        return not self.has_discarded_on(seat, led, number)

    def excused(self, seat: str, number: int, card: str, led: str) -> bool:
        """The joker at no trumps has rules of its own."""
        return card == "JOKER" and self.trump == "NT"

    def revokes(self) -> list[tuple[str, str, int, str]]:
        """The plain ones, and those with the joker."""
        return super().revokes() + self.revokes_with_the_joker()

    def revokes_with_the_joker(self) -> list[tuple[str, str, int, str]]:
        """At no trumps, before the last trick: the joker played as a suit that it could not stand for.

        After a discard on that suit it proves itself. After cards of that suit were played it claims that there
        are no more, which a later one disproves.
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
        """The contract's points, the tie-breaks' counts, and the next deal or the end."""
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
        """A tie for any position: five cards among the tied, the best position first."""
        for group in self.decided:
            if len(group) > 1:
                self.players = group
                self.play_off = True
                self.begin_hand()
                return
        self.finish(self.decided)

    def after_play_off(self) -> None:
        """The points of the deciding deal put the tied in order; those still tied play again."""
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
    """The scores; a revoke is a net five-point penalty unless the result is worse."""
    if tricks >= bid:
        result = tricks
        if tricks == bid:
            result += 10 if bid > 0 else 5
    else:
        result = -(bid - tricks)
    if revoked:
        return min(result, -5)
    return result
