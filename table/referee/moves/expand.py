"""The expansion of a hypothesis by an observation: everything that may follow from it, each with its cost."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from table.cards import card
from table.events.event_spec import Announcement
from table.events.game_events import Event, LeadsTied, Played, TakenBack, TrickTaken, TurnedUp
from table.games.engine.copy_with_changes import evolve
from table.games.engine.game_state import Phase, Refusal, State
from table.observed_facts import CardLanded
from table.referee.model.event_costs import COSTS
from table.referee.model.hypothesis import Claim, Hypothesis, TableCard
from table.referee.model.observations import (
    CallMade,
    CardsLanded,
    CardsLeft,
    DialCleared,
    DialTurned,
    HandMayBeOver,
    JournalEvent,
    Observation,
    PickUpOver,
    Remark,
    Restarted,
    SecretBid,
)
from table.referee.model.search_context import Step
from table.referee.moves.calls import expand_call, expand_dial_turn
from table.referee.moves.card_departures import end_pick_up_pause, expand_departure
from table.referee.moves.card_landings import match_known_cards
from table.referee.moves.card_plays import NO_CARD_PHASES, sync_table_with_state
from table.referee.moves.tied_leads import expand_landings, expand_restart
from table.referee.moves.unseen_events import unseen_continuations


def expand(step: Step, hypothesis: Hypothesis) -> Iterator[Hypothesis]:
    """Yield the hypotheses that may follow from one hypothesis and the observation of ``step``.

    Those that the beam will not keep may be left out.
    """
    observation = step.observation
    if observation.number in step.context.pins.undone:
        yield _expand_undone(step, hypothesis, observation)
        return
    match observation:
        case CardsLanded():
            expand_cards = expand_restart if observation.after_restart else expand_landings
            yield from expand_cards(step, hypothesis, observation.cards)
        case CardsLeft():
            yield from expand_departure(step, hypothesis, observation.cards)
        case HandMayBeOver():
            yield from _expand_idle(step, hypothesis)
        case CallMade():
            yield from expand_call(step, hypothesis, observation)
        case DialTurned():
            yield from expand_dial_turn(step, hypothesis, observation)
        case _:
            yield _advance(step, hypothesis, observation)


def _advance(step: Step, hypothesis: Hypothesis, observation: Observation) -> Hypothesis:
    """Return the one hypothesis that follows from an observation that can mean nothing else."""
    match observation:
        case PickUpOver():
            return end_pick_up_pause(step, hypothesis)
        case JournalEvent():
            return _expand_journal_event(step, hypothesis, observation)
        case Restarted():
            return _restart(hypothesis, observation.open_tie_ids)
        case DialCleared():
            dial = hypothesis.dial
            return evolve(hypothesis, dial=None) if dial and dial.seat == observation.seat else hypothesis
        case SecretBid() if hypothesis.state.phase is Phase.SECRET_BID:
            bid = (observation.seat, observation.bid)
            return evolve(hypothesis, secret_bids=(*hypothesis.secret_bids, bid))
        case Remark():
            return step.add_remark(hypothesis, observation.announcement, *observation.notices)
    return hypothesis


def _restart(hypothesis: Hypothesis, open_tie_ids: Collection[int]) -> Hypothesis:
    """Return the hypothesis after a restart: what lay there is believed to lie there until the camera has looked."""
    pieces = tuple(
        piece._replace(tie_window_id=piece.id) if piece.id in open_tie_ids else piece
        for piece in hypothesis.table_cards
    )
    return evolve(hypothesis, table_cards=pieces, departing_trick=None, secret_bids=())


# --- nothing happens ------------------------------------------------------------------------------------------------


def _expand_idle(step: Step, hypothesis: Hypothesis) -> Iterator[Hypothesis]:
    """Yield what may follow from a long silence while a card is waited for."""
    played = step.context.pins.idle_tricks.get(step.observation.number)
    for way in unseen_continuations(step, hypothesis):
        otherwise = played is not None and not _is_trick_played(way.state, *played)
        yield way.add_cost(COSTS.contradicts_people if otherwise else _idle_cost(way))


def _is_trick_played(state: State, deal: int, trick: int) -> bool:
    """Return whether all cards of a trick have been played."""
    come_to = (state.deal, len(state.tricks) + 1)
    return come_to > (deal, trick) or (come_to == (deal, trick) and state.phase is Phase.PICK_UP)


def _idle_cost(hypothesis: Hypothesis) -> float:
    """Return the cost of a long silence: a card is waited for, or cards that have been taken seem to lie there."""
    cost = 0.0 if hypothesis.state.phase in (Phase.DEAL, Phase.OVER) else COSTS.idle_mid_hand
    if any(piece.role == "done" and piece.id is not None for piece in hypothesis.table_cards):
        cost += COSTS.idle_with_taken_cards
    return cost


# --- what only the journal tells ------------------------------------------------------------------------------------


def _expand_journal_event(step: Step, hypothesis: Hypothesis, told: JournalEvent) -> Hypothesis:
    """Return the hypothesis after what the journal tells; what a correction has made impossible is left out."""
    corrected = step.context.pins.events.get(told.number)
    cause = told.cause if corrected is None else corrected
    if isinstance(cause, Announcement):
        return _move_told_cards(step.add_remark(hypothesis, cause), cause)
    after = step.apply(
        hypothesis, cause, extra=told.extra_fields if corrected is None else {"by": "corrected"}
    )
    if isinstance(after, Refusal):
        return hypothesis
    if after.state.deal != hypothesis.state.deal:
        return evolve(after, table_cards=())
    read_as = str(told.cause.card) if corrected is not None and isinstance(told.cause, Played) else None
    return sync_table_with_state(_move_told_cards(after, cause, read_as=read_as))


def _move_told_cards(
    hypothesis: Hypothesis, cause: Event | Announcement, *, read_as: str | None = None, undone: bool = False
) -> Hypothesis:
    """Return the hypothesis with the cards that an event has laid on the mark or taken away, none of them in sight.

    ``read_as``: what the camera reads, where that has been corrected. ``undone``: the event counts for nothing, so what
    it laid is to be taken back.
    """
    state, none_expected = hypothesis.state, undone or hypothesis.state.phase in NO_CARD_PHASES
    laid: list[TableCard] = []
    moved: set[tuple[str | None, str]] = set()
    match cause:
        case Played(seat, played):
            laid = [TableCard(None, played, seat, "back" if undone else "played", read_as=read_as)]
        case TurnedUp(turned) if undone:
            laid = [TableCard(None, turned, state.dealer, "back")]
        case TurnedUp(turned):
            laid = [TableCard(None, turned, None, "turned up")]
        case LeadsTied(_, taken_back):
            claim: Claim = "no" if undone else "tied"
            laid = [TableCard(None, play.card, play.seat, "back", claim) for play in taken_back]
        case Announcement("out_of_turn", fields) if fields["card"] != "?":
            claim = "no" if none_expected else "turn"
            laid = [TableCard(None, card(fields["card"]), fields["seat"], "back", claim)]
        case Announcement("card_taken_back", fields):
            moved = {(fields["seat"], fields["card"])}
        case TakenBack(seat, taken):
            moved = {(seat, str(taken))}
        case TrickTaken() if undone:
            moved = {(piece.seat, str(piece.card)) for piece in hypothesis.table_cards}
    moved.update((piece.seat, str(piece.card)) for piece in laid)
    is_led = isinstance(cause, Played) and not undone
    stay = [
        piece
        for piece in hypothesis.table_cards
        if not (piece.role == "back" and (piece.seat, str(piece.card)) in moved)
        and not (piece.role == "turned up" and is_led)
    ]
    return evolve(hypothesis, table_cards=(*stay, *laid))


# --- what has been undone -------------------------------------------------------------------------------------------


def _expand_undone(step: Step, hypothesis: Hypothesis, observation: Observation) -> Hypothesis:
    """Return the hypothesis after an observation that has been undone."""
    match observation:
        case CardsLanded():
            facts: Sequence[CardLanded] = observation.cards
            if observation.after_restart:  # only what is new is undone
                hypothesis, facts = match_known_cards(step, hypothesis, facts)[0]
            return _undo_landing(step, hypothesis, facts)
        case CardsLeft():
            return _undo_departure(hypothesis, observation)
        case JournalEvent(cause=cause):
            return _move_told_cards(hypothesis, cause, undone=True)
        case PickUpOver() if hypothesis.departing_trick is not None:
            # The pick-up has begun, and is not over.
            begun = replace(hypothesis.departing_trick, pause_ends_ns=None)
            return evolve(hypothesis, departing_trick=begun)
    return hypothesis


def _undo_landing(step: Step, hypothesis: Hypothesis, facts: Sequence[CardLanded]) -> Hypothesis:
    """Return the hypothesis after an undone landing: the card lies there, counts for nothing, and is to be taken
    back.
    """
    for fact in facts:
        laid = TableCard(fact.id, None, None, "unread")
        if fact.readings:
            name = step.context.card_candidates(fact, hypothesis)[0]
            seat = step.arm_evidence(fact, hypothesis).likeliest_seat
            owner = seat or step.game.expected(hypothesis.state).default_seat
            laid = name.laid_by(owner, fact.id, "back")
        hypothesis = hypothesis.add_card(laid)
    return hypothesis


def _undo_departure(hypothesis: Hypothesis, observation: CardsLeft) -> Hypothesis:
    """Return the hypothesis after an undone departure: the cards are out of sight, and what they counted for stands."""
    ids = {fact.id for fact in observation.cards}
    for piece in hypothesis.table_cards:
        if piece.id in ids:
            stays = piece.role in ("played", "turned up")
            hypothesis = hypothesis.replace_card(piece, piece._replace(id=None) if stays else None)
    return hypothesis
