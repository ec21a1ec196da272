"""Simulated button presses as raw edges, with contact bounce at both ends and random human timing.

The times keep clear of every limit in ``table.toml`` (gaps below ``tap_gap_ms``, taps well below ``hold_ms``), so
that each press has one meaning; the button tests cover the limits themselves. Every seat has two buttons.
"""

from __future__ import annotations

import numpy as np

from table.config.settings import ButtonsConfig
from table.observed_facts import MS, Call, Control, Edge, Gesture

BOUNCE_NS = 3 * MS
"""Maximum duration of contact bounce after the first edge."""


class ButtonPresser:
    """Generates the edges of button gestures with random timing from a given generator."""

    def __init__(self, rng: np.random.Generator, config: ButtonsConfig) -> None:
        self._rng = rng
        self._config = config

    def press(self, seat: str, gesture: Gesture, count: int, t_ns: int) -> tuple[Call, list[Edge]]:
        """Return the intended call and the edges that make it; the first edge is at exactly ``t_ns``."""
        edges: list[Edge] = []
        control: Control = "rap" if gesture is Gesture.RAP else "bid"
        down_ns = t_ns
        if gesture in (Gesture.ZERO, Gesture.DOUBLE_NIL):
            low = self._config.hold_ms
            # Enough over the limit that both of two buttons held together are held long enough.
            high = max(low + 200, min(low + 350, (low + self._config.wrong_ms) / 2))
            last_press_ns, up_ns = down_ns, down_ns + self._random_ns(low + 170, high)
            edges += self._press_edges(seat, control, down_ns, up_ns)
            if gesture is Gesture.DOUBLE_NIL:
                other_down_ns = down_ns + self._random_ns(15, 70)
                edges += self._press_edges(seat, "rap", other_down_ns, up_ns - self._random_ns(0, 60))
        else:
            for _ in range(1 if gesture is Gesture.RAP else count):
                last_press_ns, up_ns = down_ns, down_ns + self._random_ns(60, 120)
                edges += self._press_edges(seat, control, down_ns, up_ns)
                down_ns += self._random_ns(170, min(330, 0.66 * self._config.tap_gap_ms))
        end_ns = up_ns if gesture is Gesture.RAP else max(up_ns, last_press_ns + self._config.tap_gap_ms * MS)
        call = Call(t_ns, end_ns, seat, gesture, count if gesture is Gesture.TAPS else 0)
        return call, sorted(edges, key=lambda edge: edge.t_ns)

    def _random_ns(self, low_ms: float, high_ms: float) -> int:
        return round(float(self._rng.uniform(low_ms, high_ms)) * MS)

    def _press_edges(self, seat: str, control: Control, down_ns: int, up_ns: int) -> list[Edge]:
        return [
            *self._bouncing_edges(seat, control, down_ns, 1),
            *self._bouncing_edges(seat, control, up_ns, 0),
        ]

    def _bouncing_edges(self, seat: str, control: Control, t_ns: int, level: int) -> list[Edge]:
        """Return the edges of a bouncing contact: the first at ``t_ns``, finally at rest at ``level``."""
        edges = [Edge(t_ns, seat, control, level)]
        if self._rng.random() < 0.2:
            return edges  # a clean contact now and then
        times = np.sort(self._rng.uniform(0.05, 1.0, 2 * int(self._rng.integers(1, 5)))) ** 1.4 * BOUNCE_NS
        last_ns = t_ns
        for number, offset_ns in enumerate(times):
            last_ns = max(last_ns + 20_000, t_ns + round(float(offset_ns)))
            edges.append(Edge(last_ns, seat, control, level ^ (number + 1) % 2))
        return edges
