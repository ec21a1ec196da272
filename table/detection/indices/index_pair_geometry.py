"""Geometry of corner indices: their places in the picture, and how well two of them fit the corners of one card.

A card's two indices are point-symmetric about its centre; packs with four have two more, mirrored in place but not in
direction. Sizes: cards are 57 to 64 mm wide and 87 to 89 mm long, indices stand 3 to 11 mm from the sides; the unit of
all distances is the card width.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

# The distance between two indices of one card, in card widths: across and along (least, usual, most).
ACROSS_RANGE: Final = (0.62, 0.80, 0.95)
ALONG_RANGE: Final = (0.85, 1.13, 1.40)
CARD_LENGTH: Final = 1.40
"""A card's length in card widths: 88.9 / 63.5; bridge cards reach 1.54."""
OPPOSITE_RANK_DISTANCE: Final = float(np.hypot(ACROSS_RANGE[1], ALONG_RANGE[1]))
"""The distance from one corner's rank to the opposite corner's, in card widths."""
MIN_CORNER_DISTANCE: Final = 0.45
"""The least distance of two corners of one card, in card widths, in a rectified picture."""

_OPPOSITE_COSINE: Final = -0.9
"""Two indices whose directions have a cosine below this are upside down to each other."""
_MIN_ACROSS_SHARE: Final = 0.35
"""Indices of opposite corners are farther apart across the card than this share of their distance along it."""


@dataclass(frozen=True)
class IndexKeypoints:
    """The keypoints of a corner index: the centres of its rank and its suit, (2,) each, pixels."""

    rank: Vector
    suit: Vector

    @property
    def rank_to_suit(self) -> Vector:
        """The vector from rank to suit, pixels."""
        return self.suit - self.rank

    @property
    def rank_to_suit_px(self) -> float:
        """The distance from rank to suit, pixels."""
        return float(np.hypot(*self.rank_to_suit))

    @property
    def down(self) -> Vector:
        """The unit vector from rank to suit, which is "down" in the reading direction."""
        step = self.rank_to_suit
        return np.asarray(step / max(float(np.hypot(*step)), 1e-9))

    @property
    def middle(self) -> Vector:
        """The point half way between rank and suit."""
        return np.asarray((self.rank + self.suit) / 2)


@dataclass(frozen=True)
class ReadIndex(IndexKeypoints):
    """A classified corner index."""

    probabilities: NDArray[np.float64]
    """(len(CARDS),); the last is "none"."""
    box: Vector
    """(4,): x1, y1, x2, y2 around the index, pixels."""
    score: float
    """The finder's score, 0 to 1."""

    @property
    def confidence(self) -> float:
        """The probability of the likeliest card."""
        return float(self.probabilities[:-1].max())


def rank_distance(a: IndexKeypoints, b: IndexKeypoints) -> float:
    """Return the distance between the ranks of two indices, pixels."""
    return float(np.hypot(*(a.rank - b.rank)))


def index_side(a: IndexKeypoints, b: IndexKeypoints) -> int:
    """Return whether two opposite indices stand as printed (1), mirrored (-1) or in neither way (0).

    As printed, they stand left of the card's upright face. -1 also means the other two of a pack that has four; 0 means
    that these two do not stand across a card.
    """
    if a.down @ b.down > _OPPOSITE_COSINE:
        return 0
    down = a.down - b.down
    right = np.array([down[1], -down[0]])
    step = b.rank - a.rank
    across, along = float(step @ right), float(step @ down)
    return 0 if abs(across) < _MIN_ACROSS_SHARE * along or along <= 0 else (1 if across > 0 else -1)


def placement_error(a: IndexKeypoints, b: IndexKeypoints, card_px: float) -> float:
    """Return how badly two indices fit the corners of one card: 0 is perfect, 1 the limit, more is impossible.

    Three placements fit: across the corner (turned by 180°, an offset across and along), along one side (turned, no
    offset across), along the short side (not turned, no offset along).
    """
    cosine = float(np.clip(a.down @ b.down, -1, 1))
    turned = cosine < 0
    angle = float(np.degrees(np.arccos(abs(cosine))))
    # The direction from both indices, so that one bad angle counts half.
    down = a.down - b.down if turned else a.down + b.down
    down = down / max(float(np.hypot(*down)), 1e-9)
    right = np.array([down[1], -down[0]])
    step = (b.rank - a.rank) / card_px
    across, along = abs(float(step @ right)), float(step @ down)

    def deviation(value: float, span: tuple[float, float, float]) -> float:
        least, usual, most = span
        return (usual - value) / (usual - least) if value < usual else (value - usual) / (most - usual)

    if turned:
        # Seen from the upper index the other one lies below (along > 0).
        diagonal = np.hypot(deviation(across, ACROSS_RANGE), deviation(along, ALONG_RANGE))
        side = np.hypot(across / 0.12, deviation(along, ALONG_RANGE))
        error = min(diagonal, side)
    else:
        error = np.hypot(deviation(across, ACROSS_RANGE), along / 0.15)
    return float(np.hypot(error, angle / 14.0))
