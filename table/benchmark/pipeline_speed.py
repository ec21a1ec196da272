"""Benchmark of the whole pipeline on a game of the simulated table, rendered beforehand."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

from table.observed_facts import Delivery
from table.pipeline import Pipeline
from table.simulation.players.game_director import play_game
from table.simulation.simulated_config import make_simulated_config
from table.simulation.simulated_source import SimulatedSource


class PipelineSpeed(NamedTuple):
    """The speed of the pipeline on a game of the simulated table."""

    real_time_factor: float
    """The duration of the game in its own time as a multiple of the processing time."""
    frames: int
    detection_passes: int


def measure_pipeline() -> PipelineSpeed:
    """Measure the whole pipeline (gestures, tracking, referee) on a short game that is rendered beforehand."""
    config = make_simulated_config("whysteria", 3, {"hands": [1]})
    table = SimulatedSource(play_game(config, seed=1))
    deliveries = list(table.deliveries())
    pipeline = Pipeline(config, _PreparedSource(deliveries))
    start_s = time.perf_counter()
    for _ in pipeline.run():
        pass
    wall_s = time.perf_counter() - start_s
    frames = sum(delivery.frame is not None for delivery in deliveries)
    game_s = (deliveries[-1].now_ns - deliveries[0].now_ns) / 1e9
    return PipelineSpeed(game_s / wall_s, frames, pipeline.card_tracker.detection_count)


class _PreparedSource:
    def __init__(self, ready: list[Delivery]) -> None:
        self._prepared = ready

    def deliveries(self) -> Iterator[Delivery]:
        return iter(self._prepared)
