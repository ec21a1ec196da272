"""What the table waits for, in words: the headline, who may act, and the numbers that can't be bid."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from table.display.press import Pressing, pressing
from table.display.words import SUIT_NAMES, bid_sign, capital, counted, listed
from table.games.base import Expected, Game, Phase, State
from table.games.tricks import suit_led
from table.referee.view import Controls


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the table waits for: the headline, and a line of help beneath it (may be empty)."""

    text: str
    help: str = ""


def prompt(
    game: Game, state: State, expected: Expected, controls: Mapping[str, Controls] | None = None
) -> Prompt:
    """The headline for what may happen next; ``controls``: what each seat has to press."""
    press = pressing(may_act(state, expected), controls or {})
    who = expected.default or (expected.seats[0] if expected.seats else None)
    name = who or "Somebody"
    phase = expected.phase
    if phase is Phase.DEAL:
        return Prompt(f"{state.dealer} deals {counted(state.cards, 'card')} each", _deal_help(game, state))
    if phase is Phase.TURN_UP:
        return Prompt(
            f"{state.dealer} turns a card up", "It is laid on the mark, face up, for the trump suit"
        )
    if phase is Phase.PASS_CARDS:
        waiting = [seat for seat in expected.seats if seat not in state.raps]
        cards = game.cards_to_pass(state)
        what = counted(cards, "card") if cards else "cards"
        return Prompt(f"Pass {what} to the left", f"Then {press.rap}. Waiting for {listed(waiting)}")
    if phase is Phase.SECRET_BID:
        waiting = [seat for seat in state.players if seat not in state.raps]
        if waiting:
            return Prompt("All bid at once", capital(f"{press.fist}, then tap your number at zero"))
        return Prompt("All bid at once", f"At zero {press.number}")
    if phase is Phase.AUCTION:
        return Prompt(f"{name} bids or passes", capital(press.auction))
    if phase is Phase.BID:
        return Prompt(_free_or_not(expected, name, "bid", "bids"), _bid_help(game, state, expected, press))
    if phase is Phase.LEAD:
        return Prompt(_free_or_not(expected, name, "lead", "leads"), _lead_help(state, expected, press))
    if phase is Phase.NAME_SUIT:
        return Prompt(f"{name} names the joker's suit", capital(f"tap to step, {press.rap} to confirm"))
    if phase is Phase.FOLLOW:
        return Prompt(f"{name} plays", _follow_help(state))
    if phase is Phase.PICK_UP:
        winner = state.trick.winner or name
        return Prompt(f"{winner} wins the trick", f"{winner} takes it from the mark")
    return Prompt(_won(state.winners), f"The game is over; {press.rap} to choose what comes next")


def _deal_help(game: Game, state: State) -> str:
    turns_up = getattr(game, "turns_up", None)
    if turns_up is not None and turns_up(state) and state.turned is None:
        return f"{state.dealer} lays the turned card on the mark, then raps"
    return f"{state.dealer} raps when all have been dealt"


def _free_or_not(expected: Expected, name: str, act: str, acts: str) -> str:
    if expected.free and not expected.must and len(expected.seats) > 1:
        return f"Anyone may {act}; otherwise {name}"
    return f"{name} must {act}" if expected.must else f"{name} {acts}"


def may_act(state: State, expected: Expected) -> tuple[str, ...]:
    """The seats that may act now."""
    if expected.must and expected.default is not None:
        return (expected.default,)
    return expected.seats


def last_calls(state: State) -> dict[str, str]:
    """Each seat's last call of an auction, as it is written: ``6♣``, ``passes``."""
    return {seat: "passes" if call == "pass" else f"calls {bid_sign(call)}" for seat, call in state.calls}


def highest_call(state: State) -> tuple[str, str] | None:
    """Who has called the highest so far in an auction, and what, as it is written."""
    bids = [(seat, call) for seat, call in state.calls if call != "pass"]
    return (bids[-1][0], bid_sign(bids[-1][1])) if bids else None


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


def _bid_help(game: Game, state: State, expected: Expected, press: Pressing) -> str:
    how = capital(press.number)
    if any("double nil" in game.legal_bids(state, seat) for seat in may_act(state, expected)):
        return f"{how}; Double Nil, unseen: {press.double_nil}"
    barred = forbidden_bids(game, state)
    if barred is not None:
        numbers = " or ".join(map(str, barred[1]))
        return f"Any number but {numbers}: {'tap it' if 0 in barred[1] else press.number}"
    if game.on_forehead(state) and not state.bids and not expected.must:
        return "Cards to the forehead, unseen: three, two, one!"
    return f"{how}; {press.rap} to wait" if expected.free and not expected.must else how


def _lead_help(state: State, expected: Expected, press: Pressing) -> str:
    if expected.free and not expected.must:
        return f"Lay a card on the mark, or {press.rap} to wait"
    return f"Trick {len(state.tricks) + 1} of {state.cards}"


def _follow_help(state: State) -> str:
    lead = state.trick.lead
    suit = suit_led(lead, state.trick.named, state.trump) if lead is not None else None
    if lead is None or suit is None:
        return ""
    if lead.card.is_joker:
        return f"{lead.seat}'s joker stands for {SUIT_NAMES[suit]}: they are to be followed"
    return f"{lead.seat} led {SUIT_NAMES[suit]}"


def _won(winners: Iterable[str]) -> str:
    names = list(winners)
    if not names:
        return "The game is over"
    return f"{names[0]} wins!" if len(names) == 1 else f"{listed(names)} share the win!"
