"""The finder: finds corner indices in a picture, with rank centre and suit centre, so with size and direction.

A YOLO-pose of one class. Canonical scale: a card's short side is 100 px; the finder sees the picture at 69 px, which is
enough to find an index and costs half. (How it is made: models/finder.py.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.reader.corners import Corner, Mark
from table.reader.network import Network

FINDER_CARD_PX: Final = 100.0 * 352 / 512
"""Short side of a card, in pixels, at which the finder sees a picture: the mark's 512 px square becomes 352 px, a
multiple of the grid, so that nothing is padded. (Trained around 75; it takes a third more or less.)"""
_GRID: Final = 16
"""The finder's input sides are multiples of this."""
_TILE: Final = 1280
"""Larger pictures are looked at in parts of at most this side, in finder pixels ..."""
_LAP: Final = 96
"""... that overlap by this much (an index is about 25 px long)."""
_MOST: Final = 2000
"""So many places of the finder's grid are looked at in each part at most, the surest."""

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Finds:
    """The n indices that were found in a picture, the surest first; places in pixels."""

    score: Floats
    """(n,): the finder's, 0 to 1."""
    box: Floats
    """(n, 4): x1, y1, x2, y2."""
    rank: Floats
    """(n, 2): the rank's centre."""
    suit: Floats
    """(n, 2): the suit's centre; rank to suit is "down" of the upright index."""

    @classmethod
    def joined(cls, parts: Sequence[Finds]) -> Finds:
        """All of several, in order of their scores."""
        score = np.concatenate([part.score for part in parts])
        box = np.concatenate([part.box for part in parts])
        rank = np.concatenate([part.rank for part in parts])
        suit = np.concatenate([part.suit for part in parts])
        return cls(score, box, rank, suit)[np.argsort(-score, kind="stable")]

    def __len__(self) -> int:
        return len(self.score)

    def __getitem__(self, which: slice | NDArray[np.integer] | NDArray[np.bool_]) -> Finds:
        return Finds(self.score[which], self.box[which], self.rank[which], self.suit[which])

    @property
    def middle(self) -> Floats:
        """(n, 2): half way between rank and suit."""
        return np.asarray((self.rank + self.suit) / 2)

    @property
    def step(self) -> Floats:
        """(n, 2): from rank to suit."""
        return self.suit - self.rank

    def moved(self, move: Callable[[Floats], Floats]) -> Finds:
        """With every point (..., 2) moved."""
        box = move(self.box.reshape(-1, 2, 2)).reshape(-1, 4)
        return Finds(self.score, box, move(self.rank), move(self.suit))

    def corners(self) -> list[Corner]:
        """Each by itself."""
        ranks, suits = self.rank.astype(np.float64), self.suit.astype(np.float64)
        return [Corner(rank, suit) for rank, suit in zip(ranks, suits, strict=True)]

    def marks(self, chances: NDArray[np.float64]) -> list[Mark]:
        """Each by itself, with what it reads as: (n, len(CARDS)) probabilities."""
        boxes, scores = self.box.astype(np.float64), self.score.tolist()
        return [
            Mark(corner.rank, corner.suit, read, box, score)
            for corner, read, box, score in zip(self.corners(), chances, boxes, scores, strict=True)
        ]


class Finder:
    """The network that finds indices."""

    def __init__(self, path: Path) -> None:
        """Load the network."""
        self._network = Network(path)

    def find(self, image: NDArray[np.uint8], card_px: float, threshold: float) -> Finds:
        """Find the indices.

        Args:
            image: (H, W, 3) BGR.
            card_px: the short side of a card in the picture, pixels.
            threshold: the least score.
        """
        scale = FINDER_CARD_PX / card_px
        height, width = image.shape[:2]
        small_w, small_h = max(1, round(width * scale)), max(1, round(height * scale))
        small = image
        if (small_w, small_h) != (width, height):
            method = cv2.INTER_AREA if scale < 0.6 else cv2.INTER_LINEAR
            small = np.asarray(cv2.resize(image, (small_w, small_h), interpolation=method), dtype=np.uint8)
        parts = [
            self._in_part(small, left, top, threshold)
            for top in _starts(small_h)
            for left in _starts(small_w)
        ]
        found = parts[0] if len(parts) == 1 else suppress(Finds.joined(parts))
        shrunk = np.array([small_w / width, small_h / height], np.float32)
        # Pixel centres stay on pixel centres.
        found = found.moved(lambda points: (points + np.float32(0.5)) / shrunk - np.float32(0.5))
        middle = found.middle
        inside = np.asarray(((middle >= 0) & (middle < [width, height])).all(axis=1), np.bool_)
        return found[inside]

    def _in_part(self, small: NDArray[np.uint8], left: int, top: int, threshold: float) -> Finds:
        part = small[top : top + _TILE, left : left + _TILE]
        corner = np.array([left, top], np.float32)
        found = decode_finder(self._network(_finder_input(part))[0][0], threshold)
        return found.moved(lambda points: points + corner)


def decode_finder(output: Floats, threshold: float) -> Finds:
    """Turn the finder's raw output into indices, each once, the surest first.

    Args:
        output: (9, N): box centre x y, width, height, score, rank x y, suit x y; pixels of the finder's picture.
        threshold: the least score.
    """
    likely = output[:, output[4] >= threshold].T
    likely = likely[np.argsort(-likely[:, 4], kind="stable")][:_MOST].astype(np.float32)
    centre, size, score, rank, suit = np.split(likely, [2, 4, 5, 7], axis=1)
    box = np.concatenate([centre - size / 2, centre + size / 2], axis=1)
    return suppress(Finds(score[:, 0], box, rank, suit))


def suppress(found: Finds) -> Finds:
    """Keep of the finds that mean the same index the surest one; they come and go best first.

    It goes by the distance of the middles, counted in the rank-to-suit distance: boxes of neighbouring indices in a fan
    overlap, their middles don't.
    """
    middle, step = found.middle, found.step
    reach = np.maximum(np.hypot(step[:, 0], step[:, 1]), 3.0)
    alive = np.ones(len(found), bool)
    keep = []
    for k in range(len(found)):
        if not alive[k]:
            continue
        keep.append(k)
        gap = np.hypot(middle[:, 0] - middle[k, 0], middle[:, 1] - middle[k, 1])
        alive &= gap > 0.5 * np.maximum(reach[k], np.minimum(reach, 1.5 * reach[k]))
    return found[np.array(keep, np.intp)]


def _starts(side: int) -> list[int]:
    """Where the parts of a long side begin."""
    if side <= _TILE:
        return [0]
    count = -(-(side - _LAP) // (_TILE - _LAP))
    return [round(k * (side - _TILE) / (count - 1)) for k in range(count)]


def _finder_input(part: NDArray[np.uint8]) -> Floats:
    """A picture as the finder's input (1, 3, H, W), RGB, padded to a multiple of the grid with grey."""
    height, width = part.shape[:2]
    full_h, full_w = -(-height // _GRID) * _GRID, -(-width // _GRID) * _GRID
    if (full_h, full_w) != (height, width):
        padded = np.full((full_h, full_w, 3), 114, np.uint8)
        padded[:height, :width] = part
        part = padded
    return np.asarray(cv2.dnn.blobFromImage(part, 1 / 255.0, swapRB=True), dtype=np.float32)
