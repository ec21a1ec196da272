"""Cloth recognition by its grain: in any light, a hand of the same colour has another grain, or none."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.tracking.imaging.card_registration import Grey


@dataclass(frozen=True, slots=True)
class GrainParameters:
    """Parameters of the grain comparison; chosen on the scene bench's tuning set."""

    finest_px: int = 5
    """Grain is coarser than this (finer structure is noise, and changes with half a pixel of shift) ..."""
    coarsest_px: int = 25
    """... and finer than this: shadows are not."""
    noise: float = 0.5
    """Minimum strength of the grain relative to what is finer: below it may be noise, of which a fifth is left; ..."""
    least: float = 0.7
    """... and minimum strength in levels."""
    most: float = 2.0
    """Grain stronger than this multiple of the median is clipped to it."""
    same: float = 0.5
    """Minimum correlation of one surface's grain with itself (of 470 bare places .51 and more; of hands .45 and less)
    ..."""
    chance: float = 1.5
    """... less this multiple of the chance correlation of so few grains."""


NUMBERS: Final = GrainParameters()


def is_other_surface(here: Grey, there: Grey, where: NDArray[np.bool_]) -> bool:
    """Return whether two images plainly show different surfaces in a mask; False without grain to compare."""
    asked = _Region(where)
    finest, known = asked.grain(there)
    if _median_size(known) < max(NUMBERS.least, NUMBERS.noise * _median_size((there - finest)[where])):
        return False
    _, seen = asked.grain(here)
    scale = math.sqrt(float(known @ known) * float(seen @ seen))
    grains = known.size / NUMBERS.finest_px**2
    return float(known @ seen) < (NUMBERS.same - NUMBERS.chance / math.sqrt(grains)) * scale


class _Region:
    """The compared region of two images."""

    def __init__(self, where: NDArray[np.bool_]) -> None:
        self._inside, self._within = where, where.astype(np.float32)
        self._shares = {
            size: np.maximum(cv2.blur(self._within, (size, size)), 1e-3)
            for size in (NUMBERS.finest_px, NUMBERS.coarsest_px)
        }

    def grain(self, picture: Grey) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return an image without what is finer than grain, levels, and its grain pixel by pixel.

        Few much stronger pixels, such as print, are clipped so that they don't dominate.
        """
        levels = picture * self._within
        finest, coarsest = (self._local_mean(levels, size) for size in self._shares)
        grain = (finest - coarsest)[self._inside]
        most = NUMBERS.most * _median_size(grain)
        return finest, np.clip(grain, -most, most)

    def _local_mean(self, levels: NDArray[np.float32], size: int) -> NDArray[np.float32]:
        """Return the mean around each pixel of the region's own pixels only."""
        return np.asarray(cv2.blur(levels, (size, size)) / self._shares[size], np.float32)


def _median_size(values: NDArray[np.float32]) -> float:
    """Return the median absolute value."""
    return float(np.median(np.abs(values))) if values.size else 0.0
