"""Raw edges of one line, bounce included, become presses and releases stamped by their first edge.

A change's first edge counts; then the line is locked out for ``debounce_ms``; then its level is read again. What
that means where lines misbehave:

* A press shorter than the lock-out counts, and ends when the lock-out does.
* A release is one only if the line is still released when its lock-out ends, and again when ``release_ms`` are over
  since its first edge: nobody lets go and presses again within that time, but a contact bounces, or trembles under
  a held finger.
* A press is one only once its contact has been closed for ``closed_ns`` without a break. A shorter pulse is induced
  by the cable, or by a spark; where the contact closes again before a release would count, it was the press's first
  bounce. A knock sensor's pulses are its knocks, however short: its ``closed_ns`` is 0.
* The first edge counts whatever level it came with. The kernel stamps an edge in the interrupt but reads the
  level a little later (``edge_irq_thread`` in the kernel's ``gpiolib-cdev.c``); in a bounce it may read the
  old level again. So an edge to the level that already stood, followed by the change, is the change's first edge.
"""

from __future__ import annotations

from dataclasses import dataclass

from table.facts import END_NS, MS

FASTEST_TAP_NS = 40 * MS
"""Nobody presses one button again this soon after the last press began."""
CLOSED_NS = 1 * MS
"""A finger keeps a button's contact closed for longer. The contact rests within a few milliseconds, and the shortest
tap takes some twenty; a spike on a cable takes microseconds."""


@dataclass(frozen=True, slots=True)
class Change:
    """A line was pressed or let go."""

    t_ns: int
    pressed: bool
    torn: bool = False
    """Pressed again though no release was heard in between: an edge was lost."""
    flickered: bool = False
    """The contact was lost for a moment: the press goes on."""


class Debouncer:
    """Debounces one line. Edges come in the order of their stamps; changes come out in the order of theirs.

    A press is told when its lock-out is over and its contact has been closed for ``closed_ns``, a release when
    ``release_ns`` are over: no later change will be stamped before ``pending_ns``.
    """

    def __init__(self, debounce_ns: int, release_ns: int = 0, closed_ns: int = 0) -> None:
        self._debounce_ns = debounce_ns
        self._release_ns = max(release_ns, debounce_ns)
        self._closed_ns = closed_ns
        self._heard = False
        self._level = 0
        self._edge_ns = -END_NS
        """The last edge."""
        self._locked_ns: int | None = None
        """The first edge of a change that may be one, while its lock-out runs."""
        self._opened_by = 0
        self._after_bounce = False
        """Whether that edge came so soon after another that it may be bounce."""
        self._press_seen = False
        """Whether the line has been pressed since that edge ..."""
        self._release_seen = False
        """... or released."""
        self._held = False
        """Whether the contact has been closed for long enough since the press's first edge."""
        self._pressed_ns: int | None = None
        self._told = False
        """Whether the press has been told."""
        self._released_ns: int | None = None
        """The first edge of what was a release after its lock-out, or may be one whose bounce lasts longer."""

    @property
    def pending_ns(self) -> int | None:
        """The earliest stamp that a change may still have; None: until the next edge there is none."""
        if self._pressed_ns is not None and not self._told:
            return self._pressed_ns
        return self._locked_ns if self._released_ns is None else self._released_ns

    def edge(self, t_ns: int, level: int) -> list[Change]:
        """An edge was stamped ``t_ns``, the line then being at ``level`` (1 pressed)."""
        changes = self.settle(t_ns)
        if self._pressed_ns is None and self._locked_ns is None:
            self._held = False
        if self._locked_ns is None and self._released_ns is None:
            self._after_bounce = t_ns - self._edge_ns < self._release_ns
            self._lock(t_ns, level)
        self._level, self._edge_ns = level, t_ns
        self._press_seen |= level == 1
        self._release_seen |= level == 0
        return changes + self.settle(t_ns)

    def settle(self, until_ns: int) -> list[Change]:
        """No edge stamped before ``until_ns`` will come any more: the changes that this settles."""
        self._held |= self._level == 1 and until_ns >= self._edge_ns + self._closed_ns
        changes: list[Change] = []
        while True:
            changes += self._prove()
            if self._locked_ns is not None and self._locked_ns + self._debounce_ns <= until_ns:
                changes += self._read_again(self._locked_ns)
            elif self._released_ns is not None and self._released_ns + self._release_ns <= until_ns:
                changes += self._let_go(self._released_ns)
            else:
                return changes

    def _lock(self, t_ns: int, level: int) -> None:
        self._locked_ns = t_ns
        self._opened_by = level
        self._press_seen = self._release_seen = False

    def _prove(self) -> list[Change]:
        """Tell the press once its contact has been closed for long enough."""
        if self._pressed_ns is None or self._told or not self._held:
            return []
        self._told = True
        return [Change(self._pressed_ns, True)]

    def _read_again(self, first_ns: int) -> list[Change]:
        """The lock-out that began with the edge of ``first_ns`` is over."""
        self._locked_ns = None
        first_of_all, self._heard = not self._heard, True
        if self._pressed_ns is None:
            if first_of_all and self._opened_by == 0 and self._level == 0:
                # A line that was down from the start is let go: no press, however its release bounces.
                self._released_ns = first_ns
            elif self._press_seen:
                self._pressed_ns, self._told = first_ns, False
                if self._level == 0:
                    self._lock(first_ns + self._debounce_ns, 0)
            return []
        late = first_ns - self._pressed_ns >= FASTEST_TAP_NS
        if self._level == 0 or (self._opened_by == 1 and late and not self._after_bounce):
            self._released_ns = first_ns
        return []

    def _let_go(self, first_ns: int) -> list[Change]:
        """The time is over in which the contact may bounce after the release of ``first_ns``."""
        self._released_ns = None
        if self._pressed_ns is None:
            return []
        if self._level == 0:
            self._pressed_ns = None
            return [Change(first_ns, False)] if self._told else []
        bounced = first_ns - self._pressed_ns < self._release_ns
        torn = not self._release_seen
        return [Change(first_ns, True, torn, not torn)] if self._told and not bounced else []
