"""Presses of the virtual buttons as raw edges: contacts bounce at both ends, fingers are not clockwork.

The times keep clear of every limit in ``table.toml`` (gaps below ``tap_gap_ms``, taps well below ``hold_ms``), so
that what a player meant is never in doubt; the limits themselves are the button tests' business.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from table.config import ButtonsConfig, SeatConfig
from table.facts import MS, Call, Control, Edge, Gesture

BOUNCE_NS = 3 * MS
"""A contact has come to rest this long after its first edge, at the latest."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A call made with the buttons."""

    call: Call
    """What the player meant: stamped with its first edge."""
    edges: tuple[Edge, ...]


class Fingers:
    """Makes presses; every call takes its chance times from one generator."""

    def __init__(self, rng: np.random.Generator, config: ButtonsConfig) -> None:
        self._rng = rng
        self._config = config

    def press(self, seat: SeatConfig, gesture: Gesture, count: int, t_ns: int) -> Pressed:
        """The edges of a gesture whose first edge comes at exactly ``t_ns``."""
        edges: list[Edge] = []
        ends = t_ns
        taps, hold = _pattern(seat, gesture, count)
        control: Control = "rap" if gesture is Gesture.RAP and not seat.one_button else "bid"
        at = t_ns
        for _ in range(taps):
            ends = at + self._between(60, 120)
            edges += self._contact(seat, control, at, ends)
            last, at = at, at + self._between(170, min(330, 0.66 * self._config.tap_gap_ms))
        if hold:
            low = self._config.hold_ms if hold == "hold" else self._config.wrong_ms
            high = low + 250 if hold == "wrong" else min(low + 350, (low + self._config.wrong_ms) / 2)
            # Enough over the limit that both of two buttons held together are held long enough.
            last, ends = at, at + self._between(low + 170, max(low + 200, high))
            held: Control = "rap" if gesture is Gesture.WRONG and _held_by_rap(seat) else control
            edges += self._contact(seat, held, at, ends)
            if gesture is Gesture.DOUBLE_NIL and _held_by_rap(seat):
                edges += self._contact(seat, "rap", at + self._between(15, 70), ends - self._between(0, 60))
        burst_ends = max(ends, last + self._config.tap_gap_ms * MS)
        said = count if gesture is Gesture.TAPS else int(gesture is Gesture.ZERO and seat.one_button)
        call = Call(t_ns, ends if gesture is Gesture.RAP else burst_ends, seat.name, gesture, said)
        return Pressed(call, tuple(sorted(edges, key=lambda edge: edge.t_ns)))

    def _between(self, low_ms: float, high_ms: float) -> int:
        return round(float(self._rng.uniform(low_ms, high_ms)) * MS)

    def _contact(self, seat: SeatConfig, control: Control, down_ns: int, up_ns: int) -> list[Edge]:
        if seat.knock and control == "rap":
            return self._knock(seat, down_ns)
        return [*self._bounce(seat, control, down_ns, 1), *self._bounce(seat, control, up_ns, 0)]

    def _bounce(self, seat: SeatConfig, control: Control, t_ns: int, level: int) -> list[Edge]:
        """The first edge at ``t_ns``, then the contact chatters and comes to rest at ``level``."""
        edges = [Edge(t_ns, seat.name, control, level)]
        if self._rng.random() < 0.2:
            return edges  # a clean contact now and then
        times = np.sort(self._rng.uniform(0.05, 1.0, 2 * int(self._rng.integers(1, 5)))) ** 1.4 * BOUNCE_NS
        last = t_ns
        for number, after in enumerate(times):
            last = max(last + 20_000, t_ns + round(float(after)))
            edges.append(Edge(last, seat.name, control, level ^ (number + 1) % 2))
        return edges

    def _knock(self, seat: SeatConfig, t_ns: int) -> list[Edge]:
        """A knock on the table: the sensor rings for some tens of milliseconds and can't be held."""
        edges: list[Edge] = []
        at = t_ns
        ends = t_ns + self._between(18, 45)
        while at < ends:
            edges.append(Edge(at, seat.name, "rap", 1))
            up = at + self._between(0.3, 1.6)
            edges.append(Edge(up, seat.name, "rap", 0))
            at = up + self._between(0.4, 3.5)
        return edges


def _held_by_rap(seat: SeatConfig) -> bool:
    """Whether the seat has a second button that can be held (a knock sensor can't)."""
    return not seat.one_button and not seat.knock


def _pattern(seat: SeatConfig, gesture: Gesture, count: int) -> tuple[int, str]:
    """How many taps, and whether a hold follows (``hold``, ``wrong`` or nothing), as in README.md's table."""
    if gesture is Gesture.TAPS:
        return count, ""
    if gesture is Gesture.ZERO:
        return (1 if seat.one_button else 0), "hold"
    if gesture is Gesture.RAP:
        return (0, "hold") if seat.one_button else (1, "")
    if gesture is Gesture.DOUBLE_NIL:
        return (0 if _held_by_rap(seat) else 3), "hold"
    if gesture is Gesture.WRONG:
        return 0, "wrong"
    raise ValueError(f"no way to press {gesture}")
