"""Checks and corrects a camera's stamps: those from the future, or from long ago, are impossible.

A camera's stamps should be of the kernel's monotonic clock, a little before the pictures arrive. A single
picture with an impossible stamp is dropped. If they go on like that the camera has another clock: then its
stamps are shifted by the least delay of any of its pictures, because that picture was the least late.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from table.observed_facts import MS


@dataclass(frozen=True, slots=True)
class TimestampParameters:
    """The parameters of the checks."""

    ahead_ns: int = 200 * MS
    """Stamps may be this far ahead of now: some drivers stamp the end of a picture before it has come."""
    late_ns: int = 2_000 * MS
    """A picture that comes later than this after its stamp is dropped."""
    min_odd_stamps: int = 10
    """This many impossible stamps in a row show that the camera has another clock."""
    astray_ns: int = 500 * MS
    """If the offset of the other clock changes by this much, it is measured anew: the pictures are stamped as
    they come."""


PARAMETERS: Final = TimestampParameters()


class TimestampChecks:
    """Checks the stamps of one camera, in the order of its pictures."""

    def __init__(self) -> None:
        self._impossible_count = 0
        self._offset_ns: int | None = None

    @property
    def has_other_clock(self) -> bool:
        """Whether the camera uses another clock than the kernel's monotonic one."""
        return self._offset_ns is not None

    def correct_stamp(self, t_ns: int, now_ns: int) -> int | None:
        """Return the corrected stamp of a picture that came at ``now_ns``; None for a picture to be dropped."""
        parameters = PARAMETERS
        if now_ns - parameters.late_ns < t_ns < now_ns + parameters.ahead_ns:
            self._impossible_count, self._offset_ns = 0, None
            return min(t_ns, now_ns)
        self._impossible_count += 1
        if self._impossible_count < parameters.min_odd_stamps:
            return None
        offset_ns = now_ns - t_ns
        if self._offset_ns is None or not 0 <= offset_ns - self._offset_ns < parameters.astray_ns:
            self._offset_ns = offset_ns
        return t_ns + self._offset_ns
