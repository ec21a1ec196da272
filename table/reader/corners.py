"""A card's corner indices as places in the picture, and how well two of them stand like corners of one card.

A card's two indices are point-symmetric about its centre; packs with four have two more, mirrored in place but not in
direction. Sizes: cards are 57 to 64 mm wide and 87 to 89 mm long, indices stand 3 to 11 mm from the sides; everything
is counted in card widths.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

# The distance between two indices of one card, in card widths: across and along (least, usual, most).
ACROSS: Final = (0.62, 0.80, 0.95)
ALONG: Final = (0.85, 1.13, 1.40)
LENGTH: Final = 1.40
"""A card's length in widths: 88.9 / 63.5; bridge cards reach 1.54."""
DIAGONAL: Final = float(np.hypot(ACROSS[1], ALONG[1]))
"""From one corner's rank to the opposite one's, in card widths."""
NEAREST: Final = 0.45
"""No two corners of one card are nearer than this, in card widths, in a rectified picture."""

_TURNED: Final = -0.9
"""Two indices whose directions have a cosine below this are upside down to each other."""
_DIAGONALLY: Final = 0.35
"""Indices of opposite corners are farther apart across the card than this share of what they are along it."""


@dataclass(frozen=True)
class Corner:
    """Where an index is: the centres of its rank and its suit, (2,) each, pixels."""

    rank: Vector
    suit: Vector

    @property
    def step(self) -> Vector:
        """From rank to suit, pixels."""
        return self.suit - self.rank

    @property
    def reach(self) -> float:
        """The distance from rank to suit, pixels."""
        return float(np.hypot(*self.step))

    @property
    def down(self) -> Vector:
        """Unit vector from rank to suit, the reading direction's "down"."""
        step = self.step
        return np.asarray(step / max(float(np.hypot(*step)), 1e-9))

    @property
    def middle(self) -> Vector:
        """Half way between rank and suit."""
        return np.asarray((self.rank + self.suit) / 2)


@dataclass(frozen=True)
class Mark(Corner):
    """An index that has been read."""

    probabilities: NDArray[np.float64]
    """(len(CARDS),); the last is "none"."""
    box: Vector
    """(4,): x1, y1, x2, y2 around it, pixels."""
    score: float
    """The finder's, 0 to 1."""

    @property
    def sureness(self) -> float:
        """The probability of its likeliest card."""
        return float(self.probabilities[:-1].max())


def apart(a: Corner, b: Corner) -> float:
    """The distance of two indices' ranks, pixels."""
    return float(np.hypot(*(a.rank - b.rank)))


def side(a: Corner, b: Corner) -> int:
    """On which side of a card its indices stand, by two of opposite corners: 1 as printed, left of its upright face.

    -1 in a mirror (or the other two of a pack that has four); 0 where these two don't stand across a card.
    """
    if a.down @ b.down > _TURNED:
        return 0
    down = a.down - b.down
    right = np.array([down[1], -down[0]])
    step = b.rank - a.rank
    across, along = float(step @ right), float(step @ down)
    return 0 if abs(across) < _DIAGONALLY * along or along <= 0 else (1 if across > 0 else -1)


def placement(a: Corner, b: Corner, card_px: float) -> float:
    """How badly two indices are placed for one card: 0 perfect, 1 at the edge of what is possible, more: not.

    Three ways: across the corner (turned by 180°, an offset across and along), along one side (turned, no offset
    across), along the short side (not turned, no offset along).
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

    def off(value: float, span: tuple[float, float, float]) -> float:
        least, usual, most = span
        return (usual - value) / (usual - least) if value < usual else (value - usual) / (most - usual)

    if turned:
        # From the upper index the other lies below (along > 0).
        diagonal = np.hypot(off(across, ACROSS), off(along, ALONG))
        side = np.hypot(across / 0.12, off(along, ALONG))
        place = min(diagonal, side)
    else:
        place = np.hypot(off(across, ACROSS), along / 0.15)
    return float(np.hypot(place, angle / 14.0))
