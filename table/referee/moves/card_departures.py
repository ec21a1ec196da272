"""The hypotheses that may follow from cards leaving the mark: withdrawn, picked up, or lost from sight."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from table.events.event_spec import Announcement
from table.events.game_events import TakenBack
from table.games.engine.copy_with_changes import evolve
from table.games.engine.game_state import Phase, Refusal
from table.observed_facts import CardGone
from table.referee.model.event_costs import COSTS, ArmEvidence
from table.referee.model.hypothesis import DepartingTrick, Hypothesis, TableCard
from table.referee.model.notices import make_notice
from table.referee.moves.common_card_moves import CardMoves, CostBound

MIN_PICK_UP_CARDS = 2
"""The number of leaving cards of a complete trick from which on the trick is being picked up: no chance withdrawal."""


class CardDepartures(CardMoves):
    """The steps from cards that leave together to the next hypotheses."""

    def expand_departure(
        self, hypothesis: Hypothesis, facts: tuple[CardGone, ...], observation_number: int, bound: CostBound
    ) -> Iterator[Hypothesis]:
        """Yield the hypotheses that may follow from cards that left in the same moment."""
        yield from self._expand_once(hypothesis, facts, observation_number, bound)
        if any(fact.mark_empty for fact in facts):
            # A tied lead that its player has left lying counts when the pile is picked up, if it completes the trick;
            # otherwise it has merely gone.
            counted = self.play_tied_lead(hypothesis, facts[0].t_ns, None, observation_number)
            if counted.state.phase is Phase.PICK_UP and counted is not hypothesis:
                yield from self._expand_once(counted, facts, observation_number, bound)

    def _expand_once(
        self, hypothesis: Hypothesis, facts: tuple[CardGone, ...], observation_number: int, bound: CostBound
    ) -> Iterator[Hypothesis]:
        t_ns = facts[0].t_ns
        arm = self.context.arm_evidence(facts[0], hypothesis.state)
        ids = {fact.id for fact in facts}
        gone = tuple(piece for piece in hypothesis.table_cards if piece.id in ids)
        after = self._remove_others(hypothesis, gone, arm, t_ns, observation_number)
        of_trick = tuple(piece for piece in gone if piece.role == "played")
        if not of_trick:
            yield after
            return
        yield self._lose_from_sight(after, of_trick, arm)
        none = any(piece.role == "nothing" for piece in gone)
        yield from self.withdraw_cards(
            after.add_cost(COSTS.left_together if none else 0.0), of_trick, arm, t_ns, observation_number
        )
        for way in self.unseen_continuations(after, t_ns, observation_number, bound):
            if way.state.phase is Phase.PICK_UP:
                yield from self._pick_up(way, of_trick, arm, t_ns, observation_number)

    def _remove_others(
        self,
        hypothesis: Hypothesis,
        gone: tuple[TableCard, ...],
        arm: ArmEvidence,
        t_ns: int,
        observation_number: int,
    ) -> Hypothesis:
        """Remove the leaving cards that are not of the trick, with the cost of their going together."""
        after = hypothesis
        for piece in gone:
            if piece.role != "played":
                after = self.remove_outside_trick(after, piece, arm, t_ns, observation_number)
        if sum(piece.role == "done" for piece in gone) >= MIN_PICK_UP_CARDS:
            after = after.add_cost(COSTS.taken_cards_lingered)
        played = any(piece.role == "played" for piece in gone)
        others = len({piece.seat for piece in gone if piece.role == "back"}) - (not played)
        return after.add_cost(max(0, others) * COSTS.left_together)

    def remove_outside_trick(
        self, hypothesis: Hypothesis, piece: TableCard, arm: ArmEvidence, t_ns: int, observation_number: int
    ) -> Hypothesis:
        """Return the hypothesis after a card outside the trick has left; one that had to go back is announced."""
        after = hypothesis.replace_card(piece, None)
        if piece.role != "back":
            return after
        after = after.add_cost(min(arm.cost_for(piece.seat), COSTS.trick_taken_by_other))
        said = Announcement("card_taken_back", {"seat": piece.seat, "card": str(piece.card)})
        return after.add_remark(said, t_ns, observation_number=observation_number, card_id=piece.id)

    def _lose_from_sight(
        self, hypothesis: Hypothesis, gone: tuple[TableCard, ...], arm: ArmEvidence
    ) -> Hypothesis:
        """Return the hypothesis in which the cards lie there still, and are only out of sight."""
        cost = COSTS.lost_near_hand if arm.probabilities else 0.0
        ids = [piece.id for piece in gone if piece.id is not None]
        for piece in gone:
            assert piece.id is not None
            alone = (
                COSTS.covered if self.context.is_covered(piece.id, hypothesis, ids) else COSTS.lost_from_sight
            )
            cost += min(alone, COSTS.further_lost) if piece is not gone[0] else alone
        after = hypothesis
        for piece in gone:
            after = after.replace_card(piece, replace(piece, id=None))
        return after.add_cost(cost)

    def withdraw_cards(
        self,
        hypothesis: Hypothesis,
        gone: tuple[TableCard, ...],
        arm: ArmEvidence,
        t_ns: int,
        observation_number: int,
    ) -> Iterator[Hypothesis]:
        """Yield the hypothesis in which the players have taken these cards of the trick back, if the rules allow it."""
        ids = [piece.id for piece in gone if piece.id is not None]
        others = len({piece.seat for piece in gone}) - 1
        after = hypothesis.add_cost(others * COSTS.left_together)
        for piece in gone:
            assert piece.card is not None
            assert piece.seat is not None
            sentence = make_notice(
                t_ns, "hint", "took_back", piece.seat, seat=piece.seat, card=str(piece.card)
            )
            taken = after.apply_event(
                self.game,
                TakenBack(piece.seat, piece.card),
                t_ns,
                observation_number=observation_number,
                card_id=piece.id,
                notices=(sentence,),
            )
            if isinstance(taken, Refusal):
                return
            buried = piece.id is not None and self.context.is_covered(piece.id, hypothesis, ids)
            cost = arm.cost_for(piece.seat) + (COSTS.lost_from_sight if buried else 0.0)
            if self.context.contradicts_people(after.state, piece.seat, piece.card):
                cost -= COSTS.contradicts_people_when_laid  # the contradicting card did not stay
            after = taken.replace_card(piece, None).add_habit(COSTS.taken_back).add_cost(cost)
        yield self.play_pending_cards(after, t_ns, observation_number)

    def _pick_up(
        self,
        way: Hypothesis,
        gone: tuple[TableCard, ...],
        arm: ArmEvidence,
        t_ns: int,
        observation_number: int,
    ) -> Iterator[Hypothesis]:
        """Yield the hypothesis in which the trick is being picked up: it is taken once most of it has gone."""
        before = way.departing_trick
        ids = (
            *(before.departed_ids if before else ()),
            *(piece.id for piece in gone if piece.id is not None),
        )
        taker = arm.likeliest_seat if arm.is_certain else (before.taker if before else None)
        after = way
        for piece in gone:
            after = after.replace_card(piece, replace(piece, id=None))
        quiet = t_ns + self.context.times.pick_up_ns
        after = evolve(after, departing_trick=DepartingTrick(ids, taker, quiet))
        staying = len(after.visible_trick_cards())
        if staying and not (len(ids) >= MIN_PICK_UP_CARDS and len(ids) >= staying):
            yield after
            return
        taken = self.take_trick(after, taker, t_ns, observation_number)
        if taken is not None:
            yield taken

    def end_pick_up_pause(
        self, hypothesis: Hypothesis, t_ns: int, observation_number: int
    ) -> Iterator[Hypothesis]:
        """Yield the hypothesis after a pick-up that had begun has paused for longer than between two grabs."""
        leaving = hypothesis.departing_trick
        if leaving is None or leaving.pause_ends_ns is None or leaving.pause_ends_ns > t_ns:
            yield hypothesis
            return
        if len(leaving.departed_ids) >= MIN_PICK_UP_CARDS:
            taken = self.take_trick(hypothesis, leaving.taker, t_ns, observation_number)
            if taken is not None:
                yield taken
                return
        yield evolve(hypothesis, departing_trick=replace(leaving, pause_ends_ns=None)).add_cost(
            COSTS.pick_up_paused
        )
