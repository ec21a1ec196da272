"""What lies there and can't be read: a card beneath others, one that lies face down, a picture that is mirrored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from table.facts import MS
from table.sight.asking import Asker
from table.sight.backdrop import covered
from table.sight.blank import card_shaped
from table.sight.brought import cover_of_unread
from table.sight.buried import find_buried
from table.sight.gate import Mask
from table.sight.geometry import Points, polygon
from table.sight.hands import NUMBERS as HANDS
from table.sight.outline import refine
from table.sight.recent import LEVELS, far_from
from table.sight.rest import first_at_rest
from table.sight.tracked import CERTAIN, SURELY_READ, TrackedCard
from table.sight.view import View


@dataclass(frozen=True, slots=True)
class Unreading:
    """The numbers of this module."""

    back_ns: tuple[int, ...] = (30 * MS, 95 * MS, 160 * MS, 260 * MS)
    """So long before the landing of a card the reader looks for another one beneath it."""
    sliver_px: int = 25
    """Small pixels at rest that are no known card: one that was seen to come may lie there ..."""
    unexplained_px: int = 110
    """... and one that was not (a tenth of a card)."""
    in_sight: float = 0.25
    """So much of a card, unexplained, is one in plain sight that is yet to be read (.43; of 9 that were brought and lie
    beneath another up to .1)."""


NUMBERS: Final = Unreading()


class Unread:
    """Looks for cards that no look at the present picture can find."""

    def __init__(self, view: View, asker: Asker) -> None:
        self._view = view
        self._asker = asker

    def least_px(self) -> int:
        """How much that is unexplained (small pixels) may be a card."""
        since_ns = self._view.now_ns - HANDS.kept_ns
        coming = self._asker.carried.well(since_ns).difference(self._view.pile.names)
        return NUMBERS.sliver_px if coming else NUMBERS.unexplained_px

    def look_back(self) -> None:
        """Part of a card is in sight that can't be read: it was, before another one fell upon it."""
        view = self._view
        least = self.least_px()
        puzzle = view.unexplained(least)
        newest = [card for card in view.pile.coming if card.grey is not None]
        if cv2.countNonZero(puzzle) < least or not newest or len(view.history) < 3:
            return
        past, stamps = view.history.all, view.history.stamps
        greys, still_px = view.history.greys, view.at_rest_px
        top = stamps[min(first_at_rest(card.patch, greys, stamps, still_px) for card in newest)]
        tried = -1
        for back_ns in NUMBERS.back_ns:
            at = view.history.position(top - back_ns)
            if stamps[at] >= top or at == tried:
                continue
            tried = at
            found = self._asker.read(past[at].mark)
            unseen = {card.name for card in view.pile.all} - {one.name for one in found}
            for one in found:
                quad = refine(one.quad, view.now.grey)
                other = view.pile.is_other(one, CERTAIN) and not unseen & one.likely
                if other and self._sticks_out(quad, puzzle):
                    card = TrackedCard(quad, view.now_ns, without=view.without())
                    card.read(one.readings)
                    card.seen, card.box = one, one.box
                    self._add(card)
                    return

    def _sticks_out(self, quad: Points, puzzle: Mask) -> bool:
        """Whether the ``puzzle`` (small pixels) may be what is in sight of a card with that outline."""
        where = self._view.geometry.to_mark(puzzle)
        within = np.count_nonzero(where & polygon(quad))
        if within < 0.5 * np.count_nonzero(where):
            return False
        if cv2.countNonZero(puzzle) >= NUMBERS.unexplained_px:
            return True
        # So little may be of anything: it must be nearly all that can be in sight of the card.
        out = polygon(quad) & ~covered(self._view.pile.all)
        return bool(np.count_nonzero(where & out) >= 0.5 * np.count_nonzero(out))

    def find_buried(self, hands: Sequence[float], left: int) -> None:
        """A card that was seen on its way, and lies wholly beneath others now: its hand has gone without it.

        Args:
            hands: where those enter the picture that have brought more than the cards that are known.
            left: how many more there were, be it known or not which of them those are.
        """
        for card in find_buried(self._view, self._asker.carried, hands, left):
            self._view.pile.coming.insert(0, card)
            self._view.cards_changed()

    def find_brought(self) -> None:
        """A hand brought a card that nobody saw lie: it lies beneath one that came with it.

        What was surely read on its way, and was taken for a misreading of one that is known, was that card. Not where
        something else lies that may be what was brought, and is yet to be read.
        """
        view = self._view
        cover = cover_of_unread(view)
        if cover is None:
            return
        least = round(NUMBERS.in_sight * cv2.countNonZero(view.geometry.polygon_in_small(cover.quad)))
        if cv2.countNonZero(view.unexplained(least)) >= least:
            return
        card = TrackedCard(cover.quad, cover.first_ns, without=view.without(), buried=True, hidden=True)
        card.tuck(cover)
        way = self._asker.carried.way_of_another(view.pile.names)
        for one in way:
            card.read(one.found.readings)
        self._asker.carried.are_one(way, card.name)
        view.pile.coming.insert(0, card)

    def find_face_down(self) -> None:
        """What has come to rest and can't be read: a card, by its shape?"""
        view = self._view
        puzzle = view.unexplained(NUMBERS.unexplained_px)
        if cv2.countNonZero(puzzle) < NUMBERS.unexplained_px:
            return
        bare = view.without()
        _, changed = cv2.threshold(cv2.absdiff(view.now.grey, bare), LEVELS - 1, 255, cv2.THRESH_BINARY)
        other = far_from(view.now.mark, view.backdrop.mark)
        other = np.asarray(cv2.bitwise_and(other, cv2.bitwise_not(covered(view.pile.lying))), dtype=np.uint8)
        quad = card_shaped(np.asarray(cv2.bitwise_or(changed, other), dtype=np.uint8))
        if quad is None or np.count_nonzero(view.geometry.to_mark(puzzle) & polygon(quad)) == 0:
            return
        self._add(TrackedCard(quad, view.now_ns, hidden=True, without=bare))

    def look_in_mirror(self) -> None:
        """What lies face down, or can't be read, may be a card that reads well in a mirror."""
        view = self._view
        if not any(card.hidden for card in view.pile.coming):
            return
        picture = np.ascontiguousarray(view.now.mark[:, ::-1])
        known = {card.name for card in view.pile.all}
        self._asker.see_in_mirror(
            [
                replace(one, side=-1)
                for one in self._asker.read(picture)
                if one.readings[0].confidence >= SURELY_READ and one.name not in known
            ]
        )

    def _add(self, card: TrackedCard) -> None:
        self._view.pile.coming.append(card)
        self._view.settle(card)
        self._view.cards_changed()
