"""Prediction Whist: diamonds are trumps, the last bidder is the dealer and hooked; a miss costs a life."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from table.cards import DOUBLE_NIL, BidValue, pack
from table.games.engine import option_checks as checks
from table.games.engine import shared_rules as shared
from table.games.engine.game_state import EliminationTally, State
from table.games.engine.option_checks import option
from table.games.engine.ruleset import Bidding, GameOptions, GameSpec, Rules

USUAL_START = 7


@dataclass(frozen=True, kw_only=True)
class PredictionWhistOptions(GameOptions):
    """The options of Prediction Whist."""

    lives: int = option(checks.whole_number_from(1, range(1, 11)), 3)
    """How many lives each player starts with."""
    start: int | None = option(checks.optional_value(checks.whole_number_from(1)))
    """The first hand; seven cards, or what the pack allows, where it is left out."""
    return_: str = option(checks.one_of("jump", "climb"), "jump")
    """After a hand of one card: back to the start at once, or by steps."""
    double_nil: bool = option(checks.true_or_false, False)
    """A zero bid before looking gives a life back when made."""

    def settle(self, players: int) -> Self:
        """Check the options, and fill in the size of the first hand by the number of players."""
        start = self.start or min(USUAL_START, 52 // players)
        checks.check_hand_sizes([start], players, 52, name="start")
        checks.check_hand_sizes(self.hands or (), players, 52)
        return replace(self, start=start)

    def make_rules(self) -> Rules:
        """Make the rules of Prediction Whist from its settled options."""
        return Rules(
            min_players=2,
            pack=pack(),
            hand_size=shared.listed_sizes(self.hands) if self.hands else self.repeating_size,
            fixed_trump=lambda state: "D",
            bidding=Bidding.IN_TURN,
            possible_bids=self.possible_bids,
            has_hook=True,
            score=self.score,
            possible_scores=(-1, 0, 1) if self.double_nil else (-1, 0),
            start_total=self.lives,
            elimination_tally=lambda state: EliminationTally("lives", state.totals, self.lives),
        )

    def repeating_size(self, state: State, number: int) -> int:
        """Return hand sizes from ``start`` down to one, again and again, or up again by steps.

        With steps the size is the distance to the nearest turning point of a wave.
        """
        start = self.start or USUAL_START
        if self.return_ == "jump" or start == 1:
            return start - (number - 1) % start
        return 1 + abs(start - 1 - (number - 1) % (2 * start - 2))

    def possible_bids(self, state: State) -> tuple[BidValue, ...]:
        """Return the bids from 0 to all tricks, and perhaps Double Nil, which counts 0 in the sum."""
        bids = shared.bids_up_to_tricks(state)
        return (*bids, DOUBLE_NIL) if self.double_nil else bids

    def score(self, state: State, seat: str) -> int:
        """Return -1 life for a miss; +1 for a Double Nil made, up to the starting number; else 0."""
        if not state.made_bid(seat):
            return -1
        return int(state.bids_by_seat[seat] == DOUBLE_NIL and state.totals[seat] < self.lives)


PREDICTION_WHIST = GameSpec(
    name="prediction-whist",
    # "More than 7": as many as can be dealt two cards each.
    seat_range=(2, 26),
    options=PredictionWhistOptions,
    presets={
        "usual": PredictionWhistOptions(),
        "five_lives": PredictionWhistOptions(lives=5),
        "climb": PredictionWhistOptions(return_="climb"),
        "double_nil": PredictionWhistOptions(double_nil=True),
    },
)
