"""Reference rules of Israeli Whist, from the text: an auction, three numeric bids, squared scores."""

from __future__ import annotations

from table.simulation.reference_rules.common import BidValue, ReferenceGame

DENOMINATIONS = ["C", "D", "H", "S", "NT"]


def level(call: BidValue) -> int:
    """Return the tricks of a bid in the auction: 6 for ``6C``."""
    return int(str(call).rstrip("CDHSNT"))


def denomination(call: BidValue) -> str:
    """Return the suit of a bid in the auction, or NT."""
    return str(call).lstrip("0123456789")


def outranks(tricks: int, suit: str, other: str) -> bool:
    """Return whether a bid outranks ``other``: more tricks, or as many in a higher denomination."""
    rank = DENOMINATIONS.index
    return (tricks, rank(suit)) > (level(other), rank(denomination(other)))


class IsraeliWhist(ReferenceGame):
    """Israeli Whist by the reference rules. ``calls``: the present auction; ``auctions``: their number in this deal."""

    auctions: int
    declarer: str | None
    further = False
    """Whether the players play on until one of them leads."""

    def hand_size(self) -> int:
        """Return thirteen cards; a list of sizes, which the text does not have, gives other hands: its last repeats."""
        return self.sizes[min(self.hand, len(self.sizes)) - 1] if self.sizes else 13

    def fresh_deal(self) -> None:
        """Reset the hand for a deal and its first auction."""
        super().fresh_deal()
        self.auctions = 1
        self.declarer = None

    def dealt(self) -> None:
        """Start the auction; the dealer calls first."""
        self.waits = "auction"

    # --- auction --------------------------------------------------------------------------------------------

    def whose_bid(self) -> str:
        """Return the seat that calls next, from the dealer; after the auction the next from the declarer's left."""
        if self.declarer is None:
            return self.round_from(self.dealer)[len(self.calls) % 4]
        return self.round_from(self.declarer)[len(self.bids)]

    def lowest_level(self) -> int:
        """Return the lowest bid's tricks: 5; in the rising gulash one more in each further auction."""
        lowest = 4 + self.auctions if self.options.get("gulash") == "rising" else 5
        return min(lowest, self.cards)

    def last_bid(self) -> tuple[str, str] | None:
        """Return the seat and the bid of the highest bid so far; None if all have passed."""
        bids = [(seat, call) for seat, call in self.calls if call != "pass"]
        return bids[-1] if bids else None

    def possible_bids(self) -> list[BidValue]:
        """Return what outranks the last bid of the auction; after the auction numbers, with the hook."""
        if self.waits == "bid":
            return super().possible_bids()
        last = self.last_bid()
        levels = range(self.lowest_level(), self.cards + 1)
        bids = [(tricks, suit) for tricks in levels for suit in DENOMINATIONS]
        return [f"{n}{suit}" for n, suit in bids if last is None or outranks(n, suit, last[1])]

    def call(self, seat: str, call: str) -> str:
        """Make a call in the auction; return its outcome: ``on``, ``pass cards``, ``thrown in`` or ``won``."""
        assert seat == self.whose_bid()
        assert call == "pass" or call in self.legal_bids(seat)
        self.calls.append((seat, call))
        last_four = [said for _, said in self.calls[-4:]]
        if last_four != ["pass", "pass", "pass", "pass"]:
            return "on"
        last = self.last_bid()
        if last is not None:
            self.declarer = last[0]
            self.bids = [(last[0], level(last[1]))]
            self.trump = denomination(last[1])
            self.leader = self.declarer
            self.waits = "bid"
            return "won"
        gulash = self.options.get("gulash") or "off"
        auctions_at_most = {"off": 1, "plain": 3, "rising": 4}[gulash]
        if self.auctions < auctions_at_most:
            self.waits = "pass cards"
            return "pass cards"
        self.fresh_deal()
        return "thrown in"

    def exchanged(self) -> int:
        """Return how many cards each player passes on in a gulash."""
        return min(3, self.cards) if self.waits == "pass cards" else 0

    def cards_passed(self) -> None:
        """Start another auction after all have passed three cards to the left."""
        self.auctions += 1
        self.calls = []
        self.waits = "auction"

    # --- score ----------------------------------------------------------------------------------------------

    def score(self) -> None:
        """Score the hand by the agreed scoring; end the game if the target is reached and one player leads."""
        over = self.sum_of_bids() > self.cards
        bids = {seat: int(bid) for seat, bid in self.bids}
        scored = elhanani if self.options.get("scoring") == "elhanani" else standard
        self.points = {seat: scored(bid, self.won(seat), over) for seat, bid in bids.items()}
        if scored is elhanani and all(self.won(seat) != bid for seat, bid in bids.items()):
            self.points = dict.fromkeys(self.seats, 0)
        for seat in self.seats:
            self.totals[seat] += self.points[seat]
        target = self.options.get("target")
        is_reached = target is not None and max(self.totals.values()) >= int(target)
        ended = self.sizes is not None and self.hand >= len(self.sizes)
        if is_reached or ended or self.further:
            ranking = self.places(dict(self.totals))
            if len(ranking[0]) == 1:
                self.finish(ranking)
                return
            self.further = True
        self.begin_hand()


def standard(bid: int, tricks: int, over: bool) -> int:
    """Return the points of a hand by the source text; ``over``: the bids sum to more than the tricks."""
    if bid == 0:
        if tricks == 0:
            return 30 if over else 50
        return -50 + 10 * (tricks - 1)
    if tricks == bid:
        return 10 + bid * bid
    return -10 * abs(tricks - bid)


def elhanani(bid: int, tricks: int, over: bool) -> int:
    """Return the points of a hand by Yoni Elhanani's scoring, except for a hand that all players fail."""
    if bid == 0:
        if tricks == 0:
            return 25 if over else 50
        return -(25 + 5 * tricks)
    if tricks == bid:
        return bid * bid
    return -5 * abs(tricks - bid)
