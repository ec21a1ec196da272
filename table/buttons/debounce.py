"""Debouncing: raw edges of one line become presses and releases, each stamped with its first edge.

A change is stamped with its first edge. The line is then locked out for ``debounce_ms``, after which its
level is read again. Lines that misbehave are handled as follows:

* A press shorter than the lock-out counts, and ends when the lock-out does.
* A release counts only if the line is released when its lock-out ends, and again ``release_ms`` after its
  first edge: nobody releases and presses again within that time, but a contact bounces, or trembles under a
  held finger.
* A press counts only once its contact has been closed for ``closed_ns`` without a break. A shorter pulse is
  induced by the cable, or by a spark; where the contact closes again before a release would count, the pulse
  was the press's first bounce. A knock sensor's pulses are its knocks, however short: its ``closed_ns`` is 0.
* The first edge counts whatever its level. The kernel stamps an edge in the interrupt but reads the level a
  little later (``edge_irq_thread`` in the kernel's ``gpiolib-cdev.c``); in a bounce it may read the old level
  again. So an edge to the current level, followed by the change, is the change's first edge.
"""

from __future__ import annotations

from dataclasses import dataclass

from table.observed_facts import END_NS, MS

MIN_TAP_INTERVAL_NS = 40 * MS
"""The shortest time between the starts of two presses of one button: nobody presses again sooner."""
MIN_CLOSED_NS = 1 * MS
"""The shortest time for which a finger closes a button's contact. The contact rests within a few milliseconds,
and the shortest tap takes some twenty; a spike on a cable takes microseconds."""


@dataclass(frozen=True, slots=True)
class Change:
    """A press or a release of a line, after debouncing."""

    t_ns: int
    pressed: bool
    edge_lost: bool = False
    """Whether this is a press after a press: the release between them is missing, so an edge was lost."""
    contact_interrupted: bool = False
    """Whether the contact was only interrupted for a moment: the press goes on."""


class Debouncer:
    """Debounces one line. Edges come in the order of their stamps; changes are returned in the order of theirs.

    A press is returned when its lock-out is over and its contact has been closed for ``closed_ns``, a release
    when ``release_ns`` are over. No later change will be stamped before ``pending_ns``.
    """

    def __init__(self, debounce_ns: int, release_ns: int = 0, closed_ns: int = 0) -> None:
        self._debounce_ns = debounce_ns
        self._release_ns = max(release_ns, debounce_ns)
        self._closed_ns = closed_ns
        self._had_lockout = False
        self._level = 0
        self._edge_ns = -END_NS
        self._lockout_ns: int | None = None
        """The first edge of a possible change, while its lock-out runs."""
        self._lockout_level = 0
        self._after_bounce = False
        """Whether the lock-out's first edge followed another edge so closely that it may be bounce."""
        self._press_seen = False
        """Whether the line has been pressed since the lock-out began."""
        self._release_seen = False
        """Whether the line has been released since the lock-out began."""
        self._closed_long_enough = False
        """Whether the contact has been closed for ``closed_ns`` since the press's first edge."""
        self._pressed_ns: int | None = None
        self._press_reported = False
        self._released_ns: int | None = None
        """The first edge of a release, or of a possible one whose bounce lasts longer than the lock-out."""

    @property
    def pending_ns(self) -> int | None:
        """The earliest stamp that a later change may have; None when no change is possible before the next edge."""
        if self._pressed_ns is not None and not self._press_reported:
            return self._pressed_ns
        return self._lockout_ns if self._released_ns is None else self._released_ns

    def add_edge(self, t_ns: int, level: int) -> list[Change]:
        """Add an edge stamped ``t_ns`` to ``level`` (1 pressed); return the changes that are now certain."""
        changes = self.advance(t_ns)
        if self._pressed_ns is None and self._lockout_ns is None:
            self._closed_long_enough = False
        if self._lockout_ns is None and self._released_ns is None:
            self._after_bounce = t_ns - self._edge_ns < self._release_ns
            self._start_lockout(t_ns, level)
        self._level, self._edge_ns = level, t_ns
        self._press_seen |= level == 1
        self._release_seen |= level == 0
        return changes + self.advance(t_ns)

    def advance(self, until_ns: int) -> list[Change]:
        """Return the changes that are certain, given that all edges before ``until_ns`` have been added."""
        self._closed_long_enough |= self._level == 1 and until_ns >= self._edge_ns + self._closed_ns
        changes: list[Change] = []
        while True:
            changes += self._report_press()
            if self._lockout_ns is not None and self._lockout_ns + self._debounce_ns <= until_ns:
                changes += self._end_lockout(self._lockout_ns)
            elif self._released_ns is not None and self._released_ns + self._release_ns <= until_ns:
                changes += self._end_release(self._released_ns)
            else:
                return changes

    def _start_lockout(self, t_ns: int, level: int) -> None:
        self._lockout_ns = t_ns
        self._lockout_level = level
        self._press_seen = self._release_seen = False

    def _report_press(self) -> list[Change]:
        """Return the press once its contact has been closed for long enough."""
        if self._pressed_ns is None or self._press_reported or not self._closed_long_enough:
            return []
        self._press_reported = True
        return [Change(self._pressed_ns, True)]

    def _end_lockout(self, first_ns: int) -> list[Change]:
        """End the lock-out that began with the edge of ``first_ns``, and read the line's level again."""
        self._lockout_ns = None
        first_lockout, self._had_lockout = not self._had_lockout, True
        if self._pressed_ns is None:
            if first_lockout and self._lockout_level == 0 and self._level == 0:
                # A line that was pressed from the start is released: this is no press, however the release bounces.
                self._released_ns = first_ns
            elif self._press_seen:
                self._pressed_ns, self._press_reported = first_ns, False
                if self._level == 0:
                    self._start_lockout(first_ns + self._debounce_ns, 0)
            return []
        late = first_ns - self._pressed_ns >= MIN_TAP_INTERVAL_NS
        if self._level == 0 or (self._lockout_level == 1 and late and not self._after_bounce):
            self._released_ns = first_ns
        return []

    def _end_release(self, first_ns: int) -> list[Change]:
        """End the bounce time of the release of ``first_ns``, and return the release if it counts."""
        self._released_ns = None
        if self._pressed_ns is None:
            return []
        if self._level == 0:
            self._pressed_ns = None
            return [Change(first_ns, False)] if self._press_reported else []
        bounced = first_ns - self._pressed_ns < self._release_ns
        torn = not self._release_seen
        return [Change(first_ns, True, torn, not torn)] if self._press_reported and not bounced else []
