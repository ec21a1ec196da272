"""Reference rules of Prediction Whist, from the house rules: diamonds, three lives, 7 to 1 and again from 7."""

from __future__ import annotations

from table.simulation.reference_rules.common import BidValue, ReferenceGame

DOUBLE_NIL = "double nil"


class PredictionWhist(ReferenceGame):
    """Prediction Whist by the reference rules. ``totals``: lives; ``out_in``: hand in which a player went out."""

    out_in: dict[str, int]

    def opening_total(self) -> int:
        """Return the lives that a player starts with."""
        lives = self.options.get("lives")
        return 3 if lives is None else lives

    def initial(self) -> int:
        """Return the first hand size: 7, or what a pack gives more than 7 players."""
        start = self.options.get("start")
        if start:
            return int(start)
        if len(self.seats) > 7:
            return 52 // len(self.seats)
        return 7

    def size_after(self, size: int, going_up: bool) -> tuple[int, bool]:
        """Return the next hand size and direction: down to 1, then the initial size, or (``climb``) up card by card."""
        if self.options.get("return", "jump") == "jump":
            if size == 1:
                return self.initial(), False
            return size - 1, False
        if self.initial() == 1:
            return 1, False
        if size == 1:
            return 2, True
        if size == self.initial():
            return size - 1, False
        return (size + 1, True) if going_up else (size - 1, False)

    def begin_hand(self) -> None:
        """Start the next hand, of the next size, with the players who have lives left."""
        self.hand += 1
        if self.hand == 1:
            self.out_in = {}
            self.players = list(self.seats)
        else:
            self.players = [seat for seat in self.seats if self.totals[seat] > 0]
            self.dealer = self.left_of(self.dealer, self.players)
        if self.sizes:
            self.cards = self.sizes[self.hand - 1]
        else:
            size, up = self.initial(), False
            for _ in range(self.hand - 1):
                size, up = self.size_after(size, up)
            self.cards = size
        self.fresh_deal()

    def fixed_trump(self) -> str:
        """Return diamonds, the trumps of every hand."""
        return "D"

    def dealt(self) -> None:
        """Start the bidding; the player to the dealer's left bids first and leads, the dealer bids last."""
        self.waits = "bid"
        self.leader = self.left_of(self.dealer, self.players)

    def whose_bid(self) -> str:
        """Return the seat that bids next."""
        return self.round_from(self.left_of(self.dealer, self.players))[len(self.bids)]

    def legal_bids(self, seat: str) -> list[BidValue]:
        """Return the legal bids, in turn; the hook applies to the dealer."""
        if self.waits != "bid" or seat != self.whose_bid():
            return []
        bids: list[BidValue] = []
        for bid in range(self.cards + 1):
            if seat == self.dealer and self.sum_of_bids() + bid == self.cards:
                continue
            bids.append(bid)
        if self.options.get("double_nil") and 0 in bids:
            bids.append(DOUBLE_NIL)
        return bids

    def score(self) -> None:
        """Score the hand in lives: a miss costs one, a double nil made gives one back; then continue or end."""
        self.points = {}
        alive_before = list(self.players)
        for seat, bid in self.bids:
            change = 0
            wanted = 0 if bid == DOUBLE_NIL else bid
            if self.won(seat) != wanted:
                change = -1
            elif bid == DOUBLE_NIL and self.totals[seat] < self.opening_total():
                change = 1
            self.points[seat] = change
            self.totals[seat] += change
            if self.totals[seat] == 0:
                self.out_in[seat] = self.hand
        alive = [seat for seat in self.seats if self.totals[seat] > 0]
        if len(alive) <= 1 or (self.sizes and self.hand == len(self.sizes)):
            keys = {}
            for seat in self.seats:
                # The more lives the better; among those without, who lasted longer.
                keys[seat] = (self.totals[seat], self.out_in.get(seat, 0))
            winners = alive_before if not alive else None
            self.finish(self.places(keys), winners)
        else:
            self.begin_hand()
