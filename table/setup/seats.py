"""Where the players sit: each raps once, with a hand held over the mark; the arm's direction is the seat's."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.config import TableConfig
from table.facts import MS, Delivery, Image
from table.setup.mat import MARK_MM
from table.sight.geometry import Geometry, direction_deg, transform

BARE: Final = 8
"""So many pictures of the table with no hand over it come first."""
NEAR_NS: Final = 1_500 * MS
"""An arm that is over the mark within this time of a rap is the rapper's."""
_CHANGED: Final = 28
"""Levels by which an arm differs from the table beneath it."""
_LEAST_PX: Final = 60
_BORDER_PX: Final = 2


@dataclass(frozen=True, slots=True)
class Heard:
    """Somebody has rapped."""

    seat: str
    angle: float | None
    """Where the arm came from, degrees clockwise from the picture's top edge; None: not one arm was over the mark."""


class SeatFinder:
    """Takes what a source delivers; to be made when no hand is over the table."""

    def __init__(self, config: TableConfig) -> None:
        """``TableError`` for a camera that is not calibrated."""
        self._geometry = Geometry(config.camera)
        self._bare: list[Image] = []
        self._ground: Image | None = None
        self._arms: deque[tuple[int, float]] = deque()
        """Stamp and direction of the one arm over the mark."""
        self._raps: list[tuple[int, str]] = []
        turns = np.radians(np.arange(0, 360, 5))
        ring = np.column_stack([np.cos(turns), np.sin(turns)]) * (MARK_MM / 2)
        to_small = np.asarray(np.linalg.inv(self._geometry.small_to_table), np.float64)
        width, height = self._geometry.small_size
        self._mark = np.zeros((height, width), np.uint8)
        cv2.fillPoly(self._mark, [np.rint(transform(to_small, ring)).astype(np.int32)], 255)

    @property
    def ready(self) -> bool:
        """Whether the bare table has been seen: hands may come."""
        return self._ground is not None

    def see(self, delivery: Delivery) -> list[Heard]:
        """Take the next delivery; what came of raps that are long enough ago."""
        if delivery.frame is not None:
            self._look(delivery.frame.t_ns, delivery.frame.image)
        if self.ready:
            pressed = [(edge.t_ns, edge.seat) for edge in delivery.edges if edge.level == 1]
            # Of a button's bounces, or of a second tap, the first press counts.
            waiting = {seat for _, seat in self._raps}
            for t_ns, seat in sorted(pressed):
                if seat not in waiting:
                    waiting.add(seat)
                    self._raps.append((t_ns, seat))
        done = [rap for rap in self._raps if delivery.frames_until_ns > rap[0] + NEAR_NS]
        self._raps = [rap for rap in self._raps if rap not in done]
        return [Heard(seat, self._angle(t_ns)) for t_ns, seat in done]

    def _look(self, t_ns: int, image: Image) -> None:
        self._geometry.check(image)
        small = cv2.GaussianBlur(self._geometry.small(image), (3, 3), 0)
        if self._ground is None:
            self._bare.append(np.asarray(small, np.uint8))
            if len(self._bare) >= BARE:
                self._ground = np.asarray(np.median(self._bare, axis=0), np.uint8)
                self._bare.clear()
            return
        apart = (cv2.absdiff(small, self._ground).max(axis=2) > _CHANGED).astype(np.uint8)
        arms = self._directions(
            np.asarray(cv2.morphologyEx(apart, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)
        )
        if len(arms) == 1:
            self._arms.append((t_ns, arms[0]))
        while self._arms and self._arms[0][0] < t_ns - 4 * NEAR_NS:
            self._arms.popleft()

    def _directions(self, mask: NDArray[np.uint8]) -> list[float]:
        """Where things enter the picture that reach from its border to the mark."""
        count, labels = cv2.connectedComponents(mask, connectivity=8)
        border = np.zeros(mask.shape, bool)
        border[:_BORDER_PX], border[-_BORDER_PX:] = True, True
        border[:, :_BORDER_PX], border[:, -_BORDER_PX:] = True, True
        found = []
        for label in range(1, count):
            thing = labels == label
            if thing.sum() < _LEAST_PX or not (thing & (self._mark > 0)).any() or not (thing & border).any():
                continue
            # Arms that touch are one thing, which enters the picture at two places.
            entries = cv2.dilate((thing & border).astype(np.uint8), np.ones((5, 5), np.uint8))
            number, entry = cv2.connectedComponents(entries, connectivity=8)
            for one in range(1, number):
                rows, columns = np.nonzero(thing & border & (entry == one))
                place = transform(self._geometry.small_to_table, np.array([[columns.mean(), rows.mean()]]))[0]
                found.append(direction_deg(float(place[0]), float(place[1])))
        return found

    def _angle(self, t_ns: int) -> float | None:
        near = [math.radians(angle) for at, angle in self._arms if abs(at - t_ns) <= NEAR_NS]
        if not near:
            return None
        x, y = sum(math.sin(turn) for turn in near), -sum(math.cos(turn) for turn in near)
        return round(direction_deg(x, y), 1)
