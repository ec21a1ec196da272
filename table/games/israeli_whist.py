"""Israeli Whist: an auction for the trumps, then bids by the others; exact bids score, thirteen cards each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from table.cards import pack
from table.games.engine.game_state import State
from table.games.engine.option_checks import (
    FIRST_DEALER,
    HANDS,
    Check,
    Option,
    check_hand_sizes,
    one_of,
    option_place,
    optional_value,
    whole_number_from,
)
from table.games.engine.ruleset import Bidding, GameSpec, Preset, Rules
from table.games.engine.shared_rules import (
    auction_declarer,
    last_trick_winner,
    left_of_declarer,
    no_fixed_trump,
)
from table.phrase import WrongValueError

HAND_SIZE = 13
LOWEST_AUCTION_BID = 5
"""The lowest number of tricks in the auction."""
GULASH_CARDS = 3
"""Gulash: the cards that each player hands to the left."""
GULASH_COUNTS = {"off": 0, "plain": 2, "rising": 3}
"""How often cards are handed on before the hand is dealt again."""
PROPOSED_TARGET = 300


def _check_gulash(value: Any) -> Any:
    return one_of(*GULASH_COUNTS)("off" if value is False else value)


gulash_check = Check(one_of(*GULASH_COUNTS).kind, _check_gulash)
"""The check of the option ``gulash``; ``off`` may be written as false."""

OPTIONS = (
    HANDS,
    FIRST_DEALER,
    # A player who reaches it ends the game; players have to agree on it.
    Option("target", optional_value(whole_number_from(1)), None),
    # When all pass: three cards to the left and a new auction; rising: from 6, 7, 8.
    Option("gulash", gulash_check, "off"),
    # 10 and the square, or Yoni Elhanani's.
    Option("scoring", one_of("standard", "elhanani"), "standard"),
)


def settle_options(players: int, options: dict[str, Any]) -> dict[str, Any]:
    """Check Israeli Whist's options: a target must be agreed, unless a list of hands ends the game."""
    check_hand_sizes(options["hands"] or [], players, 52)
    if options["hands"] is None and options["target"] is None:
        raise WrongValueError("option.target", at=option_place("target"), proposed=PROPOSED_TARGET)
    return options


def make_rules(options: Mapping[str, Any]) -> Rules:
    """Make the rules of Israeli Whist from its settled options."""
    return Rules(
        min_players=4,
        pack=pack(),
        hand_size=sizes_until_one_leads(options["hands"]),
        fixed_trump=no_fixed_trump,
        cards_to_pass=gulash_rule(GULASH_COUNTS[options["gulash"]]),
        bidding=Bidding.AUCTION,
        lowest_auction_bid=lowest_bid_rising if options["gulash"] == "rising" else lowest_bid_five,
        first_bidder=left_of_declarer,
        has_hook=True,
        first_leader=auction_declarer,
        next_leader=last_trick_winner,
        score=SCORING_RULES[options["scoring"]],
        is_finished=finish_at_target(options["target"]),
        tied_players=tied_at_end(options["hands"], options["target"]),
    )


# --- the hands and the end --------------------------------------------------------------------------------


def sizes_until_one_leads(hands: list[int] | None) -> Callable[[State, int], int | None]:
    """Make the rule for hand sizes: thirteen, or those of the list; further hands while players are tied for first."""

    def cards(state: State, number: int) -> int | None:
        if hands is None:
            return HAND_SIZE
        if number <= len(hands):
            return hands[number - 1]
        return None if has_single_leader(state) else hands[-1]

    return cards


def finish_at_target(target: int | None) -> Callable[[State], bool]:
    """Make the rule that the game ends when somebody has reached the target and one player alone is the highest."""

    def finished(state: State) -> bool:
        return is_target_reached(target, state) and has_single_leader(state)

    return finished


def tied_at_end(hands: list[int] | None, target: int | None) -> Callable[[State], tuple[str, ...]]:
    """Make the rule for the tied players: those who share the lead when hands are over or the target is reached."""

    def level(state: State) -> tuple[str, ...]:
        played = hands is not None and len(state.counted_results) >= len(hands)
        return (
            leaders(state)
            if (played or is_target_reached(target, state)) and not has_single_leader(state)
            else ()
        )

    return level


def is_target_reached(target: int | None, state: State) -> bool:
    """Return whether any player has had as many points as the target."""
    totals = (total for result in state.results for total in result.totals.values())
    return target is not None and any(total >= target for total in totals)


def has_single_leader(state: State) -> bool:
    """Return whether one player alone has the most points."""
    return len(leaders(state)) == 1


def leaders(state: State) -> tuple[str, ...]:
    """Return the players with the most points."""
    most = max(state.totals.values())
    return tuple(seat for seat, total in state.totals.items() if total == most)


# --- the auction ------------------------------------------------------------------------------------------


def lowest_bid_five(state: State) -> int:
    """Return the lowest auction bid: five tricks, or all there are in a smaller hand."""
    return min(LOWEST_AUCTION_BID, state.cards)


def lowest_bid_rising(state: State) -> int:
    """Return the lowest auction bid: five tricks, and one more after each passing of cards."""
    return min(LOWEST_AUCTION_BID + state.card_passes, state.cards)


def gulash_rule(most: int) -> Callable[[State], int]:
    """Make the rule for gulash: when all have passed, three cards go to the left, at most ``most`` times in a hand."""

    def passes(state: State) -> int:
        return min(GULASH_CARDS, state.cards) if state.is_passed_out and state.card_passes < most else 0

    return passes


# --- scores -----------------------------------------------------------------------------------------------


def score_standard(state: State, seat: str) -> int:
    """Return a player's points by the source's scoring, which depends on whether the hand is over or under."""
    return standard_points(state.tricks_bid(seat), state.tricks_won(seat), over=is_overbid(state))


def score_elhanani(state: State, seat: str) -> int:
    """Return a player's points by Yoni Elhanani's scoring: when all fail nobody scores."""
    if not any(state.made_bid(player) for player in state.players):
        return 0
    return elhanani_points(state.tricks_bid(seat), state.tricks_won(seat), over=is_overbid(state))


def is_overbid(state: State) -> bool:
    """Return whether more tricks have been bid than there are."""
    return sum(state.tricks_bid(seat) for seat in state.players) > state.cards


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


def rules_page_values(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that Israeli Whist's page of rules may name."""
    return {"lowest": LOWEST_AUCTION_BID}


SCORING_RULES = {"standard": score_standard, "elhanani": score_elhanani}

ISRAELI_WHIST = GameSpec(
    name="israeli-whist",
    seat_range=(4, 4),
    option_specs=OPTIONS,
    settle_options=settle_options,
    make_rules=make_rules,
    rules_page_values=rules_page_values,
    proposed_options={"target": PROPOSED_TARGET},
    # The auction begins at five tricks.
    short_game_hands=(HAND_SIZE,),
    presets=(
        Preset("usual"),
        Preset("short", {"target": 100}),
        Preset("gulash", {"gulash": "plain"}),
        Preset("rising", {"gulash": "rising"}),
        Preset("elhanani", {"scoring": "elhanani"}),
    ),
)
