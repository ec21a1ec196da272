"""A source whose clock is put forward, where the machine's has started anew since the game began.

The monotonic clock counts from the machine's start. After a power cut a game goes on with a clock that must not go
back behind what the journal says already.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from table.facts import END_NS, MS, Delivery
from table.sources.base import Source

GAP_NS = 1_000 * MS
"""The clock goes on so long after the journal's last moment; what was stamped just before the start fits in."""


class Shifted:
    """A source with its clock put forward, if need be, so that all lies after ``after_ns``."""

    def __init__(self, source: Source, after_ns: int) -> None:
        self._source = source
        self._after_ns = after_ns

    def deliveries(self) -> Iterator[Delivery]:
        """What the source delivers, every stamp later by the same time."""
        by: int | None = None
        for delivery in self._source.deliveries():
            if by is None:
                by = max(0, self._after_ns + GAP_NS - delivery.now_ns)
            yield _shifted(delivery, by) if by else delivery


def _shifted(delivery: Delivery, by: int) -> Delivery:
    frame = delivery.frame
    return replace(
        delivery,
        now_ns=delivery.now_ns + by,
        edges=tuple(replace(edge, t_ns=edge.t_ns + by) for edge in delivery.edges),
        frame=replace(frame, t_ns=frame.t_ns + by) if frame is not None else None,
        edges_until_ns=_later(delivery.edges_until_ns, by),
        frames_until_ns=_later(delivery.frames_until_ns, by),
    )


def _later(until_ns: int, by: int) -> int:
    return END_NS if until_ns >= END_NS else until_ns + by
