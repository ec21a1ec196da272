"""Photographs on disk: their lists, what is known that a list does not say, and pictures that show no cards."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

_KINDS: Final = (".jpg", ".jpeg", ".png", ".webp", ".tga")
_SIDES: Final = (200, 1280)
"""Smaller pictures are icons; larger ones are made so large."""
_LIST = Path(__file__).with_name("mirrored.txt")


@cache
def mirrored() -> frozenset[str]:
    """Names, without endings, of photographs that stand mirrored: not to learn from and not to measure with."""
    lines = _LIST.read_text().splitlines()
    return frozenset(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def listed(root: Path, folder: str | None = None) -> dict[str, list[dict[str, str]]]:
    """What ``root/truth.csv`` says of each picture, by its name in it ("folder/name.jpg"), sorted.

    Of all its pictures, or of those in ``folder``.
    """
    lines: dict[str, list[dict[str, str]]] = defaultdict(list)
    with (root / "truth.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            if folder is None or row["image"].startswith(folder + "/"):
                lines[row["image"]].append(row)
    return dict(sorted(lines.items()))


def without_cards(folder: Path) -> Iterator[tuple[str, NDArray[np.uint8]]]:
    """Name and picture, (H, W, 3) BGR, of every picture in a folder and below it that is no icon; sorted."""
    for path in sorted(path for path in folder.rglob("*") if path.suffix.lower() in _KINDS):
        image = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if image is None or min(image.shape[:2]) < _SIDES[0]:
            continue
        if max(image.shape[:2]) > _SIDES[1]:
            share = _SIDES[1] / max(image.shape[:2])
            image = cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        yield path.name, np.asarray(image, np.uint8)
