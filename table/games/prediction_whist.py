"""Prediction Whist: diamonds are trumps, the last bidder is the dealer and hooked; a miss costs a life."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from table.cards import pack
from table.events.game_events import BidValue
from table.games.engine.game_state import DOUBLE_NIL, State
from table.games.engine.option_checks import (
    FIRST_DEALER,
    HANDS,
    Option,
    check_hand_sizes,
    one_of,
    optional_value,
    true_or_false,
    whole_number_from,
)
from table.games.engine.ruleset import Bidding, GameSpec, Preset, Rules
from table.games.engine.shared_rules import (
    bids_up_to_tricks,
    elimination_by_lives,
    fixed_trump,
    last_trick_winner,
    left_of_dealer,
    listed_sizes,
)

USUAL_START = 7

OPTIONS = (
    HANDS,
    FIRST_DEALER,
    # How many lives each player starts with.
    Option("lives", whole_number_from(1), 3),
    # The first hand; seven cards, or what the pack allows, where it is left out.
    Option("start", optional_value(whole_number_from(1)), None),
    # After a hand of one card: back to the start at once, or by steps.
    Option("return", one_of("jump", "climb"), "jump"),
    # A zero bid before looking gives a life back when made.
    Option("double_nil", true_or_false, False),
)


def settle_options(players: int, options: dict[str, Any]) -> dict[str, Any]:
    """Check Prediction Whist's options, and fill in the size of the first hand by the number of players."""
    start = options["start"] or min(USUAL_START, 52 // players)
    check_hand_sizes([start], players, 52, name="start")
    check_hand_sizes(options["hands"] or [], players, 52)
    return {**options, "start": start}


def make_rules(options: Mapping[str, Any]) -> Rules:
    """Make the rules of Prediction Whist from its settled options."""
    hands, start = options["hands"], options["start"]
    repeating = jumping_sizes(start) if options["return"] == "jump" or start == 1 else climbing_sizes(start)
    return Rules(
        min_players=2,
        pack=pack(),
        hand_size=repeating if hands is None else listed_sizes(hands),
        fixed_trump=fixed_trump("D"),
        bidding=Bidding.IN_TURN,
        first_bidder=left_of_dealer,
        possible_bids=bids_with_double_nil if options["double_nil"] else bids_up_to_tricks,
        has_hook=True,
        first_leader=left_of_dealer,
        next_leader=last_trick_winner,
        score=score_lives(options["lives"]),
        start_total=options["lives"],
        elimination_tally=elimination_by_lives(options["lives"]),
    )


def jumping_sizes(start: int) -> Callable[[State, int], int]:
    """Make the rule for hand sizes from ``start`` down to one, again and again."""
    return lambda state, number: start - (number - 1) % start


def climbing_sizes(start: int) -> Callable[[State, int], int]:
    """Make the rule for hand sizes ``start`` ... 1 ... ``start`` ...

    The size is the distance to the nearest turning point of a wave.
    """
    return lambda state, number: 1 + abs(start - 1 - (number - 1) % (2 * start - 2))


def bids_with_double_nil(state: State) -> tuple[BidValue, ...]:
    """Return the bids from 0 to all tricks, and Double Nil, which counts 0 in the sum."""
    return (*bids_up_to_tricks(state), DOUBLE_NIL)


def score_lives(most: int) -> Callable[[State, str], int]:
    """Make the scoring rule: a miss costs a life, and a Double Nil made gains one.

    Points: -1 for a miss; +1 for a Double Nil made, up to ``most`` lives (the starting number); else 0.
    """

    def points(state: State, seat: str) -> int:
        if not state.made_bid(seat):
            return -1
        return int(state.bids_by_seat[seat] == DOUBLE_NIL and state.totals[seat] < most)

    return points


PREDICTION_WHIST = GameSpec(
    name="prediction-whist",
    # "More than 7": as many as can be dealt two cards each.
    seat_range=(2, 26),
    option_specs=OPTIONS,
    settle_options=settle_options,
    make_rules=make_rules,
    presets=(
        Preset("usual"),
        Preset("five_lives", {"lives": 5}),
        Preset("climb", {"return": "climb"}),
        Preset("double_nil", {"double_nil": True}),
    ),
)
