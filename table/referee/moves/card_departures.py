"""The hypotheses that may follow from cards leaving the mark: withdrawn, picked up, or lost from sight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from table.cards import UnseenCard
from table.events.event_spec import Announcement
from table.events.game_events import TakenBack
from table.games.engine.copy_with_changes import evolve
from table.games.engine.game_state import Phase, Refusal
from table.observed_facts import CardGone
from table.referee.model.event_costs import COSTS, NO_ARM, ArmEvidence
from table.referee.model.hypothesis import DepartingTrick, Hypothesis, TableCard
from table.referee.model.search_context import Step
from table.referee.moves.card_plays import (
    play_pending_cards,
    play_tied_lead,
    take_trick,
)
from table.referee.moves.unseen_events import take_trick_unseen, unseen_continuations

MIN_PICK_UP_CARDS = 2
"""The number of leaving cards of a complete trick from which on the trick is being picked up: no chance withdrawal."""


def expand_departure(step: Step, hypothesis: Hypothesis, facts: Sequence[CardGone]) -> Iterator[Hypothesis]:
    """Yield the hypotheses that may follow from cards that left in the same moment."""
    yield from _expand_once(step, hypothesis, facts)
    if any(fact.mark_empty for fact in facts):
        # A tied lead that its player has left lying counts when the pile is picked up, if it completes the trick;
        # otherwise it has merely gone.
        counted = play_tied_lead(step, hypothesis, None)
        if counted.state.phase is Phase.PICK_UP and counted is not hypothesis:
            yield from _expand_once(step, counted, facts)


def _expand_once(step: Step, hypothesis: Hypothesis, facts: Sequence[CardGone]) -> Iterator[Hypothesis]:
    arm = step.arm_evidence(facts[0], hypothesis)
    ids = {fact.id for fact in facts}
    gone = [piece for piece in hypothesis.table_cards if piece.id in ids]
    after = _remove_others(step, hypothesis, gone, arm)
    of_trick = [piece for piece in gone if piece.role == "played"]
    if not of_trick:
        yield after
        return
    yield _lose_from_sight(step, after, of_trick, arm)
    false = any(piece.role == "nothing" for piece in gone)
    yield from withdraw_cards(step, after.add_cost(COSTS.left_together if false else 0.0), of_trick, arm)
    missing = len(after.state.players) - len(after.state.trick.plays)
    if not step.is_too_costly(after, missing * COSTS.undetected_card):
        for way in unseen_continuations(step, after, up_to=Phase.PICK_UP):
            if way.state.phase is Phase.PICK_UP:
                yield from _pick_up(step, way, of_trick, arm)


def _remove_others(
    step: Step, hypothesis: Hypothesis, gone: Sequence[TableCard], arm: ArmEvidence
) -> Hypothesis:
    """Remove the leaving cards that are not of the trick, with the cost of their going together."""
    after = hypothesis
    for piece in gone:
        if piece.role != "played":
            after = _remove_outside_trick(step, after, piece, arm)
    if sum(piece.role == "done" for piece in gone) >= MIN_PICK_UP_CARDS:
        after = after.add_cost(COSTS.taken_cards_lingered)
    played = any(piece.role == "played" for piece in gone)
    others = len({piece.seat for piece in gone if piece.role == "back"}) - (not played)
    return after.add_cost(max(0, others) * COSTS.left_together)


def _remove_outside_trick(
    step: Step, hypothesis: Hypothesis, piece: TableCard, arm: ArmEvidence
) -> Hypothesis:
    """Return the hypothesis after a card outside the trick has left; one that had to go back is announced."""
    after = hypothesis.replace_card(piece, None)
    if piece.role != "back":
        return after
    after = after.add_cost(min(arm.cost_for(piece.seat), COSTS.trick_taken_by_other))
    said = Announcement("card_taken_back", {"seat": piece.seat, "card": str(piece.card)})
    return step.add_remark(after, said, card_id=piece.id)


def _lose_from_sight(
    step: Step, hypothesis: Hypothesis, gone: Sequence[TableCard], arm: ArmEvidence
) -> Hypothesis:
    """Return the hypothesis in which the cards lie there still, and are only out of sight."""
    covered = _covered_cards(step, hypothesis, gone)
    costs = [COSTS.covered if piece.id in covered else COSTS.lost_from_sight for piece in gone]
    near_hand = COSTS.lost_near_hand if arm.probabilities else 0.0
    further = sum(min(cost, COSTS.further_lost) for cost in costs[1:])
    return hypothesis.lose_from_sight(gone).add_cost(near_hand + costs[0] + further)


def _covered_cards(step: Step, hypothesis: Hypothesis, gone: Sequence[TableCard]) -> set[int]:
    """Return the ids of the cards beneath a card of the trick that stays where the cards ``gone`` leave."""
    leaving = {piece.id for piece in gone}
    stay = (piece.id for piece in hypothesis.trick_cards() if piece.id is not None)
    landed = step.context.landed
    return {
        number for stays in stay if stays in landed and stays not in leaving for number in landed[stays].upon
    }


def withdraw_cards(
    step: Step, hypothesis: Hypothesis, gone: Sequence[TableCard], arm: ArmEvidence = NO_ARM
) -> Iterator[Hypothesis]:
    """Yield the hypothesis in which the players have taken these cards of the trick back, if the rules allow it."""
    covered = _covered_cards(step, hypothesis, gone)
    after = hypothesis.add_cost((len({piece.seat for piece in gone}) - 1) * COSTS.left_together)
    if step.is_too_costly(after):
        return
    for piece in gone:
        assert piece.card is not None
        assert piece.seat is not None
        notice = step.notice("hint", "took_back", piece.seat, seat=piece.seat, card=str(piece.card))
        taken = step.apply(after, TakenBack(piece.seat, piece.card), card_id=piece.id, notices=[notice])
        if isinstance(taken, Refusal):
            return
        cost = arm.cost_for(piece.seat) + (COSTS.lost_from_sight if piece.id in covered else 0.0)
        if step.context.named_card(after.state, piece.seat) not in (None, piece.card):
            cost -= COSTS.contradicts_people  # the contradicting card did not stay
        after = taken.replace_card(piece, None).add_habit(COSTS.taken_back).add_cost(cost)
    yield play_pending_cards(step, after)


def _pick_up(
    step: Step, hypothesis: Hypothesis, gone: Sequence[TableCard], arm: ArmEvidence
) -> Iterator[Hypothesis]:
    """Yield the hypothesis in which the trick is being picked up: it is taken once most of it has gone."""
    before = hypothesis.departing_trick
    ids = before.departed_ids if before else ()
    ids += tuple(piece.id for piece in gone if piece.id is not None)
    taker = arm.likeliest_seat if arm.is_certain else (before.taker if before else None)
    pause_ends_ns = step.t_ns + step.context.times.pick_up_ns
    after = evolve(
        hypothesis.lose_from_sight(gone), departing_trick=DepartingTrick(ids, taker, pause_ends_ns)
    )
    staying = sum(piece.id is not None for piece in after.trick_cards())
    taken: Hypothesis | None = after
    if not staying or (len(ids) >= MIN_PICK_UP_CARDS and len(ids) >= staying):
        taken = take_trick(step, after, taker)
    if taken is not None:
        yield taken


def end_pick_up_pause(step: Step, hypothesis: Hypothesis) -> Hypothesis:
    """Return the hypothesis after a pick-up that had begun has paused for longer than between two grabs."""
    leaving = hypothesis.departing_trick
    if leaving is None or leaving.pause_ends_ns is None or leaving.pause_ends_ns > step.t_ns:
        return hypothesis
    if len(leaving.departed_ids) >= MIN_PICK_UP_CARDS:
        taken = take_trick(step, hypothesis, leaving.taker)
        if taken is not None:
            return taken
    over = evolve(hypothesis, departing_trick=replace(leaving, pause_ends_ns=None))
    return over.add_cost(COSTS.pick_up_paused)


# --- while the camera was off ---------------------------------------------------------------------------------------


def resolve_undetected(step: Step, hypothesis: Hypothesis) -> Iterator[Hypothesis]:
    """Yield the hypotheses about the cards out of sight that the camera has not found again after a restart.

    A card that was to be taken back has been, as a rule; one of the trick lies beneath others, was lost from sight, or
    has been withdrawn; a complete trick has been picked up.
    """
    # A card that was never detected may still lie where it is not.
    undetected = [
        piece
        for piece in hypothesis.table_cards
        if piece.id is None and not (piece.landing_missed or isinstance(piece.card, UnseenCard))
    ]
    if not undetected:
        yield hypothesis
        return
    if hypothesis.state.phase is Phase.PICK_UP:
        for taken in take_trick_unseen(step, hypothesis):
            yield from resolve_undetected(step, taken)
    of_trick = [piece for piece in undetected if piece.role == "played"]
    outside = [piece for piece in undetected if piece.role != "played"]
    after = hypothesis
    for piece in outside:
        after = _remove_outside_trick(step, after, piece, NO_ARM)
    if of_trick:
        yield _hide(after, of_trick)
        yield from withdraw_cards(step, after, of_trick)
    else:
        yield after
    if any(piece.role == "back" for piece in outside):
        yield _hide(hypothesis, undetected)


def _hide(hypothesis: Hypothesis, pieces: Sequence[TableCard]) -> Hypothesis:
    """Return the hypothesis in which the cards lie there still, beneath others or lost from sight.

    The costs are those of cards that leave while the camera looks.
    """
    in_sight = [place for place, piece in enumerate(hypothesis.table_cards) if piece.id is not None]
    uppermost = max(in_sight, default=-1)
    beneath = [hypothesis.table_cards.index(piece) < uppermost for piece in pieces]
    costs = sorted(COSTS.covered if covered else COSTS.lost_from_sight for covered in beneath)
    return hypothesis.add_cost(costs[-1] + sum(min(cost, COSTS.further_lost) for cost in costs[:-1]))
