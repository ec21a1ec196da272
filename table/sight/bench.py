"""What one look at the mark costs on this machine."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from table.sight.detector import Detector
from table.sight.network import Network

MARK_PX = 512
"""Side of the rectified square around the mark, pixels."""
INDICES = 8
"""Corner indices in view: four cards with two each, as in a trick of four."""


@dataclass(frozen=True)
class LookCost:
    """Medians in milliseconds, one thread: the whole look, and the yardstick network where one was given."""

    look_ms: float
    yardstick_ms: float | None

    @property
    def ratio(self) -> float | None:
        """The look's cost in units of the yardstick's."""
        return None if self.yardstick_ms is None else self.look_ms / self.yardstick_ms


def _table() -> NDArray[np.uint8]:
    """A cloth with four white cards, so that the measured work is of the usual kind."""
    rng = np.random.default_rng(7)
    picture = rng.integers(40, 70, (MARK_PX, MARK_PX, 3)).astype(np.uint8)
    for x, y in ((80, 60), (210, 150), (330, 250), (150, 300)):
        cv2.rectangle(picture, (x, y), (x + 100, y + 140), (235, 240, 242), -1)
    return picture


def look_cost(detector: Detector, yardstick: Path | None = None, *, rounds: int = 15) -> LookCost:
    """Time a look (finder on the mark, namer on eight cut-outs) and, in turn with it, a yardstick network.

    Args:
        detector: the detector to time.
        yardstick: an ONNX file that takes (1, 3, 640, 640), such as an exported YOLO11n.
        rounds: how often each is run; the medians count. The two take turns, so that a busy machine is fair to both.
    """
    picture = _table()
    rows = np.zeros((INDICES, 9), np.float32)
    rows[:, 5] = rows[:, 7] = np.linspace(60, 450, INDICES)
    rows[:, 6], rows[:, 8] = 200.0, 213.0
    network = Network(yardstick) if yardstick else None
    batch = np.random.default_rng(1).random((1, 3, 640, 640), dtype=np.float32)
    looks, yards = [], []
    for _ in range(rounds + 2):
        start = time.perf_counter_ns()
        detector.find(picture, 100.0)
        detector.name(picture, rows)
        middle = time.perf_counter_ns()
        if network is not None:
            network(batch)
        looks.append(middle - start)
        yards.append(time.perf_counter_ns() - middle)
    return LookCost(
        float(np.median(looks[2:])) / 1e6, float(np.median(yards[2:])) / 1e6 if network is not None else None
    )
