"""Gesture recognition for all seats: edges become calls, whatever the order of their delivery."""

from __future__ import annotations

import bisect
from collections.abc import Iterable
from dataclasses import dataclass, replace

from table.buttons.debounce import MIN_CLOSED_NS, Change, Debouncer
from table.buttons.gestures_of_one_seat import LampFeedback, SeatButtons
from table.buttons.line_faults import FaultyLine
from table.config.settings import ButtonsConfig, SeatConfig, SeatKind
from table.observed_facts import END_NS, MS, Call, Control, Edge, fact_sort_key


@dataclass(frozen=True, slots=True)
class HeardCalls:
    """The calls and lamp feedback recognised since the last delivery."""

    calls: tuple[Call, ...]
    """The calls in the order of :func:`table.observed_facts.fact_sort_key`."""
    until_ns: int
    """The watermark: no later call will be stamped before this."""
    feedback: tuple[LampFeedback, ...] = ()


class Gestures:
    """Turns the raw edges of all seats into calls.

    Edges may come in any order as long as each comes before the watermark has passed its stamp: they are
    sorted, so neither the order nor the size of the deliveries affects a call.
    """

    def __init__(self, seats: tuple[SeatConfig, ...], config: ButtonsConfig) -> None:
        self._debounce_ns, release_ns = round(config.debounce_ms * MS), round(config.release_ms * MS)
        self._names = tuple(seat.name for seat in seats)
        self._calls: list[Call] = []
        self._feedback: list[LampFeedback] = []
        self._seats = {seat.name: SeatButtons(seat, config, self._calls, self._feedback) for seat in seats}
        self._lines: dict[tuple[str, Control], Debouncer] = {}
        for seat in seats:
            for control in self._seats[seat.name].lines:
                closed_ns = 0 if seat.knock and control == "rap" else MIN_CLOSED_NS
                self._lines[seat.name, control] = Debouncer(self._debounce_ns, release_ns, closed_ns)
        self._pending_edges: list[Edge] = []
        self._changes: list[tuple[str, Control, Change]] = []
        self._edges_until = -END_NS
        self._idle = False
        """Whether passing time changes nothing, for any line or seat: this is so in nearly every frame."""

    def process_edges(self, edges: Iterable[Edge], until_ns: int) -> HeardCalls:
        """Add edges and return the complete calls; all edges before ``until_ns`` have now been delivered."""
        for edge in edges:
            self._insert_edge(edge)
        until_ns = max(until_ns, self._edges_until)
        lines_until_ns = END_NS if until_ns >= END_NS else until_ns - self._debounce_ns
        if self._idle and not self._pending_edges:
            self._edges_until = until_ns
            return HeardCalls((), lines_until_ns)
        while self._pending_edges and self._pending_edges[0].t_ns < until_ns:
            edge = self._pending_edges.pop(0)
            changes = self._lines[edge.seat, edge.control].add_edge(edge.t_ns, edge.level)
            self._changes += ((edge.seat, edge.control, change) for change in changes)
        for (seat, control), line in self._lines.items():
            self._changes += ((seat, control, change) for change in line.advance(until_ns))
        self._edges_until = until_ns
        heard = self._process_changes(lines_until_ns)
        self._idle = (
            not (self._pending_edges or self._changes)
            and all(line.pending_ns is None for line in self._lines.values())
            and all(seat.idle for seat in self._seats.values())
        )
        return heard

    def taps_under_way(self) -> dict[str, int]:
        """Return the seats that have a button down, or a burst that may go on, with the taps of that burst so far."""
        return {
            name: seat.taps_so_far for name, seat in self._seats.items() if seat.gesture_start_ns is not None
        }

    @property
    def latest_press_ns(self) -> int | None:
        """The latest first edge among the gestures under way; None where no button is in use."""
        starts = [seat.gesture_start_ns for seat in self._seats.values()]
        return max((start_ns for start_ns in starts if start_ns is not None), default=None)

    def working_kinds(self) -> dict[str, SeatKind]:
        """Return the kind of each seat's buttons; where one of two is faulty, the other is the seat's only one."""
        return {name: seat.kind for name, seat in self._seats.items()}

    def faulty_lines(self) -> tuple[FaultyLine, ...]:
        """Return the lines that are ignored now because they are faulty, in seat order."""
        return tuple(faulty_line for seat in self._seats.values() for faulty_line in seat.faulty_lines)

    def _insert_edge(self, edge: Edge) -> None:
        if (edge.seat, edge.control) not in self._lines:
            return
        # No source gives an edge after its watermark; if one does, the button's level is not lost.
        edge = replace(edge, t_ns=max(edge.t_ns, self._edges_until))
        bisect.insort(self._pending_edges, edge, key=self._edge_order)

    def _edge_order(self, edge: Edge) -> tuple[int, int, Control, int]:
        return (edge.t_ns, self._names.index(edge.seat), edge.control, edge.level)

    def _process_changes(self, until_ns: int) -> HeardCalls:
        """Pass the changes before ``until_ns`` to their seats and collect the calls.

        A seat gets only changes from before the time to which all of its lines are known.
        """
        seat_until_ns = dict.fromkeys(self._seats, until_ns)
        for (name, _), line in self._lines.items():
            if (pending_ns := line.pending_ns) is not None:
                seat_until_ns[name] = min(seat_until_ns[name], pending_ns)
        # Of two changes at the same moment a release comes first: buttons that just miss each other weren't
        # down at the same time.
        self._changes.sort(key=lambda entry: (entry[2].t_ns, entry[2].pressed, entry[1]))
        remaining: list[tuple[str, Control, Change]] = []
        for name, control, change in self._changes:
            if change.t_ns < seat_until_ns[name]:
                self._seats[name].process_change(control, change)
            else:
                remaining.append((name, control, change))
        self._changes = remaining
        watermark_ns = min(seat_until_ns.values(), default=until_ns)
        for name, seat in self._seats.items():
            seat.advance(seat_until_ns[name])
            if (open_ns := seat.gesture_start_ns) is not None:
                watermark_ns = min(watermark_ns, open_ns)
        calls = sorted(self._calls, key=lambda call: fact_sort_key(call, self._names))
        feedback = sorted(self._feedback, key=lambda answer: (answer.t_ns, self._names.index(answer.seat)))
        self._calls.clear()
        self._feedback.clear()
        return HeardCalls(tuple(calls), watermark_ns, tuple(feedback))
