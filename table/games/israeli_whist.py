"""Israeli Whist: an auction for the trumps, then bids by the others; exact bids score, thirteen cards each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from table.cards import pack
from table.games.base import State
from table.games.choices import left_of_declarer, not_fixed, the_declarer, the_winner
from table.games.options import (
    FIRST_DEALER,
    HANDS,
    Check,
    Option,
    check_sizes,
    left_out_or,
    one_of,
    option,
    whole,
)
from table.games.rules import Bidding, Kind, Preset, Rules
from table.phrase import WrongValueError

CARDS = 13
LOWEST = 5
"""The auction begins at five tricks."""
PASSED_ON = 3
"""Gulash: cards that each player hands to the left."""
GULASHES = {"off": 0, "plain": 2, "rising": 3}
"""How often, before the hand is dealt again."""
PROPOSED_TARGET = 300


def _gulash(value: Any) -> Any:
    return one_of(*GULASHES)("off" if value is False else value)


gulash = Check(one_of(*GULASHES).kind, _gulash)
"""``off`` may be written as false."""

OPTIONS = (
    HANDS,
    FIRST_DEALER,
    # Who reaches it ends the game; it is to be agreed on.
    Option("target", left_out_or(whole(1)), None),
    # When all pass: three cards to the left and a new auction; rising: from 6, 7, 8.
    Option("gulash", gulash, "off"),
    # 10 and the square, or Yoni Elhanani's.
    Option("scoring", one_of("standard", "elhanani"), "standard"),
)


def settle(players: int, options: dict[str, Any]) -> dict[str, Any]:
    """A target must be agreed, unless a list of hands ends the game."""
    check_sizes(options["hands"] or [], players, 52)
    if options["hands"] is None and options["target"] is None:
        raise WrongValueError("option.target", at=option("target"), proposed=PROPOSED_TARGET)
    return options


def rules(options: Mapping[str, Any]) -> Rules:
    """The rules by the options."""
    return Rules(
        fewest=4,
        pack=pack(),
        cards=until_one_leads(options["hands"]),
        trumps=not_fixed,
        passes=three_cards_when_passed_out(GULASHES[options["gulash"]]),
        bidding=Bidding.AUCTION,
        auction_from=rising_from_five if options["gulash"] == "rising" else five,
        first_bidder=left_of_declarer,
        hook=True,
        first_leader=the_declarer,
        later_leader=the_winner,
        points=SCORES[options["scoring"]],
        finished=never_before(options["target"]),
        level=level_at_the_end(options["hands"], options["target"]),
    )


# --- the hands, and the end -------------------------------------------------------------------------------


def until_one_leads(hands: list[int] | None) -> Callable[[State, int], int | None]:
    """Thirteen cards, or the list's hands; after it further hands while the first are tied."""

    def cards(state: State, number: int) -> int | None:
        if hands is None:
            return CARDS
        if number <= len(hands):
            return hands[number - 1]
        return None if one_leads(state) else hands[-1]

    return cards


def never_before(target: int | None) -> Callable[[State], bool]:
    """The game ends when somebody has reached the target, and one player alone is the highest."""

    def finished(state: State) -> bool:
        return reached(target, state) and one_leads(state)

    return finished


def level_at_the_end(hands: list[int] | None, target: int | None) -> Callable[[State], tuple[str, ...]]:
    """Who shares the lead, where the hands are played or the target is reached: one of them has to win."""

    def level(state: State) -> tuple[str, ...]:
        played = hands is not None and len(state.counting) >= len(hands)
        return leaders(state) if (played or reached(target, state)) and not one_leads(state) else ()

    return level


def reached(target: int | None, state: State) -> bool:
    """Whether somebody has had so many points."""
    totals = (total for result in state.results for total in result.totals.values())
    return target is not None and any(total >= target for total in totals)


def one_leads(state: State) -> bool:
    """Whether one player alone is the highest."""
    return len(leaders(state)) == 1


def leaders(state: State) -> tuple[str, ...]:
    """Who has the most points."""
    most = max(state.totals.values())
    return tuple(seat for seat, total in state.totals.items() if total == most)


# --- the auction ------------------------------------------------------------------------------------------


def five(state: State) -> int:
    """It begins at five tricks, or all there are in a smaller hand."""
    return min(LOWEST, state.cards)


def rising_from_five(state: State) -> int:
    """One more after each pass of cards."""
    return min(LOWEST + state.card_passes, state.cards)


def three_cards_when_passed_out(most: int) -> Callable[[State], int]:
    """Gulash: when all have passed three cards go to the left, at most so often in a hand."""

    def passes(state: State) -> int:
        return min(PASSED_ON, state.cards) if state.passed_out and state.card_passes < most else 0

    return passes


# --- scores -----------------------------------------------------------------------------------------------


def standard(state: State, seat: str) -> int:
    """The source's scoring, by whether the hand is over or under."""
    return standard_points(state.tricks_bid(seat), state.won(seat), over=is_over(state))


def elhanani(state: State, seat: str) -> int:
    """Yoni Elhanani's scoring: when all fail nobody scores."""
    if not any(state.made(one) for one in state.players):
        return 0
    return elhanani_points(state.tricks_bid(seat), state.won(seat), over=is_over(state))


def is_over(state: State) -> bool:
    """Whether more tricks have been bid than there are."""
    return sum(state.tricks_bid(seat) for seat in state.players) > state.cards


def standard_points(bid: int, tricks: int, *, over: bool) -> int:
    """10 and the square, -10 a trick off; zero 30 over, 50 under; a failed zero is not capped."""
    if bid == 0:
        if tricks == 0:
            return 30 if over else 50
        return -50 + 10 * (tricks - 1)
    return 10 + bid * bid if bid == tricks else -10 * abs(bid - tricks)


def elhanani_points(bid: int, tricks: int, *, over: bool) -> int:
    """The square, -5 a trick off; zero 25 over, 50 under; a failed zero -25 and -5 a trick."""
    if bid == 0:
        if tricks == 0:
            return 25 if over else 50
        return -25 - 5 * tricks
    return bid * bid if bid == tricks else -5 * abs(bid - tricks)


def page(options: Mapping[str, Any]) -> dict[str, Any]:
    """What the page of rules speaks of."""
    return {"lowest": LOWEST}


SCORES = {"standard": standard, "elhanani": elhanani}

ISRAELI_WHIST = Kind(
    name="israeli-whist",
    seat_range=(4, 4),
    options_offered=OPTIONS,
    settle=settle,
    rules=rules,
    page=page,
    proposed={"target": PROPOSED_TARGET},
    # The auction begins at five tricks.
    short=(CARDS,),
    presets=(
        Preset("usual"),
        Preset("short", {"target": 100}),
        Preset("gulash", {"gulash": "plain"}),
        Preset("rising", {"gulash": "rising"}),
        Preset("elhanani", {"scoring": "elhanani"}),
    ),
)
