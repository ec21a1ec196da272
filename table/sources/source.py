"""The interface of a source of frames and edges, and the sources that are made of another one.

The code above does not know whether its source is the live table, a recording or the simulated table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Protocol

from table.observed_facts import END_NS, MS, Delivery, Edge

RESUME_GAP_NS = 1_000 * MS
"""The gap between the journal's last stamp and the first delivery; edges stamped just before the start fit in."""


class Source(Protocol):
    """A source of frames and edges."""

    def deliveries(self) -> Iterator[Delivery]:
        """Yield edges and frames as they arrive; the last delivery carries ``END_NS`` as both watermarks.

        A live source blocks until something arrives or a few milliseconds have passed (then it delivers only
        its new watermarks, so that windows close while nothing happens).
        """


class SharedSource:
    """A source that several consumers read in turn, each from where the one before stopped, until it is closed."""

    def __init__(self, source: Source) -> None:
        self._deliveries = source.deliveries()

    def deliveries(self) -> Iterator[Delivery]:
        """Yield what the source delivers from now on."""
        while (delivery := next(self._deliveries, None)) is not None:
            yield delivery

    def close(self) -> None:
        """Close the underlying source."""
        close = getattr(self._deliveries, "close", None)
        if close is not None:
            close()


class ClockShiftedSource:
    """A source whose stamps are put forward, all by the same time and where necessary, to be after ``after_ns``.

    The monotonic clock counts from the machine's start. After a power cut a game is resumed with a clock that
    must not go back behind the stamps in the journal.
    """

    def __init__(self, source: Source, after_ns: int) -> None:
        self._source = source
        self._after_ns = after_ns

    def deliveries(self) -> Iterator[Delivery]:
        """Yield the source's deliveries with shifted stamps."""
        shift_ns: int | None = None
        for delivery in self._source.deliveries():
            if shift_ns is None:
                shift_ns = max(0, self._after_ns + RESUME_GAP_NS - delivery.now_ns)
            yield _shift_delivery(delivery, shift_ns) if shift_ns else delivery


def _shift_delivery(delivery: Delivery, shift_ns: int) -> Delivery:
    frame = delivery.frame
    edges_until_ns, frames_until_ns = (
        END_NS if until_ns >= END_NS else until_ns + shift_ns
        for until_ns in (delivery.edges_until_ns, delivery.frames_until_ns)
    )
    return replace(
        delivery,
        now_ns=delivery.now_ns + shift_ns,
        edges=tuple(replace(edge, t_ns=edge.t_ns + shift_ns) for edge in delivery.edges),
        frame=replace(frame, t_ns=frame.t_ns + shift_ns) if frame is not None else None,
        edges_until_ns=edges_until_ns,
        frames_until_ns=frames_until_ns,
    )


def edges_by_player(edges: Iterable[Edge], seated: Mapping[str, str]) -> tuple[Edge, ...]:
    """Rename edges from chairs to players; ``seated``: the players in their chairs. Edges of empty chairs are left out.

    Buttons belong to chairs (that of a player is the one that ``table.toml`` gives its lines to), a game knows players.
    """
    return tuple(replace(edge, seat=seated[edge.seat]) for edge in edges if edge.seat in seated)
