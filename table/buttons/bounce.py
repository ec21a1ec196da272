"""How long a button's contact bounces when it is pressed and when it is let go, measured from its raw edges."""

from __future__ import annotations

from dataclasses import dataclass

from table.facts import MS

REST_NS = 30 * MS
"""A contact without an edge for so long is at rest: switches bounce for less, and a tap is longer."""


@dataclass(frozen=True, slots=True)
class Bounce:
    """What one press showed."""

    press_ns: int
    """From the first edge of the press to its last bounce."""
    release_ns: int
    """From the first edge of the release to its last bounce."""

    @property
    def longest_ns(self) -> int:
        """The longer of both."""
        return max(self.press_ns, self.release_ns)


class BounceMeter:
    """Measures one button. Edges come in the order of their stamps."""

    def __init__(self) -> None:
        self._first_ns: int | None = None
        """The first edge since the contact was at rest; None while it is."""
        self._last_ns = 0
        self._level = 0
        self._press_ns: int | None = None
        """How long the press bounced whose release is awaited."""

    @property
    def at_rest(self) -> bool:
        """Whether the button is up, and its contact at rest."""
        return self._first_ns is None and self._press_ns is None

    def edge(self, t_ns: int, level: int) -> Bounce | None:
        """An edge was stamped ``t_ns``, the line then being at ``level``: the press that had ended by then."""
        found = self.settle(t_ns)
        if self._first_ns is None:
            self._first_ns = t_ns
        self._last_ns, self._level = t_ns, level
        return found

    def settle(self, until_ns: int) -> Bounce | None:
        """No edge stamped before ``until_ns`` will come any more: the press that has ended."""
        if self._first_ns is None or until_ns < self._last_ns + REST_NS:
            return None
        bounced_ns, self._first_ns = self._last_ns - self._first_ns, None
        pressed_ns, self._press_ns = self._press_ns, bounced_ns if self._level else None
        return Bounce(pressed_ns, bounced_ns) if pressed_ns is not None and not self._level else None
