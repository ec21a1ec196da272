"""The hypotheses about leads where anyone may lead: all cards that landed in one tie window are judged together.

A complete trick may have been picked up unseen, as in a power cut: what lands then may be leads too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp, log

from table.events.event_spec import Play
from table.events.game_events import LeadsTied, Played, TrickTaken
from table.games.engine.game_state import Phase, Refusal, State
from table.games.game import Game
from table.observed_facts import CardLanded
from table.referee.model.event_costs import COSTS
from table.referee.model.hypothesis import Hypothesis, TableCard
from table.referee.model.notices import make_notice
from table.referee.model.search_context import CardCandidate
from table.referee.moves.assign_cards_to_players import assign_owners
from table.referee.moves.card_landings import CardLandings
from table.referee.moves.common_card_moves import CostBound
from table.referee.moves.which_tied_lead_stays import LeadRuling, judge_leads


@dataclass(frozen=True, slots=True)
class Lead:
    """One of several cards that landed together, with its identity and its player."""

    fact: CardLanded
    candidate: CardCandidate
    seat: str | None
    """The player; None for a second card of some player."""

    @property
    def play(self) -> Play:
        """The lead as a play of the rules."""
        assert self.seat is not None
        return Play(self.seat, self.candidate.card)


def leads_may_tie(game: Game, state: State) -> bool:
    """Return whether anyone may lead, now or once the complete trick that lies there is picked up."""
    if state.phase is Phase.PICK_UP:
        assert state.trick.winner is not None
        step = game.apply(state, TrickTaken(state.trick.winner))
        return not isinstance(step, Refusal) and leads_may_tie(game, step.state)
    expected = game.expected(state)
    return expected.phase is Phase.LEAD and expected.anyone_may_act


class SimultaneousLeads(CardLandings):
    """The steps for leads at the same time."""

    def expand_landings(
        self, hypothesis: Hypothesis, facts: Sequence[CardLanded], observation_number: int, bound: CostBound
    ) -> Iterator[Hypothesis]:
        """Yield the hypotheses that may follow from cards that landed within one tie window."""
        if len(facts) > 1 and self.game.expected(hypothesis.state).anyone_may_act:
            yield from self.lead_together(hypothesis, facts, observation_number, bound)
            return
        yield from self.land_one_by_one(hypothesis, facts, observation_number, bound)
        if len(facts) > 1 and hypothesis.state.phase is Phase.PICK_UP:
            for taken in self.take_trick_unseen(hypothesis, facts[0].t_ns, observation_number):
                if taken.cost <= bound.limit and self.game.expected(taken.state).anyone_may_act:
                    yield from self.lead_together(taken, facts, observation_number, bound)

    def lead_together(
        self, hypothesis: Hypothesis, facts: Sequence[CardLanded], observation_number: int, bound: CostBound
    ) -> Iterator[Hypothesis]:
        """Yield the hypotheses in which several cards are leads.

        One may be a false detection, and cards that lie there already are no leads.
        """
        leading = [fact for fact in facts if self._may_lead(fact, hypothesis)]
        others = [fact for fact in facts if fact not in leading]
        ghosts: list[CardLanded | None] = [None, *(leading if len(leading) > 1 else ())]
        for ghost in ghosts:
            cards = [fact for fact in leading if fact is not ghost]
            for laid in self._expand_together(hypothesis, cards, observation_number, bound):
                after = self.add_false_detection(laid, ghost) if ghost is not None else laid
                yield from self.land_one_by_one(after, others, observation_number, bound)

    def land_one_by_one(
        self, hypothesis: Hypothesis, facts: Sequence[CardLanded], observation_number: int, bound: CostBound
    ) -> Iterator[Hypothesis]:
        """Yield the hypotheses in which the cards landed one after the other, each judged for itself."""
        if not facts:
            yield hypothesis
            return
        for after in self.expand_landing(hypothesis, facts[0], observation_number, bound):
            # A further lead would be tied with a free one: such cards are judged all at once.
            tied = facts[1:] and self.was_free_lead(facts[0], hypothesis, after)
            if after.cost <= bound.limit and not tied:
                yield from self.land_one_by_one(after, facts[1:], observation_number, bound)

    def was_free_lead(self, fact: CardLanded, before: Hypothesis, after: Hypothesis) -> bool:
        """Return whether the card was led where anyone might lead."""
        for entry in after.entries():
            if entry is before.last_entry:
                return False
            if entry.card_id == fact.id and isinstance(entry.cause, Played):
                return self.game.expected(entry.state_before).anyone_may_act
        return False

    def _may_lead(self, fact: CardLanded, hypothesis: Hypothesis) -> bool:
        """Return whether the card can be read, and is no card that lies on the mark already and is detected anew."""
        if not fact.readings:
            return False
        best = fact.readings[0].card
        return not any(str(piece.card) == best for piece in hypothesis.table_cards) or any(
            name.is_best_reading for name in self.context.card_candidates(fact, hypothesis)
        )

    def _expand_together(
        self, hypothesis: Hypothesis, facts: Sequence[CardLanded], observation_number: int, bound: CostBound
    ) -> Iterator[Hypothesis]:
        """Yield the hypotheses for all likely identities and owners of cards that landed together."""
        if len(facts) <= 1:
            yield from self.land_one_by_one(hypothesis, facts, observation_number, bound)
            return
        expected = self.game.expected(hypothesis.state)
        ways = assign_owners(
            facts,
            {seat: self.context.angles[seat] for seat in expected.seats},
            expected.default_seat,
            self.context.pins.seats,
        )
        for names in self._joint_candidates(facts, hypothesis):
            called = sum(name.cost for name in names)
            for seats, cost in ways:
                # The costs of the readings are counted here, also for the cards that go back.
                paid = [replace(name, cost=0.0) for name in names]
                leads = [Lead(*each) for each in zip(facts, paid, seats, strict=True)]
                start = hypothesis.add_cost(called + cost)
                if start.cost <= bound.limit:
                    yield from self._rule_leads(start, leads, observation_number)

    def _joint_candidates(
        self, facts: Sequence[CardLanded], hypothesis: Hypothesis
    ) -> Iterator[tuple[CardCandidate, ...]]:
        """Yield the likeliest identities of all cards; then those with one of the cards otherwise."""
        each = [
            [name for name in names if not name.card.is_unseen] or names
            for names in (self.context.card_candidates(fact, hypothesis) for fact in facts)
        ]
        best = tuple(names[0] for names in each)
        yield best
        for at, names in enumerate(each):
            for name in names[1:]:
                yield (*best[:at], name, *best[at + 1 :])

    def _rule_leads(
        self, hypothesis: Hypothesis, leads: list[Lead], observation_number: int
    ) -> Iterator[Hypothesis]:
        """Yield the rulings on leads: several that count are tied; a player's second card is no lead."""
        counted = sorted(
            (lead for lead in leads if lead.seat is not None), key=lambda lead: (lead.fact.t_ns, lead.fact.id)
        )
        if not counted:
            return
        afters: Iterator[Hypothesis]
        if len(counted) == 1:
            doubt = self.context.arm_evidence(counted[0].fact, hypothesis.state).likeliest_seat is None
            led = self._play_lead(hypothesis, counted[0], observation_number, doubt=doubt)
            afters = iter(() if led is None else (led,))
        else:
            afters = self._rule_tie(hypothesis, counted, observation_number)
        for after in afters:
            for lead in leads:
                if lead.seat is None:
                    after = self._lay_second_card(after, lead, observation_number)
            yield self.play_pending_cards(after, leads[0].fact.t_ns, observation_number)

    def _play_lead(
        self, hypothesis: Hypothesis, lead: Lead, observation_number: int, *, doubt: bool
    ) -> Hypothesis | None:
        """Return the hypothesis after a lead that counts is played."""
        assert lead.seat is not None
        piece = TableCard(lead.fact.id, lead.candidate.card, None, "played")
        return self.play_card(
            hypothesis, piece, lead.candidate, lead.seat, lead.fact.t_ns, observation_number, doubt=doubt
        )

    def _lay_second_card(self, hypothesis: Hypothesis, lead: Lead, observation_number: int) -> Hypothesis:
        """Return the hypothesis with a player's second card to be taken back."""
        arm = self.context.arm_evidence(lead.fact, hypothesis.state)
        seat = arm.likeliest_seat or self.game.expected(hypothesis.state).default_seat
        piece = TableCard(
            lead.fact.id, lead.candidate.card, None, "back", confidence=lead.candidate.confidence
        )
        return self.lay_out_of_turn(hypothesis, piece, seat, lead.fact.t_ns, observation_number)

    def _rule_tie(
        self, hypothesis: Hypothesis, leads: list[Lead], observation_number: int
    ) -> Iterator[Hypothesis]:
        """Yield the rulings on tied leads: one stays, or none, and the others go back."""
        mark = self.game.rules.keeps_lowest_lead
        judged = judge_leads([lead.fact for lead in leads], mark=mark)
        seen = next((lead for lead in leads if lead.fact is judged.kept_lead), None)
        for kept in (seen, *(lead for lead in leads if lead is not seen)) if mark else (seen,):
            after = self._apply_ruling(hypothesis, leads, kept, judged, observation_number)
            if after is not None:
                doubt = _order_doubt([lead.fact for lead in leads])
                yield after.add_cost(self._first_lead_cost(hypothesis.state, kept, seen, doubt))

    def order_cost(self, kept: Lead | None, seen: Lead | None, doubt: float) -> float:
        """Return the cost of ``kept``'s being the first lead where ``seen`` was detected as such.

        None for ``seen``: no single lead was detected as first. ``doubt``: the probability that the detection was
        wrong.
        """
        return -log(1 - doubt) if kept is seen else -log(doubt)

    def _first_lead_cost(self, state: State, kept: Lead | None, seen: Lead | None, doubt: float) -> float:
        """Return the cost of ``kept``'s being the first lead, by what people have said, else by what was detected."""
        said = self.context.pins.first_leads.get((state.deal, len(state.tricks) + 1))
        if said is None:
            return self.order_cost(kept, seen, doubt)
        first = kept.seat if kept is not None else self.game.expected(state).default_seat
        return 0.0 if first == said else COSTS.contradicts_people

    def _apply_ruling(
        self,
        hypothesis: Hypothesis,
        leads: list[Lead],
        kept: Lead | None,
        judged: LeadRuling,
        observation_number: int,
    ) -> Hypothesis | None:
        """Return the hypothesis after a ruling on tied leads; None where the rules refuse it."""
        t_ns = leads[0].fact.t_ns
        back = [lead for lead in leads if lead is not kept]
        event = LeadsTied(kept.play if kept else None, tuple(lead.play for lead in back))
        seats, names = [lead.seat for lead in leads], tuple(lead.seat or "?" for lead in back)
        if kept is not None:
            sentence = make_notice(
                t_ns, "ruling", "tied_kept", *seats, seat=kept.seat, why=judged.reason, back=names
            )
        else:
            default = self.game.expected(hypothesis.state).default_seat
            sentence = make_notice(
                t_ns, "ruling", "tied_back", *seats, back=names, why=judged.reason, seat=default
            )
        after = hypothesis.apply_event(
            self.game, event, t_ns, observation_number=observation_number, notices=(sentence,)
        )
        if isinstance(after, Refusal):
            return None
        for lead in back:
            after = after.add_card(
                TableCard(
                    lead.fact.id, lead.candidate.card, lead.seat, "back", "tied", lead.candidate.confidence
                )
            )
        return self._play_lead(after, kept, observation_number, doubt=False) if kept is not None else after


def _order_doubt(facts: Sequence[CardLanded]) -> float:
    """Return the probability that the order of leads was detected wrongly: by the least certain one, and never quite
    0.
    """
    usual = exp(-COSTS.wrong_lead_order)
    told = (1 - fact.order_sure for fact in facts if fact.order_sure is not None)
    return min(0.5, max([usual, *told]))
