"""Whysteria, after Ben Finn's text: spades, free bids, free leads, one point for an exact bid."""

from __future__ import annotations

from table.virtual.naive.common import BidValue, Naive


class Whysteria(Naive):
    """Whysteria. ``rapped`` are those who do not want to bid or lead next; ``forced``: after a tie."""

    rapped: list[str]
    forced: bool

    def sequence(self) -> list[int] | None:
        """7 to 1 and back (or from 10); None when a constant hand size goes on and on."""
        if self.sizes:
            return self.sizes
        if self.options.get("constant"):
            return None
        start = self.options.get("start") or 7
        down = []
        size = start
        while size >= 1:
            down.append(size)
            size -= 1
        up = []
        size = 2
        while size <= start:
            up.append(size)
            size += 1
        return down + up

    def begin_hand(self) -> None:
        """The deal goes to the left."""
        self.hand += 1
        if self.hand > 1:
            self.dealer = self.left_of(self.dealer, self.seats)
        sizes = self.sequence()
        self.cards = sizes[self.hand - 1] if sizes else self.options["constant"]
        self.fresh_deal()

    def fresh_deal(self) -> None:
        """Nobody has rapped, nobody is bound."""
        super().fresh_deal()
        self.rapped = []
        self.forced = False

    def fixed_trump(self) -> str:
        """Spades, always."""
        return "S"

    def on_forehead(self) -> bool:
        """The hand of one card."""
        return self.cards == 1

    def dealt(self) -> None:
        """Bidding opens."""
        self.waits = "bid"

    # --- anyone, any time -----------------------------------------------------------------------------------

    def who_still_may(self) -> list[str]:
        """Those who have not bid yet, or everybody before a lead."""
        if len(self.bids) < len(self.players):
            have_bid = [seat for seat, _ in self.bids]
            return [seat for seat in self.seats if seat not in have_bid]
        return list(self.seats)

    def default(self) -> str:
        """Who must bid or lead when nobody else wants to."""
        if len(self.bids) < len(self.players):
            if not self.bids:
                return self.left_of(self.dealer, self.who_still_may())
            return self.left_of(self.bids[-1][0], self.who_still_may())
        if not self.winners_of_tricks:
            return self.left_of(self.bids[-1][0], self.seats)
        return self.left_of(self.winners_of_tricks[-1], self.seats)

    def must(self) -> bool:
        """Whether the default must act: after a tie, or when everybody else who still may has rapped."""
        if self.forced:
            return True
        silent = [s for s in self.who_still_may() if s != self.default() and s not in self.rapped]
        return not silent

    def who_may(self) -> list[str]:
        """Those who may bid or lead now."""
        if self.must():
            return [self.default()]
        return self.who_still_may()

    def rap(self, seat: str) -> None:
        """Somebody does not want to bid or lead next."""
        if seat not in self.rapped:
            self.rapped.append(seat)

    def forget_raps(self) -> None:
        """After every bid, lead and tie."""
        self.rapped = []
        self.forced = False

    def tie(self) -> None:
        """Several at once and none of it counts: the default bidder or leader must."""
        self.rapped = []
        self.forced = True

    # --- bids and leads -------------------------------------------------------------------------------------

    def legal_bids(self, seat: str) -> list[BidValue]:
        """Whoever may bid now may bid anything, but for the last one."""
        if self.waits != "bid" or seat not in self.who_may():
            return []
        bids: list[BidValue] = []
        for bid in range(self.cards + 1):
            last = len(self.bids) == len(self.players) - 1
            if last and self.sum_of_bids() + bid == self.cards:
                continue
            bids.append(bid)
        return bids

    def bid(self, seat: str, bid: BidValue) -> None:
        """Raps are forgotten."""
        super().bid(seat, bid)
        self.forget_raps()

    def play(self, seat: str, card: str, named: str | None = None) -> str | None:
        """Raps are forgotten; a tie's word holds until the trick is picked up."""
        self.rapped = []
        return super().play(seat, card, named)

    def pick_up(self) -> None:
        """The trick is taken: nobody is bound any more."""
        # A tied default stays bound to lead while its lead may still be withdrawn.
        self.forced = False
        super().pick_up()

    def next_leader(self, winner: str) -> str | None:
        """Anybody."""
        return None

    # --- score ----------------------------------------------------------------------------------------------

    def score(self) -> None:
        """A point for each exact bid."""
        self.points = {}
        for seat, bid in self.bids:
            self.points[seat] = 1 if self.won(seat) == bid else 0
            self.totals[seat] += self.points[seat]
        sizes = self.sequence()
        if sizes is not None and self.hand == len(sizes):
            self.end()
        else:
            self.begin_hand()

    def end(self) -> None:
        """The highest score wins; a tie is shared. Before anything is scored nobody has won."""
        self.finish(self.places(dict(self.totals)), None if self.points else [])
