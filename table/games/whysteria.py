"""Whysteria, by Ben Finn: anyone may bid and lead when they want to; spades are trumps; 1 for an exact bid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table.cards import pack
from table.games.base import State
from table.games.choices import (
    always,
    always_as_many,
    down_up,
    left_of_dealer,
    left_of_last_bidder,
    left_of_winner,
    listed,
    one_card,
)
from table.games.options import FIRST_DEALER, HANDS, Option, check_sizes, off_or, one_of, option, truth, whole
from table.games.rules import Bidding, Kind, Preset, Rules
from table.phrase import WrongValueError

LONG_GAME_PLAYERS = 5
"""A game that starts with ten cards is for two to five players."""

OPTIONS = (
    HANDS,
    FIRST_DEALER,
    # The cards of the first and the last hand.
    Option("start", one_of(7, 10), 7),
    # Every hand of as many, until the players end the game.
    Option("constant", off_or(whole(1)), None),
    # Of tied leads the card underneath stays on the mark; else all tied cards go back.
    Option("mark", truth, True),
)


def settle(players: int, options: dict[str, Any]) -> dict[str, Any]:
    """Hands by the list, else constant, else from ``start`` down to one and back."""
    constant, hands = options["constant"], options["hands"]
    if options["start"] == 10 and players > LONG_GAME_PLAYERS:
        raise WrongValueError("option.long_game", at=option("start"), most=LONG_GAME_PLAYERS, players=players)
    if constant is not None and hands is not None:
        raise WrongValueError("option.hands_too", at=option("constant"))
    if constant is not None:
        check_sizes([constant], players, 52, name="constant")
        return options
    check_sizes(hands or [], players, 52)
    return {**options, "hands": hands or down_up(options["start"])}


def rules(options: Mapping[str, Any]) -> Rules:
    """The rules by the options."""
    constant: int | None = options["constant"]
    return Rules(
        fewest=2,
        pack=pack(),
        cards=listed(options["hands"]) if constant is None else always_as_many(constant),
        trumps=always("S"),
        forehead=one_card,
        bidding=Bidding.FREELY,
        first_bidder=left_of_dealer,
        hook=True,
        free_leads=True,
        first_leader=left_of_last_bidder,
        later_leader=left_of_winner,
        mark=options["mark"],
        points=one_for_an_exact_bid,
    )


def one_for_an_exact_bid(state: State, seat: str) -> int:
    """1 for winning the number of tricks bid, otherwise 0."""
    return int(state.made(seat))


def page(options: Mapping[str, Any]) -> dict[str, Any]:
    """What the page of rules speaks of."""
    return {"one_card": 1 in (options["hands"] or [options["constant"]])}


WHYSTERIA = Kind(
    name="whysteria",
    seat_range=(2, 7),
    options_offered=OPTIONS,
    settle=settle,
    rules=rules,
    page=page,
    presets=(
        Preset("usual"),
        Preset("long", {"start": 10}),
        Preset("constant", {"constant": 7}),
        Preset("without_mark", {"mark": False}),
    ),
)
