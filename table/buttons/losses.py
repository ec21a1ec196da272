"""Button events that were lost on the way: how many, lately, and what the players should do about it."""

from __future__ import annotations

from table.facts import MS

TOLD_NS = 12_000 * MS
"""Losses are told for this long; those within it are told together."""


class Losses:
    """Counts the button events that a source says are lost."""

    def __init__(self) -> None:
        self.count = 0
        """Lost since the sentence last left the screen."""
        self.last_ns = 0

    def add(self, lost: int, now_ns: int) -> None:
        """So many more are now known to be lost."""
        if lost <= 0:
            return
        self.count = lost + (self.count if self.told(now_ns) else 0)
        self.last_ns = now_ns

    def told(self, now_ns: int) -> bool:
        """Whether there is anything to tell now."""
        return self.count > 0 and now_ns - self.last_ns < TOLD_NS

    def __str__(self) -> str:
        events = "1 button event was" if self.count == 1 else f"{self.count} button events were"
        return f'{events} lost: look whether all bids and raps are right ("that\'s wrong" mends them)'
