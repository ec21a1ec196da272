"""Whether a camera still looks: a live picture is never the same to the bit for long, its noise alone changes it."""

from __future__ import annotations

import numpy as np

from table.facts import MS, Image

FROZEN_NS = 5_000 * MS
"""The very same picture for so long is none."""


PAUSE_NS = 1_000 * MS
"""Two pictures farther apart than this are of a camera that had stopped: it is looked anew."""


class Frozen:
    """Compares each picture of one camera with the one before, also when it has been opened again."""

    def __init__(self) -> None:
        self._image: Image | None = None
        self._since_ns = self._last_ns = 0
        self._hangs = False

    def take(self, t_ns: int, image: Image) -> bool:
        """Whether the picture has been the same for too long; then until there is another."""
        paused, self._last_ns = t_ns - self._last_ns > PAUSE_NS, t_ns
        same = self._image is not None and np.array_equal(self._image, image)
        if not same or (paused and not self._hangs):
            self._image, self._since_ns = image, t_ns
        self._hangs = same and (self._hangs or t_ns - self._since_ns >= FROZEN_NS)
        return self._hangs
