"""Reference rules of Whysteria, from Ben Finn's text: spades, free bids, free leads, one point for an exact bid."""

from __future__ import annotations

from table.simulation.reference_rules.common import BidValue, ReferenceGame


class Whysteria(ReferenceGame):
    """Whysteria by the reference rules. ``rapped``: seats that do not want to act next; ``forced``: after a tie."""

    forced: bool
    free_leads = True

    def sequence(self) -> list[int] | None:
        """Return the hand sizes, 7 (or 10) to 1 and back; None if the size is constant without end."""
        if self.sizes:
            return self.sizes
        if self.options.get("constant"):
            return None
        start = self.options.get("start") or 7
        return [*range(start, 0, -1), *range(2, start + 1)]

    def hand_size(self) -> int:
        """Return the number of cards of the present hand."""
        return super().hand_size() if self.sequence() else int(self.options["constant"])

    def fresh_deal(self) -> None:
        """Reset the hand for a deal: nobody has rapped and nobody is forced to act."""
        super().fresh_deal()
        self.forced = False

    def fixed_trump(self) -> str:
        """Return spades, the trumps of every hand."""
        return "S"

    def on_forehead(self) -> bool:
        """Return whether the hand has one card, which is held to the forehead."""
        return self.cards == 1

    # --- who may act ----------------------------------------------------------------------------------------

    def who_still_may(self) -> list[str]:
        """Return the seats that have not bid yet, or all seats before a lead."""
        if len(self.bids) < len(self.players):
            have_bid = [seat for seat, _ in self.bids]
            return [seat for seat in self.seats if seat not in have_bid]
        return list(self.seats)

    def default(self) -> str:
        """Return the seat that must bid or lead if nobody else wants to, or play next."""
        turn = self.whose_turn()
        if turn is not None:
            return turn
        before = self.bids[-1][0] if self.bids else self.dealer
        if self.winners_of_tricks:
            before = self.winners_of_tricks[-1]
        return self.left_of(before, self.who_still_may())

    def must(self) -> bool:
        """Return whether the default seat must act: in its turn, after a tie, or if all others have rapped."""
        if self.forced or self.whose_turn() is not None:
            return True
        silent = [s for s in self.who_still_may() if s != self.default() and s not in self.rapped]
        return not silent

    def who_may(self) -> list[str]:
        """Return the seats that may bid or lead now, the default seat first."""
        if self.must():
            return [self.default()]
        return [seat for seat in self.round_from(self.default()) if seat in self.who_still_may()]

    def rap(self, seat: str) -> None:
        """Record a rap: the seat does not want to bid or lead next."""
        if seat not in self.rapped:
            self.rapped.append(seat)

    def tie(self) -> None:
        """Record a tie in which nothing counts: the default bidder or leader must act."""
        self.rapped = []
        self.forced = True

    # --- bids and leads -------------------------------------------------------------------------------------

    def bid(self, seat: str, bid: BidValue) -> None:
        """Record a legal bid and forget the raps and obligations."""
        super().bid(seat, bid)
        self.rapped = []
        self.forced = False

    def play(self, seat: str, card: str, named: str | None = None) -> str | None:
        """Play a card and forget the raps; the obligation after a tie holds until the trick is picked up."""
        self.rapped = []
        return super().play(seat, card, named)

    def pick_up(self) -> None:
        """Let the winner take the trick; nobody is forced to lead any more."""
        # After a tie the default seat stays obliged to lead while its lead may still be withdrawn.
        self.forced = False
        super().pick_up()

    # --- score ----------------------------------------------------------------------------------------------

    def score(self) -> None:
        """Score a point for each exact bid; then start the next hand or end the game."""
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
        """End the game: the highest score wins, ties are shared; nobody wins before a hand is scored."""
        self.finish(self.places(dict(self.totals)), None if self.points else [])
