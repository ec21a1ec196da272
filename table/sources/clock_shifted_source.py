"""A source whose clock is put forward where the machine has restarted since the game began.

The monotonic clock counts from the machine's start. After a power cut a game is resumed with a clock that
must not go back behind the stamps in the journal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from table.observed_facts import END_NS, MS, Delivery
from table.sources.source_interface import Source

RESUME_GAP_NS = 1_000 * MS
"""The gap between the journal's last stamp and the first delivery; edges stamped just before the start fit in."""


class ClockShiftedSource:
    """A source whose stamps are shifted, where necessary, so that all are after ``after_ns``."""

    def __init__(self, source: Source, after_ns: int) -> None:
        self._source = source
        self._after_ns = after_ns

    def deliveries(self) -> Iterator[Delivery]:
        """Yield the source's deliveries, with all stamps shifted by the same time."""
        shift_ns: int | None = None
        for delivery in self._source.deliveries():
            if shift_ns is None:
                shift_ns = max(0, self._after_ns + RESUME_GAP_NS - delivery.now_ns)
            yield _shift_delivery(delivery, shift_ns) if shift_ns else delivery


def _shift_delivery(delivery: Delivery, shift_ns: int) -> Delivery:
    frame = delivery.frame
    return replace(
        delivery,
        now_ns=delivery.now_ns + shift_ns,
        edges=tuple(replace(edge, t_ns=edge.t_ns + shift_ns) for edge in delivery.edges),
        frame=replace(frame, t_ns=frame.t_ns + shift_ns) if frame is not None else None,
        edges_until_ns=_shift_watermark(delivery.edges_until_ns, shift_ns),
        frames_until_ns=_shift_watermark(delivery.frames_until_ns, shift_ns),
    )


def _shift_watermark(until_ns: int, shift_ns: int) -> int:
    return END_NS if until_ns >= END_NS else until_ns + shift_ns
