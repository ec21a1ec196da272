"""Edges of all seats become calls, whatever the order of their delivery."""

from __future__ import annotations

import bisect
from collections.abc import Iterable
from dataclasses import dataclass

from table.buttons.debounce import CLOSED_NS, Change, Debouncer
from table.buttons.patterns import gesture_times
from table.buttons.seat import Receipt, SeatButtons
from table.buttons.trouble import Trouble
from table.config import ButtonsConfig, SeatConfig
from table.facts import END_NS, Call, Control, Edge, fact_order


@dataclass(frozen=True, slots=True)
class Heard:
    """What was understood since the last time."""

    calls: tuple[Call, ...]
    """In the order of :func:`table.facts.fact_order`."""
    until_ns: int
    """No later call will be stamped before this."""
    receipts: tuple[Receipt, ...] = ()
    """What the lamps have to show, in the order of time."""


class Gestures:
    """Turns raw edges into calls.

    Edges may come in any order as long as each comes before the watermark has passed its stamp: they are sorted,
    so neither the order nor the size of the deliveries ever shows in a call.
    """

    def __init__(self, seats: tuple[SeatConfig, ...], config: ButtonsConfig) -> None:
        times = gesture_times(config)
        self._debounce_ns = times.debounce_ns
        self._names = tuple(seat.name for seat in seats)
        self._seats = {seat.name: SeatButtons(seat, times) for seat in seats}
        knocks = {(seat.name, "rap") for seat in seats if seat.knock}
        self._lines: dict[tuple[str, Control], Debouncer] = {
            (name, control): Debouncer(
                times.debounce_ns, times.release_ns, 0 if (name, control) in knocks else CLOSED_NS
            )
            for name, seat in self._seats.items()
            for control in seat.controls
        }
        self._waiting: list[Edge] = []
        self._changes: list[tuple[str, Control, Change]] = []
        self._edges_until = -END_NS
        self._at_rest = False
        """Whether time alone changes nothing, for no line and no seat: so it is in nearly every frame."""
        self.late = 0
        """Edges that came after the watermark had passed them, which a source must never do. They count from
        the watermark on: their button's level must not be lost."""

    def hear(self, edges: Iterable[Edge], until_ns: int) -> Heard:
        """Take edges; every edge stamped before ``until_ns`` has now been delivered."""
        for edge in edges:
            self._put(edge)
        until_ns = max(until_ns, self._edges_until)
        known_ns = END_NS if until_ns >= END_NS else until_ns - self._debounce_ns
        if self._at_rest and not self._waiting:
            self._edges_until = until_ns
            return Heard((), known_ns)
        while self._waiting and self._waiting[0].t_ns < until_ns:
            edge = self._waiting.pop(0)
            line = self._lines[edge.seat, edge.control]
            self._keep(edge.seat, edge.control, line.edge(edge.t_ns, edge.level))
        for (seat, control), line in self._lines.items():
            if changes := line.settle(until_ns):
                self._keep(seat, control, changes)
        self._edges_until = until_ns
        heard = self._work_off(known_ns)
        self._at_rest = (
            not (self._waiting or self._changes)
            and all(line.pending_ns is None for line in self._lines.values())
            and all(seat.idle for seat in self._seats.values())
        )
        return heard

    def tapping(self) -> frozenset[str]:
        """The seats that have a button down, or a burst that may still go on."""
        return frozenset(name for name, seat in self._seats.items() if seat.tapping)

    def troubles(self) -> tuple[Trouble, ...]:
        """The lines that are left out now, in seat order."""
        return tuple(trouble for seat in self._seats.values() for trouble in seat.troubles)

    def _put(self, edge: Edge) -> None:
        if (edge.seat, edge.control) not in self._lines:
            return
        if edge.t_ns < self._edges_until:
            self.late += 1
            edge = Edge(self._edges_until, edge.seat, edge.control, edge.level)
        bisect.insort(self._waiting, edge, key=self._edge_order)

    def _edge_order(self, edge: Edge) -> tuple[int, int, Control, int]:
        return (edge.t_ns, self._names.index(edge.seat), edge.control, edge.level)

    def _keep(self, seat: str, control: Control, changes: list[Change]) -> None:
        self._changes += ((seat, control, change) for change in changes)

    def _work_off(self, until_ns: int) -> Heard:
        """Tell the seats what changed before ``until_ns``, each as far as all of its lines are known."""
        known = dict.fromkeys(self._seats, until_ns)
        for (name, _), line in self._lines.items():
            if (pending_ns := line.pending_ns) is not None:
                known[name] = min(known[name], pending_ns)
        # Of two changes at the same moment a release comes first: buttons that just miss each other weren't
        # down at once.
        self._changes.sort(key=lambda entry: (entry[2].t_ns, entry[2].pressed, entry[1]))
        waiting: list[tuple[str, Control, Change]] = []
        for name, control, change in self._changes:
            if change.t_ns < known[name]:
                self._seats[name].change(control, change)
            else:
                waiting.append((name, control, change))
        self._changes = waiting
        calls: list[Call] = []
        receipts: list[Receipt] = []
        open_since = min(known.values(), default=until_ns)
        for name, seat in self._seats.items():
            if seat.idle:
                continue
            seat.advance(known[name])
            seat_calls, seat_receipts = seat.take()
            calls += seat_calls
            receipts += seat_receipts
            if (open_ns := seat.open_ns) is not None:
                open_since = min(open_since, open_ns)
        calls.sort(key=lambda call: fact_order(call, self._names))
        receipts.sort(key=lambda receipt: (receipt.t_ns, self._names.index(receipt.seat)))
        return Heard(tuple(calls), open_since, tuple(receipts))
