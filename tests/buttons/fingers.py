"""Fingers on buttons: stamped edges made by hand, clean or bouncing."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from table.buttons.calls_of_all_seats import Gestures, HeardCalls
from table.config.settings import ButtonsConfig, SeatConfig
from table.observed_facts import END_NS, MS, Call, Control, Edge

TWO = SeatConfig("Ada", 0.0, bid=5, rap=16)
ONE = SeatConfig("Ben", 90.0, bid=6)
KNOCK = SeatConfig("Cleo", 180.0, bid=7, rap=18, knock=True)
SEATS = (TWO, ONE, KNOCK)


def press(seat: SeatConfig, control: Control, down_ms: float, up_ms: float) -> list[Edge]:
    """A clean press."""
    return [
        Edge(round(down_ms * MS), seat.name, control, 1),
        Edge(round(up_ms * MS), seat.name, control, 0),
    ]


def presses(seat: SeatConfig, control: Control, *spans_ms: tuple[float, float]) -> list[Edge]:
    """Clean presses, each ``(down, up)``."""
    return [edge for down, up in spans_ms for edge in press(seat, control, down, up)]


def bounced(edges: Iterable[Edge], rng: random.Random, longest_ns: int = 5 * MS) -> list[Edge]:
    """The same edges, each followed by a train of bounces that ends, shorter than the lock-out, where it began."""
    trains: list[Edge] = []
    for edge in edges:
        stamps = sorted(rng.randrange(1, longest_ns) for _ in range(2 * rng.randrange(0, 5)))
        levels = [edge.level, *([1 - edge.level, edge.level] * (len(stamps) // 2))]
        trains += (
            Edge(edge.t_ns + after, edge.seat, edge.control, level)
            for after, level in zip([0, *stamps], levels, strict=True)
        )
    return trains


def hear_all(
    edges: Sequence[Edge], seats: tuple[SeatConfig, ...] = SEATS, config: ButtonsConfig | None = None
) -> list[Call]:
    """All calls in one go."""
    return list(Gestures(seats, config or ButtonsConfig()).process_edges(edges, END_NS).calls)


def hear_live(
    edges: Sequence[Edge], seats: tuple[SeatConfig, ...] = SEATS, *, late_ns: int = 50 * MS, step_ns: int = 0
) -> list[HeardCalls]:
    """What is heard when the edges come one by one, the watermark ``late_ns`` behind, then the end.

    With ``step_ns`` the watermark goes on in such steps where no edge comes.
    """
    gestures = Gestures(seats, ButtonsConfig())
    heard: list[HeardCalls] = []
    now = 0
    for edge in edges:
        while step_ns and now + step_ns < edge.t_ns:
            now += step_ns
            heard.append(gestures.process_edges((), now - late_ns))
        now = max(now, edge.t_ns)
        heard.append(gestures.process_edges((edge,), now - late_ns))
    heard.append(gestures.process_edges((), END_NS))
    return heard


def calls_of(heard: Iterable[HeardCalls]) -> list[Call]:
    """All calls, in the order of their stamps."""
    order = {seat.name: number for number, seat in enumerate(SEATS)}
    return sorted(
        (call for part in heard for call in part.calls), key=lambda c: (c.t_ns, order.get(c.seat, 9))
    )
