"""A table at rest costs next to nothing: a frame that looks as the table did when all was settled says just that.

A card or a hand fills several fields of so coarse a picture; what is too small or too faint for it is seen by the gate
as soon as anything else stirs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from table.facts import Image
from table.sight.geometry import Geometry


@dataclass(frozen=True, slots=True)
class Calming:
    """The numbers of this module."""

    samples: tuple[int, int] = (160, 96)
    """The frame is sampled at so many places across and down ..."""
    fields: tuple[int, int] = (40, 24)
    """... which are averaged to so many fields; a card covers some twenty."""
    levels: int = 6
    """A field off by no more looks as before; the noise of one is a third of that."""


NUMBERS: Final = Calming()


class Calm:
    """Knows how the settled table looks at a glance, at the mark and around it; hands farther off are no matter."""

    def __init__(self, geometry: Geometry) -> None:
        square = cv2.resize(geometry.square_in_small(), NUMBERS.fields, interpolation=cv2.INTER_AREA)
        near = np.asarray(cv2.dilate(square, np.ones((3, 3), np.uint8)))
        left, _, width, _ = cv2.boundingRect(near)
        self._columns = slice(left, left + max(1, width))
        near = near[:, self._columns]
        self._near = np.asarray(cv2.threshold(near, 0, 255, cv2.THRESH_BINARY)[1], dtype=np.uint8)
        self._settled: Image | None = None

    def settle(self, image: Image | None) -> None:
        """All is decided, and the table looks as in ``image``, h x w x 3; None: no two frames look alike."""
        self._settled = None if image is None else self._glance(image)

    def like(self, image: Image) -> bool:
        """Whether ``image`` looks as the settled table did."""
        if self._settled is None:
            return False
        return cv2.norm(self._glance(image), self._settled, cv2.NORM_INF, self._near) <= NUMBERS.levels

    def _glance(self, image: Image) -> Image:
        # (What is no matter, and the rows between, need not even be read.)
        across, every = image.shape[1] / NUMBERS.fields[0], max(1, image.shape[0] // NUMBERS.samples[1])
        left, right = round(self._columns.start * across), round(self._columns.stop * across)
        width = self._near.shape[1]
        size = (width * NUMBERS.samples[0] // NUMBERS.fields[0], NUMBERS.samples[1])
        sampled = cv2.resize(image[every // 2 :: every, left:right], size, interpolation=cv2.INTER_LINEAR)
        fields = cv2.resize(sampled, (width, NUMBERS.fields[1]), interpolation=cv2.INTER_AREA)
        return np.asarray(fields, dtype=np.uint8)
