"""The hypotheses about cards that landed unseen: when the camera restarted, or went on after a gap.

Neither when they landed is known nor whose hand brought them. They may have come one after the other, or at once; and
a lead of which the tie window was open when the power went may be tied with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import log

from table.events.game_events import Played
from table.games.engine.game_state import Phase
from table.observed_facts import CardLanded
from table.referee.model.event_costs import COSTS
from table.referee.model.hypothesis import Hypothesis, TableCard
from table.referee.moves.common_card_moves import CostBound
from table.referee.moves.simultaneous_leads import Lead, SimultaneousLeads

OWN_ARM_PROBABILITY = 0.5
"""The probability that the arm over a card that landed unseen is the one that laid it, and no other hand that hovers
there."""


class CardsFoundAfterRestart(SimultaneousLeads):
    """The steps for cards that landed unseen."""

    landing_unobserved = True

    def expand_landings(
        self, hypothesis: Hypothesis, facts: Sequence[CardLanded], observation_number: int, bound: CostBound
    ) -> Iterator[Hypothesis]:
        """Yield the hypotheses in which the cards came one by one, or tied with each other or with the lead there."""
        cards = [replace(fact, arm_sure=fact.arm_sure * OWN_ARM_PROBABILITY, frame=0) for fact in facts]
        yield from self.land_one_by_one(hypothesis, cards, observation_number, bound)
        for before in self._where_leads_tie(hypothesis, cards, observation_number):
            # Each of the other players is as likely to have tied; in turn the second card can only be one player's.
            others = len(self.game.expected(before.state).seats) - 1
            yield from self.lead_together(
                before.add_cost(COSTS.undetected_tie + log(others)), cards, observation_number, bound
            )
        yield from self._tied_with_lead(hypothesis, cards, observation_number, bound)

    def was_free_lead(self, fact: CardLanded, before: Hypothesis, after: Hypothesis) -> bool:
        """Return False: a card that came after a lead need not have been tied with it."""
        return False

    def order_cost(self, kept: Lead | None, seen: Lead | None, doubt: float) -> float:
        """Return the cost of ``kept``'s being the first lead: when the cards came tells nothing, how they lie does."""
        if seen is not None:
            return super().order_cost(kept, seen, doubt)
        return COSTS.undetected_first if kept is not None else COSTS.undetected_none_first

    def _where_leads_tie(
        self, hypothesis: Hypothesis, facts: Sequence[CardLanded], observation_number: int
    ) -> Iterator[Hypothesis]:
        """Yield the hypotheses on top of which several of the cards may be tied leads."""
        taken = hypothesis.state.phase is Phase.PICK_UP
        befores = (
            self.take_trick_unseen(hypothesis, facts[0].t_ns, observation_number) if taken else (hypothesis,)
        )
        if len(facts) > 1:
            yield from (
                hypothesis for hypothesis in befores if self.game.expected(hypothesis.state).anyone_may_act
            )

    def _tied_with_lead(
        self, hypothesis: Hypothesis, facts: Sequence[CardLanded], observation_number: int, bound: CostBound
    ) -> Iterator[Hypothesis]:
        """Yield the hypotheses in which the cards are tied with a lead whose tie window nobody watched to its end."""
        entry, lead = hypothesis.last_entry, next(iter(hypothesis.trick_cards()), None)
        if entry is None or lead is None or lead.tie_window_id is None or not isinstance(entry.cause, Played):
            return
        if not self.game.expected(entry.state_before).anyone_may_act or lead.card != entry.cause.card:
            return
        fact = self._as_it_lies(lead)
        before = hypothesis.rewind_before(entry).replace_card(lead, None).add_cost(COSTS.undetected_tie)
        for after in self.lead_together(before, [fact, *facts], observation_number, bound):
            piece = after.find_card(fact.id)
            yield (
                after.replace_card(
                    piece, replace(piece, id=lead.id, unseen_since_restart=lead.unseen_since_restart)
                )
                if piece
                else after
            )

    def _as_it_lies(self, lead: TableCard) -> CardLanded:
        """Return a lead as it landed, with the geometry of its new detection, where there is one."""
        assert lead.tie_window_id is not None
        landed = replace(self.context.landed[lead.tie_window_id], frame=0)
        again = self.context.landed.get(lead.id) if lead.id is not None else None
        return (
            landed
            if again is None
            else replace(
                landed, id=again.id, upon=again.upon, overlaps=again.overlaps, order_sure=again.order_sure
            )
        )
