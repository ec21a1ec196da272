"""Checks of a camera's pictures and stamps: a camera that is frozen, or whose stamps are impossible."""

from __future__ import annotations

from typing import Final

import numpy as np

from table.observed_facts import MS, Image

FROZEN_NS: Final = 5_000 * MS
"""The camera is frozen when it has given the identical picture for this long."""
PAUSE_NS: Final = 1_000 * MS
"""A longer gap than this between two pictures means that the camera had stopped: the comparison starts anew."""
AHEAD_NS: Final = 200 * MS
"""Stamps may be this far ahead of now: some drivers stamp the end of a picture before it has come."""
LATE_NS: Final = 2_000 * MS
"""A picture that comes later than this after its stamp is dropped."""
MIN_ODD_STAMPS: Final = 10
"""This many impossible stamps in a row show that the camera has another clock."""
ASTRAY_NS: Final = 500 * MS
"""If the offset of the other clock changes by this much, it is measured anew: the pictures are stamped as they come."""


class FrozenImageDetector:
    """Detects a frozen camera: noise changes every live picture, so identical pictures mean that the camera hangs.

    It compares each picture with the one before, also after the camera has been opened again.
    """

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


class TimestampChecks:
    """Checks and corrects the stamps of one camera, in the order of its pictures.

    They should be of the kernel's monotonic clock, a little before the pictures arrive. A single picture with an
    impossible stamp (from the future, or from long ago) is dropped. If they go on like that the camera has another
    clock: then its stamps are shifted by the least delay of any of its pictures, because that one was the least late.
    """

    def __init__(self) -> None:
        self._impossible_count = 0
        self._offset_ns: int | None = None

    @property
    def has_other_clock(self) -> bool:
        """Whether the camera uses another clock than the kernel's monotonic one."""
        return self._offset_ns is not None

    def correct_stamp(self, t_ns: int, now_ns: int) -> int | None:
        """Return the corrected stamp of a picture that came at ``now_ns``; None for a picture to be dropped."""
        if now_ns - LATE_NS < t_ns < now_ns + AHEAD_NS:
            self._impossible_count, self._offset_ns = 0, None
            return min(t_ns, now_ns)
        self._impossible_count += 1
        if self._impossible_count < MIN_ODD_STAMPS:
            return None
        offset_ns = now_ns - t_ns
        if self._offset_ns is None or not 0 <= offset_ns - self._offset_ns < ASTRAY_NS:
            self._offset_ns = offset_ns
        return t_ns + self._offset_ns
