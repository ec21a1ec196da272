"""Oh Hell (Bidding Whist): a turned card makes trumps, the dealer bids last and is hooked; 10 + n for an exact bid."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from table.cards import JOKER, NO_TRUMP, pack
from table.games.base import State
from table.games.choices import (
    by_total,
    down_up,
    faults,
    first_place,
    hands_made,
    in_play_offs,
    left_of_dealer,
    listed,
    never,
    nobody_goes_out,
    one_card,
    suit_of_turned,
    the_winner,
    up_down,
)
from table.games.options import (
    FIRST_DEALER,
    HANDS,
    Check,
    Option,
    check_sizes,
    left_out_or,
    off_or,
    one_of,
    truth,
    whole,
)
from table.games.rules import Bidding, Kind, Preset, Rules
from table.phrase import say

PROGRESSION = ("C", "D", "H", "S", NO_TRUMP)
"""Progressive trumps, one step a hand."""
MADE_ALL = 10
MOST_FAULTS = 20
"""Catastrophe: who has as many is out."""
SUDDEN_DEATH = 3
"""The cards of the hand that decides a tie."""
USUAL_START = 10
MOST_WITH_TWO_PACKS = 14


def _bonus(value: Any) -> Any:
    return value if isinstance(value, bool) else whole(0)(value)


bonus = Check(say("expected.bonus", usual=MADE_ALL), _bonus)
"""True (the usual 10 points), false, or a number of points."""

OPTIONS = (
    HANDS,
    FIRST_DEALER,
    # How the hands change their size.
    Option("shape", one_of("down-up", "down", "up-down"), "down-up"),
    # The largest hand; ten cards, or what the pack allows, where it is left out.
    Option("start", left_out_or(whole(1)), None),
    # What a miss costs.
    Option("scoring", one_of("standard", "harsh", "quick", "catastrophe"), "standard"),
    # For bidding and making every trick.
    Option("made_all_bonus", bonus, False),
    # The dealer may not make the sum equal the tricks; without it: Screw-Up.
    Option("hook", truth, True),
    # A turned card, or clubs, diamonds, hearts, spades, none in turn.
    Option("trump", one_of("turned", "progressive"), "turned"),
    # Hands whose size is a multiple of it have no trumps.
    Option("no_trump_every", off_or(whole(1)), None),
    # A joker is the highest trump.
    Option("joker", truth, False),
    # Cards handed to the left before the bidding.
    Option("exchange", one_of(0, 1, 2), 0),
    # Hands of one card are held to the forehead.
    Option("forehead", truth, False),
    # Every bid is 0, without bidding; most made hands win.
    Option("nullo", truth, False),
    # Shuffled together; eight and more players need two.
    Option("packs", one_of(1, 2), 1),
)


def seats_allowed(given: Mapping[str, Any]) -> tuple[int, int]:
    """Eight and more play with two packs."""
    return (3, MOST_WITH_TWO_PACKS if given.get("packs") == 2 else 7)


def settle(players: int, options: dict[str, Any]) -> dict[str, Any]:
    """The largest hand by pack and players; the list of hands by shape."""
    jokers = int(options["joker"])
    # One card, and a joker turned before it, must be left to turn up.
    to_turn = 1 + jokers if options["trump"] == "turned" else 0
    room = 52 * options["packs"] + jokers - to_turn
    start = options["start"] or min(USUAL_START, room // players)
    hands = options["hands"]
    if hands is not None:
        check_sizes(hands, players, room)
    else:
        check_sizes([start], players, room, name="start")
        shapes = {"down-up": down_up(start), "down": [*range(start, 0, -1)], "up-down": up_down(start)}
        hands = shapes[options["shape"]]
    return {**options, "start": start, "hands": hands}


def rules(options: Mapping[str, Any]) -> Rules:
    """The rules by the options."""
    forehead = one_card if options["forehead"] else never
    catastrophe = options["scoring"] == "catastrophe"
    return Rules(
        fewest=3,
        pack=(*pack(packs=options["packs"]), *([JOKER] if options["joker"] else [])),
        cards=listed(options["hands"]),
        trumps=fixed_trumps(options),
        turned=suit_of_turned,
        forehead=forehead,
        passes=exchange(options["exchange"], forehead),
        bidding=Bidding.ALL_ZERO if options["nullo"] else Bidding.IN_TURN,
        first_bidder=left_of_dealer,
        hook=options["hook"],
        first_leader=left_of_dealer,
        later_leader=the_winner,
        points=points(options),
        tally=faults(MOST_FAULTS) if catastrophe else nobody_goes_out,
        rank=by_hands_made if options["nullo"] else by_total_and_play_offs,
        ties=first_place,
        decider=SUDDEN_DEATH,
    )


# --- before the play --------------------------------------------------------------------------------------


def fixed_trumps(options: Mapping[str, Any]) -> Callable[[State], str | None]:
    """No trumps by the hand's size, else the next of the progression; None where a card is turned."""
    every, progressive = options["no_trump_every"], options["trump"] == "progressive"

    def trumps(state: State) -> str | None:
        if every is not None and state.cards % every == 0:
            return NO_TRUMP
        return PROGRESSION[(state.hand - 1) % len(PROGRESSION)] if progressive else None

    return trumps


def exchange(cards: int, forehead: Callable[[State], bool]) -> Callable[[State], int]:
    """So many cards to the left, once a hand; none when nobody may look at the card."""
    return lambda state: 0 if state.card_passes or forehead(state) else min(cards, state.cards)


# --- scores -----------------------------------------------------------------------------------------------


def points(options: Mapping[str, Any]) -> Callable[[State, str], int]:
    """By the scoring agreed."""
    scoring, made_all = options["scoring"], made_all_bonus(options)

    def of_hand(state: State, seat: str) -> int:
        return points_for(state.tricks_bid(seat), state.won(seat), state.cards, scoring, made_all)

    return of_hand


def points_for(bid: int, tricks: int, cards: int, scoring: str, made_all: int) -> int:
    """10 + n for an exact bid, and more for all of the ``cards``; for a miss 0, or by the scoring."""
    if bid == tricks:
        made = 15 if bid == 0 and scoring == "quick" else 10 + bid
        return made + (made_all if bid == cards else 0)
    if scoring == "harsh":
        return -10 * abs(bid - tricks)
    return -10 * max(bid - tricks, 0) if scoring == "quick" else 0


def made_all_bonus(options: Mapping[str, Any]) -> int:
    """What is agreed for bidding and making every trick."""
    agreed = options["made_all_bonus"]
    return MADE_ALL if agreed is True else int(agreed)


def by_total_and_play_offs(state: State, seat: str) -> Any:
    """The points, then what sudden death brought."""
    return by_total(state, seat), in_play_offs(state, seat)


def by_hands_made(state: State, seat: str) -> Any:
    """Nullo: the hands made, then those of sudden death."""
    decided = (one.tricks[seat] == 0 for one in state.results if one.play_off and seat in one.bids)
    return hands_made(state, seat), tuple(decided)


def page(options: Mapping[str, Any]) -> dict[str, Any]:
    """What the page of rules speaks of: whether there are hands with trumps, and without."""
    every, progressive = options["no_trump_every"], options["trump"] == "progressive"
    sizes = {*options["hands"], SUDDEN_DEATH}
    trumps = any(every is None or size % every for size in sizes)
    return {
        "trumps": trumps,
        "no_trumps": progressive or any(every is not None and size % every == 0 for size in sizes),
        "progressive": trumps and progressive,
        "turned": trumps and not progressive,
        "joker_trump": trumps and options["joker"],
        "made_all": made_all_bonus(options),
        "faults": MOST_FAULTS,
        "sudden_death": SUDDEN_DEATH,
    }


OH_HELL = Kind(
    name="oh-hell",
    seat_range=(3, 7),
    seats_allowed=seats_allowed,
    options_offered=OPTIONS,
    settle=settle,
    rules=rules,
    page=page,
    presets=(
        Preset("usual"),
        Preset("short", {"start": 7, "shape": "down"}),
        Preset("harsh", {"scoring": "harsh"}),
        Preset("quick", {"scoring": "quick"}),
        Preset("catastrophe", {"scoring": "catastrophe"}),
        Preset("screw_up", {"hook": False}),
        Preset("progressive", {"trump": "progressive"}),
        Preset("forehead", {"forehead": True, "exchange": 1}),
        Preset("nullo", {"nullo": True}),
    ),
)
