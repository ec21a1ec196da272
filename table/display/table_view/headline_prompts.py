"""The headline with what the table waits for, the seats that may act, and the forbidden bids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from table.cards import DOUBLE_NIL, PASS, Contract
from table.display.table_view.gesture_hints import GestureHints, gesture_hints_for
from table.games.engine.game_state import Expected, Phase, State
from table.games.engine.trick_rules import suit_led
from table.games.game import Game
from table.phrase import Phrase, make_phrase
from table.referee.model.view import Controls


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the table waits for: the headline, and an optional line of help below it."""

    text: Phrase
    help: Phrase | None = None


def make_prompt(
    game: Game,
    state: State,
    expected: Expected,
    controls: Mapping[str, Controls] | None = None,
    *,
    turned_lies: bool = False,
    offers_next: bool = False,
) -> Prompt:
    """Return the headline for what may happen next; ``controls``: each seat's buttons.

    ``turned_lies``: whether the turned-up card still lies on the mark. ``offers_next``: whether a rap is awaited
    when the game is over.
    """
    controls = controls or {}
    press = gesture_hints_for(seats_to_act(state, expected) or state.seats, controls)
    who = expected.default_seat or (expected.seats[0] if expected.seats else None)
    name = who or make_phrase("word.somebody")
    match expected.phase:
        case Phase.DEAL:
            return Prompt(
                make_phrase("prompt.deal", seat=state.dealer, cards=state.cards),
                _deal_help(game, state, press),
            )
        case Phase.TURN_UP:
            return Prompt(make_phrase("prompt.turn_up", seat=state.dealer), make_phrase("help.turn_up"))
        case Phase.PASS_CARDS:
            waiting = tuple(seat for seat in expected.seats if seat not in state.raps)
            cards = game.rules.cards_to_pass(state)
            text = (
                make_phrase("prompt.pass_cards", cards=cards)
                if cards
                else make_phrase("prompt.pass_some_cards")
            )
            return Prompt(text, make_phrase("help.pass_cards", rap=press("rap"), waiting=waiting))
        case Phase.SECRET_BID:
            ready = set(state.players) <= state.raps
            how = (
                make_phrase("help.at_zero", how=press("number"))
                if ready
                else make_phrase("help.fists", fist=press("fist"))
            )
            return Prompt(make_phrase("prompt.secret_bid"), how)
        case Phase.AUCTION:
            return Prompt(make_phrase("prompt.auction", seat=name), press("auction"))
        case Phase.BID:
            text = make_phrase(f"prompt.bid.{_prompt_variant(expected)}", seat=name)
            return Prompt(text, _bid_help(game, state, expected, press))
        case Phase.LEAD:
            text = make_phrase(f"prompt.lead.{_prompt_variant(expected)}", seat=name)
            return Prompt(
                text, make_phrase("help.take_turned") if turned_lies else _lead_help(expected, press)
            )
        case Phase.NAME_SUIT:
            return Prompt(
                make_phrase("prompt.name_suit", seat=name), make_phrase("help.name_suit", rap=press("rap"))
            )
        case Phase.FOLLOW:
            return Prompt(make_phrase("prompt.follow", seat=name), _follow_help(state))
        case Phase.PICK_UP:
            winner = state.trick.winner or name
            return Prompt(
                make_phrase("prompt.pick_up", seat=winner), make_phrase("help.pick_up", seat=winner)
            )
        case Phase.OVER:
            code = "prompt.won" if state.winners else "prompt.over"
            asks = make_phrase("help.over", rap=press("rap")) if offers_next else None
            return Prompt(make_phrase(code, winners=state.winners), asks)


def make_pause_prompt(controls: Mapping[str, Controls]) -> Prompt:
    """Return the headline while the game is paused."""
    return Prompt(
        make_phrase("prompt.paused"),
        make_phrase("help.paused", rap=gesture_hints_for(controls, controls)("rap")),
    )


def _deal_help(game: Game, state: State, press: GestureHints) -> Phrase:
    turns = game.turns_up_trump(state) and state.turned is None
    return make_phrase("help.deal_and_turn" if turns else "help.deal", seat=state.dealer, rap=press("rap"))


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


def highest_call(state: State) -> tuple[str, Contract] | None:
    """Return the seat and bid of the highest call of an auction so far; None without a bid."""
    calls = reversed(state.calls)
    return next(((seat, call) for seat, call in calls if isinstance(call, Contract)), None)


def forbidden_bids(game: Game, state: State) -> tuple[str, tuple[int, ...]] | None:
    """Return the last bidder and the bids (of 0 to the number of cards) forbidden to this player.

    None while more than one player has still to bid, or when no bid is forbidden.
    """
    waiting = [seat for seat in state.players if seat not in state.bids_by_seat]
    if state.phase is not Phase.BID or len(waiting) != 1:
        return None
    legal = game.legal_bids(state, waiting[0])
    if not legal:
        return None
    barred = tuple(number for number in range(state.cards + 1) if number not in legal)
    return (waiting[0], barred) if barred else None


def _bid_help(game: Game, state: State, expected: Expected, press: GestureHints) -> Phrase:
    how = press("number")
    if any(DOUBLE_NIL in game.legal_bids(state, seat) for seat in seats_to_act(state, expected)):
        return make_phrase("help.double_nil", how=how, double_nil=press("double_nil"))
    barred = forbidden_bids(game, state)
    if barred is not None:
        numbers = barred[1]
        return make_phrase(
            "help.barred", numbers=numbers, how=make_phrase("help.tap_it") if 0 in numbers else how
        )
    if game.rules.on_forehead(state) and not state.bids and not expected.must_act:
        return make_phrase("help.forehead")
    return (
        make_phrase("help.bid_or_wait", how=how, rap=press("rap"))
        if expected.anyone_may_act and not expected.must_act
        else how
    )


def _lead_help(expected: Expected, press: GestureHints) -> Phrase:
    return (
        make_phrase("help.lead_or_wait", rap=press("rap"))
        if expected.anyone_may_act and not expected.must_act
        else make_phrase("help.lead")
    )


def _follow_help(state: State) -> Phrase | None:
    lead = state.trick.lead
    suit = suit_led(lead, state.trick.named, state.trump) if lead is not None else None
    if lead is None or suit is None:
        return None
    return make_phrase("help.joker_led" if lead.card.is_joker else "help.led", seat=lead.seat, suit=suit)
