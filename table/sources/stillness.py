"""Whether anybody is there: a press, or something that moves before the camera; after ten quiet minutes nobody is."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.facts import MS, Delivery, Image

QUIET_NS: Final = 600_000 * MS
"""After so long the screen is dimmed."""
LOOK_NS: Final = 400 * MS
"""Time between two looks at the camera's pictures."""
GRID: Final = (32, 18)
"""Cells across and down in which movement is looked for; the noise of a cell's many pixels is below a level."""
SAMPLES: Final = (5, 5)
"""A cell's pixels are sampled at so many places across and down: to read them all costs ten times as much."""
MOVED_LEVELS: Final = 6.0
"""A cell that changes by more, of 255, beyond what the whole picture does (a lamp, a cloud), shows movement."""


class Stillness:
    """Follows a source's deliveries."""

    def __init__(self) -> None:
        self._since_ns: int | None = None
        self._looked_ns: int | None = None
        self._cells: NDArray[np.float32] | None = None

    def follow(self, delivery: Delivery) -> None:
        """Take the next delivery."""
        if self._since_ns is None or delivery.edges or (delivery.frame and self._moves(delivery)):
            self._since_ns = delivery.now_ns

    def stir(self, now_ns: int) -> None:
        """Somebody has done something that no delivery tells of."""
        self._since_ns = now_ns

    def lasts(self, now_ns: int) -> bool:
        """Whether nobody has been there for long."""
        return self._since_ns is not None and now_ns - self._since_ns >= QUIET_NS

    def _moves(self, delivery: Delivery) -> bool:
        frame = delivery.frame
        if frame is None or (self._looked_ns is not None and frame.t_ns - self._looked_ns < LOOK_NS):
            return False
        self._looked_ns = frame.t_ns
        before, self._cells = self._cells, _cells(frame.image)
        if before is None:
            return False
        change = self._cells - before
        middling = np.partition(change, change.size // 2, axis=None)[change.size // 2]
        return bool(np.abs(change - middling).max() > MOVED_LEVELS)


def _cells(image: Image) -> NDArray[np.float32]:
    """The mean brightness of each cell."""
    sampled = cv2.resize(image, (GRID[0] * SAMPLES[0], GRID[1] * SAMPLES[1]), interpolation=cv2.INTER_LINEAR)
    small = cv2.resize(sampled, GRID, interpolation=cv2.INTER_AREA)
    return np.asarray(small.reshape(*GRID[::-1], -1).mean(axis=2), dtype=np.float32)
