"""People who hold a hand over the mark and rap, as the simulated camera sees them."""

from __future__ import annotations

from collections.abc import Iterator

from table.config.settings import TableConfig
from table.directions import direction_vector
from table.observed_facts import MS, Delivery, Edge, Frame
from table.simulation.rendering.camera_image import RoomAppearance, SimulatedCamera
from table.simulation.rendering.motions_over_time import (
    IDLE_HAND_DISTANCE_MM,
    Hand,
    Snapshot,
)

STEP_NS = 100 * MS


def hand(seat: str, degrees: float) -> Hand:
    """A hand whose finger tips are over the mark."""
    x, y = direction_vector(degrees)
    return Hand(seat, (10.0 * x, 10.0 * y), (IDLE_HAND_DISTANCE_MM * x, IDLE_HAND_DISTANCE_MM * y), 20.0)


class Evening:
    """Deliveries of a camera over a table, and of its buttons."""

    def __init__(self, config: TableConfig) -> None:
        assert config.camera.homography is not None
        rows = [list(row) for row in config.camera.homography]
        self.camera = SimulatedCamera(config.camera.size, rows, config.names, RoomAppearance(), 1)
        self.number = 0

    def passes(self, steps: int, hands: tuple[Hand, ...] = (), rap: str | None = None) -> Iterator[Delivery]:
        """So many pictures with these hands over the table; halfway somebody raps."""
        for step in range(steps):
            now = self.number * STEP_NS
            image = self.camera.render_snapshot(Snapshot((), (), hands), self.number)
            edges: tuple[Edge, ...] = ()
            if rap is not None and step == steps // 2:
                edges = tuple(Edge(now + bounce * MS, rap, "rap", 1 - bounce % 2) for bounce in range(4))
            yield Delivery(now, edges, Frame(now, image, self.number), now, now)
            self.number += 1
