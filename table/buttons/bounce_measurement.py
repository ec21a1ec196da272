"""Measurement of how long a button's contact bounces on press and on release, from its raw edges."""

from __future__ import annotations

from dataclasses import dataclass

from table.observed_facts import MS

MIN_REST_NS = 30 * MS
"""A contact that has had no edge for this long is at rest: switches bounce for less, and a tap is longer."""


@dataclass(frozen=True, slots=True)
class Bounce:
    """The bounce times of one press and its release."""

    press_ns: int
    """From the first edge of the press to its last bounce."""
    release_ns: int
    """From the first edge of the release to its last bounce."""

    @property
    def longest_ns(self) -> int:
        """The longer of the two bounce times."""
        return max(self.press_ns, self.release_ns)


class BounceMeter:
    """Measures the bounce of one button. Edges come in the order of their stamps."""

    def __init__(self) -> None:
        self._first_ns: int | None = None
        """The first edge since the contact was at rest; None while it is."""
        self._last_ns = 0
        self._level = 0
        self._press_ns: int | None = None
        """The bounce time of a press whose release has not come yet."""

    @property
    def at_rest(self) -> bool:
        """Whether the button is released and its contact is at rest."""
        return self._first_ns is None and self._press_ns is None

    def add_edge(self, t_ns: int, level: int) -> Bounce | None:
        """Add an edge stamped ``t_ns`` to ``level``; return the bounce of a press that ended before it."""
        bounce = self.advance(t_ns)
        if self._first_ns is None:
            self._first_ns = t_ns
        self._last_ns, self._level = t_ns, level
        return bounce

    def advance(self, until_ns: int) -> Bounce | None:
        """Return the bounce of the press that has ended, given that all edges before ``until_ns`` have been added."""
        if self._first_ns is None or until_ns < self._last_ns + MIN_REST_NS:
            return None
        bounced_ns, self._first_ns = self._last_ns - self._first_ns, None
        pressed_ns, self._press_ns = self._press_ns, bounced_ns if self._level else None
        return Bounce(pressed_ns, bounced_ns) if pressed_ns is not None and not self._level else None
