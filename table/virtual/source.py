"""The virtual table as a source: frames drawn on demand, edges as a kernel would have queued them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from table.facts import END_NS, MS, Delivery, Edge, Frame
from table.virtual.render import Camera, Look
from table.virtual.setup import look_of
from table.virtual.world import World

LATE_NS = 50 * MS
"""An edge is delivered at most this long after it happened."""


class VirtualTable:
    """Delivers a world as the live table would have delivered it."""

    def __init__(self, world: World, look: Look | None = None) -> None:
        """``look``: the room; one that goes with the world's seed unless given."""
        config = world.config
        assert config.camera.homography is not None
        self.world = world
        self.camera = Camera(
            config.camera.size,
            config.camera.homography,
            config.names,
            look or look_of(world.seed),
            world.seed,
        )
        self.latest: Frame | None = None
        """The frame that was delivered last, for whoever wants to show it."""

    def deliveries(self) -> Iterator[Delivery]:
        """Frame by frame, the edges in between out of order by up to 50 ms; then the end."""
        waiting = list(reversed(self.late_edges()))
        now = self.world.start_ns
        for number, t_ns in enumerate(self.world.clock.times):
            now = max(now, t_ns)
            edges = []
            while waiting and waiting[-1][0] <= now:
                edges.append(waiting.pop()[1])
            image = self.camera.exposed(self.world.scene, t_ns, number)
            self.latest = Frame(t_ns, image, number)
            yield Delivery(now, tuple(edges), self.latest, now - LATE_NS, t_ns + 1)
        yield Delivery(now, tuple(edge for _, edge in reversed(waiting)), None, END_NS, END_NS)

    def late_edges(self) -> list[tuple[int, Edge]]:
        """The edges with the moments of their delivery, in the order of delivery."""
        rng = np.random.default_rng((self.world.seed, 51))
        late = rng.uniform(0, 0.9 * LATE_NS, len(self.world.edges))
        stamped = [(edge.t_ns + int(by), edge) for edge, by in zip(self.world.edges, late, strict=True)]
        return sorted(stamped, key=lambda pair: (pair[0], pair[1].t_ns))
