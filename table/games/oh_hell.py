"""Oh Hell (Bidding Whist): a turned card makes trumps, the last bidder is hooked; 10 + n points for an exact bid."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from table.cards import JOKER, NO_TRUMP, pack
from table.games.engine.game_state import State
from table.games.engine.option_checks import (
    FIRST_DEALER,
    HANDS,
    Check,
    Option,
    check_hand_sizes,
    off_or,
    one_of,
    optional_value,
    true_or_false,
    whole_number_from,
)
from table.games.engine.ruleset import Bidding, GameSpec, Preset, Rules
from table.games.engine.shared_rules import (
    count_hands_made,
    elimination_by_faults,
    is_one_card_hand,
    last_trick_winner,
    left_of_dealer,
    listed_sizes,
    never,
    no_elimination,
    play_off_first_place,
    play_off_points,
    rank_by_total,
    sizes_down_up,
    sizes_up_down,
    turned_suit,
)
from table.phrase import make_phrase

PROGRESSION = ("C", "D", "H", "S", NO_TRUMP)
"""Progressive trumps, one step a hand."""
MADE_ALL_BONUS = 10
MOST_FAULTS = 20
"""Catastrophe: a player with this many faults is out."""
SUDDEN_DEATH = 3
"""The cards of the hand that decides a tie."""
USUAL_START = 10
MOST_WITH_TWO_PACKS = 14


def _check_bonus(value: Any) -> Any:
    return value if isinstance(value, bool) else whole_number_from(0)(value)


bonus_check = Check(make_phrase("expected.bonus", usual=MADE_ALL_BONUS), _check_bonus)
"""The check for true (the usual 10 points), false, or a number of points."""

OPTIONS = (
    HANDS,
    FIRST_DEALER,
    # How the hands change their size.
    Option("shape", one_of("down-up", "down", "up-down"), "down-up"),
    # The largest hand; ten cards, or what the pack allows, where it is left out.
    Option("start", optional_value(whole_number_from(1)), None),
    # What a miss costs.
    Option("scoring", one_of("standard", "harsh", "quick", "catastrophe"), "standard"),
    # For bidding and making every trick.
    Option("made_all_bonus", bonus_check, False),
    # The dealer may not make the sum equal the tricks; without it: Screw-Up.
    Option("hook", true_or_false, True),
    # A turned card, or clubs, diamonds, hearts, spades, none in turn.
    Option("trump", one_of("turned", "progressive"), "turned"),
    # Hands whose size is a multiple of it have no trumps.
    Option("no_trump_every", off_or(whole_number_from(1)), None),
    # A joker is the highest trump.
    Option("joker", true_or_false, False),
    # How many cards players hand to the left before the bidding.
    Option("exchange", one_of(0, 1, 2), 0),
    # Hands of one card are held to the forehead.
    Option("forehead", true_or_false, False),
    # Every bid is 0, without bidding; most made hands win.
    Option("nullo", true_or_false, False),
    # Shuffled together; eight and more players need two.
    Option("packs", one_of(1, 2), 1),
)


def seats_allowed(given: Mapping[str, Any]) -> tuple[int, int]:
    """Return the smallest and largest number of players; eight and more play with two packs."""
    return (3, MOST_WITH_TWO_PACKS if given.get("packs") == 2 else 7)


def settle_options(players: int, options: dict[str, Any]) -> dict[str, Any]:
    """Check Oh Hell's options, and fill in the largest hand by pack and players and the list of hands by shape."""
    jokers = int(options["joker"])
    # One card must be left to turn up, and a joker that may be turned before it.
    to_turn = 1 + jokers if options["trump"] == "turned" else 0
    room = 52 * options["packs"] + jokers - to_turn
    start = options["start"] or min(USUAL_START, room // players)
    hands = options["hands"]
    if hands is not None:
        check_hand_sizes(hands, players, room)
    else:
        check_hand_sizes([start], players, room, name="start")
        shapes = {
            "down-up": sizes_down_up(start),
            "down": [*range(start, 0, -1)],
            "up-down": sizes_up_down(start),
        }
        hands = shapes[options["shape"]]
    return {**options, "start": start, "hands": hands}


def make_rules(options: Mapping[str, Any]) -> Rules:
    """Make the rules of Oh Hell from its settled options."""
    forehead = is_one_card_hand if options["forehead"] else never
    catastrophe = options["scoring"] == "catastrophe"
    return Rules(
        min_players=3,
        pack=(*pack(packs=options["packs"]), *([JOKER] if options["joker"] else [])),
        hand_size=listed_sizes(options["hands"]),
        fixed_trump=trump_rule(options),
        trump_of_turned_card=turned_suit,
        on_forehead=forehead,
        cards_to_pass=exchange_rule(options["exchange"], forehead),
        bidding=Bidding.ALL_ZERO if options["nullo"] else Bidding.IN_TURN,
        first_bidder=left_of_dealer,
        has_hook=options["hook"],
        first_leader=left_of_dealer,
        next_leader=last_trick_winner,
        score=scoring_rule(options),
        elimination_tally=elimination_by_faults(MOST_FAULTS) if catastrophe else no_elimination,
        ranking_key=rank_by_hands_made if options["nullo"] else rank_by_total_and_play_offs,
        play_off_groups=play_off_first_place,
        play_off_cards=SUDDEN_DEATH,
    )


# --- before the play --------------------------------------------------------------------------------------


def trump_rule(options: Mapping[str, Any]) -> Callable[[State], str | None]:
    """Make the rule for trumps: none at some hand sizes, else the next of the progression or a turned card.

    The rule returns None where a card is turned.
    """
    every, progressive = options["no_trump_every"], options["trump"] == "progressive"

    def trumps(state: State) -> str | None:
        if every is not None and state.cards % every == 0:
            return NO_TRUMP
        return PROGRESSION[(state.hand - 1) % len(PROGRESSION)] if progressive else None

    return trumps


def exchange_rule(cards: int, forehead: Callable[[State], bool]) -> Callable[[State], int]:
    """Make the rule that players hand ``cards`` to the left once a hand; none when nobody may look at the card."""
    return lambda state: 0 if state.card_passes or forehead(state) else min(cards, state.cards)


# --- scores -----------------------------------------------------------------------------------------------


def scoring_rule(options: Mapping[str, Any]) -> Callable[[State, str], int]:
    """Make the scoring rule for a hand from the options."""
    scoring, made_all = options["scoring"], made_all_bonus(options)

    def hand_points(state: State, seat: str) -> int:
        return points_for(state.tricks_bid(seat), state.tricks_won(seat), state.cards, scoring, made_all)

    return hand_points


def points_for(bid: int, tricks: int, cards: int, scoring: str, made_all: int) -> int:
    """Return 10 + n for an exact bid, and more for all of the ``cards``; for a miss 0, or by the scoring."""
    if bid == tricks:
        points = 15 if bid == 0 and scoring == "quick" else 10 + bid
        return points + (made_all if bid == cards else 0)
    if scoring == "harsh":
        return -10 * abs(bid - tricks)
    return -10 * max(bid - tricks, 0) if scoring == "quick" else 0


def made_all_bonus(options: Mapping[str, Any]) -> int:
    """Return the bonus that is agreed for bidding and making every trick."""
    agreed = options["made_all_bonus"]
    return MADE_ALL_BONUS if agreed is True else int(agreed)


def rank_by_total_and_play_offs(state: State, seat: str) -> Any:
    """Return a player's ranking key: the points, then those of sudden death."""
    return rank_by_total(state, seat), play_off_points(state, seat)


def rank_by_hands_made(state: State, seat: str) -> Any:
    """Return a player's ranking key in Nullo: the hands made, then those of sudden death."""
    made_in_play_offs = (
        result.tricks[seat] == 0 for result in state.results if result.play_off and seat in result.bids
    )
    return count_hands_made(state, seat), tuple(made_in_play_offs)


def rules_page_values(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that Oh Hell's page of rules may name: whether there are hands with trumps, and without."""
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


OH_HELL = GameSpec(
    name="oh-hell",
    seat_range=(3, 7),
    seats_allowed=seats_allowed,
    option_specs=OPTIONS,
    settle_options=settle_options,
    make_rules=make_rules,
    rules_page_values=rules_page_values,
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
