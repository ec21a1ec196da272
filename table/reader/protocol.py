"""What sight asks of a card detector: a small protocol, so that tests bring their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from table.facts import Image

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""x1, y1, x2, y2 in pixels."""


class ReadingLike(Protocol):
    """One way to read a card."""

    @property
    def card(self) -> str:
        """The card's name, such as ``10H``."""

    @property
    def confidence(self) -> float:
        """The share of such readings that are right, 0..1."""


class SightingLike(Protocol):
    """One physical card seen in one picture."""

    @property
    def readings(self) -> Sequence[ReadingLike]:
        """Best first."""

    @property
    def box(self) -> Box:
        """Around all that was seen."""

    @property
    def spots(self) -> Sequence[Box]:
        """Around each of the indices that it was read by."""

    @property
    def quad(self) -> Sequence[Point] | None:
        """The whole card's outline in pixels (TL, TR, BR, BL of the upright face), where it could be told."""

    @property
    def angle_deg(self) -> float:
        """The reading direction, clockwise in the picture; 0 is upright."""


class CardReader(Protocol):
    """Reads the cards in a picture."""

    def read(self, image: Image, card_px: float = 100.0) -> Sequence[SightingLike]:
        """One sighting for each physical card; ``card_px`` is a card's short side in the picture."""
