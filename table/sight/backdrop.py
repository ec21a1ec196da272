"""The table without cards and hands, and how it looked when all was last at rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from table.facts import Image
from table.sight.bypicture import ByPicture
from table.sight.gate import Mask, Planar, Reference
from table.sight.geometry import Geometry
from table.sight.recent import RecentFrame, far_from, grey_of, nothing
from table.sight.rest import Grey
from table.sight.tracked import TrackedCard

ARM_LEVELS: Final = 24
LONG_MS: Final = 8500
"""What has lain still for so long and is no card belongs to the table."""


class Backdrop:
    """What later pictures are compared with. Small pictures are of the whole view, mark pictures of the square."""

    def __init__(self, geometry: Geometry, first: RecentFrame) -> None:
        self.geometry = geometry
        self.table = Reference(first.small)
        """The small picture of the table without cards and arms."""
        self.settled = Reference(first.small)
        """The small picture when all was last at rest and decided."""
        self.mark: Image = first.mark.copy()
        """The mark without cards."""
        self._grey: Grey | None = None
        self._foregrounds: ByPicture[Mask] = ByPicture()

    @property
    def grey(self) -> Grey:
        """The mark without cards, in grey."""
        if self._grey is None:
            self._grey = grey_of(self.mark)
        return self._grey

    def foreground(self, small: Planar) -> Mask:
        """Where the small picture shows something else than the table; not to be written to."""
        return self._foregrounds.of(small, lambda one: self.table.differs(one, ARM_LEVELS))

    def care(self, moment: RecentFrame, cards: Sequence[TrackedCard], long: Mask, arms: Mask) -> None:
        """All is at rest: take over what may be taken over.

        Args:
            cards: those that lie on the mark.
            long: which small pixels have been at rest for ``LONG_MS``.
            arms: where arms are in the mark picture.
        """
        self.settled.set(moment.small)
        # Small drifts of the light at once, whatever else lies still for as long as the counter goes.
        bare = cv2.bitwise_not(self._cards_in_small(cards))
        old = cv2.bitwise_or(long, cv2.bitwise_not(self.table.differs(moment.small)))
        self._see_table(moment.small, np.asarray(cv2.bitwise_and(old, bare), dtype=np.uint8))
        fresh = cv2.bitwise_or(cv2.bitwise_not(far_from(moment.mark, self.mark)), self.geometry.to_mark(long))
        fresh = cv2.bitwise_and(fresh, cv2.bitwise_not(cv2.bitwise_or(covered(cards, 9), arms)))
        cv2.copyTo(moment.mark, fresh, self.mark)
        self._grey = None

    def uncover(self, moment: RecentFrame, card: TrackedCard) -> None:
        """A card that lay there from the first frame has gone: what it lay upon is seen for the first time."""
        place = self.geometry.polygon_in_small(card.quad, 2)
        self._see_table(moment.small, place)
        self.settled.replace(moment.small, place)
        cv2.copyTo(moment.mark, covered([card], 4), self.mark)
        self._grey = None

    def _see_table(self, small: Planar, where: Mask) -> None:
        """The table looks so there."""
        self.table.replace(small, where)
        self._foregrounds.forget()

    def changed(self, small: Planar, cards: Sequence[TrackedCard]) -> Mask:
        """Where the small picture shows neither the table, nor what was there when all was settled, nor ``cards``."""
        changed = cv2.bitwise_and(self.settled.differs(small), self.table.differs(small))
        for card in cards:
            changed = cv2.bitwise_and(changed, cv2.bitwise_not(self.geometry.polygon_in_small(card.quad, 2)))
        return np.asarray(changed, dtype=np.uint8)

    def _cards_in_small(self, cards: Sequence[TrackedCard]) -> Mask:
        mask = np.zeros((self.geometry.small_size[1], self.geometry.small_size[0]), dtype=np.uint8)
        for card in cards:
            mask |= self.geometry.polygon_in_small(card.quad, 3)
        return mask


def covered(cards: Sequence[TrackedCard], grow_px: int = 0) -> Mask:
    """Where ``cards`` lie in the mark picture, grown by some pixels."""
    mask = nothing()
    for card in cards:
        mask |= card.polygon
    if grow_px and cards:
        size = 2 * grow_px + 1
        mask = np.asarray(cv2.dilate(mask, np.ones((size, size), np.uint8)), dtype=np.uint8)
    return mask
