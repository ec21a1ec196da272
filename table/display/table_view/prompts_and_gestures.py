"""What the table waits for, and how to answer: the headline with its help, and hints which button gesture to make."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from table.cards import DOUBLE_NIL, JOKER, PASS
from table.config.settings import SeatKind
from table.games.engine.game_state import Expected, Phase, State
from table.games.engine.trick_rules import suit_led
from table.games.game import Game
from table.phrase import Phrase, make_phrase
from table.referee.model.view import Controls, View, find_turned_up

# --- the headline ---------------------------------------------------------------------------------------------------


def headline_phrase(view: View) -> Phrase:
    """Return what the table waits for."""
    state, expected = view.state, view.expected
    name = expected.default_seat or next(iter(expected.seats), None) or make_phrase("word.somebody")
    if view.paused:
        return make_phrase("prompt.paused")
    match expected.phase:
        case Phase.DEAL:
            return make_phrase("prompt.deal", seat=state.dealer, cards=state.cards)
        case Phase.TURN_UP:
            return make_phrase("prompt.turn_up", seat=state.dealer)
        case Phase.PASS_CARDS:
            cards = view.game.rules.cards_to_pass(state)
            return (
                make_phrase("prompt.pass_cards", cards=cards)
                if cards
                else make_phrase("prompt.pass_some_cards")
            )
        case Phase.SECRET_BID:
            return make_phrase("prompt.secret_bid")
        case Phase.AUCTION:
            return make_phrase("prompt.auction", seat=name)
        case Phase.BID | Phase.LEAD:
            return make_phrase(f"prompt.{expected.phase.value}.{_prompt_variant(expected)}", seat=name)
        case Phase.NAME_SUIT:
            return make_phrase("prompt.name_suit", seat=name)
        case Phase.FOLLOW:
            return make_phrase("prompt.follow", seat=name)
        case Phase.PICK_UP:
            return make_phrase("prompt.pick_up", seat=state.trick.winner or name)
        case Phase.OVER:
            return make_phrase("prompt.won" if state.winners else "prompt.over", winners=state.winners)


def headline_help(view: View) -> Phrase | None:
    """Return how to do what the headline asks for, a line below it."""
    game, state, expected = view.game, view.state, view.expected
    if view.paused:
        return make_phrase("help.paused", rap=gesture_hints_for(view.controls, view.controls)("rap"))
    press = gesture_hints_for(seats_to_act(state, expected) or state.seats, view.controls)
    awaited = awaited_gesture(state, expected, press)
    match expected.phase:
        case Phase.DEAL:
            turns = game.turns_up_trump(state) and state.turned is None
            code = "help.deal_and_turn" if turns else "help.deal"
            return make_phrase(code, seat=state.dealer, rap=awaited)
        case Phase.TURN_UP:
            return make_phrase("help.turn_up")
        case Phase.PASS_CARDS:
            waiting = tuple(seat for seat in expected.seats if seat not in state.raps)
            return make_phrase("help.pass_cards", rap=awaited, waiting=waiting)
        case Phase.SECRET_BID:
            ready = state.all_have_rapped
            return (
                make_phrase("help.at_zero", how=awaited) if ready else make_phrase("help.fists", fist=awaited)
            )
        case Phase.BID:
            return _bid_help(game, state, expected, press) or awaited
        case Phase.LEAD:
            if find_turned_up(view) is not None:
                return make_phrase("help.take_turned")
            free = expected.anyone_may_act and not expected.must_act
            return make_phrase("help.lead_or_wait", rap=press("rap")) if free else make_phrase("help.lead")
        case Phase.FOLLOW:
            return _follow_help(state)
        case Phase.PICK_UP:
            return make_phrase("help.pick_up", seat=state.trick.winner or make_phrase("word.somebody"))
        case Phase.OVER:
            return make_phrase("help.over", rap=press("rap")) if view.awaits_next_choice else None
        case _:
            return awaited


def _prompt_variant(expected: Expected) -> str:
    """Return the last part of the headline's code: whether anyone, exactly one, or a default player may act."""
    if expected.anyone_may_act and not expected.must_act and len(expected.seats) > 1:
        return "anyone"
    return "must" if expected.must_act else "one"


def seats_to_act(state: State, expected: Expected) -> tuple[str, ...]:
    """Return the seats that may act now."""
    if expected.must_act and expected.default_seat is not None:
        return (expected.default_seat,)
    return expected.seats


def last_call_phrases(state: State) -> dict[str, Phrase]:
    """Return a phrase for each seat's last call of an auction."""
    return {
        seat: make_phrase("plate.passes") if call == PASS else make_phrase("plate.calls", bid=call)
        for seat, call in state.calls
    }


def forbidden_bids(game: Game, state: State) -> tuple[str, tuple[int, ...]] | None:
    """Return the last bidder and the bids (of 0 to the number of cards) forbidden to this player; None if none is."""
    waiting = [seat for seat in state.players if seat not in state.bids_by_seat]
    if state.phase is not Phase.BID or len(waiting) != 1:
        return None
    legal = game.legal_bids(state, waiting[0])
    if not legal:
        return None
    barred = tuple(number for number in range(state.cards + 1) if number not in legal)
    return (waiting[0], barred) if barred else None


def _bid_help(game: Game, state: State, expected: Expected, press: GestureHints) -> Phrase | None:
    """Return a hint that goes before how to bid: Double Nil, forbidden numbers, the card on the forehead."""
    if any(DOUBLE_NIL in game.legal_bids(state, seat) for seat in seats_to_act(state, expected)):
        return make_phrase("help.double_nil", how=press("number"), double_nil=press("double_nil"))
    barred = forbidden_bids(game, state)
    if barred is not None:
        how = make_phrase("help.tap_it") if 0 in barred[1] else press("number")
        return make_phrase("help.barred", numbers=barred[1], how=how)
    if game.rules.on_forehead(state) and not state.bids and not expected.must_act:
        return make_phrase("help.forehead")
    return None


def _follow_help(state: State) -> Phrase | None:
    lead = state.trick.lead
    suit = suit_led(state.trick, state.trump)
    if lead is None or suit is None:
        return None
    return make_phrase("help.joker_led" if lead.card is JOKER else "help.led", seat=lead.seat, suit=suit)


# --- gestures -------------------------------------------------------------------------------------------------------

Gesture = Literal["number", "rap", "fist", "double_nil", "auction", "wrong"]
"""A gesture to explain: bid a number of tricks, rap, put the fist on the table, bid Double Nil, bid in an auction, or
report "that's wrong".
"""

_COMMON_HINTS: Final[Mapping[Gesture, str]] = {"number": "press.any_number", "wrong": "press.any_wrong"}
"""The common hint for gestures whose variants together are too long for a line."""


@dataclass(frozen=True, slots=True)
class GestureHints:
    """The gesture hints for some seats, as parts of a sentence."""

    kinds: tuple[SeatKind, ...]
    """The kinds of the seats' buttons."""

    def __call__(self, gesture: Gesture) -> Phrase:
        """Return the hint for a gesture; when seats differ, every variant or what they have in common."""
        kinds_by_hint: dict[SeatKind, SeatKind] = {}
        for kind in self.kinds:
            kinds_by_hint.setdefault(_hint_kind(kind, gesture), kind)
        if len(kinds_by_hint) == 1:
            return make_phrase(f"press.{self.kinds[0]}.{gesture}")
        if gesture in _COMMON_HINTS:
            return make_phrase(_COMMON_HINTS[gesture])
        short = "rap" if gesture == "fist" else gesture
        return make_phrase(
            "press.either",
            ways=tuple(make_phrase(f"press.{kind}.{short}") for kind in kinds_by_hint.values()),
        )


def _hint_kind(kind: SeatKind, gesture: Gesture) -> SeatKind:
    """Return the kind of buttons whose hint applies.

    A knock counts as a rap. BID works beside a knock sensor as beside RAP, except where RAP must be held.
    """
    if kind != "knock" or gesture == "wrong":
        return kind
    return "one" if gesture == "double_nil" else "two"


def gesture_hints_for(seats: Iterable[str], controls: Mapping[str, Controls]) -> GestureHints:
    """Return the gesture hints for these seats, by the kinds of their buttons."""
    kinds = {controls.get(seat, Controls()).kind for seat in seats}
    return GestureHints(tuple(kind for kind in get_args(SeatKind) if kind in kinds) or ("two",))


def awaited_gesture(state: State, expected: Expected, press: GestureHints) -> Phrase | None:
    """Return the hint for the call that the table waits for; None when it waits for a card."""
    match expected.phase:
        case Phase.DEAL | Phase.PASS_CARDS:
            return press("rap")
        case Phase.SECRET_BID:
            return press("number" if state.all_have_rapped else "fist")
        case Phase.AUCTION:
            return press("auction")
        case Phase.BID if expected.anyone_may_act and not expected.must_act:
            return make_phrase("help.bid_or_wait", how=press("number"), rap=press("rap"))
        case Phase.BID:
            return press("number")
        case Phase.NAME_SUIT:
            return make_phrase("help.name_suit", rap=press("rap"))
        case _:
            return None
