"""Measures one look against YOLO11n at 640 pixels, side by side in onnxruntime on one thread.

python -m models speed
"""

from __future__ import annotations

import argparse
import tempfile
from importlib.util import find_spec
from pathlib import Path

import cv2

from table.benchmark.detection_speed import DetectionCost, measure_detection
from table.detection.detector import Detector


def export_yolo11n(folder: Path) -> Path:
    """Export an untrained YOLO11n (weights don't change its speed) for 640 × 640 pictures."""
    from models.compat import prepare

    prepare(1)
    from ultralytics import YOLO

    path = folder / "yolo11n.onnx"
    exported = YOLO("yolo11n.yaml").export(format="onnx", imgsz=640, opset=17, simplify=True, verbose=False)
    Path(exported).replace(path)
    return path


def bench(weights: Path | None = None) -> DetectionCost:
    """Time a look; against YOLO11n where Ultralytics is installed, else in milliseconds only."""
    cv2.setNumThreads(1)
    detector = Detector(weights)
    if find_spec("ultralytics") is None:
        return measure_detection(detector)
    with tempfile.TemporaryDirectory() as folder:
        return measure_detection(detector, export_yolo11n(Path(folder)))


def main() -> None:
    """Print the cost of a look."""
    parser = argparse.ArgumentParser(prog="python -m models speed", description=__doc__.split("\n")[0])
    parser.add_argument("--weights", type=Path, help="folder with the networks (default: the packaged ones)")
    cost = bench(parser.parse_args().weights)
    print(f"one look at the mark (512 px, four cards): {cost.detection_ms:.1f} ms")
    if cost.yardstick_ms is not None:
        ratio = cost.detection_ms / cost.yardstick_ms
        print(f"YOLO11n at 640 px: {cost.yardstick_ms:.1f} ms; a look costs {ratio:.2f} of it")
