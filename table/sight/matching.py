"""Matching: which card each sighting of a look is, one that is known or a new one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from table.facts import CardFact, CardReread
from table.sight.found import Found, may_be_one
from table.sight.hands import Carried
from table.sight.newness import is_corner_of, is_new, lies
from table.sight.outline import refine
from table.sight.pile import shows
from table.sight.places import hide_each_other, same_place
from table.sight.tracked import SURELY_READ, TrackedCard
from table.sight.view import View

BETTER: Final = 0.15
"""A reading surer by this is told."""


@dataclass(frozen=True, slots=True)
class Matched:
    """What came of the sightings of a look."""

    cards: list[TrackedCard]
    """Those that they are, ..."""
    facts: list[CardFact]
    """... what is told of those that were told of before and are read otherwise now, ..."""
    moving: bool
    """... and whether one does not yet lie: it is to be looked at again."""


class Matcher:
    """Puts sightings to the cards that are known, and makes new ones of the others."""

    def __init__(self, view: View, carried: Carried) -> None:
        self._view = view
        self._carried = carried

    def present(self, found: Sequence[Found]) -> dict[TrackedCard, float]:
        """The cards that this moment shows at their places, and how much of each fits.

        One that hardly fits is at its place too where an index of it that was ``found`` lies where its face has it.
        """
        grey = self._view.now.grey
        present = {}
        for card in self._view.pile.all:
            spots = [spot for one in found if one.name == card.name for spot in one.spots]
            if shows(grey, card, spots):
                present[card] = card.patch.fit(grey).share
        return present

    def match(
        self, found: Sequence[Found], seen: Sequence[Found], present: Mapping[TrackedCard, float]
    ) -> Matched:
        """Which card each sighting that was ``found`` at rest, of all that were ``seen``, is, known or new.

        ``present``: the cards that this moment shows at their places, and how much of each fits.
        """
        view, now = self._view, self._view.now
        taken: list[TrackedCard] = []
        facts: list[CardFact] = []
        moving = False
        outlined: list[tuple[TrackedCard, Found]] = []
        # (One that a hand is still at has its own sighting too.)
        at_hands = (one.name for one in seen if one.readings[0].confidence >= SURELY_READ)
        named = {one.name for one in found}.union(at_hands)
        still_ns = view.now_ns - view.quiet_ns
        for one in map(self._carried.placed, found):
            beside = self._carried.beside(one.name)
            sure = self._carried.surest(one)
            card = view.pile.match(one, present, taken, now.grey, named, beside, still_ns, sure)
            if not self._shown(one, card, present):
                continue
            if card not in present and not lies(view, one):
                if card is not None:
                    taken.append(card)
                    card.settled = False
                moving = True
                continue
            if card is None:
                card = self._appear(one, sure, taken, seen)
                if card is None:
                    continue
            elif self._placed_anew(one, card, card in present):
                self._place(card, one)
            elif not card.open and len(one.spots) >= card.corners:
                outlined.append((card, one))
            taken.append(card)
            card.comes_to_light(one.readings)
            card.read(one.readings)
            card.box, card.indices, card.read_ns = one.box, one.spots, now.t_ns
            if len(one.spots) >= card.corners:
                card.seen = one
            card.leaving_ns, card.missed, card.settled = None, 0, True
            card.studied = card.studied or view.long_quiet
            if card.id:
                facts += self._reread(card)
        for card, one in outlined:  # a hand was at it when its outline was taken
            card.move(refine(one.quad, now.grey, one.spots))
        return Matched(taken, facts, moving)

    def _shown(self, one: Found, card: TrackedCard | None, present: Mapping[TrackedCard, float]) -> bool:
        """Whether the mark looks otherwise, where a sighting was read, than without the ``card`` that it is.

        The mark's own print may be read as the card that has just gone, where that had its index.
        """
        if card is None:
            return is_new(self._view, one)
        absent = [other for other in self._view.pile.lying if other not in present]
        return card.leaving_ns is None or is_new(self._view, one, absent)

    def _appear(
        self, one: Found, sure: float, taken: Sequence[TrackedCard], seen: Sequence[Found]
    ) -> TrackedCard | None:
        """A new card; None for another corner of a known one, read otherwise.

        Args:
            one: its sighting.
            sure: how surely it was read, now or on its way.
            taken: the cards that this look has seen already. A card laid squarely upon one of those would show
                corners of more than one side, and hide that one's.
            seen: all that this look has read.
        """
        view, grey = self._view, self._view.now.grey
        surely = {other.name for other in seen if min(sure, other.readings[0].confidence) >= SURELY_READ}
        # (A card that lay there before, and one that is surely read as another now, are two.)
        others = {card.name for card in view.pile.lying} & (surely - one.likely)
        if any(is_corner_of(card, one, seen) for card in view.pile.all if card.name not in others):
            return None
        if sure < SURELY_READ and any(card.has_there(one) for card in taken):
            return None
        quad = refine(one.quad, grey, one.spots)
        beside = self._carried.beside(one.name) | others
        if sure >= SURELY_READ:
            beside |= {other.name for other in seen if other.name != one.name and not may_be_one(other, one)}
        told = [card for card in taken if card.id] if one.one_sided else []
        near = [card for card in [*view.pile.coming, *told] if same_place(card.quad, quad)]
        if any(
            card.name not in beside and (card in taken or not view.pile.another(card, one, grey, sure))
            for card in near
        ):
            return None
        # (However surely each was read.)
        if any(card in taken and hide_each_other(card.quad, card.indices, quad, one.spots) for card in near):
            return None
        there_ns = self._carried.route(one.name).still_since(one, view.now_ns)
        without = None if view.first else view.without()
        card = TrackedCard(quad, view.now_ns, there_ns=there_ns, without=without)
        view.pile.coming.append(card)
        return card

    def _place(self, card: TrackedCard, one: Found) -> None:
        """A known card lies where this moment's sighting tells."""
        now = self._view.now
        if not card.was_read_by(one):
            card.there_ns = now.t_ns
        card.seen = None
        card.moved_ns = now.t_ns if card.id else None
        card.move(refine(one.quad, now.grey, one.spots))

    def _placed_anew(self, one: Found, card: TrackedCard, present: bool) -> bool:
        """Whether a sighting tells where a known card lies better than was known."""
        if card.placed_better(one):
            return True
        if len(one.spots) < card.corners and self._view.pile.is_at(card, one):
            return False  # part of it is covered now; what is in sight is where it was
        if len(one.spots) <= card.corners and one.other_side(card.quad):
            return False  # its indices are where they were, and of which side they are is but guessed
        # (Hidden, or in a shadow, it hardly fits; but it lies where it lay, and the edges about are another's.)
        return card.id == 0 or not (present or card.stood_at(one))

    def _reread(self, card: TrackedCard) -> list[CardFact]:
        """Say so where a card that has been announced is now read otherwise or much better."""
        now = card.combined(self._view.pile.announced(card))
        before = card.announced
        if not now:
            return []
        other = not before or now[0].card != before[0].card
        if other or now[0].confidence > before[0].confidence + BETTER:
            card.announced = now
            return [CardReread(self._view.now_ns, card.id, now)]
        return []
