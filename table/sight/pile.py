"""The cards on the mark: which sighting is which card, what lies on what, what has gone."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.facts import END_NS
from table.reader.sightings import Box
from table.sight.found import Found
from table.sight.geometry import MARK_PX
from table.sight.places import OVERLAP_PX2, all_at, overlap, roughly_at, same_place, within
from table.sight.recent import far_from
from table.sight.rest import Grey, Mask, lies
from table.sight.tracked import SURELY_READ, TrackedCard

SURELY_SAME: Final = 0.5
"""The share of a card's cells that no other card laid upon it would match."""
_ABOUT: Final = np.ones((13, 13), np.uint8)
"""A card that was pushed beneath another one lies within 4 mm of where that lies."""
LAID_UPON: Final = 0.25
"""Where so much of a card that was read lies beneath one that came later, it need not be seen again."""


class Pile:
    """The cards that lie on the mark, lowest first, and those that are about to."""

    def __init__(self) -> None:
        self.lying: list[TrackedCard] = []
        self.coming: list[TrackedCard] = []
        self.highest = 0
        """The id of the last card that has been told of."""

    def from_elsewhere(self) -> Pile:
        """What lies there as another view will have it: cards lie on the table, so they stay what they are."""
        pile = Pile()
        pile.lying, pile.highest = self.lying, self.highest
        for card in pile.lying:
            card.seen_from_elsewhere()
        return pile

    def begin_anew(self, grey: Grey) -> None:
        """Keep the cards that were told of and those that ``grey`` shows; what they lie upon is not known any more."""
        self.coming = [card for card in self.coming if shows(grey, card, card.indices)]
        for card in self.all:
            card.seen_from_elsewhere()

    @property
    def all(self) -> list[TrackedCard]:
        """Every card, the lying ones first."""
        return [*self.lying, *self.coming]

    @property
    def leaving(self) -> list[TrackedCard]:
        """Those whose places have been seen without them."""
        return [card for card in self.lying if card.leaving_ns is not None]

    @property
    def names(self) -> list[str]:
        """What the cards were read as, in the order of `all`."""
        return [card.name for card in self.all]

    def is_other(self, seen: Found, sure: float) -> bool:
        """Whether a sighting, if it is so ``sure``, is none of the cards that are known."""
        return seen.readings[0].confidence >= sure and seen.name not in self.names

    def drop_doubtful(self, seen: Iterable[Found]) -> list[TrackedCard]:
        """Those that were about to lie and do not; they are forgotten.

        They were not seen again, or read by indices that, as is ``seen`` now, are those of cards that lie there.
        """
        known = [(one, card) for one in seen for card in self.lying if card.name == one.name]
        shown = [spot for one, card in known if self.is_at(card, one) for spot in one.spots]
        dropped = [card for card in self.coming if card.doubtful or all_at(card.indices, shown)]
        self.coming = [card for card in self.coming if card not in dropped]
        return dropped

    def announced(self, but: TrackedCard) -> list[str]:
        """What the lying cards, ``but`` for one, were announced as."""
        return [card.announced[0].card for card in self.lying if card is not but and card.announced]

    def match(
        self,
        seen: Found,
        present: Mapping[TrackedCard, float],
        taken: Sequence[TrackedCard],
        grey: Grey,
        named: Collection[str] = (),
        others: Collection[str] = (),
        still_ns: int = END_NS,
        sure: float = 0.0,
    ) -> TrackedCard | None:
        """The card that ``seen`` is: one whose indices it shows, one at its place, or of the same name; the nearest.

        A card of the same name elsewhere is the same card moved, unless its own place still shows it.

        Args:
            present: the cards whose own places still show them, and how much of each fits.
            taken: the cards that other sightings of this look are.
            grey: the mark now.
            named: what all sightings of this look were read as: a card of such a name is its own sighting's.
            others: cards that were seen at once with the one that ``seen`` is read as: it is none of those.
            still_ns: since when nothing has moved over the mark: since then no card has come.
            sure: how surely it was read, now or on its way.
        """
        free = [card for card in self.all if card not in taken]
        free.sort(key=lambda card: math.dist(card.centre, seen.centre))
        namesakes = [card for card in free if card.name == seen.name]
        read_there = next((card for card in free if card.was_read_by(seen)), None)
        if read_there is not None:
            pushed = (card for card in namesakes if card.id and card.known and card not in present)
            # (What is no card yet, and was not surely read, was that one from the beginning.)
            return next(pushed, read_there) if self._badly_read(read_there, sure) else read_there
        at_place = [card for card in free if same_place(card.quad, seen.quad)]
        for card in (*(card for card in namesakes if card in at_place), *namesakes):
            if card in at_place or self._is(card, seen, grey, card in present):
                return card
        # (What is read as a card that lies elsewhere, as ever, is another, be it one that was seen at once with that.)
        lies = any(card.id and card.known and card in present for card in namesakes)
        taken_names = {*named} if lies else {*named, *others}
        # What nobody could read, or saw lie, comes to light.
        for card in () if any(card in present for card in at_place) else free:
            to_light = card.nameless and (card.cover not in present or card.told_ns >= still_ns)
            if to_light and overlap(card.quad, seen.quad) >= OVERLAP_PX2:
                return card
            moved = self._uncovered(card, seen, present) or self._was_moved(card, seen, present)
            if card.name not in taken_names and moved:
                return card
        for card in (card for card in free if card.name not in taken_names):
            if self._is_misread(card, seen, grey, sure):
                return card
        for card in (card for card in at_place if card.name not in taken_names):
            fits = present.get(card, 0.0)
            if fits >= SURELY_SAME or (fits and not card.looks_other(seen.box, grey)):
                return card
        return None

    @staticmethod
    def _badly_read(card: TrackedCard, sure: float) -> bool:
        """Whether a ``card`` that comes is told better what it is by a sighting that reads it so ``sure``."""
        return not card.id and not card.sure and sure >= SURELY_READ

    def _uncovered(self, card: TrackedCard, seen: Found, present: Collection[TrackedCard]) -> bool:
        """Whether ``seen`` is a card of which nobody knew but the way: what lay upon it has been taken from there."""
        if not (card.guessed and card.id):
            return False
        upon = [one for one in self.above(card) if overlap(one.quad, card.quad) >= OVERLAP_PX2]
        gone = any(one not in present for one in upon)
        return gone and roughly_at(card.quad, seen.quad)

    @staticmethod
    def _was_moved(card: TrackedCard, seen: Found, present: Collection[TrackedCard]) -> bool:
        """Whether ``seen`` is a card that was not surely read, but may be that one, and does not lie as it did."""
        if card in present or card.sure or seen.name not in card.thoughts:
            return False
        return roughly_at(card.quad, seen.quad)

    def _is_misread(self, card: TrackedCard, seen: Found, grey: Grey, sure: float) -> bool:
        """Whether ``seen`` is that ``card``, read otherwise: at its place, and no other one laid squarely upon it."""
        # (Hardly ever a card comes to lie so that its index is where another one's is, and turned alike.)
        if sure < SURELY_READ and card.has_there(seen):
            return True
        about = card.id == 0 and roughly_at(card.quad, seen.quad)
        return about and not self.another(card, seen, grey, sure)

    @classmethod
    def _is(cls, card: TrackedCard, seen: Found, grey: Grey, present: bool) -> bool:
        """Whether ``seen``, of the card's own name, is that: it was moved, or its outline but roughly known.

        What was read where the card's own face looks as ever was read on that face, and on nothing laid upon it.
        """
        if not present or cls.is_at(card, seen) or card.placed_better(seen):
            return True
        return any(within(spot, card.quad) and not card.looks_other(spot, grey) for spot in seen.spots)

    @staticmethod
    def is_at(card: TrackedCard, seen: Found) -> bool:
        """Whether what a sighting was read by lies within the card; it is placed by one corner but roughly."""
        return all(within(spot, card.quad) for spot in seen.spots)

    @staticmethod
    def another(card: TrackedCard, seen: Found, grey: Grey, sure: float) -> bool:
        """Whether ``seen`` can only be laid upon ``card``: both were read surely, and its place looks otherwise now."""
        return card.known and sure >= SURELY_READ and card.shows_other(seen.box, grey)

    def above(self, card: TrackedCard) -> list[TrackedCard]:
        """The lying cards that came after ``card``."""
        if card in self.lying:
            return self.lying[self.lying.index(card) + 1 :]
        return []

    def covered_since(self, card: TrackedCard) -> bool:
        """Whether a card that was read surely, and is yet to be announced, lies beneath a newer one."""
        return not card.hidden and card.box is not None and card.known and self.laid_upon(card) >= LAID_UPON

    def laid_upon(self, card: TrackedCard) -> float:
        """The share of ``card`` that lies beneath cards that were seen after it, none of them announced yet."""
        place = card.polygon
        covered = np.zeros_like(place)
        for other in self.coming:
            if other.there_ns > card.there_ns and not other.missed:
                covered |= place & other.polygon
        return np.count_nonzero(covered) / np.count_nonzero(place)

    def without(self, background: Grey, gone: Collection[TrackedCard] = ()) -> Grey:
        """The mark as it would look without those that have ``gone``: the background and the other cards' looks."""
        picture = background.copy()
        for _, face, mask in self._but(gone):
            np.copyto(picture, face, where=mask > 0)
        return picture

    def unknown(self, gone: Collection[TrackedCard]) -> Mask:
        """Where a card whose place or face is not known may show beneath those that have ``gone``."""
        mask = np.zeros((MARK_PX, MARK_PX), dtype=np.uint8)
        for other in self.lying:
            if other.cover is not None:
                mask |= np.asarray(cv2.dilate(other.polygon, _ABOUT), dtype=np.uint8)
            elif other not in gone and other.face is not None and other.face_mask is not None:
                mask = (mask | other.polygon) & ~other.face_mask
        return mask

    def _but(self, gone: Collection[TrackedCard]) -> list[tuple[TrackedCard, Grey, Mask]]:
        return [
            (other, other.face, other.face_mask)
            for other in self.lying
            if other not in gone and other.face is not None and other.face_mask is not None
        ]


def shows(grey: Grey, card: TrackedCard, spots: Iterable[Box]) -> bool:
    """Whether a card lies at its place in ``grey``, by its whole look or by one of its indices at ``spots``.

    A card that lies nearly all beneath another one, or a hand, hardly fits, but has not moved for that.
    """
    if card.grey is None:
        return False
    return lies(card.patch, grey) or any(card.fit_at(spot, grey).share >= SURELY_SAME for spot in spots)


def changed_share(
    box: tuple[float, float, float, float], image: NDArray[np.uint8], back: NDArray[np.uint8]
) -> float:
    """The share of the pixels of ``box`` that differ from the background by ``LEVELS`` in any colour."""
    x1, y1 = max(0, int(box[0])), max(0, int(box[1]))
    x2, y2 = min(MARK_PX, math.ceil(box[2])), min(MARK_PX, math.ceil(box[3]))
    if x2 - x1 < 2 or y2 - y1 < 2:
        return 0.0
    different = far_from(image[y1:y2, x1:x2], back[y1:y2, x1:x2])
    return cv2.countNonZero(different) / different.size
