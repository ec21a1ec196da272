"""Simulated source: frames drawn on demand, and edges with the delays of a kernel queue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from table.observed_facts import END_NS, MS, Delivery, Edge, Frame, Image
from table.simulation.players.simulated_game import World
from table.simulation.rendering.camera_image import RoomAppearance, SimulatedCamera
from table.simulation.rendering.motions_over_time import Scene
from table.simulation.simulated_config import random_room

MAX_EDGE_DELAY_NS = 50 * MS
"""Maximum delay between an edge and its delivery."""


class Camera(Protocol):
    """What draws a scene's frames."""

    def render_exposure(self, scene: Scene, t_ns: int, number: int) -> Image:
        """Return the frame exposed around ``t_ns``; ``number`` chooses its noise."""


class SimulatedSource:
    """Delivers a simulated game as the live table would."""

    def __init__(
        self, world: World, look: RoomAppearance | None = None, camera: Camera | None = None
    ) -> None:
        """``look``: the room's appearance, by default a random one for the world's seed; ``camera``: another camera."""
        self.world = world
        self.camera = camera or _make_camera(world, look)
        self.latest_frame: Frame | None = None
        """The frame that was delivered last, for display."""

    def deliveries(self) -> Iterator[Delivery]:
        """Yield one delivery a frame with the edges up to then (up to 50 ms late, out of order), then the end."""
        pending = list(reversed(self.delayed_edges()))
        now_ns = self.world.start_ns
        for number, t_ns in enumerate(self.world.clock.times):
            now_ns = max(now_ns, t_ns)
            edges = []
            while pending and pending[-1][0] <= now_ns:
                edges.append(pending.pop()[1])
            image = self.camera.render_exposure(self.world.scene, t_ns, number)
            self.latest_frame = Frame(t_ns, image, number)
            yield Delivery(now_ns, tuple(edges), self.latest_frame, now_ns - MAX_EDGE_DELAY_NS, t_ns + 1)
        yield Delivery(now_ns, tuple(edge for _, edge in reversed(pending)), None, END_NS, END_NS)

    def delayed_edges(self) -> list[tuple[int, Edge]]:
        """Return (delivery time, edge) pairs with random delays, in the order of delivery."""
        rng = np.random.default_rng((self.world.seed, 51))
        delays = rng.uniform(0, 0.9 * MAX_EDGE_DELAY_NS, len(self.world.edges))
        stamped = [
            (edge.t_ns + int(delay), edge) for edge, delay in zip(self.world.edges, delays, strict=True)
        ]
        return sorted(stamped, key=lambda pair: (pair[0], pair[1].t_ns))


def _make_camera(world: World, look: RoomAppearance | None) -> SimulatedCamera:
    config = world.config
    assert config.camera.homography is not None
    return SimulatedCamera(
        config.camera.size,
        config.camera.homography,
        config.names,
        look or random_room(world.seed),
        world.seed,
    )
