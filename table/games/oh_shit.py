"""Oh Shit: all bid at once with their fists; an ace or the joker turned means no trumps; a revoke costs points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table.cards import pack
from table.games.engine.game_state import HandResult, State, tricks_of_bid
from table.games.engine.joker_rules import BY_THREE_RULES
from table.games.engine.option_checks import (
    FIRST_DEALER,
    HANDS,
    Option,
    check_hand_sizes,
    one_of,
    true_or_false,
)
from table.games.engine.ruleset import Bidding, GameSpec, Preset, Rules
from table.games.engine.shared_rules import (
    last_trick_winner,
    left_of_dealer,
    listed_sizes,
    no_fixed_trump,
    play_off_every_place,
    play_off_points,
    sizes_up_down,
    suit_unless_ace,
)

PEAK = 9
DECIDER = 5
"""The cards of the deal that decides a tie."""
REVOKE = -5

OPTIONS = (
    HANDS,
    FIRST_DEALER,
    # Half a game: from nine cards down to one.
    Option("half", true_or_false, False),
    # With a joker, which is the highest trump; the pack of 63 always has one.
    Option("joker", true_or_false, False),
    # 63: with 11 and 12 of all suits, 13 of the red ones and a joker.
    Option("pack", one_of(52, 63), 52),
)


def settle_options(players: int, options: dict[str, Any]) -> dict[str, Any]:
    """Check Oh Shit's options, and fill in the hands: up to nine cards, or what the pack allows, and back or not."""
    cards, hands = len(pack(options["pack"], joker=options["joker"])), options["hands"]
    check_hand_sizes(hands or [], players, cards)
    peak = min(PEAK, cards // players)
    usual_hands = list(range(peak, 0, -1)) if options["half"] else sizes_up_down(peak)
    return {**options, "hands": hands or usual_hands}


def make_rules(options: Mapping[str, Any]) -> Rules:
    """Make the rules of Oh Shit from its settled options."""
    return Rules(
        min_players=3,
        pack=pack(options["pack"], joker=options["joker"]),
        hand_size=listed_sizes(options["hands"]),
        # Where no card is left in the stock the dealer shows the last card of his own hand for trumps.
        fixed_trump=no_fixed_trump,
        trump_of_turned_card=suit_unless_ace,
        bidding=Bidding.AT_ONCE,
        has_hook=False,
        first_leader=left_of_dealer,
        next_leader=last_trick_winner,
        joker_rules=BY_THREE_RULES,
        score=score_contract,
        ranking_key=rank_by_total_and_contracts,
        play_off_groups=play_off_every_place,
        play_off_cards=DECIDER,
    )


# --- scores -----------------------------------------------------------------------------------------------


def score_contract(state: State, seat: str) -> int:
    """Return a player's points for the contract; a revoke makes them -5, or leaves what is worse."""
    return points_for(state.tricks_bid(seat), state.tricks_won(seat), revoked=state.has_revoked(seat))


def points_for(bid: int, tricks: int, *, revoked: bool) -> int:
    """Return 10 and a trick each for an exact contract, 5 for zero; over: the tricks; under: minus the tricks short."""
    if tricks < bid:
        points = tricks - bid
    elif tricks > bid:
        points = tricks
    else:
        points = 10 + tricks if bid else 5
    return min(points, REVOKE) if revoked else points


def rank_by_total_and_contracts(state: State, seat: str) -> Any:
    """Return a player's ranking key: the points, then the three tie-breaks, then the deals that decided."""
    return (state.totals[seat], *tie_breaks(state.counted_results, seat), play_off_points(state, seat))


def tie_breaks(results: tuple[HandResult, ...], seat: str) -> tuple[int, int, int]:
    """Return a player's number of contracts fulfilled, winning ones fulfilled, and fulfilled or exceeded.

    A revoke counts as unfulfilled.
    """
    contracts = [
        (tricks_of_bid(result.bids[seat]), result.tricks[seat])
        for result in results
        if seat in result.bids and seat not in result.revoked
    ]
    return (
        sum(bid == tricks for bid, tricks in contracts),
        sum(bid == tricks and bid > 0 for bid, tricks in contracts),
        sum(bid <= tricks for bid, tricks in contracts),
    )


def rules_page_values(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that Oh Shit's page of rules may name."""
    return {"decider": DECIDER, "joker": options["joker"] or options["pack"] == 63}


OH_SHIT = GameSpec(
    name="oh-shit",
    seat_range=(3, 7),
    option_specs=OPTIONS,
    settle_options=settle_options,
    make_rules=make_rules,
    rules_page_values=rules_page_values,
    presets=(
        Preset("usual"),
        Preset("half", {"half": True}),
        Preset("joker", {"joker": True}),
        Preset("large_pack", {"pack": 63}),
    ),
)
