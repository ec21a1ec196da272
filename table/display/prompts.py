"""What the table waits for: the headline, who may act, and the numbers that can't be bid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from table.display.press import Pressing, pressing
from table.events.happenings import BidValue
from table.games.base import PASS, Expected, Phase, State
from table.games.game import Game
from table.games.tricks import suit_led
from table.phrase import Phrase, say
from table.referee.view import Controls


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the table waits for: the headline, and a line of help beneath it (may be missing)."""

    text: Phrase
    help: Phrase | None = None


def prompt(
    game: Game,
    state: State,
    expected: Expected,
    controls: Mapping[str, Controls] | None = None,
    *,
    turned_lies: bool = False,
    offers_next: bool = False,
) -> Prompt:
    """The headline for what may happen next; ``controls``: what each seat has to press.

    ``turned_lies``: whether the card that was turned up still lies on the mark. ``offers_next``: whether a rap is
    waited for when the game is over.
    """
    controls = controls or {}
    press = pressing(may_act(state, expected) or state.seats, controls)
    who = expected.default or (expected.seats[0] if expected.seats else None)
    name = who or say("word.somebody")
    match expected.phase:
        case Phase.DEAL:
            return Prompt(
                say("prompt.deal", seat=state.dealer, cards=state.cards), _deal_help(game, state, press)
            )
        case Phase.TURN_UP:
            return Prompt(say("prompt.turn_up", seat=state.dealer), say("help.turn_up"))
        case Phase.PASS_CARDS:
            waiting = tuple(seat for seat in expected.seats if seat not in state.raps)
            cards = game.cards_to_pass(state)
            text = say("prompt.pass_cards", cards=cards) if cards else say("prompt.pass_some_cards")
            return Prompt(text, say("help.pass_cards", rap=press("rap"), waiting=waiting))
        case Phase.SECRET_BID:
            ready = set(state.players) <= state.raps
            how = say("help.at_zero", how=press("number")) if ready else say("help.fists", fist=press("fist"))
            return Prompt(say("prompt.secret_bid"), how)
        case Phase.AUCTION:
            return Prompt(say("prompt.auction", seat=name), press("auction"))
        case Phase.BID:
            text = say(f"prompt.bid.{_freedom(expected)}", seat=name)
            return Prompt(text, _bid_help(game, state, expected, press))
        case Phase.LEAD:
            text = say(f"prompt.lead.{_freedom(expected)}", seat=name)
            return Prompt(text, say("help.take_turned") if turned_lies else _lead_help(expected, press))
        case Phase.NAME_SUIT:
            return Prompt(say("prompt.name_suit", seat=name), say("help.name_suit", rap=press("rap")))
        case Phase.FOLLOW:
            return Prompt(say("prompt.follow", seat=name), _follow_help(state))
        case Phase.PICK_UP:
            winner = state.trick.winner or name
            return Prompt(say("prompt.pick_up", seat=winner), say("help.pick_up", seat=winner))
        case Phase.OVER:
            code = "prompt.won" if state.winners else "prompt.over"
            asks = say("help.over", rap=press("rap")) if offers_next else None
            return Prompt(say(code, winners=state.winners), asks)


def pause(controls: Mapping[str, Controls]) -> Prompt:
    """The headline while nothing counts."""
    return Prompt(say("prompt.paused"), say("help.paused", rap=pressing(controls, controls)("rap")))


def _deal_help(game: Game, state: State, press: Pressing) -> Phrase:
    turns = game.turns_up(state) and state.turned is None
    return say("help.deal_and_turn" if turns else "help.deal", seat=state.dealer, rap=press("rap"))


def _freedom(expected: Expected) -> str:
    if expected.free and not expected.must and len(expected.seats) > 1:
        return "anyone"
    return "must" if expected.must else "one"


def may_act(state: State, expected: Expected) -> tuple[str, ...]:
    """The seats that may act now."""
    if expected.must and expected.default is not None:
        return (expected.default,)
    return expected.seats


def last_calls(state: State) -> dict[str, Phrase]:
    """Each seat's last call of an auction."""
    return {
        seat: say("plate.passes") if call == PASS else say("plate.calls", bid=call)
        for seat, call in state.calls
    }


def highest_call(state: State) -> tuple[str, BidValue] | None:
    """Who has called the highest so far in an auction, and what."""
    return next(((seat, call) for seat, call in reversed(state.calls) if call != PASS), None)


def forbidden_bids(game: Game, state: State) -> tuple[str, tuple[int, ...]] | None:
    """When only one player has still to bid: who, and the numbers (of 0 to the cards) that this one may not bid."""
    waiting = [seat for seat in state.players if seat not in state.bid_of]
    if state.phase is not Phase.BID or len(waiting) != 1:
        return None
    legal = game.legal_bids(state, waiting[0])
    if not legal:
        return None
    barred = tuple(number for number in range(state.cards + 1) if number not in legal)
    return (waiting[0], barred) if barred else None


def _bid_help(game: Game, state: State, expected: Expected, press: Pressing) -> Phrase:
    how = press("number")
    if any("double nil" in game.legal_bids(state, seat) for seat in may_act(state, expected)):
        return say("help.double_nil", how=how, double_nil=press("double_nil"))
    barred = forbidden_bids(game, state)
    if barred is not None:
        numbers = barred[1]
        return say("help.barred", numbers=numbers, how=say("help.tap_it") if 0 in numbers else how)
    if game.on_forehead(state) and not state.bids and not expected.must:
        return say("help.forehead")
    return say("help.bid_or_wait", how=how, rap=press("rap")) if expected.free and not expected.must else how


def _lead_help(expected: Expected, press: Pressing) -> Phrase:
    return (
        say("help.lead_or_wait", rap=press("rap"))
        if expected.free and not expected.must
        else say("help.lead")
    )


def _follow_help(state: State) -> Phrase | None:
    lead = state.trick.lead
    suit = suit_led(lead, state.trick.named, state.trump) if lead is not None else None
    if lead is None or suit is None:
        return None
    return say("help.joker_led" if lead.card.is_joker else "help.led", seat=lead.seat, suit=suit)
