"""Reference rules of Prediction Whist, from the house rules: diamonds, three lives, 7 to 1 and again from 7."""

from __future__ import annotations

from typing import Any

from table.simulation.reference_rules.common import BidValue, ReferenceGame

DOUBLE_NIL = "double nil"


class PredictionWhist(ReferenceGame):
    """Prediction Whist by the reference rules. ``totals``: lives; ``out_in``: hand in which a player went out."""

    def __init__(self, seats: list[str], options: dict[str, Any]) -> None:
        self.out_in: dict[str, int] = {}
        self.lives = int(options.get("lives") or 3)
        super().__init__(seats, options)
        self.totals = dict.fromkeys(seats, self.lives)

    def initial(self) -> int:
        """Return the first hand size: 7, or what a pack gives more than 7 players."""
        start = self.options.get("start")
        if start:
            return int(start)
        return 7 if len(self.seats) <= 7 else 52 // len(self.seats)

    def size_after(self, size: int, going_up: bool) -> tuple[int, bool]:
        """Return the next hand size and direction: down to 1, then the initial size, or (``climb``) up card by card."""
        if self.options.get("return", "jump") == "jump":
            return (self.initial() if size == 1 else size - 1), False
        if self.initial() == 1:
            return 1, False
        if size == 1:
            return 2, True
        if size == self.initial():
            return size - 1, False
        return (size + 1, True) if going_up else (size - 1, False)

    def hand_size(self) -> int:
        """Return the number of cards of the present hand."""
        if self.sizes:
            return self.sizes[self.hand - 1]
        size, up = self.initial(), False
        for _ in range(self.hand - 1):
            size, up = self.size_after(size, up)
        return size

    def fixed_trump(self) -> str:
        """Return diamonds, the trumps of every hand."""
        return "D"

    def possible_bids(self) -> list[BidValue]:
        """Return the numbers, the hook applies to the dealer; and by agreement a double nil where 0 is allowed."""
        bids = super().possible_bids()
        return [*bids, DOUBLE_NIL] if self.options.get("double_nil") and 0 in bids else bids

    def score(self) -> None:
        """Score the hand in lives: a miss costs one, a double nil made gives one back; then continue or end."""
        self.points = {}
        for seat, bid in self.bids:
            change = 0
            wanted = 0 if bid == DOUBLE_NIL else bid
            if self.won(seat) != wanted:
                change = -1
            elif bid == DOUBLE_NIL and self.totals[seat] < self.lives:
                change = 1
            self.points[seat] = change
            self.totals[seat] += change
            if self.totals[seat] == 0:
                self.out_in[seat] = self.hand
        alive = [seat for seat in self.seats if self.totals[seat] > 0]
        if len(alive) <= 1 or (self.sizes and self.hand == len(self.sizes)):
            # The more lives the better; among those without, who lasted longer.
            keys = {seat: (self.totals[seat], self.out_in.get(seat, 0)) for seat in self.seats}
            self.finish(self.places(keys), None if alive else self.players)
        else:
            self.players = alive
            self.begin_hand()
