"""Button events that were lost on the way: how many, lately, and what the players should do about it."""

from __future__ import annotations

from table.facts import MS
from table.phrase import Phrase, say

RECENT_NS = 12_000 * MS
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
        self.count = lost + (self.count if self.recent(now_ns) else 0)
        self.last_ns = now_ns

    def recent(self, now_ns: int) -> bool:
        """Whether there is anything to tell now."""
        return self.count > 0 and now_ns - self.last_ns < RECENT_NS

    @property
    def said(self) -> Phrase:
        """What people are told of it."""
        return say("button.lost", n=self.count)
