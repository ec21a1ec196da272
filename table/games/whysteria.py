"""Whysteria, by Ben Finn: any player may bid and lead at any time; spades are trumps; 1 point for an exact bid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table.cards import pack
from table.games.engine.game_state import State
from table.games.engine.option_checks import (
    FIRST_DEALER,
    HANDS,
    Option,
    check_hand_sizes,
    off_or,
    one_of,
    option_place,
    true_or_false,
    whole_number_from,
)
from table.games.engine.ruleset import Bidding, GameSpec, Preset, Rules
from table.games.engine.shared_rules import (
    constant_size,
    fixed_trump,
    is_one_card_hand,
    left_of_dealer,
    left_of_last_bidder,
    left_of_winner,
    listed_sizes,
    sizes_down_up,
)
from table.phrase import WrongValueError

LONG_GAME_PLAYERS = 5
"""The most players of a game that starts with ten cards (it is for two to five)."""

OPTIONS = (
    HANDS,
    FIRST_DEALER,
    # The cards of the first and the last hand.
    Option("start", one_of(7, 10), 7),
    # Every hand of this size, until the players end the game.
    Option("constant", off_or(whole_number_from(1)), None),
    # The lowest of tied leads stays on the mark; else all tied cards go back.
    Option("mark", true_or_false, True),
)


def settle_options(players: int, options: dict[str, Any]) -> dict[str, Any]:
    """Check Whysteria's options, and fill in the hands: listed, constant, or from ``start`` down to one and back."""
    constant, hands = options["constant"], options["hands"]
    if options["start"] == 10 and players > LONG_GAME_PLAYERS:
        raise WrongValueError(
            "option.long_game", at=option_place("start"), most=LONG_GAME_PLAYERS, players=players
        )
    if constant is not None and hands is not None:
        raise WrongValueError("option.hands_too", at=option_place("constant"))
    if constant is not None:
        check_hand_sizes([constant], players, 52, name="constant")
        return options
    check_hand_sizes(hands or [], players, 52)
    return {**options, "hands": hands or sizes_down_up(options["start"])}


def make_rules(options: Mapping[str, Any]) -> Rules:
    """Make the rules of Whysteria from its settled options."""
    constant: int | None = options["constant"]
    return Rules(
        min_players=2,
        pack=pack(),
        hand_size=listed_sizes(options["hands"]) if constant is None else constant_size(constant),
        fixed_trump=fixed_trump("S"),
        on_forehead=is_one_card_hand,
        bidding=Bidding.FREELY,
        first_bidder=left_of_dealer,
        has_hook=True,
        free_leads=True,
        first_leader=left_of_last_bidder,
        next_leader=left_of_winner,
        keeps_lowest_lead=options["mark"],
        score=score_exact_bid,
    )


def score_exact_bid(state: State, seat: str) -> int:
    """Return 1 point for winning exactly the number of tricks bid, otherwise 0."""
    return int(state.made_bid(seat))


def rules_page_values(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that Whysteria's page of rules may name."""
    return {"one_card": 1 in (options["hands"] or [options["constant"]])}


WHYSTERIA = GameSpec(
    name="whysteria",
    seat_range=(2, 7),
    option_specs=OPTIONS,
    settle_options=settle_options,
    make_rules=make_rules,
    rules_page_values=rules_page_values,
    presets=(
        Preset("usual"),
        Preset("long", {"start": 10}),
        Preset("constant", {"constant": 7}),
        Preset("without_mark", {"mark": False}),
    ),
)
