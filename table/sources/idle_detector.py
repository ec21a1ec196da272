"""Detection of an idle table: no press and no movement before the camera for ten minutes."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.observed_facts import MS, Delivery, Image

IDLE_AFTER_NS: Final = 600_000 * MS
COMPARE_INTERVAL_NS: Final = 400 * MS
GRID: Final = (32, 18)
"""The grid of cells, across and down, in which movement is detected; the noise of a cell's many pixels is below
a level."""
SAMPLES: Final = (5, 5)
"""The samples of a cell's pixels across and down: to read them all costs ten times as much."""
MOVED_LEVELS: Final = 6.0
"""A cell shows movement if its change, of 255, differs from that of the whole picture (a lamp, a cloud) by more
than this."""


class IdleDetector:
    """Detects from a source's deliveries whether the table is idle."""

    def __init__(self) -> None:
        self._last_activity_ns: int | None = None
        self._last_compared_ns: int | None = None
        self._cells: NDArray[np.float32] | None = None

    def process(self, delivery: Delivery) -> None:
        """Process the next delivery."""
        if (
            self._last_activity_ns is None
            or delivery.edges
            or (delivery.frame and self._shows_movement(delivery))
        ):
            self._last_activity_ns = delivery.now_ns

    def record_activity(self, now_ns: int) -> None:
        """Record activity at ``now_ns`` that no delivery shows."""
        self._last_activity_ns = now_ns

    def is_idle(self, now_ns: int) -> bool:
        """Return whether nobody has been active for long."""
        return self._last_activity_ns is not None and now_ns - self._last_activity_ns >= IDLE_AFTER_NS

    def _shows_movement(self, delivery: Delivery) -> bool:
        frame = delivery.frame
        if frame is None or (
            self._last_compared_ns is not None and frame.t_ns - self._last_compared_ns < COMPARE_INTERVAL_NS
        ):
            return False
        self._last_compared_ns = frame.t_ns
        previous, self._cells = self._cells, _cells(frame.image)
        if previous is None:
            return False
        change = self._cells - previous
        median = np.partition(change, change.size // 2, axis=None)[change.size // 2]
        return bool(np.abs(change - median).max() > MOVED_LEVELS)


def _cells(image: Image) -> NDArray[np.float32]:
    sampled = cv2.resize(image, (GRID[0] * SAMPLES[0], GRID[1] * SAMPLES[1]), interpolation=cv2.INTER_LINEAR)
    small = cv2.resize(sampled, GRID, interpolation=cv2.INTER_AREA)
    return np.asarray(small.reshape(*GRID[::-1], -1).mean(axis=2), dtype=np.float32)
