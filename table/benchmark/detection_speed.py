"""Benchmark of one detection pass over the mark on this machine."""

from __future__ import annotations

import time
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from table.detection.detector import Detector
from table.detection.indices.onnx_inference import Network

MARK_PX = 512
"""The side of the rectified square around the mark, in pixels."""


class DetectionCost(NamedTuple):
    """Medians in milliseconds, one thread: a whole detection pass, and the yardstick network where one was given."""

    detection_ms: float
    yardstick_ms: float | None


def _draw_table() -> NDArray[np.uint8]:
    """Draw a cloth with four cards."""
    from table.simulation.rendering.card_artwork import render_face

    rng = np.random.default_rng(7)
    picture = rng.integers(40, 70, (MARK_PX, MARK_PX, 3)).astype(np.uint8)
    for name, x, y in (("AS", 40, 30), ("10H", 200, 60), ("QD", 360, 200), ("7C", 150, 320)):
        face = cv2.resize(render_face(name).image, (100, 140), interpolation=cv2.INTER_AREA)
        picture[y : y + 140, x : x + 100] = face
    return picture


def measure_detection(
    detector: Detector, yardstick: Path | None = None, *, rounds: int = 15
) -> DetectionCost:
    """Measure a detection pass (keypoint finder, classifier, grouping) on four cards, and a yardstick network.

    ``yardstick``: an ONNX file that takes (1, 3, 640, 640), such as an exported YOLO11n. Both run ``rounds`` times in
    alternation, so that a busy machine is fair to both; the medians count.
    """
    picture = _draw_table()
    network = Network(yardstick) if yardstick else None
    batch = np.random.default_rng(1).random((1, 3, 640, 640), dtype=np.float32)
    detection_ns, yardstick_ns = [], []
    for _ in range(rounds + 2):
        start = time.perf_counter_ns()
        detector.read(picture, 100.0)
        middle = time.perf_counter_ns()
        if network is not None:
            network(batch)
        detection_ns.append(middle - start)
        yardstick_ns.append(time.perf_counter_ns() - middle)
    return DetectionCost(
        float(np.median(detection_ns[2:])) / 1e6,
        float(np.median(yardstick_ns[2:])) / 1e6 if network is not None else None,
    )
