"""Whysteria, by Ben Finn: any player may bid and lead at any time; spades are trumps; 1 point for an exact bid."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

from table.cards import pack
from table.games.engine import option_checks as checks
from table.games.engine import shared_rules as shared
from table.games.engine.option_checks import option
from table.games.engine.ruleset import Bidding, GameOptions, GameSpec, Rules
from table.phrase import WrongValueError

LONG_GAME_PLAYERS = 5
"""The most players of a game that starts with ten cards (it is for two to five)."""


@dataclass(frozen=True, kw_only=True)
class WhysteriaOptions(GameOptions):
    """The options of Whysteria."""

    start: int = option(checks.one_of(7, 10), 7)
    """The cards of the first and the last hand."""
    constant: int | None = option(checks.off_or(checks.whole_number_from(1)))
    """Every hand of this size, until the players end the game."""
    mark: bool = option(checks.true_or_false, True)
    """The lowest of tied leads stays on the mark; else all tied cards go back."""

    def settle(self, players: int) -> Self:
        """Check the options, and fill in the hands: listed, constant, or from ``start`` down to one and back."""
        if self.start == 10 and players > LONG_GAME_PLAYERS:
            place = checks.option_place("start")
            raise WrongValueError("option.long_game", at=place, most=LONG_GAME_PLAYERS, players=players)
        if self.constant is None:
            checks.check_hand_sizes(self.hands or (), players, 52)
            return replace(self, hands=self.hands or shared.sizes_down_up(self.start))
        if self.hands is not None:
            raise WrongValueError("option.hands_too", at=checks.option_place("constant"))
        checks.check_hand_sizes([self.constant], players, 52, name="constant")
        return self

    def make_rules(self) -> Rules:
        """Make the rules of Whysteria from its settled options."""
        return Rules(
            min_players=2,
            pack=pack(),
            hand_size=shared.listed_sizes(self.hands) if self.hands else lambda state, number: self.constant,
            fixed_trump=lambda state: "S",
            on_forehead=lambda state: state.cards == 1,
            bidding=Bidding.FREELY,
            has_hook=True,
            free_leads=True,
            first_leader=lambda state: state.left_of(state.bids[-1][0]),
            next_leader=lambda state, winner: state.left_of(winner),
            keeps_lowest_lead=self.mark,
            score=lambda state, seat: int(state.made_bid(seat)),
            possible_scores=(0, 1),
        )

    def rules_page_values(self) -> dict[str, Any]:
        """Return whether there are hands of one card."""
        return {"one_card": 1 in (self.hands or [self.constant])}


WHYSTERIA = GameSpec(
    name="whysteria",
    seat_range=(2, 7),
    options=WhysteriaOptions,
    presets={
        "usual": WhysteriaOptions(),
        "long": WhysteriaOptions(start=10),
        "constant": WhysteriaOptions(constant=7),
        "without_mark": WhysteriaOptions(mark=False),
    },
)
