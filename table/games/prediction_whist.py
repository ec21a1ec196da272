"""Prediction Whist: diamonds are trumps, the dealer bids last and is hooked; a miss costs a life."""

from __future__ import annotations

from typing import ClassVar

from table.events.happenings import BidValue
from table.events.kind import Said
from table.games.accounts import page
from table.games.base import Option, State, Tally
from table.games.core import TrickGame
from table.games.options import FIRST_DEALER, HANDS, check_sizes, left_out_or, one_of, truth, whole
from table.games.state import DOUBLE_NIL, TableState, number_of

USUAL_START = 7


class PredictionWhist(TrickGame):
    """The rules of one game of Prediction Whist; totals are the lives left."""

    name: ClassVar[str] = "prediction-whist"
    title: ClassVar[str] = "Prediction Whist"
    # "More than 7": as many as can be dealt two cards each.
    seat_range: ClassVar[tuple[int, int]] = (2, 26)
    options_offered: ClassVar[tuple[Option, ...]] = (
        HANDS,
        FIRST_DEALER,
        Option("lives", "a number of lives, at least 1", 3, "what each player starts with"),
        Option(
            "start", "a number of cards", None, "the first hand: 7, or what the pack allows for more than 7"
        ),
        Option(
            "return",
            "jump or climb",
            "jump",
            "after a hand of one card: back to the start at once, or by steps",
        ),
        Option("double_nil", "true or false", False, "zero bid before looking gives a life back when made"),
    )
    checks: ClassVar = {
        "lives": whole(1),
        "start": left_out_or(whole(1)),
        "return": one_of("jump", "climb"),
        "double_nil": truth,
    }

    def settle_options(self) -> None:
        """The first hand by the number of players."""
        players = len(self.seats)
        start = self.options["start"]
        if start is None:
            start = min(USUAL_START, 52 // players)
        check_sizes("prediction-whist", [start], players, 52, option="start")
        check_sizes("prediction-whist", self.options["hands"] or [], players, 52)
        self.options = {**self.options, "start": start}

    def size_of(self, state: TableState, number: int) -> int | None:
        """The list's ``number``-th hand, else down from ``start`` to one, again and again."""
        hands: list[int] | None = self.options["hands"]
        if hands is not None:
            return hands[number - 1] if number <= len(hands) else None
        start: int = self.options["start"]
        if self.options["return"] == "jump" or start == 1:
            return start - (number - 1) % start
        # start ... 1 ... start: the distance to the nearest turning point of a wave.
        return 1 + abs(start - 1 - (number - 1) % (2 * start - 2))

    def trump_of(self, state: TableState) -> str | None:
        """Diamonds are always trumps."""
        return "D"

    def bid_values(self, state: TableState, seat: str) -> tuple[BidValue, ...]:
        """0 to all, and Double Nil where it is played; that counts 0 in the sum."""
        values: tuple[BidValue, ...] = tuple(range(state.cards + 1))
        return (*values, DOUBLE_NIL) if self.options["double_nil"] else values

    def start_totals(self) -> dict[str, int]:
        """The lives to start with."""
        return dict.fromkeys(self.seats, int(self.options["lives"]))

    def points(self, state: TableState) -> dict[str, int]:
        """-1 for a miss; +1 for a Double Nil made, up to the starting number; else 0."""
        lives: int = self.options["lives"]
        bids = state.bid_of
        points = {}
        for seat in state.players:
            if number_of(bids[seat]) != state.won(seat):
                points[seat] = -1
            else:
                points[seat] = int(bids[seat] == DOUBLE_NIL and state.totals[seat] < lives)
        return points

    def extra_lines(self, state: TableState) -> list[Said]:
        """The lives left, and who has just gone out."""
        out = [seat for seat in state.players if state.totals[seat] <= 0]
        return [Said("lives", {"lives": dict(state.totals), "out": out})]

    def tally(self, state: State) -> Tally | None:
        """The lives left."""
        return Tally("lives", state.totals, int(self.options["lives"]))

    def living(self, state: TableState) -> tuple[str, ...]:
        """Who has lives left."""
        return tuple(seat for seat in self.seats if state.totals[seat] > 0)

    def finished(self, state: TableState) -> bool:
        """One alive, or none, ends the game."""
        return len(self.living(state)) < 2

    def ranking(self, state: TableState) -> list[list[str]]:
        """By lives; of those who are out or have left, who went earlier ranks lower."""
        return self.ranked(lambda seat: (self.lasted(state, seat), state.totals[seat]))

    def account(self) -> str:
        """The rules as played with these options, a page of plain text."""
        options = self.options
        if options["hands"] is not None:
            hands = (
                f"Hands of {', '.join(map(str, options['hands']))} cards; after the last one most lives win."
            )
        else:
            back = f"at once back to {options['start']}" if options["return"] == "jump" else "up again by one"
            hands = f"The first hand has {options['start']} cards, each next one a card less; after one card {back}."
        rows = [
            f"Prediction Whist, {len(self.seats)} players, 52 cards, aces high, diamonds are always trumps.",
            "",
            f"Everybody has {options['lives']} lives. {hands}",
            f"{options['first_dealer']} deals first, then the player to the left. The dealer raps when all is",
            "dealt.",
            "",
            "Bidding, from the dealer's left to the dealer: how many tricks you will win, from 0 to all. The",
            "dealer may",
            "not make the sum of the bids equal to the number of tricks.",
        ]
        if options["double_nil"]:
            rows += [
                "Double Nil is bid without having looked at the own cards (BID and RAP held together): made, it",
                "gives a",
                f"life back, up to {options['lives']}; failed, it costs one. It counts 0 in the sum.",
            ]
        rows += [
            "",
            "Play. The player to the dealer's left leads; then the winner of each trick. Follow suit if you can;",
            "if not,",
            "play any card. The highest diamond wins, else the highest card of the suit led.",
            "A card that proves an earlier failure to follow suit is announced; there is no other penalty.",
            "",
            "Who does not win exactly the tricks bid loses a life. Who has none left is out and is passed over.",
            "The last one alive wins. If the last ones all go out together it is a draw between them.",
            "",
        ]
        return page(rows)
