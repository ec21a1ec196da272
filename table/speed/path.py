"""How fast the whole path is: a game of the virtual table, drawn beforehand."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from table.facts import Delivery
from table.pipeline import Pipeline
from table.virtual.director import play_game
from table.virtual.setup import virtual_config
from table.virtual.source import VirtualTable


@dataclass(frozen=True, slots=True)
class PathSpeed:
    """The path's speed on a game of the virtual table."""

    seconds: float
    """The game's own length."""
    frames: int
    wall_s: float
    looks: int

    @property
    def times_real(self) -> float:
        """How many times faster than the game was played."""
        return self.seconds / self.wall_s


def path_speed(seed: int = 1) -> PathSpeed:
    """Gestures, sight with the real detector and the referee on a short game, its frames drawn beforehand."""
    config = virtual_config("whysteria", 3, {"hands": [1]}, seed=seed)
    table = VirtualTable(play_game(config, seed))
    deliveries = list(table.deliveries())
    pipeline = Pipeline(config, _Ready(deliveries))
    started = time.perf_counter()
    for _ in pipeline.run():
        pass
    wall = time.perf_counter() - started
    frames = sum(delivery.frame is not None for delivery in deliveries)
    length = (deliveries[-1].now_ns - deliveries[0].now_ns) / 1e9
    return PathSpeed(length, frames, wall, pipeline.sight.looks)


class _Ready:
    """A source whose deliveries are at hand."""

    def __init__(self, ready: list[Delivery]) -> None:
        self._ready = ready

    def deliveries(self) -> Iterator[Delivery]:
        return iter(self._ready)
