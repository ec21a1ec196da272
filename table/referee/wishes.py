"""What people can wish by the panel that is no matter of the game, for whoever runs the table."""

from __future__ import annotations

from enum import Enum


class Wish(Enum):
    """One such wish."""

    NEXT = "next"
    """The same game once more, when it is over."""
    MENU = "menu"
    """The menu: another game, other people."""
    PAUSE = "pause"
    """Nothing is to count for a while."""
    OFF = "off"
    """The table is to be switched off."""


AT_THE_TABLE = frozenset((Wish.NEXT, Wish.MENU, Wish.PAUSE))
"""What a table with a screen offers. A recording's panel has the same lines, or presses would choose others there."""


class Wishes:
    """What is offered, and what has been wished."""

    def __init__(self) -> None:
        self.offered: frozenset[Wish] = frozenset()
        self.made: Wish | None = None
        """The latest wish; taken back by whoever fulfils it."""

    def make(self, wish: Wish) -> None:
        """Somebody wishes it."""
        self.made = wish
