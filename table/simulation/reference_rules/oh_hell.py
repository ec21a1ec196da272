"""Reference rules of Oh Hell, from the full text (from its quick reference only the scoring ``quick``)."""

from __future__ import annotations

from typing import Any

from table.simulation.reference_rules.common import ReferenceGame, standard_pack


class OhHell(ReferenceGame):
    """Oh Hell by the reference rules. ``made``: number of made bids; ``out_in``: hand of going out (catastrophe)."""

    turns_one_up = True
    cards_in_play_off = 3
    places_played_off: int | None = 1

    def __init__(self, seats: list[str], options: dict[str, Any]) -> None:
        self.made = dict.fromkeys(seats, 0)
        self.out_in: dict[str, int] = {}
        # "If two players tie at the end of the match": for the win, or by agreement for whatever place.
        if options.get("tie_break") == "every":
            self.places_played_off = None
        super().__init__(seats, options)

    def pack(self) -> list[str]:
        """Return one pack or two, and a joker by agreement."""
        cards = standard_pack() * (self.options.get("packs") or 1)
        return [*cards, "JOKER"] if self.options.get("joker") else cards

    def sequence(self) -> list[int]:
        """Return the sizes of the hands; the largest is 10, or the most that the pack has for everybody."""
        if self.sizes:
            return self.sizes
        top = self.options.get("start") or 10
        while top * len(self.seats) + self.turned_up(top) > len(self.pack()):
            top -= 1
        down = list(range(top, 0, -1))
        up = down[::-1]
        shape = self.options.get("shape") or "down-up"
        return {"down": down, "up-down": up + down[1:], "down-up": down + up[1:]}[shape]

    def hand_size(self) -> int:
        """Return the size of the present hand; in a race the sequence begins again after its last one."""
        sizes = self.sequence()
        return self.cards_in_play_off if self.play_off else sizes[(self.hand - 1) % len(sizes)]

    def is_race(self) -> bool:
        """Return whether the "first player to make all of their hands wins": as many hands as the sequence has."""
        return self.options.get("nullo") == "race"

    def has_ended(self) -> bool:
        """Return whether no hand follows: all are played, or in a race somebody has made so many."""
        needed = len(self.sequence())
        return max(self.made.values()) >= needed if self.is_race() else self.hand == needed

    def turned_up(self, cards: int) -> int:
        """Return how many cards may have to be turned up in a hand of that size: a joker makes no trumps."""
        if self.has_no_trumps(cards) or self.options.get("trump") == "progressive":
            return 0
        return 2 if self.options.get("joker") else 1

    def has_no_trumps(self, cards: int) -> bool:
        """Return whether the size of a hand is a multiple of the agreed number."""
        every = int(self.options.get("no_trump_every") or 0)
        return every > 0 and cards % every == 0

    def fixed_trump(self) -> str | None:
        """Return no trumps for every n-th size, the next suit if trumps progress, else None (a card is turned up)."""
        if self.has_no_trumps(self.cards):
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
        """Return whether the cards are held to the forehead, by agreement: "in the final 1-card hand", or in all."""
        if self.cards != 1 or not self.options.get("forehead"):
            return False
        sizes = self.sequence()
        played = (self.hand - 1) % len(sizes) + 1
        return self.options["forehead"] != "final" or 1 not in sizes[played:]

    def exchanged(self) -> int:
        """Return the agreed number of cards passed to a neighbour; 0 if the players can't see their cards."""
        if self.on_forehead():
            # Nobody can choose a card without looking at it.
            return 0
        return int(self.options.get("exchange") or 0)

    def side_passed_to(self) -> str:
        """Return the side agreed on: "a neighbour" may be either, the same for all."""
        return "right" if self.options.get("exchange_to") == "right" else "left"

    def dealt(self) -> None:
        """Start the bidding after the deal, the turned-up card and the exchange; in nullo everybody has bid 0."""
        super().dealt()
        if self.options.get("nullo"):
            self.bids = [(seat, 0) for seat in self.round_from(self.default())]
            self.waits = "play"

    def has_hook(self) -> bool:
        """Return whether the hook applies to the dealer, who bids last: by agreement it does not."""
        return bool(self.options.get("hook", True))

    def points_for(self, bid: int, tricks: int) -> int:
        """Return the points of a hand for a bid and the tricks won."""
        scoring = self.options.get("scoring") or "standard"
        if scoring == "tricks" and tricks != bid:
            return tricks
        if tricks == bid:
            points = 10 + tricks
            if bid == 0 and scoring == "quick":
                points += 5
            if self.options.get("made_all_bonus") and bid == self.cards:
                points += 10
            return points
        if scoring == "harsh" or (scoring == "quick" and tricks < bid):
            return -10 * abs(bid - tricks)
        return 0

    def score(self) -> None:
        """Score points, made hands and faults; then start the next hand or end the game."""
        bids = {seat: int(bid) for seat, bid in self.bids}
        self.points = {seat: self.points_for(bid, self.won(seat)) for seat, bid in bids.items()}
        if self.play_off:
            # In nullo the made hand decides.
            made = {seat: int(self.won(seat) == 0) for seat in bids}
            self.after_play_off(made if self.options.get("nullo") else self.points)
            return
        for seat, bid in bids.items():
            self.totals[seat] += self.points[seat]
            self.made[seat] += self.won(seat) == bid
            self.faults[seat] += abs(bid - self.won(seat))
        if self.options.get("scoring") == "catastrophe":
            for seat in self.players:
                if self.faults[seat] >= 20:
                    self.out_in[seat] = self.hand
            self.players = [seat for seat in self.players if seat not in self.out_in]
        if len(self.players) <= 1 or self.has_ended():
            self.after_the_last_hand()
        else:
            self.begin_hand()

    def key(self, seat: str) -> tuple[int, int]:
        """Return the final ranking key of a seat: the points, or in nullo the made hands."""
        if self.options.get("nullo"):
            return (1, self.made[seat])
        return (1, self.totals[seat])

    def after_the_last_hand(self) -> None:
        """Rank the players; those tied for the first place play off (also if all went out at once)."""
        keys: dict[str, tuple[int, ...]] = {}
        for seat in self.seats:
            keys[seat] = self.key(seat)
            if seat in self.out_in:
                keys[seat] = (0, self.out_in[seat], self.key(seat)[1])
        self.decided = self.places(keys)
        self.settle()
