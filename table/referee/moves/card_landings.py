"""The hypotheses that may follow from one landed card."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from math import hypot, log
from typing import TypeAlias

from table.cards import Card, UnseenCard
from table.events.game_events import TakenBack, TurnedUp
from table.games.engine.copy_with_changes import evolve
from table.games.engine.game_state import Phase, Refusal
from table.observed_facts import MS, CardLanded
from table.referee.model.event_costs import COSTS, ArmEvidence
from table.referee.model.hypothesis import Hypothesis, TableCard
from table.referee.model.notices import Notice
from table.referee.model.search_context import CardCandidate, Step
from table.referee.moves.card_plays import (
    NO_CARD_PHASES,
    discard_cost,
    lay_out_of_turn,
    lead_cost,
    play_card,
    play_tied_lead,
)
from table.referee.moves.unseen_events import ns_since_last_card, unseen_continuations

MIN_REPLAY_NS = 4_000 * MS
"""The least time in which a player who has played notices that the table waits for a card, and lays it down again."""
PUSHED_MM = 80.0
"""The distance, centre from centre, within which a card that is pushed about on the mark comes to lie again."""


def expand_landing(step: Step, hypothesis: Hypothesis, fact: CardLanded) -> Iterator[Hypothesis]:
    """Yield all hypotheses that may follow from a card that came to rest; unlikely ones may be left out."""
    step.beam.check_time()
    step = step.at(fact.t_ns)
    arm = step.arm_evidence(fact, hypothesis)
    before = play_tied_lead(step, hypothesis, arm)
    # Likely hypotheses come first: they lower the cost that is worth following, and fewer others have to be generated.
    names: _Candidates = cache(partial(step.context.card_candidates, fact, before))
    yield from _play_candidates(step, before, fact, arm, names)
    yield from _detect_known_cards(step, hypothesis, fact)
    yield from _detect_missed_card(step, hypothesis, fact, arm)
    yield add_false_detection(step, hypothesis, fact)
    if fact.readings:
        yield from _lay_too_early(step, before, fact, arm, names)
    else:
        yield _lay_face_down(step, before, fact)
    for way in unseen_continuations(step, before, arm=arm):
        if way is not before:
            names = partial(step.context.card_candidates, fact, way)
            yield from _play_candidates(step, way, fact, arm, names)


# --- no new card ----------------------------------------------------------------------------------------------------


def match_known_cards(
    step: Step, hypothesis: Hypothesis, facts: Sequence[CardLanded]
) -> list[tuple[Hypothesis, list[CardLanded]]]:
    """Return the ways in which cards that lie there after a restart are those that lay there before.

    Each is a hypothesis with the cards that are found again, and the cards that are new.
    """
    known = (piece for piece in hypothesis.table_cards if piece.card is not None and piece.role != "nothing")
    out_of_sight = evolve(hypothesis, table_cards=tuple(piece._replace(id=None) for piece in known))
    ways: list[tuple[Hypothesis, list[CardLanded]]] = [(out_of_sight, [])]
    for fact in facts:
        more = []
        for before, new in ways:
            shares = [
                (_share_of_same_card(step, piece, fact), piece)
                for piece in before.table_cards
                if piece.id is None
            ]
            more += [
                (_detect_again(before, piece, fact, COSTS.seen_again, share), new)
                for share, piece in shares
                if share > 0.0
            ]
            # A card single in the pack that lay there is the one that lies there.
            if not any(share > 0.5 and _is_single(step, piece) for share, piece in shares):
                more.append((before, [*new, fact]))
        ways = [(after, new) for after, new in more if not step.is_too_costly(after)]
    return ways


def _is_single(step: Step, piece: TableCard) -> bool:
    """Return whether a card occurs once in the pack."""
    return isinstance(piece.card, Card) and step.game.rules.card_counts.get(piece.card) == 1


def _share_of_same_card(step: Step, piece: TableCard, fact: CardLanded) -> float:
    """Return the confidence that a detection is the card ``piece``, by what people have said, else by its readings."""
    if piece.card is None or piece.role == "nothing":
        return 0.0
    pinned = step.context.pins.cards.get(fact.id)
    if pinned is not None:
        return 1.0 if pinned == piece.card else 0.0
    names = (str(piece.card), piece.read_as)
    return min(1.0, max((each.confidence for each in fact.readings if each.card in names), default=0.0))


def _detect_again(
    hypothesis: Hypothesis, piece: TableCard, fact: CardLanded, cost: float, share: float
) -> Hypothesis:
    """Return the hypothesis in which a detection is the card ``piece``, read so with confidence ``share``."""
    now = piece._replace(id=fact.id, landing_missed=False)
    return hypothesis.replace_card(piece, now).add_cost(cost - log(share))


def _detect_known_cards(step: Step, hypothesis: Hypothesis, fact: CardLanded) -> Iterator[Hypothesis]:
    """Yield the hypotheses in which a card that lies there already, or was lost from sight, is detected again."""
    for piece in hypothesis.table_cards:
        share = 0.0 if piece.landing_missed else _share_of_same_card(step, piece, fact)
        if share > 0.0:
            yield _detect_again(hypothesis, piece, fact, _move_cost(step, piece, fact), share)


def _move_cost(step: Step, piece: TableCard, fact: CardLanded) -> float:
    """Return the cost of the card's move from where it was to where it is."""
    if piece.id is None:
        return COSTS.seen_again
    lay = step.context.landed[piece.id]
    away = hypot(lay.place_mm[0] - fact.place_mm[0], lay.place_mm[1] - fact.place_mm[1])
    return COSTS.moved_nearby if away < PUSHED_MM else COSTS.moved_far


def _detect_missed_card(
    step: Step, hypothesis: Hypothesis, fact: CardLanded, arm: ArmEvidence
) -> Iterator[Hypothesis]:
    """Yield the hypotheses in which a missed card is detected late: uncovered, or laid down again by its player."""
    for piece in hypothesis.trick_cards():
        missed = piece.landing_missed or isinstance(piece.card, UnseenCard)
        if piece.id is not None or piece.card is None or not missed:
            continue
        assert piece.seat is not None
        soon = ns_since_last_card(step, hypothesis) < MIN_REPLAY_NS and arm.probabilities
        cost = COSTS.missed_seen_late + arm.cost_for(piece.seat) + (COSTS.replayed_too_soon if soon else 0.0)
        if step.is_too_costly(hypothesis, cost):
            continue
        taken = step.apply(hypothesis, TakenBack(piece.seat, piece.card), card_id=fact.id)
        if isinstance(taken, Refusal):
            continue
        taken = taken.replace_card(piece, None).add_cost(cost)
        for name in step.context.card_candidates(fact, taken):
            after = play_card(step, taken, name.laid_by(piece.seat, fact.id), reading_cost=name.cost)
            if after is not None:
                yield after


def add_false_detection(step: Step, hypothesis: Hypothesis, fact: CardLanded) -> Hypothesis:
    """Return the hypothesis in which the detection is false and there is no card."""
    # (For a card that landed unobserved no hand need have been detected.)
    alone = fact.arm_deg is None and not step.unobserved
    pins = step.context.pins
    said = fact.id in pins.cards or fact.id in pins.seats
    cost = COSTS.false_detection if alone else COSTS.false_detection_with_hand
    return hypothesis.add_card(TableCard(fact.id, None, None, "nothing")).add_cost(
        cost + (COSTS.contradicts_people if said else 0.0)
    )


def _lay_face_down(step: Step, hypothesis: Hypothesis, fact: CardLanded) -> Hypothesis:
    """Return the hypothesis with an unreadable card, which counts for nothing until it is turned or taken back."""
    laid = hypothesis.add_card(TableCard(fact.id, None, None, "unread"))
    unread = step.notice("trouble", "unread")
    return step.add_remark(laid, None, unread, card_id=fact.id).add_cost(COSTS.unreadable_face_down)


# --- a new card -----------------------------------------------------------------------------------------------------


_Candidates: TypeAlias = Callable[[], Sequence[CardCandidate]]
"""Returns what a card may be by a hypothesis: found only where the card's player isn't too unlikely already."""


def _play_candidates(
    step: Step, hypothesis: Hypothesis, fact: CardLanded, arm: ArmEvidence, names: _Candidates
) -> Iterator[Hypothesis]:
    """Yield the hypotheses in which the card is what is waited for: turned up, led, or the next of the trick."""
    if hypothesis.state.phase.is_deal:
        for name in names():
            yield from _turn_up(step, hypothesis, fact, name)
    elif hypothesis.state.phase.is_play:
        yield from _play_by_each(step, hypothesis, fact, arm, names)


def _play_by_each(
    step: Step, hypothesis: Hypothesis, fact: CardLanded, arm: ArmEvidence, names: _Candidates
) -> Iterator[Hypothesis]:
    """Yield the hypotheses in which the card is played by each player who may play now."""
    expected, by = step.game.expected(hypothesis.state), arm.likeliest_seat
    ties = sum(_is_left_tied(other, fact) for other in hypothesis.table_cards)
    costs = {
        seat: arm.cost_for(seat)
        + lead_cost(step.context, hypothesis.state, seat)
        + COSTS.tied_lead_left * ties
        + (COSTS.lead_by_non_default if expected.anyone_may_act and seat != expected.default_seat else 0.0)
        for seat in expected.seats
    }
    if step.is_too_costly(hypothesis, min(costs.values())):
        return
    for name in names():
        discard = discard_cost(hypothesis.state, name.card)
        for seat, cost in costs.items():
            if step.is_too_costly(hypothesis, cost + name.cost + discard):
                continue
            notices = _misread_notices(step, fact, name)
            if not expected.anyone_may_act and by not in (None, seat):
                notices += (step.notice("hint", "arm_disagrees", seat, by, arm=by, seat=seat),)
            doubt = expected.anyone_may_act and by is None
            laid = name.laid_by(seat, fact.id)
            after = play_card(step, hypothesis, laid, reading_cost=name.cost, doubt=doubt, notices=notices)
            if after is not None:
                yield after.add_habit(COSTS.in_turn).add_cost(cost)


def _is_left_tied(piece: TableCard, fact: CardLanded) -> bool:
    """Return whether a card is a tied lead that is to go back and still lay there when another card came."""
    return piece.role == "back" and piece.claim == "tied" and piece.id not in (None, fact.id)


def _misread_notices(step: Step, fact: CardLanded, name: CardCandidate) -> tuple[Notice, ...]:
    """Return the notice for a card that is taken for another one than its best reading."""
    if name.is_best_reading or isinstance(name.card, UnseenCard) or not fact.readings:
        return ()
    return (step.notice("trouble", "taken_for", seen=fact.readings[0].card, card=str(name.card)),)


def _turn_up(
    step: Step, hypothesis: Hypothesis, fact: CardLanded, name: CardCandidate
) -> Iterator[Hypothesis]:
    """Yield the hypothesis in which the card is turned up for trumps, or is one that the rules have turned again."""
    if isinstance(name.card, UnseenCard):
        return
    dealer = hypothesis.state.dealer
    laid = name.laid_by(None, fact.id, "turned up")
    notices = _misread_notices(step, fact, name)
    after = step.apply(hypothesis, TurnedUp(name.card), card_id=fact.id, notices=notices)
    if not isinstance(after, Refusal):
        arm = step.arm_evidence(fact, hypothesis)
        by = min(arm.cost_for(dealer), COSTS.turned_up_by_other)
        yield after.add_card(laid).add_cost(name.cost + by)
    elif after.code == "turn_another":
        another = step.notice("ruling", "turn_another", seat=dealer, why=after.why)
        refused = step.add_remark(hypothesis, None, another, card_id=fact.id)
        yield refused.add_card(laid._replace(seat=dealer, role="back")).add_cost(name.cost)


# --- a card out of turn ---------------------------------------------------------------------------------------------


def _lay_too_early(
    step: Step, hypothesis: Hypothesis, fact: CardLanded, arm: ArmEvidence, names: _Candidates
) -> Iterator[Hypothesis]:
    """Yield the hypotheses in which the card is laid out of turn."""
    before = _add_early_cost(step, hypothesis, arm)
    if step.is_too_costly(before):
        return
    known = [name for name in names() if not isinstance(name.card, UnseenCard)]
    seats = _early_seats(step, hypothesis, arm)
    # Of a card that doesn't count the likeliest identities will do.
    for name in known[:2] or names()[:1]:
        for seat in seats:
            again = COSTS.second_card_in_trick if _has_laid(hypothesis, seat) else 0.0
            cost = name.cost + arm.cost_for(seat) + again
            if not step.is_too_costly(before, cost):
                yield lay_out_of_turn(step, before, name.laid_by(seat, fact.id)).add_cost(cost)


def _early_seats(step: Step, hypothesis: Hypothesis, arm: ArmEvidence) -> Sequence[str]:
    """Return the players who may have laid a card out of turn."""
    state, expected = hypothesis.state, step.game.expected(hypothesis.state)
    if expected.phase.is_play:
        # Any player may lead freely; once one has, or a tie has bound the default leader, it is one player's turn.
        # Out of turn, and by another arm than was detected, if any: that is no likelier than a false detection.
        return [seat for seat in state.players if seat not in expected.seats and arm.probabilities]
    likely = arm.likeliest_seat or expected.default_seat or state.dealer
    if arm.likeliest_seat is not None or expected.phase in NO_CARD_PHASES:
        return [likely]
    # The card may yet count: the play that follows tells whose it is.
    return [likely, *(seat for seat in state.players if seat != likely)]


def _add_early_cost(step: Step, hypothesis: Hypothesis, arm: ArmEvidence) -> Hypothesis:
    """Return the hypothesis with the cost of a card laid out of turn, without the cost of its owner."""
    state = hypothesis.state
    another = any(piece.role == "back" for piece in hypothesis.table_cards)
    if state.phase is Phase.PICK_UP:
        return hypothesis.add_cost(COSTS.further_early_lead if another else COSTS.early_lead)
    dealing = state.phase.is_deal
    by_other = arm.likeliest_seat not in (None, state.dealer) if dealing else another
    if state.phase.is_play or by_other:
        after = hypothesis.add_habit(COSTS.out_of_turn)
    else:
        after = hypothesis.add_cost(COSTS.no_card_expected)
    turns_up = dealing and step.game.turns_up_trump(state)
    return after.add_cost(COSTS.not_turned_up_card if turns_up else 0.0)


def _has_laid(hypothesis: Hypothesis, seat: str) -> bool:
    """Return whether a player has a card in this trick already, or one lying that is to go back."""
    return hypothesis.state.phase not in NO_CARD_PHASES and any(
        piece.seat == seat and piece.role in ("played", "back") and piece.id is not None
        for piece in hypothesis.table_cards
    )
