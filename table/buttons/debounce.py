"""Raw edges of one line, bounce included, become presses and releases stamped by their first edge.

A change's first edge counts; then the line is locked out for ``debounce_ms``; then its level is read again. What
that means where lines misbehave:

* A press shorter than the lock-out counts, and ends when the lock-out does.
* A release is one only if the line is still released when its lock-out ends: nobody lets go and presses again
  in 5 ms, but a contact that trembles under a held finger, or bounces longer than the lock-out, does just that.
* The first edge counts whatever level it came with. The kernel stamps an edge in the interrupt but reads the
  level a little later (``edge_irq_thread`` in the kernel's ``gpiolib-cdev.c``); in a bounce it may read the
  old level again. So an edge to the level that already stood, followed by the change, is the change's first edge.
"""

from __future__ import annotations

from dataclasses import dataclass

from table.facts import MS

FASTEST_TAP_NS = 40 * MS
"""Nobody presses one button again this soon after the last press began."""


@dataclass(frozen=True, slots=True)
class Change:
    """A line was pressed or let go."""

    t_ns: int
    pressed: bool
    torn: bool = False
    """Pressed again though no release was heard in between: an edge was lost."""


class Debouncer:
    """Debounces one line. Edges come in the order of their stamps; changes come out in the order of theirs.

    A change is told when its lock-out is over: after ``settle(t)`` no later change will be stamped before
    ``t - debounce_ns``.
    """

    def __init__(self, debounce_ns: int) -> None:
        self._debounce_ns = debounce_ns
        self._heard = False
        self._pressed_ns: int | None = None
        self._level = 0
        self._locked_ns: int | None = None
        self._opened_by = 0
        self._press_seen = False

    @property
    def at_rest(self) -> bool:
        """Whether no lock-out is running: until the next edge nothing changes."""
        return self._locked_ns is None

    def edge(self, t_ns: int, level: int) -> list[Change]:
        """An edge was stamped ``t_ns``, the line then being at ``level`` (1 pressed)."""
        changes = self.settle(t_ns)
        if self._locked_ns is None:
            self._lock(t_ns, level)
        self._level = level
        self._press_seen |= level == 1
        if self._debounce_ns == 0:
            changes += self.settle(t_ns)
        return changes

    def settle(self, until_ns: int) -> list[Change]:
        """No edge stamped before ``until_ns`` will come any more: the changes that this settles."""
        changes: list[Change] = []
        while self._locked_ns is not None and self._locked_ns + self._debounce_ns <= until_ns:
            changes += self._read_again(self._locked_ns)
        return changes

    def _lock(self, t_ns: int, level: int) -> None:
        self._locked_ns = t_ns
        self._opened_by = level
        self._press_seen = False

    def _read_again(self, first_ns: int) -> list[Change]:
        """The lock-out that began with the edge of ``first_ns`` is over."""
        self._locked_ns = None
        first_of_all, self._heard = not self._heard, True
        if self._pressed_ns is None:
            # A line that was down from the start is let go: no press, however its release bounces.
            let_go = first_of_all and self._opened_by == 0 and self._level == 0
            if not self._press_seen or let_go:
                return []
            self._pressed_ns = first_ns
            if self._level == 0:
                self._lock(first_ns + self._debounce_ns, 0)
            return [Change(first_ns, True)]
        if self._level == 0:
            self._pressed_ns = None
            return [Change(first_ns, False)]
        if self._opened_by == 1 and first_ns - self._pressed_ns >= FASTEST_TAP_NS:
            return [Change(first_ns, True, torn=True)]
        return []
