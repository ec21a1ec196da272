"""Israeli Whist: an auction for the trumps, then bids by the others; exact bids score, thirteen cards each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from table.cards import pack
from table.games.engine import option_checks as checks
from table.games.engine import shared_rules as shared
from table.games.engine.game_state import State
from table.games.engine.option_checks import option
from table.games.engine.ruleset import Bidding, GameOptions, GameSpec, Rules
from table.phrase import WrongValueError

HAND_SIZE = 13
LOWEST_AUCTION_BID = 5
GULASH_CARDS = 3
"""Gulash: the cards that each player hands to the left."""
GULASH_COUNTS = {"off": 0, "plain": 2, "rising": 3}
"""How often cards are handed on before the hand is dealt again."""
PROPOSED_TARGET = 300


_gulash = checks.one_of(*GULASH_COUNTS)
gulash_check = checks.Check(
    _gulash.kind, lambda value: _gulash.takes("off" if value is False else value), _gulash.choices
)
"""The check of the option ``gulash``; ``off`` may be written as false."""


@dataclass(frozen=True, kw_only=True)
class IsraeliWhistOptions(GameOptions):
    """The options of Israeli Whist."""

    target: int | None = option(checks.optional_value(checks.whole_number_from(1, range(50, 1001, 50))))
    """A player who reaches it ends the game; players have to agree on it."""
    gulash: str = option(gulash_check, "off")
    """When all pass: three cards to the left and a new auction; rising: from 6, 7, 8."""
    scoring: str = option(checks.one_of("standard", "elhanani"), "standard")
    """10 and the square, or Yoni Elhanani's."""

    def settle(self, players: int) -> Self:
        """Check the options: a target must be agreed, unless a list of hands ends the game."""
        checks.check_hand_sizes(self.hands or (), players, 52)
        if self.hands is None and self.target is None:
            raise WrongValueError("option.target", at=checks.option_place("target"), proposed=PROPOSED_TARGET)
        return self

    def make_rules(self) -> Rules:
        """Make the rules of Israeli Whist from its settled options."""
        return Rules(
            min_players=4,
            pack=pack(),
            hand_size=self.hand_size,
            cards_to_pass=self.cards_to_pass,
            bidding=Bidding.AUCTION,
            lowest_auction_bid=self.lowest_auction_bid,
            first_bidder=lambda state: state.left_of(shared.auction_declarer(state)),
            has_hook=True,
            first_leader=shared.auction_declarer,
            score=self.score,
            is_finished=lambda state: self.is_target_reached(state) and len(leaders(state)) == 1,
            tied_players=self.tied_players,
        )

    def hand_size(self, state: State, number: int) -> int | None:
        """Return thirteen, or the size from the list; after the list hands go on while players are tied for first."""
        if self.hands is None or number <= len(self.hands):
            return HAND_SIZE if self.hands is None else self.hands[number - 1]
        return None if len(leaders(state)) == 1 else self.hands[-1]

    def cards_to_pass(self, state: State) -> int:
        """Return the cards of a gulash: three when all have passed, so many times in a hand."""
        left = GULASH_COUNTS[self.gulash] - state.card_passes
        return min(GULASH_CARDS, state.cards) if state.is_passed_out and left > 0 else 0

    def lowest_auction_bid(self, state: State) -> int:
        """Return five tricks, perhaps one more after each passing of cards; in a smaller hand all there are."""
        more = state.card_passes if self.gulash == "rising" else 0
        return min(LOWEST_AUCTION_BID + more, state.cards)

    def score(self, state: State, seat: str) -> int:
        """Return a player's points; by Yoni Elhanani's scoring nobody scores when all fail."""
        bid, tricks = state.tricks_bid(seat), state.tricks_won(seat)
        over = sum(state.tricks_bid(player) for player in state.players) > state.cards
        if self.scoring == "standard":
            return standard_points(bid, tricks, over=over)
        anybody_made = any(state.made_bid(player) for player in state.players)
        return elhanani_points(bid, tricks, over=over) if anybody_made else 0

    def is_target_reached(self, state: State) -> bool:
        """Return whether any player has had as many points as the target."""
        target, totals = self.target, (total for result in state.results for total in result.totals.values())
        return target is not None and any(total >= target for total in totals)

    def tied_players(self, state: State) -> tuple[str, ...]:
        """Return those who share the lead when hands are over or the target is reached."""
        is_over = self.hands is not None and len(state.counted_results) >= len(self.hands)
        first = leaders(state) if is_over or self.is_target_reached(state) else ()
        return first if len(first) > 1 else ()

    def rules_page_values(self) -> dict[str, Any]:
        """Return the lowest bid of the auction."""
        return {"lowest": LOWEST_AUCTION_BID}


def leaders(state: State) -> tuple[str, ...]:
    """Return the players with the most points."""
    most = max(state.totals.values())
    return tuple(seat for seat, total in state.totals.items() if total == most)


# --- scores -----------------------------------------------------------------------------------------------


def standard_points(bid: int, tricks: int, *, over: bool) -> int:
    """Return 10 and the square, -10 a trick off; zero 30 over, 50 under; a failed zero is not capped."""
    if bid == 0:
        if tricks == 0:
            return 30 if over else 50
        return -50 + 10 * (tricks - 1)
    return 10 + bid * bid if bid == tricks else -10 * abs(bid - tricks)


def elhanani_points(bid: int, tricks: int, *, over: bool) -> int:
    """Return the square, -5 a trick off; zero 25 over, 50 under; a failed zero -25 and -5 a trick."""
    if bid == 0:
        if tricks == 0:
            return 25 if over else 50
        return -25 - 5 * tricks
    return bid * bid if bid == tricks else -5 * abs(bid - tricks)


ISRAELI_WHIST = GameSpec(
    name="israeli-whist",
    seat_range=(4, 4),
    options=IsraeliWhistOptions,
    proposed=IsraeliWhistOptions(target=PROPOSED_TARGET),
    # The auction begins at five tricks.
    short_game_hands=(HAND_SIZE,),
    presets={
        "usual": IsraeliWhistOptions(),
        "short": IsraeliWhistOptions(target=100),
        "gulash": IsraeliWhistOptions(gulash="plain"),
        "rising": IsraeliWhistOptions(gulash="rising"),
        "elhanani": IsraeliWhistOptions(scoring="elhanani"),
    },
)
