"""Requests that people make in the panel to whoever runs the table, outside the game."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class TableRequest(Enum):
    """A request outside the game."""

    NEXT = "next"
    """Play the same game once more, when it is over."""
    MENU = "menu"
    """Show the menu: another game, other people."""
    PAUSE = "pause"
    """Pause: nothing counts for a while."""
    OFF = "off"
    """Switch the table off."""


SCREEN_TABLE_REQUESTS = frozenset((TableRequest.NEXT, TableRequest.MENU, TableRequest.PAUSE))
"""The requests that a table with a screen offers. A recording's panel has the same lines, or presses would choose
others there."""


@dataclass(slots=True)
class TableRequests:
    """The requests that are offered, and the latest that was made."""

    offered: frozenset[TableRequest] = frozenset()
    requested: TableRequest | None = None
    """The latest request; reset to None by whoever fulfils it."""
