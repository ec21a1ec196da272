"""Whysteria, by Ben Finn: anyone may bid and lead when they want to; spades are trumps; 1 for an exact bid."""

from __future__ import annotations

from typing import ClassVar

from table.games.accounts import page
from table.games.base import Option, State
from table.games.core import TrickGame
from table.games.options import (
    FIRST_DEALER,
    HANDS,
    check_sizes,
    down_up,
    off_or,
    one_of,
    truth,
    whole,
)
from table.games.state import TableState, own

LONG_GAME_PLAYERS = 5
"""A game that starts with ten cards is for two to five players."""


class Whysteria(TrickGame):
    """The rules of one game of Whysteria."""

    name: ClassVar[str] = "whysteria"
    title: ClassVar[str] = "Whysteria"
    seat_range: ClassVar[tuple[int, int]] = (2, 7)
    free: ClassVar[bool] = True
    options_offered: ClassVar[tuple[Option, ...]] = (
        HANDS,
        FIRST_DEALER,
        Option("start", "7, or 10 with two to five players", 7, "the cards of the first and the last hand"),
        Option(
            "constant",
            "a number of cards, or 0 for none",
            None,
            "every hand of this many cards, until the players end the game",
        ),
        Option(
            "mark",
            "true or false",
            True,
            "true: of tied leads the card underneath stays on the mark; false: all tied cards go back",
        ),
    )
    checks: ClassVar = {
        "start": one_of(7, 10),
        "constant": off_or(whole(1)),
        "mark": truth,
    }

    def settle_options(self) -> None:
        """Hands by the list, else constant, else from ``start`` down to one and back."""
        options, players = self.options, len(self.seats)
        if options["start"] == 10 and players > LONG_GAME_PLAYERS:
            raise ValueError(
                f"whysteria: option start: 10 cards are for 2 to {LONG_GAME_PLAYERS} players, "
                f"not {players} (expected 7)"
            )
        constant, hands = options["constant"], options["hands"]
        if constant is not None and hands is not None:
            raise ValueError(
                "whysteria: option constant: a list of hands was given too (expected one of the two)"
            )
        if constant is not None:
            check_sizes("whysteria", [constant], players, 52, option="constant")
        elif hands is None:
            hands = list(down_up(options["start"]))
        else:
            check_sizes("whysteria", hands, players, 52)
        self.options = {**options, "hands": hands}

    def size_of(self, state: TableState, number: int) -> int | None:
        """The list's ``number``-th hand; without end when constant."""
        constant: int | None = self.options["constant"]
        if constant is not None:
            return constant
        hands: list[int] = self.options["hands"]
        return hands[number - 1] if number <= len(hands) else None

    def trump_of(self, state: TableState) -> str | None:
        """Spades are always trumps."""
        return "S"

    def first_leader(self, state: TableState) -> str:
        """The default leader is the player to the left of the last bidder."""
        return self.after(state.bids[-1][0], state)

    def later_leader(self, state: TableState, winner: str) -> str:
        """The default leader is the player to the left of the last trick's winner."""
        return self.after(winner, state)

    def points(self, state: TableState) -> dict[str, int]:
        """1 for each player who won the number of tricks bid, otherwise 0."""
        bids = state.bid_of
        return {seat: int(state.won(seat) == bids[seat]) for seat in state.players}

    def on_forehead(self, state: State) -> bool:
        """The one-card hand is held to the forehead."""
        return own(state).cards == 1

    def account(self) -> str:
        """The rules as played with these options, a page of plain text."""
        options = self.options
        if options["constant"] is not None:
            hands = [
                f"Every hand has {options['constant']} cards. The players end the game when they like; then",
                "the highest score wins.",
            ]
        else:
            hands = [
                f"Hands of {', '.join(map(str, options['hands']))} cards. After the last one the highest score",
                "wins; equal scores share the win.",
            ]
        if options["mark"]:
            tied = [
                "Leads at the same time: the card underneath was first and stays on the mark; the others take",
                "theirs back and may play another when their turn comes. Where the cards lie apart and none was",
                "plainly first, all go back and the default leader must lead.",
            ]
        else:
            tied = [
                "Leads at the same time: all go back and the default leader must lead; when their turn comes the",
                "players may play another card.",
            ]
        one_card = [
            "Hands of one card: nobody looks at the own card; all hold it to the forehead on a count of three,",
            "then bid and play.",
        ]
        if 1 not in (options["hands"] or [options["constant"]]):
            one_card = []
        rows = [
            f"Whysteria (Ben Finn), {len(self.seats)} players, 52 cards, aces high, spades are always trumps.",
            "",
            *hands,
            f"{options['first_dealer']} deals first, then the player to the left. The dealer raps when all is dealt.",
            "",
            "Aim: say how many tricks you will win, and win exactly that many.",
            "",
            "Bidding. Anyone bids at any time, from 0 to the number of cards, once. If nobody else wants to, they",
            "rap; then the player to the left of the last bidder (at first: of the dealer), passing over who has",
            "bid, must bid. The last to bid, whoever it is, may not make the sum of the bids equal to the number",
            "of tricks. Bids at the same time are void, and the default bidder must bid.",
            "",
            "Play. Anyone may lead, once the bidding is over or the last trick has been picked up. If nobody else",
            "wants to, they rap; then the player to the left of the last trick's winner (at first: of the last",
            "bidder) must lead. Play goes on to the left. Follow suit if you can; if not, play any card. The",
            "highest spade wins, else the highest card of the suit led.",
            "",
            *tied,
            "",
            "A card that proves an earlier failure to follow suit is announced; there is no other penalty.",
            "",
            *one_card,
            "",
            "Score: 1 for winning exactly the tricks bid, otherwise 0.",
        ]
        return page(rows)
