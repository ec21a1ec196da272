"""Oh Shit: all bid at once with their fists; an ace or the joker turned means no trumps; a revoke costs points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table.cards import pack
from table.games.base import HandResult, State, number_of
from table.games.choices import (
    every_place,
    in_play_offs,
    left_of_dealer,
    listed,
    not_fixed,
    suit_unless_ace,
    the_winner,
    up_down,
)
from table.games.jokers import BY_THREE_RULES
from table.games.options import FIRST_DEALER, HANDS, Option, check_sizes, one_of, truth
from table.games.rules import Bidding, Kind, Preset, Rules

PEAK = 9
DECIDER = 5
"""The cards of the deal that decides a tie."""
REVOKE = -5

OPTIONS = (
    HANDS,
    FIRST_DEALER,
    # Half a game: from nine cards down to one.
    Option("half", truth, False),
    # A joker is the highest trump; the pack of 63 has one anyway.
    Option("joker", truth, False),
    # 63: with 11 and 12 of all suits, 13 of the red ones and a joker.
    Option("pack", one_of(52, 63), 52),
)


def settle(players: int, options: dict[str, Any]) -> dict[str, Any]:
    """The hands: to nine cards, or as far as the pack goes, and back; or down only."""
    cards, hands = len(pack(options["pack"], joker=options["joker"])), options["hands"]
    check_sizes(hands or [], players, cards)
    peak = min(PEAK, cards // players)
    usual = list(range(peak, 0, -1)) if options["half"] else up_down(peak)
    return {**options, "hands": hands or usual}


def rules(options: Mapping[str, Any]) -> Rules:
    """The rules by the options."""
    return Rules(
        fewest=3,
        pack=pack(options["pack"], joker=options["joker"]),
        cards=listed(options["hands"]),
        # Where the stock is used up the dealer shows the own last card for trumps.
        trumps=not_fixed,
        turned=suit_unless_ace,
        bidding=Bidding.AT_ONCE,
        hook=False,
        first_leader=left_of_dealer,
        later_leader=the_winner,
        joker=BY_THREE_RULES,
        points=by_contract,
        rank=by_total_and_contracts,
        ties=every_place,
        decider=DECIDER,
    )


# --- scores -----------------------------------------------------------------------------------------------


def by_contract(state: State, seat: str) -> int:
    """What the contract brings; a revoke makes it -5, or leaves what is worse."""
    return points_for(state.tricks_bid(seat), state.won(seat), revoked=state.has_revoked(seat))


def points_for(bid: int, tricks: int, *, revoked: bool) -> int:
    """10 and a trick each for an exact contract, 5 for zero; over: the tricks; under: what is short."""
    if tricks < bid:
        points = tricks - bid
    elif tricks > bid:
        points = tricks
    else:
        points = 10 + tricks if bid else 5
    return min(points, REVOKE) if revoked else points


def by_total_and_contracts(state: State, seat: str) -> Any:
    """The points, then the three tie-breaks, then the deals that decided."""
    return (state.totals[seat], *tie_breaks(state.counting, seat), in_play_offs(state, seat))


def tie_breaks(results: tuple[HandResult, ...], seat: str) -> tuple[int, int, int]:
    """Contracts fulfilled, winning ones fulfilled, fulfilled or exceeded; a revoke counts as unfulfilled."""
    contracts = [
        (number_of(result.bids[seat]), result.tricks[seat])
        for result in results
        if seat in result.bids and seat not in result.revoked
    ]
    return (
        sum(bid == tricks for bid, tricks in contracts),
        sum(bid == tricks and bid > 0 for bid, tricks in contracts),
        sum(bid <= tricks for bid, tricks in contracts),
    )


def page(options: Mapping[str, Any]) -> dict[str, Any]:
    """What the page of rules speaks of."""
    return {"decider": DECIDER, "joker": options["joker"] or options["pack"] == 63}


OH_SHIT = Kind(
    name="oh-shit",
    seat_range=(3, 7),
    options_offered=OPTIONS,
    settle=settle,
    rules=rules,
    page=page,
    presets=(
        Preset("usual"),
        Preset("half", {"half": True}),
        Preset("joker", {"joker": True}),
        Preset("large_pack", {"pack": 63}),
    ),
)
