"""Detection of a frozen camera: noise changes every live picture, so identical pictures mean that the camera hangs."""

from __future__ import annotations

import numpy as np

from table.observed_facts import MS, Image

FROZEN_NS = 5_000 * MS
"""The camera is frozen when it has given the identical picture for this long."""


PAUSE_NS = 1_000 * MS
"""A longer gap than this between two pictures means that the camera had stopped: the comparison starts anew."""


class FrozenImageDetector:
    """Compares each picture of one camera with the one before, also after the camera has been opened again."""

    def __init__(self) -> None:
        self._image: Image | None = None
        self._since_ns = self._last_ns = 0
        self._is_frozen = False

    def check_image(self, t_ns: int, image: Image) -> bool:
        """Add a picture; return whether pictures have been identical for too long, until another one comes."""
        paused, self._last_ns = t_ns - self._last_ns > PAUSE_NS, t_ns
        same = self._image is not None and np.array_equal(self._image, image)
        if not same or (paused and not self._is_frozen):
            self._image, self._since_ns = image, t_ns
        self._is_frozen = same and (self._is_frozen or t_ns - self._since_ns >= FROZEN_NS)
        return self._is_frozen
