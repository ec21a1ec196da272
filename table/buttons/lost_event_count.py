"""The count of button events lost recently, and the message to the players about them."""

from __future__ import annotations

from table.observed_facts import MS
from table.phrase import Phrase, make_phrase

RECENT_NS = 12_000 * MS
"""A loss is shown for this long; losses within this time of each other are counted together."""


class LostEventCounter:
    """Counts the button events that a source reports as lost."""

    def __init__(self) -> None:
        self.count = 0
        """The number of events lost since the message last left the screen."""
        self.last_ns = 0

    def add(self, lost: int, now_ns: int) -> None:
        """Add newly reported losses; ``lost`` is their number."""
        if lost <= 0:
            return
        self.count = lost + (self.count if self.has_recent_losses(now_ns) else 0)
        self.last_ns = now_ns

    def has_recent_losses(self, now_ns: int) -> bool:
        """Return whether there are losses to show at ``now_ns``."""
        return self.count > 0 and now_ns - self.last_ns < RECENT_NS

    @property
    def message(self) -> Phrase:
        """The message to the players about the losses."""
        return make_phrase("button.lost", n=self.count)
