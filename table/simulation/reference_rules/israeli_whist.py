"""Reference rules of Israeli Whist, from the text: an auction, three numeric bids, squared scores."""

from __future__ import annotations

from table.simulation.reference_rules.common import BidValue, ReferenceGame

DENOMINATIONS = ["C", "D", "H", "S", "NT"]


def level(call: BidValue) -> int:
    """Return the tricks of a bid in the auction: 6 for ``6C``."""
    text = str(call)
    return int(text[:-2]) if text.endswith("NT") else int(text[:-1])


def denomination(call: BidValue) -> str:
    """Return the suit of a bid in the auction, or NT."""
    text = str(call)
    return "NT" if text.endswith("NT") else text[-1]


def outranks(tricks: int, suit: str, other: str) -> bool:
    """Return whether a bid outranks ``other``: more tricks, or as many in a higher denomination."""
    if tricks != level(other):
        return tricks > level(other)
    return DENOMINATIONS.index(suit) > DENOMINATIONS.index(denomination(other))


class IsraeliWhist(ReferenceGame):
    """Israeli Whist by the reference rules. ``calls``: the present auction; ``auctions``: their number in this deal."""

    calls: list[tuple[str, str]]
    auctions: int
    further: bool
    declarer: str | None
    thrown_in: int = 0

    def reached(self) -> bool:
        """Return whether a player has reached the target score; False if there is no target (a list of hands)."""
        target = self.options.get("target")
        if target is None:
            return False
        return max(self.totals.values()) >= int(target)

    def begin_hand(self) -> None:
        """Start the next hand, of thirteen cards; the deal passes to the left."""
        if self.hand == 0:
            self.further = False
        else:
            self.dealer = self.left_of(self.dealer, self.seats)
        self.hand += 1
        self.cards = 13
        if self.sizes:
            # A list of sizes gives shorter hands, which the text does not have; its last size repeats.
            self.cards = self.sizes[min(self.hand, len(self.sizes)) - 1]
        self.fresh_deal()

    def fresh_deal(self) -> None:
        """Reset the hand for a deal and its first auction."""
        super().fresh_deal()
        self.calls = []
        self.auctions = 1
        self.declarer = None

    def dealt(self) -> None:
        """Start the auction; the dealer calls first."""
        self.waits = "auction"
        self.calls = []

    # --- auction --------------------------------------------------------------------------------------------

    def whose_call(self) -> str:
        """Return the seat whose turn it is in the auction."""
        return self.round_from(self.dealer)[len(self.calls) % 4]

    def lowest_level(self) -> int:
        """Return the lowest bid's tricks: 5; in the rising gulash one more in each further auction."""
        lowest = 5
        if self.options.get("gulash") == "rising":
            lowest = 4 + self.auctions
        return min(lowest, self.cards)

    def last_bid(self) -> tuple[str, str] | None:
        """Return the seat and the bid of the highest bid so far; None if all have passed."""
        found = None
        for seat, call in self.calls:
            if call != "pass":
                found = (seat, call)
        return found

    def legal_bids(self, seat: str) -> list[BidValue]:
        """Return the legal bids: what outranks the last auction bid; after the auction numbers, with the hook."""
        if self.waits == "auction":
            if seat != self.whose_call():
                return []
            last = self.last_bid()
            bids: list[BidValue] = []
            for tricks in range(self.lowest_level(), self.cards + 1):
                for suit in DENOMINATIONS:
                    if last is None or outranks(tricks, suit, last[1]):
                        bids.append(str(tricks) + suit)
            return bids
        if self.waits == "bid" and seat == self.whose_bid():
            numbers: list[BidValue] = []
            for number in range(self.cards + 1):
                if len(self.bids) == 3 and self.sum_of_bids() + number == self.cards:
                    continue
                numbers.append(number)
            return numbers
        return []

    def call(self, seat: str, call: str) -> str:
        """Make a call in the auction; return its outcome: ``on``, ``pass cards``, ``thrown in`` or ``won``."""
        assert seat == self.whose_call()
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
            self.waits = "pass"
            return "pass cards"
        self.fresh_deal()
        self.thrown_in += 1
        return "thrown in"

    def cards_passed(self) -> None:
        """Start another auction after all have passed three cards to the left."""
        self.auctions += 1
        self.calls = []
        self.waits = "auction"

    # --- numbers --------------------------------------------------------------------------------------------

    def whose_bid(self) -> str:
        """Return the seat that bids a number next, from the declarer's left."""
        assert self.declarer is not None
        return self.round_from(self.declarer)[len(self.bids)]

    # --- score ----------------------------------------------------------------------------------------------

    def score(self) -> None:
        """Score the hand by the agreed scoring; end the game if the target is reached and one player leads."""
        over = self.sum_of_bids() > self.cards
        self.points = {}
        for seat, bid in self.bids:
            assert isinstance(bid, int)
            if self.options.get("scoring") == "elhanani":
                self.points[seat] = elhanani(bid, self.won(seat), over)
            else:
                self.points[seat] = standard(bid, self.won(seat), over)
        if self.options.get("scoring") == "elhanani":
            made = [seat for seat, bid in self.bids if self.won(seat) == bid]
            if not made:
                self.points = dict.fromkeys(self.seats, 0)
        for seat in self.seats:
            self.totals[seat] += self.points[seat]
        ended = self.sizes is not None and self.hand >= len(self.sizes)
        if self.reached() or ended or self.further:
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
        points = -50
        for _ in range(tricks - 1):
            points += 10
        return points
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
