"""Cards that were found when the camera began anew, or went on after a gap: nobody knows when they landed, nor whose
hand brought them.

They may have come one after the other, or at once; and a lead of which the tie window was open when the power went may
be tied with what is found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import log

from table.events.happenings import Played
from table.facts import CardLanded
from table.games.base import Phase
from table.referee.explanation import Explanation, Piece
from table.referee.odds import ODDS
from table.referee.plays import Bound
from table.referee.together import Lead, Together

OWN_ARM = 0.5
"""So sure is it that the arm over a card that is found is the one that laid it, and no other hand that hovers there."""


class Found(Together):
    """What may follow from cards that were found."""

    found = True

    def leads(
        self, explanation: Explanation, facts: Sequence[CardLanded], item: int, bound: Bound
    ) -> Iterator[Explanation]:
        """One after the other, or tied with each other or with the lead that lies there."""
        cards = [replace(fact, arm_sure=fact.arm_sure * OWN_ARM, frame=0) for fact in facts]
        yield from self.one_by_one(explanation, cards, item, bound)
        for before in self._where_leads_tie(explanation, cards, item):
            # Each of the others is as likely to have tied; in turn the second card is one player's alone.
            others = len(self.game.expected(before.state).seats) - 1
            yield from self.at_once(before.costing(ODDS.tied_unseen + log(others)), cards, item, bound)
        yield from self._tied_with_lead(explanation, cards, item, bound)

    def led_freely(self, fact: CardLanded, before: Explanation, after: Explanation) -> bool:
        """What came after a lead need not have been tied with it."""
        return False

    def order(self, kept: Lead | None, seen: Lead | None, doubt: float) -> float:
        """When they came tells nothing; how they lie does."""
        if seen is not None:
            return super().order(kept, seen, doubt)
        return ODDS.first_unseen if kept is not None else ODDS.none_first

    def _where_leads_tie(
        self, explanation: Explanation, facts: Sequence[CardLanded], item: int
    ) -> Iterator[Explanation]:
        """Where several of them may be tied leads."""
        taken = explanation.state.phase is Phase.PICK_UP
        befores = self.taken_unseen(explanation, facts[0].t_ns, item) if taken else (explanation,)
        if len(facts) > 1:
            yield from (one for one in befores if self.game.expected(one.state).free)

    def _tied_with_lead(
        self, explanation: Explanation, facts: Sequence[CardLanded], item: int, bound: Bound
    ) -> Iterator[Explanation]:
        """They are tied with a lead that nobody watched long enough."""
        entry, lead = explanation.last, next(iter(explanation.laid()), None)
        if entry is None or lead is None or lead.open is None or not isinstance(entry.cause, Played):
            return
        if not self.game.expected(entry.before).free or lead.card != entry.cause.card:
            return
        fact = self._as_it_lies(lead)
        before = explanation.before(entry).changed(lead, None).costing(ODDS.tied_unseen)
        for after in self.at_once(before, [fact, *facts], item, bound):
            piece = after.piece(fact.id)
            yield after.changed(piece, replace(piece, id=lead.id, dark=lead.dark)) if piece else after

    def _as_it_lies(self, lead: Piece) -> CardLanded:
        """How a lead landed, and, where it was seen again, how it lies."""
        assert lead.open is not None
        landed = replace(self.setting.landed[lead.open], frame=0)
        again = self.setting.landed.get(lead.id) if lead.id is not None else None
        return (
            landed
            if again is None
            else replace(
                landed, id=again.id, upon=again.upon, overlaps=again.overlaps, order_sure=again.order_sure
            )
        )
