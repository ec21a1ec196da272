"""What a virtual game is made of: button edges, motions over the table, and what really happened."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from table.config import TableConfig
from table.facts import MS, Call, CardFact, Edge
from table.virtual.house import TruthLine
from table.virtual.scene import Scene, Stroke


class FrameClock:
    """When the virtual camera exposes its frames: at its rate, with a jitter as real ones have."""

    def __init__(self, start_ns: int, end_ns: int, fps: float, seed: int) -> None:
        period = 1e9 / fps
        count = int((end_ns - start_ns) / period) + 2
        rng = np.random.default_rng((seed, 11))
        jitter = np.clip(rng.normal(0, 1.4 * MS, count), -5 * MS, 5 * MS)
        self._times = start_ns + np.round(np.arange(count) * period + jitter).astype(np.int64)

    @cached_property
    def times(self) -> tuple[int, ...]:
        """The stamp of each frame."""
        return tuple(self._times.tolist())

    def time_of(self, number: int) -> int:
        """The stamp of the frame of that number."""
        return int(self._times[number])

    def first_at(self, t_ns: int) -> int:
        """The number of the first frame that is not earlier than ``t_ns``."""
        return int(np.searchsorted(self._times, t_ns))


@dataclass(frozen=True)
class World:
    """A whole game on the virtual table; everything is settled before the first picture is drawn."""

    config: TableConfig
    seed: int
    start_ns: int
    end_ns: int
    edges: tuple[Edge, ...]
    """In the order of their stamps."""
    strokes: tuple[Stroke, ...]
    calls: tuple[Call, ...]
    """What the players meant by their presses."""
    cards: tuple[CardFact, ...]
    """What came to lie on the mark and left it, as perfect eyes would have seen it."""
    truth: tuple[TruthLine, ...]
    """What really happened, as ``truth.jsonl`` has it."""

    @cached_property
    def scene(self) -> Scene:
        """The strokes, to be asked for any moment."""
        return Scene(self.strokes)

    @cached_property
    def clock(self) -> FrameClock:
        """The camera's clock."""
        return FrameClock(self.start_ns, self.end_ns, self.config.camera.fps, self.seed)
