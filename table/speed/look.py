"""What one look at the mark costs on this machine."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from table.reader.detector import Detector
from table.reader.network import Network

MARK_PX = 512
"""Side of the rectified square around the mark, pixels."""


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
    """A cloth with four drawn cards."""
    from table.virtual.faces import face

    rng = np.random.default_rng(7)
    picture = rng.integers(40, 70, (MARK_PX, MARK_PX, 3)).astype(np.uint8)
    for name, x, y in (("AS", 40, 30), ("10H", 200, 60), ("QD", 360, 200), ("7C", 150, 320)):
        picture[y : y + 140, x : x + 100] = cv2.resize(
            face(name).image, (100, 140), interpolation=cv2.INTER_AREA
        )
    return picture


def look_cost(detector: Detector, yardstick: Path | None = None, *, rounds: int = 15) -> LookCost:
    """Time a look (finder, namer, grouping on four cards) and, in turn with it, a yardstick network.

    Args:
        detector: the detector to time.
        yardstick: an ONNX file that takes (1, 3, 640, 640), such as an exported YOLO11n.
        rounds: how often each is run; the medians count. The two take turns, so that a busy machine is fair to both.
    """
    picture = _table()
    network = Network(yardstick) if yardstick else None
    batch = np.random.default_rng(1).random((1, 3, 640, 640), dtype=np.float32)
    looks, yards = [], []
    for _ in range(rounds + 2):
        start = time.perf_counter_ns()
        detector.read(picture, 100.0)
        middle = time.perf_counter_ns()
        if network is not None:
            network(batch)
        looks.append(middle - start)
        yards.append(time.perf_counter_ns() - middle)
    return LookCost(
        float(np.median(looks[2:])) / 1e6, float(np.median(yards[2:])) / 1e6 if network is not None else None
    )
