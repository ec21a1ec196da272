"""Idle filter: recognises, at almost no cost, frames that look like the table at rest.

A card or a hand fills several fields of the coarse image; what is too small or too faint for it is noticed by motion
detection as soon as anything else moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from table.observed_facts import Image
from table.table_geometry import Geometry


@dataclass(frozen=True, slots=True)
class IdleFilterParameters:
    """Parameters of the idle filter."""

    samples: tuple[int, int] = (160, 96)
    """Number of samples of the frame, across and down ..."""
    fields: tuple[int, int] = (40, 24)
    """... which are averaged to this many fields; a card covers some twenty."""
    levels: int = 6
    """Maximum difference of an unchanged field, levels; its noise is a third of that."""


NUMBERS: Final = IdleFilterParameters()


class IdleFilter:
    """Compares frames with a coarse image of the idle table around the mark; hands farther off don't count."""

    def __init__(self, geometry: Geometry) -> None:
        square = cv2.resize(geometry.mark_square_mask(), NUMBERS.fields, interpolation=cv2.INTER_AREA)
        near = np.asarray(cv2.dilate(square, np.ones((3, 3), np.uint8)))
        left, _, width, _ = cv2.boundingRect(near)
        self._columns = slice(left, left + max(1, width))
        near = near[:, self._columns]
        self._near = np.asarray(cv2.threshold(near, 0, 255, cv2.THRESH_BINARY)[1], dtype=np.uint8)
        self._reference: Image | None = None

    def set_reference(self, image: Image | None) -> None:
        """Set the reference image, h x w x 3, of the table at rest; None: no frame matches."""
        self._reference = None if image is None else self._coarse_image(image)

    def matches_reference(self, image: Image) -> bool:
        """Return whether ``image`` matches the reference image."""
        if self._reference is None:
            return False
        return (
            cv2.norm(self._coarse_image(image), self._reference, cv2.NORM_INF, self._near) <= NUMBERS.levels
        )

    def _coarse_image(self, image: Image) -> Image:
        # (What is no matter, and the rows between, need not even be read.)
        across, every = image.shape[1] / NUMBERS.fields[0], max(1, image.shape[0] // NUMBERS.samples[1])
        left, right = round(self._columns.start * across), round(self._columns.stop * across)
        width = self._near.shape[1]
        size = (width * NUMBERS.samples[0] // NUMBERS.fields[0], NUMBERS.samples[1])
        sampled = cv2.resize(image[every // 2 :: every, left:right], size, interpolation=cv2.INTER_LINEAR)
        fields = cv2.resize(sampled, (width, NUMBERS.fields[1]), interpolation=cv2.INTER_AREA)
        return np.asarray(fields, dtype=np.uint8)
