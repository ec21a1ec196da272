"""Leads where anyone may lead: all the cards that landed in one tie window, judged together.

A complete trick may have been picked up unseen, as in a power cut: what lands then may be leads too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp, log

from table.events.happenings import LeadsTied, Played, TrickTaken
from table.events.kind import Play
from table.facts import CardLanded
from table.games.base import Phase, Refusal, State
from table.games.game import Game
from table.referee.explanation import Explanation, Piece
from table.referee.landings import Landings
from table.referee.leads import Judged, judge_leads
from table.referee.notices import notice
from table.referee.odds import ODDS
from table.referee.owners import owners
from table.referee.plays import Bound
from table.referee.setting import Name


@dataclass(frozen=True, slots=True)
class Lead:
    """One of several cards that landed together: what it is, and whose."""

    fact: CardLanded
    name: Name
    seat: str | None
    """None: a second card of some player."""

    @property
    def play(self) -> Play:
        """As the rules know it."""
        assert self.seat is not None
        return Play(self.seat, self.name.card)


def leads_may_tie(game: Game, state: State) -> bool:
    """Whether anyone may lead, or may once the trick that lies there complete is gone."""
    if state.phase is Phase.PICK_UP:
        assert state.trick.winner is not None
        step = game.apply(state, TrickTaken(state.trick.winner))
        return not isinstance(step, Refusal) and leads_may_tie(game, step.state)
    expected = game.expected(state)
    return expected.phase is Phase.LEAD and expected.free


class Together(Landings):
    """Leads at the same time."""

    def leads(
        self, explanation: Explanation, facts: Sequence[CardLanded], item: int, bound: Bound
    ) -> Iterator[Explanation]:
        """What may follow from cards that landed within one tie window while anyone may lead, or might unseen."""
        if len(facts) > 1 and self.game.expected(explanation.state).free:
            yield from self.at_once(explanation, facts, item, bound)
            return
        yield from self.one_by_one(explanation, facts, item, bound)
        if len(facts) > 1 and explanation.state.phase is Phase.PICK_UP:
            for taken in self.taken_unseen(explanation, facts[0].t_ns, item):
                if taken.cost <= bound.limit and self.game.expected(taken.state).free:
                    yield from self.at_once(taken, facts, item, bound)

    def at_once(
        self, explanation: Explanation, facts: Sequence[CardLanded], item: int, bound: Bound
    ) -> Iterator[Explanation]:
        """Several leads; one of the cards may be none, and those that lie there already are none."""
        leading = [fact for fact in facts if self._may_lead(fact, explanation)]
        others = [fact for fact in facts if fact not in leading]
        ghosts: list[CardLanded | None] = [None, *(leading if len(leading) > 1 else ())]
        for ghost in ghosts:
            cards = [fact for fact in leading if fact is not ghost]
            for laid in self._laid_together(explanation, cards, item, bound):
                after = self.ghost(laid, ghost) if ghost is not None else laid
                yield from self.one_by_one(after, others, item, bound)

    def one_by_one(
        self, explanation: Explanation, facts: Sequence[CardLanded], item: int, bound: Bound
    ) -> Iterator[Explanation]:
        """The cards in the order of landing, each for itself."""
        if not facts:
            yield explanation
            return
        for after in self.landed(explanation, facts[0], item, bound):
            # What else may be a lead would be tied with a free one: that is judged of all at once.
            tied = facts[1:] and self.led_freely(facts[0], explanation, after)
            if after.cost <= bound.limit and not tied:
                yield from self.one_by_one(after, facts[1:], item, bound)

    def led_freely(self, fact: CardLanded, before: Explanation, after: Explanation) -> bool:
        """Whether the card was led where anyone might lead."""
        for entry in after.entries():
            if entry is before.last:
                return False
            if entry.piece == fact.id and isinstance(entry.cause, Played):
                return self.game.expected(entry.before).free
        return False

    def _may_lead(self, fact: CardLanded, explanation: Explanation) -> bool:
        """Whether it can be read, and is no card that lies on the mark and is seen anew."""
        if not fact.readings:
            return False
        best = fact.readings[0].card
        return not any(str(piece.card) == best for piece in explanation.pieces) or any(
            name.plain for name in self.setting.names(fact, explanation)
        )

    def _laid_together(
        self, explanation: Explanation, facts: Sequence[CardLanded], item: int, bound: Bound
    ) -> Iterator[Explanation]:
        if len(facts) <= 1:
            yield from self.one_by_one(explanation, facts, item, bound)
            return
        expected = self.game.expected(explanation.state)
        ways = owners(
            facts,
            {seat: self.setting.angles[seat] for seat in expected.seats},
            expected.default,
            self.setting.pins.seats,
        )
        for names in self._names_together(facts, explanation):
            called = sum(name.cost for name in names)
            for seats, cost in ways:
                # What the names cost is counted here, of those that go back too.
                paid = [replace(name, cost=0.0) for name in names]
                leads = [Lead(*each) for each in zip(facts, paid, seats, strict=True)]
                start = explanation.costing(called + cost)
                if start.cost <= bound.limit:
                    yield from self._judged(start, leads, item)

    def _names_together(
        self, facts: Sequence[CardLanded], explanation: Explanation
    ) -> Iterator[tuple[Name, ...]]:
        """The likeliest names of all; and with one of them otherwise."""
        each = [
            [name for name in names if not name.card.is_unseen] or names
            for names in (self.setting.names(fact, explanation) for fact in facts)
        ]
        best = tuple(names[0] for names in each)
        yield best
        for at, names in enumerate(each):
            for name in names[1:]:
                yield (*best[:at], name, *best[at + 1 :])

    def _judged(self, explanation: Explanation, leads: list[Lead], item: int) -> Iterator[Explanation]:
        """The leads that count are tied if there are several; a player's second card is no lead."""
        counted = sorted(
            (lead for lead in leads if lead.seat is not None), key=lambda lead: (lead.fact.t_ns, lead.fact.id)
        )
        if not counted:
            return
        afters: Iterator[Explanation]
        if len(counted) == 1:
            doubt = self.setting.arm(counted[0].fact, explanation.state).seat is None
            led = self._led(explanation, counted[0], item, doubt=doubt)
            afters = iter(() if led is None else (led,))
        else:
            afters = self._tied(explanation, counted, item)
        for after in afters:
            for lead in leads:
                if lead.seat is None:
                    after = self._second(after, lead, item)
            yield self.settled(after, leads[0].fact.t_ns, item)

    def _led(self, explanation: Explanation, lead: Lead, item: int, *, doubt: bool) -> Explanation | None:
        """A lead that counts is played."""
        assert lead.seat is not None
        piece = Piece(lead.fact.id, lead.name.card, None, "played")
        return self.play(explanation, piece, lead.name, lead.seat, lead.fact.t_ns, item, doubt=doubt)

    def _second(self, explanation: Explanation, lead: Lead, item: int) -> Explanation:
        """A player's second card has to go back."""
        arm = self.setting.arm(lead.fact, explanation.state)
        seat = arm.seat or self.game.expected(explanation.state).default
        piece = Piece(lead.fact.id, lead.name.card, None, "back", confidence=lead.name.confidence)
        return self.out_of_turn(explanation, piece, seat, lead.fact.t_ns, item)

    def _tied(self, explanation: Explanation, leads: list[Lead], item: int) -> Iterator[Explanation]:
        """One stays, or none, and the others go back."""
        mark = self.game.mark_tells
        judged = judge_leads([lead.fact for lead in leads], mark=mark)
        seen = next((lead for lead in leads if lead.fact is judged.kept), None)
        for kept in (seen, *(lead for lead in leads if lead is not seen)) if mark else (seen,):
            after = self._ruled(explanation, leads, kept, judged, item)
            if after is not None:
                doubt = _doubt([lead.fact for lead in leads])
                yield after.costing(self._first(explanation.state, kept, seen, doubt))

    def order(self, kept: Lead | None, seen: Lead | None, doubt: float) -> float:
        """What it costs that a lead lies beneath, or was first, where ``seen`` was seen to (None: no one alone).

        ``doubt``: how probable it is that this was seen wrong.
        """
        return -log(1 - doubt) if kept is seen else -log(doubt)

    def _first(self, state: State, kept: Lead | None, seen: Lead | None, doubt: float) -> float:
        """What it costs that this lead was first, or none, by what people have said, else by what was seen."""
        said = self.setting.pins.first.get((state.deal, len(state.tricks) + 1))
        if said is None:
            return self.order(kept, seen, doubt)
        first = kept.seat if kept is not None else self.game.expected(state).default
        return 0.0 if first == said else ODDS.contradicted

    def _ruled(
        self, explanation: Explanation, leads: list[Lead], kept: Lead | None, judged: Judged, item: int
    ) -> Explanation | None:
        t_ns = leads[0].fact.t_ns
        back = [lead for lead in leads if lead is not kept]
        event = LeadsTied(kept.play if kept else None, tuple(lead.play for lead in back))
        seats, names = [lead.seat for lead in leads], tuple(lead.seat or "?" for lead in back)
        if kept is not None:
            sentence = notice(t_ns, "ruling", "tied_kept", *seats, seat=kept.seat, why=judged.why, back=names)
        else:
            default = self.game.expected(explanation.state).default
            sentence = notice(t_ns, "ruling", "tied_back", *seats, back=names, why=judged.why, seat=default)
        after = explanation.applied(self.game, event, t_ns, item=item, notices=(sentence,))
        if isinstance(after, Refusal):
            return None
        for lead in back:
            after = after.with_piece(
                Piece(lead.fact.id, lead.name.card, lead.seat, "back", "tied", lead.name.confidence)
            )
        return self._led(after, kept, item, doubt=False) if kept is not None else after


def _doubt(facts: Sequence[CardLanded]) -> float:
    """How probable it is that the order of leads was seen wrong: by the least sure of them, and never quite nothing."""
    usual = exp(-ODDS.order)
    told = (1 - fact.order_sure for fact in facts if fact.order_sure is not None)
    return min(0.5, max([usual, *told]))
