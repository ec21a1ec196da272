"""Simulated button presses as raw edges, with contact bounce at both ends and random human timing.

The times keep clear of every limit in ``table.toml`` (gaps below ``tap_gap_ms``, taps well below ``hold_ms``), so
that each press has one meaning; the button tests cover the limits themselves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from table.config.settings import ButtonsConfig, SeatConfig
from table.observed_facts import MS, Call, Control, Edge, Gesture

BOUNCE_NS = 3 * MS
"""Maximum duration of contact bounce after the first edge."""


@dataclass(frozen=True, slots=True)
class PressedCall:
    """A simulated call with the raw edges that make it."""

    call: Call
    """The intended call, stamped with its first edge."""
    edges: tuple[Edge, ...]


class ButtonPresser:
    """Generates the edges of button gestures with random timing from a given generator."""

    def __init__(self, rng: np.random.Generator, config: ButtonsConfig) -> None:
        self._rng = rng
        self._config = config

    def press(self, seat: SeatConfig, gesture: Gesture, count: int, t_ns: int) -> PressedCall:
        """Return a gesture's call and edges; the first edge is at exactly ``t_ns``."""
        edges: list[Edge] = []
        up_ns = t_ns
        taps, hold = _press_pattern(seat, gesture, count)
        control: Control = "rap" if gesture is Gesture.RAP and not seat.one_button else "bid"
        down_ns = t_ns
        for _ in range(taps):
            up_ns = down_ns + self._random_ns(60, 120)
            edges += self._press_edges(seat, control, down_ns, up_ns)
            last_press_ns, down_ns = (
                down_ns,
                down_ns + self._random_ns(170, min(330, 0.66 * self._config.tap_gap_ms)),
            )
        if hold:
            low = self._config.hold_ms if hold == "hold" else self._config.wrong_ms
            high = low + 250 if hold == "wrong" else min(low + 350, (low + self._config.wrong_ms) / 2)
            # Enough over the limit that both of two buttons held together are held long enough.
            last_press_ns, up_ns = down_ns, down_ns + self._random_ns(low + 170, max(low + 200, high))
            held: Control = "rap" if gesture is Gesture.WRONG and _can_hold_rap(seat) else control
            edges += self._press_edges(seat, held, down_ns, up_ns)
            if gesture is Gesture.DOUBLE_NIL and _can_hold_rap(seat):
                edges += self._press_edges(
                    seat, "rap", down_ns + self._random_ns(15, 70), up_ns - self._random_ns(0, 60)
                )
        burst_ends = max(up_ns, last_press_ns + self._config.tap_gap_ms * MS)
        number = count if gesture is Gesture.TAPS else int(gesture is Gesture.ZERO and seat.one_button)
        call = Call(t_ns, up_ns if gesture is Gesture.RAP else burst_ends, seat.name, gesture, number)
        return PressedCall(call, tuple(sorted(edges, key=lambda edge: edge.t_ns)))

    def _random_ns(self, low_ms: float, high_ms: float) -> int:
        return round(float(self._rng.uniform(low_ms, high_ms)) * MS)

    def _press_edges(self, seat: SeatConfig, control: Control, down_ns: int, up_ns: int) -> list[Edge]:
        if seat.knock and control == "rap":
            return self._knock_edges(seat, down_ns)
        return [
            *self._bouncing_edges(seat, control, down_ns, 1),
            *self._bouncing_edges(seat, control, up_ns, 0),
        ]

    def _bouncing_edges(self, seat: SeatConfig, control: Control, t_ns: int, level: int) -> list[Edge]:
        """Return the edges of a bouncing contact: the first at ``t_ns``, finally at rest at ``level``."""
        edges = [Edge(t_ns, seat.name, control, level)]
        if self._rng.random() < 0.2:
            return edges  # a clean contact now and then
        times = np.sort(self._rng.uniform(0.05, 1.0, 2 * int(self._rng.integers(1, 5)))) ** 1.4 * BOUNCE_NS
        last_ns = t_ns
        for number, offset_ns in enumerate(times):
            last_ns = max(last_ns + 20_000, t_ns + round(float(offset_ns)))
            edges.append(Edge(last_ns, seat.name, control, level ^ (number + 1) % 2))
        return edges

    def _knock_edges(self, seat: SeatConfig, t_ns: int) -> list[Edge]:
        """Return the edges of a knock sensor, which rings for some tens of milliseconds and can't be held."""
        edges: list[Edge] = []
        down_ns = t_ns
        end_ns = t_ns + self._random_ns(18, 45)
        while down_ns < end_ns:
            edges.append(Edge(down_ns, seat.name, "rap", 1))
            up_ns = down_ns + self._random_ns(0.3, 1.6)
            edges.append(Edge(up_ns, seat.name, "rap", 0))
            down_ns = up_ns + self._random_ns(0.4, 3.5)
        return edges


def _can_hold_rap(seat: SeatConfig) -> bool:
    """Return whether the seat has a second button that can be held (a knock sensor can't)."""
    return not seat.one_button and not seat.knock


def _press_pattern(seat: SeatConfig, gesture: Gesture, count: int) -> tuple[int, str]:
    """Return the taps and the hold that follows (``hold``, ``wrong`` or ``""``), as in docs/playing.md."""
    if gesture is Gesture.TAPS:
        return count, ""
    if gesture is Gesture.ZERO:
        return (1 if seat.one_button else 0), "hold"
    if gesture is Gesture.RAP:
        return (0, "hold") if seat.one_button else (1, "")
    if gesture is Gesture.DOUBLE_NIL:
        return (0 if _can_hold_rap(seat) else 3), "hold"
    if gesture is Gesture.WRONG:
        return 0, "wrong"
    raise ValueError(f"no way to press {gesture}")
