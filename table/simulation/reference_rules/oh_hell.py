"""Reference rules of Oh Hell, from the full text (from its quick reference only the scoring ``quick``)."""

from __future__ import annotations

from table.simulation.reference_rules.common import BidValue, ReferenceGame, standard_pack


class OhHell(ReferenceGame):
    """Oh Hell by the reference rules. ``made``: number of made bids; ``out_in``: hand of going out (catastrophe)."""

    made: dict[str, int]
    out_in: dict[str, int]
    turns_one_up = True
    decided: list[list[str]]

    def pack(self) -> list[str]:
        """Return one pack or two, and a joker by agreement."""
        cards = standard_pack() * (self.options.get("packs") or 1)
        if self.options.get("joker"):
            cards.append("JOKER")
        return cards

    def peak(self) -> int:
        """Return the largest hand: 10, or the most cards that leave one to be turned up."""
        if self.options.get("start"):
            return int(self.options["start"])
        most = (52 * (self.options.get("packs") or 1) - 1) // len(self.seats)
        return min(10, most)

    def sequence(self) -> list[int]:
        """Return the sizes of the hands."""
        if self.sizes:
            return self.sizes
        top = self.peak()
        down = []
        for less in range(top):
            down.append(top - less)
        up = []
        for size in range(1, top + 1):
            up.append(size)
        shape = self.options.get("shape") or "down-up"
        if shape == "down":
            return down
        if shape == "up-down":
            return up + down[1:]
        return down + up[1:]

    def begin_hand(self) -> None:
        """Start the next hand of the list, or a sudden-death hand of three cards."""
        self.hand += 1
        if self.hand == 1:
            self.made = dict.fromkeys(self.seats, 0)
            self.faults = dict.fromkeys(self.seats, 0)
            self.out_in = {}
            self.decided = []
        else:
            self.dealer = self.left_of(self.dealer, self.players)
        if self.play_off:
            self.cards = 3
        else:
            self.cards = self.sequence()[self.hand - 1]
        self.fresh_deal()

    def fixed_trump(self) -> str | None:
        """Return no trumps for every n-th size, the next suit if trumps progress, else None (a card is turned up)."""
        every = self.options.get("no_trump_every")
        if every and self.cards % every == 0:
            return "NT"
        if self.options.get("trump") == "progressive":
            return ["C", "D", "H", "S", "NT"][(self.hand - 1) % 5]
        return None

    def makes_trumps(self, card: str) -> bool:
        """Return False for a joker: another card is turned up."""
        return card != "JOKER"

    def turn_up(self, card: str) -> None:
        """Set the trumps to the turned-up card's suit."""
        if self.makes_trumps(card):
            self.trump = card[-1]

    def on_forehead(self) -> bool:
        """Return whether the single cards are held to the forehead, by agreement."""
        return bool(self.options.get("forehead")) and self.cards == 1

    def exchanged(self) -> int:
        """Return the agreed number of cards passed to the left; 0 if the players can't see their cards."""
        if self.on_forehead():
            # Nobody can choose a card without looking at it.
            return 0
        return int(self.options.get("exchange") or 0)

    def dealt(self) -> None:
        """Start the bidding after the deal, the turned-up card and the exchange."""
        self.leader = self.left_of(self.dealer, self.players)
        if self.options.get("nullo"):
            for seat in self.round_from(self.leader):
                self.bids.append((seat, 0))
            self.waits = "play"
        else:
            self.waits = "bid"

    def whose_bid(self) -> str:
        """Return the seat that bids next."""
        return self.round_from(self.left_of(self.dealer, self.players))[len(self.bids)]

    def legal_bids(self, seat: str) -> list[BidValue]:
        """Return the legal bids, in turn; the hook applies to the dealer, who is last."""
        if self.waits != "bid" or seat != self.whose_bid():
            return []
        hook = self.options.get("hook", True)
        bids: list[BidValue] = []
        for bid in range(self.cards + 1):
            if hook and seat == self.dealer and self.sum_of_bids() + bid == self.cards:
                continue
            bids.append(bid)
        return bids

    def points_for(self, bid: int, tricks: int) -> int:
        """Return the points of a hand for a bid and the tricks won."""
        scoring = self.options.get("scoring") or "standard"
        if tricks == bid:
            points = 10 + tricks
            if bid == 0 and scoring == "quick":
                points += 5
            if self.options.get("made_all_bonus") and bid == self.cards:
                points += 10
            return points
        if scoring == "harsh":
            return -10 * abs(bid - tricks)
        if scoring == "quick":
            if tricks < bid:
                return -10 * (bid - tricks)
            return 0
        return 0

    def score(self) -> None:
        """Score points, made hands and faults; then start the next hand or end the game."""
        self.points = {}
        for seat, bid in self.bids:
            assert isinstance(bid, int)
            self.points[seat] = self.points_for(bid, self.won(seat))
        if self.play_off:
            self.after_play_off()
            return
        for seat, bid in self.bids:
            assert isinstance(bid, int)
            self.totals[seat] += self.points[seat]
            if self.won(seat) == bid:
                self.made[seat] += 1
            self.faults[seat] += abs(bid - self.won(seat))
        if self.options.get("scoring") == "catastrophe":
            for seat in self.players:
                if self.faults[seat] >= 20:
                    self.out_in[seat] = self.hand
            self.players = [seat for seat in self.players if seat not in self.out_in]
        if len(self.players) <= 1 or self.hand == len(self.sequence()):
            self.after_the_last_hand()
        else:
            self.begin_hand()

    def key(self, seat: str) -> tuple[int, int]:
        """Return the final ranking key of a seat: the points, or in nullo the made hands."""
        if self.options.get("nullo"):
            return (1, self.made[seat])
        return (1, self.totals[seat])

    def after_the_last_hand(self) -> None:
        """Rank the players after the last hand; those tied for the first place play a three-card hand."""
        keys: dict[str, tuple[int, ...]] = {}
        for seat in self.seats:
            if seat in self.out_in:
                keys[seat] = (0, self.out_in[seat], self.key(seat)[1])
            else:
                keys[seat] = self.key(seat)
        self.decided = self.places(keys)
        self.settle()

    def settle(self) -> None:
        """End the game if one player leads, else start a play-off of three cards (also if all went out at once)."""
        if len(self.decided[0]) == 1:
            self.finish(self.decided)
            return
        self.players = self.decided[0]
        self.play_off = True
        self.begin_hand()

    def after_play_off(self) -> None:
        """Rank the play-off by its scores (in nullo: the made hand); those still tied play again."""
        groups: list[list[str]] = []
        scores = {}
        for seat in self.seats:
            scores[seat] = self.points.get(seat, -1000)
            if self.options.get("nullo"):
                scores[seat] = 1 if self.won(seat) == 0 else 0
        for group in self.places(scores):
            part = [seat for seat in group if seat in self.players]
            if part:
                groups.append(part)
        self.decided = groups + self.decided[1:]
        self.settle()
