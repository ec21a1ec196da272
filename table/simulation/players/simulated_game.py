"""A complete simulated game: button edges, motions over the table, and the true events."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from table.config.settings import TableConfig
from table.observed_facts import MS, Call, CardFact, Edge
from table.simulation.players.ground_truth_referee import TruthLine
from table.simulation.rendering.motions_over_time import HandMotion, Scene


class FrameClock:
    """Exposure times of the simulated camera's frames: its frame rate with the jitter of real cameras."""

    def __init__(self, start_ns: int, end_ns: int, fps: float, seed: int) -> None:
        period = 1e9 / fps
        count = int((end_ns - start_ns) / period) + 2
        rng = np.random.default_rng((seed, 11))
        jitter = np.clip(rng.normal(0, 1.4 * MS, count), -5 * MS, 5 * MS)
        self._times = start_ns + np.round(np.arange(count) * period + jitter).astype(np.int64)

    @cached_property
    def times(self) -> tuple[int, ...]:
        """Time stamp of each frame, in nanoseconds."""
        return tuple(self._times.tolist())

    def frame_time(self, number: int) -> int:
        """Return the time stamp of a frame by its number."""
        return int(self._times[number])

    def first_frame_at(self, t_ns: int) -> int:
        """Return the number of the first frame that is not earlier than ``t_ns``."""
        return int(np.searchsorted(self._times, t_ns))


@dataclass(frozen=True)
class World:
    """A whole simulated game, computed completely before the first frame is drawn."""

    config: TableConfig
    seed: int
    start_ns: int
    end_ns: int
    edges: tuple[Edge, ...]
    """Raw button edges in the order of their time stamps."""
    motions: tuple[HandMotion, ...]
    calls: tuple[Call, ...]
    """The calls that the players intended by their presses."""
    card_facts: tuple[CardFact, ...]
    """Landings and departures on the mark, as an error-free tracker would report them."""
    truth: tuple[TruthLine, ...]
    """The true events, as lines of ``truth.jsonl``."""

    @cached_property
    def scene(self) -> Scene:
        """The motions as a scene that can be sampled at any moment."""
        return Scene(self.motions)

    @cached_property
    def clock(self) -> FrameClock:
        """The camera's frame clock."""
        return FrameClock(self.start_ns, self.end_ns, self.config.camera.fps, self.seed)
