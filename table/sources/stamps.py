"""Stamps that can't be: from the future, or far past.

A camera's stamps should be of the kernel's monotonic clock, a little before they come. A single one that is not is of
no use. If they go on like that the camera has another clock: then what it says is moved by the least time that one of
its pictures took to come, for that one was the least late.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from table.facts import MS


@dataclass(frozen=True, slots=True)
class StampNumbers:
    """The numbers of this module."""

    ahead_ns: int = 200 * MS
    """Some drivers stamp the end of a picture before it has come; this far ahead of now."""
    late_ns: int = 2_000 * MS
    """A picture that comes later than this is of no use."""
    often: int = 10
    """So many in a row that can't be show another clock."""
    astray_ns: int = 500 * MS
    """A clock that goes on so differently is none: its pictures are stamped as they come."""


NUMBERS: Final = StampNumbers()


class Stamps:
    """Takes one camera's stamps, in the order of its pictures."""

    def __init__(self) -> None:
        self._odd = 0
        self._by_ns: int | None = None

    @property
    def moved(self) -> bool:
        """Whether the camera has another clock."""
        return self._by_ns is not None

    def take(self, t_ns: int, now_ns: int) -> int | None:
        """The stamp of a picture that came now, put right; None for a picture to be left out."""
        n = NUMBERS
        if now_ns - n.late_ns < t_ns < now_ns + n.ahead_ns:
            self._odd, self._by_ns = 0, None
            return min(t_ns, now_ns)
        self._odd += 1
        if self._odd < n.often:
            return None
        by_ns = now_ns - t_ns
        if self._by_ns is None or not 0 <= by_ns - self._by_ns < n.astray_ns:
            self._by_ns = by_ns
        return t_ns + self._by_ns
