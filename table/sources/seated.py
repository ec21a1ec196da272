"""Chairs have buttons, games have players: what the buttons of a chair say is its player's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from table.buttons.gpio import Read
from table.facts import Delivery, Edge, Frame
from table.sources.base import Source
from table.sources.live import Listener


class Seated:
    """A source whose edges are named by chairs, for a game that knows players; empty chairs are not heard."""

    def __init__(self, source: Source, seated: Mapping[str, str]) -> None:
        """``seated``: the players by their chairs."""
        self._source = source
        self._seated = seated

    def deliveries(self) -> Iterator[Delivery]:
        """What the source delivers, with the players' names."""
        for delivery in self._source.deliveries():
            yield replace(delivery, edges=_named(delivery.edges, self._seated))


class SeatedListener:
    """Who listens to a table of chairs, and is told of players."""

    def __init__(self, listener: Listener, seated: Mapping[str, str]) -> None:
        """``seated``: the players by their chairs."""
        self._listener = listener
        self._seated = seated

    def frame(self, frame: Frame) -> None:
        """A frame."""
        self._listener.frame(frame)

    def read(self, read: Read) -> None:
        """A reading of the buttons."""
        self._listener.read(replace(read, edges=_named(read.edges, self._seated)))


def _named(edges: Iterable[Edge], seated: Mapping[str, str]) -> tuple[Edge, ...]:
    return tuple(replace(edge, seat=seated[edge.seat]) for edge in edges if edge.seat in seated)
