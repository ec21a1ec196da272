"""The hypotheses that may follow from a call: the event that it means, with or without missed calls before it."""

from __future__ import annotations

from collections.abc import Iterator

from table.events.event_registry import bid_refusal_line
from table.events.game_events import Bid, Dealt, Event, Passed, Rapped
from table.games.engine.copy_with_changes import evolve
from table.games.engine.game_state import Phase, Refusal, State
from table.games.game import Game
from table.referee.model.bid_dial import Dial, new_dial
from table.referee.model.event_costs import COSTS
from table.referee.model.hypothesis import Hypothesis
from table.referee.model.observations import CallMade, DialTurned
from table.referee.model.search_context import Step
from table.referee.moves.card_plays import (
    play_pending_cards,
    sync_table_with_state,
)
from table.referee.moves.unseen_events import CALL_PHASES, DIAL_PHASES, unseen_continuations

COMMON_REFUSALS = ("forbidden_bid", "hook", "not_your_turn", "no_such_bid")
"""The codes of refusals of bids that people make often."""


def expand_call(step: Step, hypothesis: Hypothesis, call: CallMade) -> Iterator[Hypothesis]:
    """Yield what may follow from a call: its event, with or without missed calls before it, or a refusal."""
    event = step.context.pins.events.get(call.number, call.event)
    after = _apply_call(step, hypothesis, event, call)
    if not isinstance(after, Refusal):
        yield play_pending_cards(step, sync_table_with_state(after))
        return
    if isinstance(event, Dealt | Rapped) or (
        isinstance(event, Bid | Passed) and hypothesis.state.phase in CALL_PHASES
    ):
        for way in unseen_continuations(step, hypothesis):
            meant = _apply_call(step, way, event, call) if way is not hypothesis else after
            if not isinstance(meant, Refusal):
                yield play_pending_cards(step, meant)
    yield _refuse_call(step, hypothesis, event, after, call)


def _apply_call(step: Step, hypothesis: Hypothesis, event: Event, call: CallMade) -> Hypothesis | Refusal:
    """Return the hypothesis after a call, or the refusal."""
    is_entered = call.certain or call.number in step.context.pins.events
    dial = hypothesis.dial if hypothesis.state.phase is Phase.AUCTION and not is_entered else None
    if dial is not None and isinstance(event, Dealt | Rapped | Passed) and event.seat == dial.seat:
        event, step = dial.bid, step.at(dial.first_press_ns)  # what its player's dial shows is called
    meant = _resolve_rap(hypothesis.state, event)
    return step.apply(hypothesis, meant, extra=call.extra_fields, notices=call.notices)


def _resolve_rap(state: State, event: Event) -> Event:
    """Return the event that a rap means in this state of the game."""
    if isinstance(event, Dealt | Rapped | Passed):
        if state.phase is Phase.AUCTION:
            return Passed(event.seat)
        dealing = state.phase in (Phase.DEAL, Phase.TURN_UP)
        return Dealt(event.seat) if dealing else Rapped(event.seat)
    return event


# --- refusals -------------------------------------------------------------------------------------------------------

_EARLY_BIDS = ("refused.bid_early", "refused.bid_now")
"""The reasons why a bid is refused that its player may make later."""


def _refuse_call(
    step: Step, hypothesis: Hypothesis, event: Event, refusal: Refusal, call: CallMade
) -> Hypothesis:
    """Return the hypothesis after an illegal call: it is announced, and costs a little."""
    if call.certain:
        return hypothesis.add_cost(COSTS.contradicts_people)
    is_bid = isinstance(event, Bid)
    line = bid_refusal_line(event, refusal.code, refusal.why) if isinstance(event, Bid) else None
    seat = getattr(event, "seat", None)
    code = "refused_early" if is_bid and refusal.why.code in _EARLY_BIDS else "refused"
    notice = step.notice("ruling" if is_bid else "hint", code, seat, why=refusal.why)
    cost = _refusal_cost(hypothesis, event, refusal)
    return step.add_remark(hypothesis, line, notice).add_cost(cost)


def _refusal_cost(hypothesis: Hypothesis, event: Event, refusal: Refusal) -> float:
    """Return the cost of an illegal call."""
    state = hypothesis.state
    if state.phase is Phase.AUCTION and isinstance(event, Bid | Passed | Rapped):
        if isinstance(event, Bid) and (event.seat, event.bid) in state.calls:
            return 0.0
        if refusal.code == "not_your_turn":
            return _early_call_cost(hypothesis, event.seat)
    if isinstance(event, Bid):
        return COSTS.refused_call / 4 if refusal.code in COMMON_REFUSALS else COSTS.refused_call
    if refusal.code == "already_rapped":
        return COSTS.rapped_again
    is_play = state.phase.is_play or state.phase is Phase.PICK_UP
    return COSTS.refused_deal_call if is_play and isinstance(event, Dealt | Rapped) else COSTS.refused_call


def _early_call_cost(hypothesis: Hypothesis, seat: str) -> float:
    """Return the cost of a call out of turn: who does so does so again until it is noticed."""
    for entry in hypothesis.entries():
        if entry.is_event:
            return COSTS.called_early
        if any(seat in said.seats for said in entry.notices):
            break
    return COSTS.refused_call / 4


# --- dials ----------------------------------------------------------------------------------------------------------


def expand_dial_turn(step: Step, hypothesis: Hypothesis, turn: DialTurned) -> Iterator[Hypothesis]:
    """Yield what may follow from a tap or hold of BID while a dial was believed to be turned, or an auction to be
    next.
    """
    dialling = hypothesis.state.phase in DIAL_PHASES
    if not dialling:
        yield from expand_call(step, hypothesis, CallMade(turn.number, turn.t_ns, turn.event))
    for way in unseen_continuations(step, hypothesis):
        if way.state.phase in DIAL_PHASES and step.game.expected(way.state).default_seat == turn.seat:
            yield evolve(way, dial=_dial_after(way, turn, step.game))
        elif dialling and way.state.phase not in DIAL_PHASES:
            after = step.apply(way, turn.event)
            if not isinstance(after, Refusal):
                yield after
    seat = step.game.expected(hypothesis.state).default_seat
    if dialling and seat != turn.seat:
        notice = step.notice("hint", "not_your_dial", turn.seat, seat=seat)
        cost = _early_call_cost(hypothesis, turn.seat)
        yield step.add_remark(hypothesis, None, notice).add_cost(cost)


def _dial_after(hypothesis: Hypothesis, turn: DialTurned, game: Game) -> Dial | None:
    """Return the dial of the player whose turn it is, after it was turned; None while it shows no value."""
    dial = hypothesis.dial or new_dial(game, hypothesis.state, turn.seat, turn.t_ns)
    if turn.taps:
        dial = dial.step(turn.taps)
    elif hypothesis.state.phase is Phase.AUCTION:
        dial = dial.level_up()
    return dial if dial.shown is not None else None
