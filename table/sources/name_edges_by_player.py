"""The one place where button edges named by chair become edges named by player.

Buttons belong to chairs, a game knows players. The chair of a player is the one that ``table.toml`` gives its lines to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from table.buttons.gpio_edges import EdgeReading
from table.observed_facts import Edge, Frame
from table.sources.live_table import Listener


def edges_by_player(edges: Iterable[Edge], seated: Mapping[str, str]) -> tuple[Edge, ...]:
    """Rename edges from chairs to players, by the players in their chairs. Edges of empty chairs are left out."""
    return tuple(replace(edge, seat=seated[edge.seat]) for edge in edges if edge.seat in seated)


class PlayerNamedListener:
    """Passes frames and edges on to a listener, such as a recorder, with the edges named by player."""

    def __init__(self, listener: Listener, seated: Mapping[str, str]) -> None:
        """``seated``: the players in their chairs, by chair."""
        self._listener = listener
        self._seated = seated

    def add_frame(self, frame: Frame) -> None:
        """Pass a frame on."""
        self._listener.add_frame(frame)

    def add_reading(self, read: EdgeReading) -> None:
        """Pass a reading of the buttons on."""
        self._listener.add_reading(replace(read, edges=edges_by_player(read.edges, self._seated)))
