"""Directions of the seats: each player raps once with a hand over the mark; the arm's direction is the seat's."""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

import cv2
import numpy as np

from table.calibration.homography.mat_design import MARK_MM
from table.config.settings import TableConfig
from table.observed_facts import MS, Delivery, Image
from table.table_geometry import MARK_PX, PX_PER_MM, Geometry, mean_direction_deg
from table.tracking.scene.arm_detection import find_arms

BACKGROUND_FRAMES: Final = 8
"""This many pictures of the table without a hand over it come first."""
RAP_WINDOW_NS: Final = 1_500 * MS
"""An arm over the mark within this time of a rap belongs to the rapping player."""
_DIFFERENCE_LEVELS: Final = 28
"""The difference in levels between an arm and the table beneath it."""


class SeatRap(NamedTuple):
    """One rap, with the direction of the player's arm."""

    seat: str
    angle: float | None
    """The arm's direction, degrees clockwise from the picture's top edge; None if not one arm was over the mark."""


class SeatFinder:
    """Measures the seats' directions from deliveries of a source; create it when no hand is over the table."""

    def __init__(self, config: TableConfig) -> None:
        """Prepare for this table; raise `TableError` for a camera that is not calibrated."""
        self._geometry = Geometry(config.camera)
        self._bare_images: list[Image] = []
        self._background: Image | None = None
        self._arm_directions: deque[tuple[int, float]] = deque()
        """Stamp and direction of the one arm over the mark."""
        self._raps: list[tuple[int, str]] = []
        angles = np.radians(np.arange(0, 360, 5))
        circle = np.column_stack([np.cos(angles), np.sin(angles)]) * (MARK_MM / 2 * PX_PER_MM)
        self._mark = self._geometry.small_polygon_mask(circle + MARK_PX / 2)

    @property
    def ready(self) -> bool:
        """Whether the bare table has been recorded, so that hands may come."""
        return self._background is not None

    def process(self, delivery: Delivery) -> list[SeatRap]:
        """Process the next delivery; return the raps that are old enough, with their directions."""
        if delivery.frame is not None:
            self._observe_arms(delivery.frame.t_ns, delivery.frame.image)
        if self.ready:
            pressed = [(edge.t_ns, edge.seat) for edge in delivery.edges if edge.level == 1]
            # With a bouncing button, or a second tap, the first press counts.
            waiting_seats = {seat for _, seat in self._raps}
            for t_ns, seat in sorted(pressed):
                if seat not in waiting_seats:
                    waiting_seats.add(seat)
                    self._raps.append((t_ns, seat))
        finished = [rap for rap in self._raps if delivery.frames_until_ns > rap[0] + RAP_WINDOW_NS]
        self._raps = [rap for rap in self._raps if rap not in finished]
        return [SeatRap(seat, self._arm_angle(t_ns)) for t_ns, seat in finished]

    def _observe_arms(self, t_ns: int, image: Image) -> None:
        """Record the direction of the arm in a picture, once the bare table is known."""
        self._geometry.check_frame_size(image)
        small = cv2.GaussianBlur(self._geometry.make_small_image(image), (3, 3), 0)
        if self._background is None:
            self._bare_images.append(np.asarray(small, np.uint8))
            if len(self._bare_images) >= BACKGROUND_FRAMES:
                self._background = np.asarray(np.median(self._bare_images, axis=0), np.uint8)
                self._bare_images.clear()
            return
        changed = (cv2.absdiff(small, self._background).max(axis=2) > _DIFFERENCE_LEVELS).astype(np.uint8)
        # Arms that touch are one object, which enters the picture at two places.
        arms = [
            angle
            for arm in find_arms(changed * np.uint8(255), self._geometry)
            if (arm.mask & self._mark).any()
            for angle in arm.entry_angles
        ]
        if len(arms) == 1:
            self._arm_directions.append((t_ns, arms[0]))
        while self._arm_directions and self._arm_directions[0][0] < t_ns - 4 * RAP_WINDOW_NS:
            self._arm_directions.popleft()

    def _arm_angle(self, t_ns: int) -> float | None:
        """Return the mean direction of the arms near a time; None if there were none."""
        angles = [angle for seen_ns, angle in self._arm_directions if abs(seen_ns - t_ns) <= RAP_WINDOW_NS]
        if not angles:
            return None
        return round(mean_direction_deg(angles, [1.0] * len(angles)), 1)
