"""Background match: the share of a card's place that shows the background beneath it."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from table.table_geometry import bounding_slices
from table.tracking.imaging.card_registration import Grey
from table.tracking.imaging.motion_detection import Mask
from table.tracking.imaging.recent_frame import DIFFERENT_LEVELS
from table.tracking.scene.tracked_card import TrackedCard

_MIN_PX: Final = 30
"""Minimum number of pixels for a judgement."""


class BackgroundMatch:
    """Comparison of a card's place with the card and with the background beneath it."""

    def __init__(
        self, card: TrackedCard, grey: Grey, without: Grey, opened: Mask, upon: Mask | None = None
    ) -> None:
        """Compare the place of ``card``, whose template is known.

        Args:
            grey: the mark image.
            without: the mark as it would look without the card.
            opened: the static pixels that nothing known covers.
            upon: pixels to ignore: other cards lie there, or the background is unknown.
        """
        assert card.template_image is not None
        assert card.template_mask is not None
        box = bounding_slices(card.quad)
        look, image, background = card.template_image[box], grey[box], without[box]
        other = cv2.absdiff(look, background)
        telling = (other >= DIFFERENT_LEVELS) & (card.template_mask[box] > 0)
        open_to_view = telling & (opened[box] > 0)
        off = cv2.absdiff(image, background)
        uncovered = open_to_view & (off < cv2.absdiff(image, look)) & (off < other * 0.5)
        if upon is not None:
            telling &= upon[box] == 0
        count = np.count_nonzero(open_to_view)
        enough = count >= _MIN_PX
        self.visible_share = count / np.count_nonzero(telling) if enough else 0.0
        """Share of the card's telling pixels that are visible and could be judged."""
        self.uncovered_share = np.count_nonzero(uncovered) / count if enough else 0.0
        """Share of those that show, by their lightness, the background."""
