"""A card's place, held against what lies beneath it: how much of it is bare."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from table.sight.gate import Mask
from table.sight.geometry import reach_of
from table.sight.grain import other_surface
from table.sight.recent import LEVELS
from table.sight.rest import Grey
from table.sight.tracked import TrackedCard

_FEWEST_PX: Final = 30
"""Fewer pixels tell nothing."""


class Bared:
    """How a picture shows the place of a card that may have gone."""

    def __init__(
        self, card: TrackedCard, grey: Grey, without: Grey, opened: Mask, upon: Mask | None = None
    ) -> None:
        """``card``: one whose look is known.

        Args:
            grey: the picture of the mark.
            without: the mark as it would look without the card.
            opened: the pixels at rest and covered by nothing known.
            upon: where it tells nothing: others lie upon it, or nobody has seen what lies beneath.
        """
        assert card.grey is not None
        assert card.mask is not None
        box = reach_of(card.quad)
        look, self._here, self._beneath = card.grey[box], grey[box], without[box]
        other = cv2.absdiff(look, self._beneath)
        telling = (other >= LEVELS) & (card.mask[box] > 0)
        open_to_view = telling & (opened[box] > 0)
        off = cv2.absdiff(self._here, self._beneath)
        self._bare = open_to_view & (off < cv2.absdiff(self._here, look)) & (off < other * 0.5)
        if upon is not None:
            telling &= upon[box] == 0
        count = np.count_nonzero(open_to_view)
        enough = count >= _FEWEST_PX
        self.judged = count / np.count_nonzero(telling) if enough else 0.0
        """How much of the card's visible place could be judged, ..."""
        self.share = np.count_nonzero(self._bare) / count if enough else 0.0
        """... and the share of it that shows, by its lightness, what lies beneath."""

    def by_hand(self) -> bool:
        """Whether what looks, by its lightness, like the cloth beneath is none: a hand of its colour is there."""
        return other_surface(self._here, self._beneath, self._bare)
