"""Background model: the table without cards and hands, and the view when all was last at rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from table.observed_facts import Image
from table.table_geometry import Geometry
from table.tracking.imaging.card_registration import Grey
from table.tracking.imaging.motion_detection import Mask, Planar, ReferenceImage
from table.tracking.imaging.recent_frame import (
    RecentFrame,
    colour_difference_mask,
    colour_to_grey,
    empty_mark_mask,
)
from table.tracking.imaging.result_cache import FrameCache
from table.tracking.scene.tracked_card import TrackedCard

FOREGROUND_LEVELS: Final = 24
"""Difference in levels from which a pixel is foreground."""
LONG_STATIC_MS: Final = 8500
"""What has been static for this long and is no card belongs to the table."""


class BackgroundModel:
    """Reference images of the background. Small images show the whole view, mark images the square around the mark."""

    def __init__(self, geometry: Geometry, first: RecentFrame) -> None:
        self.geometry = geometry
        self.empty_table = ReferenceImage(first.small)
        """Small image of the table without cards and arms."""
        self.settled_view = ReferenceImage(first.small)
        """Small image when all was last at rest and published."""
        self.mark_image: Image = first.mark.copy()
        """Colour image of the mark without cards."""
        self._grey: Grey | None = None
        self._foregrounds: FrameCache[Mask] = FrameCache()

    @property
    def grey(self) -> Grey:
        """Grey image of the mark without cards."""
        if self._grey is None:
            self._grey = colour_to_grey(self.mark_image)
        return self._grey

    def foreground_mask(self, small: Planar) -> Mask:
        """Return the foreground mask of a small image: where it differs from the table; read-only."""
        return self._foregrounds.get(
            small, lambda image: self.empty_table.difference_mask(image, FOREGROUND_LEVELS)
        )

    def update(self, moment: RecentFrame, cards: Sequence[TrackedCard], long: Mask, arms: Mask) -> None:
        """Update the background from a frame in which all is at rest.

        Args:
            cards: those that lie on the mark.
            long: small pixels that have been static for long enough to be background.
            arms: mask of the arms in the mark image.
        """
        self.settled_view.set_image(moment.small)
        # Small drifts of the light at once, whatever else lies still for as long as the counter goes.
        bare = cv2.bitwise_not(self._cards_in_small(cards))
        old = cv2.bitwise_or(long, cv2.bitwise_not(self.empty_table.difference_mask(moment.small)))
        self._learn_table(moment.small, np.asarray(cv2.bitwise_and(old, bare), dtype=np.uint8))
        fresh = cv2.bitwise_or(
            cv2.bitwise_not(colour_difference_mask(moment.mark, self.mark_image)),
            self.geometry.warp_mask_to_mark(long),
        )
        fresh = cv2.bitwise_and(fresh, cv2.bitwise_not(cv2.bitwise_or(cards_mask(cards, 9), arms)))
        cv2.copyTo(moment.mark, fresh, self.mark_image)
        self._grey = None

    def learn_beneath(self, moment: RecentFrame, card: TrackedCard) -> None:
        """Learn the background beneath a removed card that lay there from the first frame."""
        place = self.geometry.small_polygon_mask(card.quad, 2)
        self._learn_table(moment.small, place)
        self.settled_view.replace_where(moment.small, place)
        cv2.copyTo(moment.mark, cards_mask([card], 4), self.mark_image)
        self._grey = None

    def _learn_table(self, small: Planar, where: Mask) -> None:
        """Copy the pixels in the mask ``where`` into the image of the table."""
        self.empty_table.replace_where(small, where)
        self._foregrounds.clear()

    def unexplained_mask(self, small: Planar, cards: Sequence[TrackedCard]) -> Mask:
        """Return where a small image shows neither the table, nor the settled view, nor one of ``cards``."""
        changed = cv2.bitwise_and(
            self.settled_view.difference_mask(small), self.empty_table.difference_mask(small)
        )
        for card in cards:
            changed = cv2.bitwise_and(
                changed, cv2.bitwise_not(self.geometry.small_polygon_mask(card.quad, 2))
            )
        return np.asarray(changed, dtype=np.uint8)

    def _cards_in_small(self, cards: Sequence[TrackedCard]) -> Mask:
        mask = np.zeros((self.geometry.small_size[1], self.geometry.small_size[0]), dtype=np.uint8)
        for card in cards:
            mask |= self.geometry.small_polygon_mask(card.quad, 3)
        return mask


def cards_mask(cards: Sequence[TrackedCard], grow_px: int = 0) -> Mask:
    """Return the mask of ``cards`` in the mark image, dilated by ``grow_px``."""
    mask = empty_mark_mask()
    for card in cards:
        mask |= card.outline_mask
    if grow_px and cards:
        size = 2 * grow_px + 1
        mask = np.asarray(cv2.dilate(mask, np.ones((size, size), np.uint8)), dtype=np.uint8)
    return mask
