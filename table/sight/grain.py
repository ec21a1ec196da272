"""Cloth is known by its grain: whatever light falls on it, a hand of the same colour has another, or none."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.sight.rest import Grey


@dataclass(frozen=True, slots=True)
class GrainNumbers:
    """The numbers of this module; chosen on the scene bench's tuning set."""

    finest_px: int = 5
    """Grain is what is coarser than this (finer is noise, and what half a pixel of shift makes other) ..."""
    coarsest_px: int = 25
    """... and finer than this: shadows are not."""
    noise: float = 0.5
    """Where it is less, against what there is that is finer, it may be noise: of that a fifth is left; ..."""
    least: float = 0.7
    """... nor does less than so many levels tell."""
    most: float = 2.0
    """Grain of more than so many times the middling one counts as that much."""
    same: float = 0.5
    """One surface's grain correlates so much (of 470 bare places .51 and more; of hands .45 and less) ..."""
    chance: float = 1.5
    """... give or take so many times what chance makes of so few grains."""


NUMBERS: Final = GrainNumbers()


def other_surface(here: Grey, there: Grey, where: NDArray[np.bool_]) -> bool:
    """Whether two pictures show plainly, ``where`` asked, not one surface; False where there is no grain to go by."""
    asked = _Asked(where)
    finest, known = asked.grain(there)
    if _middling(known) < max(NUMBERS.least, NUMBERS.noise * _middling((there - finest)[where])):
        return False
    _, seen = asked.grain(here)
    scale = math.sqrt(float(known @ known) * float(seen @ seen))
    grains = known.size / NUMBERS.finest_px**2
    return float(known @ seen) < (NUMBERS.same - NUMBERS.chance / math.sqrt(grains)) * scale


class _Asked:
    """The part of two pictures that is asked about."""

    def __init__(self, where: NDArray[np.bool_]) -> None:
        self._inside, self._within = where, where.astype(np.float32)
        self._shares = {
            size: np.maximum(cv2.blur(self._within, (size, size)), 1e-3)
            for size in (NUMBERS.finest_px, NUMBERS.coarsest_px)
        }

    def grain(self, picture: Grey) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """A picture without what is finer than grain, levels, and its grain, pixel by pixel.

        The little of it that is far stronger, such as print, must not drown the rest.
        """
        levels = picture * self._within
        finest, coarsest = (self._mean_about(levels, size) for size in self._shares)
        grain = (finest - coarsest)[self._inside]
        most = NUMBERS.most * _middling(grain)
        return finest, np.clip(grain, -most, most)

    def _mean_about(self, levels: NDArray[np.float32], size: int) -> NDArray[np.float32]:
        """The mean about each pixel of what is within: what lies beside it is another matter."""
        return np.asarray(cv2.blur(levels, (size, size)) / self._shares[size], np.float32)


def _middling(values: NDArray[np.float32]) -> float:
    """The size of the middling one."""
    return float(np.median(np.abs(values))) if values.size else 0.0
