"""Prediction Whist: diamonds are trumps, the dealer bids last and is hooked; a miss costs a life."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from table.cards import pack
from table.events.happenings import BidValue
from table.games.base import DOUBLE_NIL, State
from table.games.choices import always, left_of_dealer, listed, lives, the_winner, up_to_the_cards
from table.games.options import (
    FIRST_DEALER,
    HANDS,
    Option,
    check_sizes,
    left_out_or,
    one_of,
    truth,
    whole,
)
from table.games.rules import Bidding, Kind, Preset, Rules

USUAL_START = 7

OPTIONS = (
    HANDS,
    FIRST_DEALER,
    # What each player starts with.
    Option("lives", whole(1), 3),
    # The first hand; seven cards, or what the pack allows, where it is left out.
    Option("start", left_out_or(whole(1)), None),
    # After a hand of one card: back to the start at once, or by steps.
    Option("return", one_of("jump", "climb"), "jump"),
    # A zero bid before looking gives a life back when made.
    Option("double_nil", truth, False),
)


def settle(players: int, options: dict[str, Any]) -> dict[str, Any]:
    """The first hand by the number of players."""
    start = options["start"] or min(USUAL_START, 52 // players)
    check_sizes([start], players, 52, name="start")
    check_sizes(options["hands"] or [], players, 52)
    return {**options, "start": start}


def rules(options: Mapping[str, Any]) -> Rules:
    """The rules by the options."""
    hands, start = options["hands"], options["start"]
    again = jumping(start) if options["return"] == "jump" or start == 1 else climbing(start)
    return Rules(
        fewest=2,
        pack=pack(),
        cards=again if hands is None else listed(hands),
        trumps=always("D"),
        bidding=Bidding.IN_TURN,
        first_bidder=left_of_dealer,
        bids=or_double_nil if options["double_nil"] else up_to_the_cards,
        hook=True,
        first_leader=left_of_dealer,
        later_leader=the_winner,
        points=a_life_for_a_miss(options["lives"]),
        start_total=options["lives"],
        tally=lives(options["lives"]),
    )


def jumping(start: int) -> Callable[[State, int], int]:
    """From ``start`` down to one, again and again."""
    return lambda state, number: start - (number - 1) % start


def climbing(start: int) -> Callable[[State, int], int]:
    """``start`` ... 1 ... ``start`` ...: the distance to the nearest turning point of a wave."""
    return lambda state, number: 1 + abs(start - 1 - (number - 1) % (2 * start - 2))


def or_double_nil(state: State) -> tuple[BidValue, ...]:
    """0 to all, or a Double Nil, which counts 0 in the sum."""
    return (*up_to_the_cards(state), DOUBLE_NIL)


def a_life_for_a_miss(most: int) -> Callable[[State, str], int]:
    """-1 for a miss; +1 for a Double Nil made, up to the starting number; else 0."""

    def points(state: State, seat: str) -> int:
        if not state.made(seat):
            return -1
        return int(state.bid_of[seat] == DOUBLE_NIL and state.totals[seat] < most)

    return points


PREDICTION_WHIST = Kind(
    name="prediction-whist",
    # "More than 7": as many as can be dealt two cards each.
    seat_range=(2, 26),
    options_offered=OPTIONS,
    settle=settle,
    rules=rules,
    presets=(
        Preset("usual"),
        Preset("five_lives", {"lives": 5}),
        Preset("climb", {"return": "climb"}),
        Preset("double_nil", {"double_nil": True}),
    ),
)
