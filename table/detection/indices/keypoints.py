"""Keypoint finder: detects corner indices with the centres of rank and suit, which give size and direction.

The network is a YOLO-pose of one class. In the canonical scale a card's short side is 100 px; the finder sees the
picture at 69 px, which is enough to detect an index at half the cost. (models/finder.py trains it.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from table.detection.indices.index_pair_geometry import IndexKeypoints, ReadIndex
from table.detection.indices.onnx_inference import Network

FINDER_CARD_PX: Final = 100.0 * 352 / 512
"""The short side of a card, in pixels, in the finder's input.

The mark's 512 px square becomes 352 px, a multiple of the stride, so that nothing is padded. (Trained around 75; a
third more or less works.)
"""
_STRIDE: Final = 16
"""The finder's input sides are multiples of this."""
_TILE: Final = 1280
"""Larger pictures are searched in tiles of at most this side, in finder pixels ..."""
_TILE_OVERLAP: Final = 96
"""... that overlap by this much (an index is about 25 px long)."""
_MAX_CANDIDATES: Final = 2000
"""At most this many cells of the finder's grid are decoded in each tile, those of the highest score."""

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class FoundIndices:
    """The n indices that were detected in a picture, the highest score first; positions in pixels."""

    score: Floats
    """(n,): the finder's score, 0 to 1."""
    box: Floats
    """(n, 4): x1, y1, x2, y2."""
    rank: Floats
    """(n, 2): the rank's centre."""
    suit: Floats
    """(n, 2): the suit's centre; rank to suit is "down" of the upright index."""

    @classmethod
    def concatenate(cls, parts: Sequence[FoundIndices]) -> FoundIndices:
        """Return the indices of several parts in one, sorted by score."""
        score = np.concatenate([part.score for part in parts])
        box = np.concatenate([part.box for part in parts])
        rank = np.concatenate([part.rank for part in parts])
        suit = np.concatenate([part.suit for part in parts])
        return cls(score, box, rank, suit)[np.argsort(-score, kind="stable")]

    def __len__(self) -> int:
        return len(self.score)

    def __getitem__(self, which: slice | NDArray[np.integer] | NDArray[np.bool_]) -> FoundIndices:
        return FoundIndices(self.score[which], self.box[which], self.rank[which], self.suit[which])

    @property
    def middle(self) -> Floats:
        """(n, 2): the points half way between rank and suit."""
        return np.asarray((self.rank + self.suit) / 2)

    @property
    def rank_to_suit(self) -> Floats:
        """(n, 2): the vectors from rank to suit."""
        return self.suit - self.rank

    def map_points(self, move: Callable[[Floats], Floats]) -> FoundIndices:
        """Return a copy with ``move`` applied to all points (..., 2)."""
        box = move(self.box.reshape(-1, 2, 2)).reshape(-1, 4)
        return FoundIndices(self.score, box, move(self.rank), move(self.suit))

    def to_keypoints(self) -> list[IndexKeypoints]:
        """Return the keypoints of each index."""
        ranks, suits = self.rank.astype(np.float64), self.suit.astype(np.float64)
        return [IndexKeypoints(rank, suit) for rank, suit in zip(ranks, suits, strict=True)]

    def with_posteriors(self, posteriors: NDArray[np.float64]) -> list[ReadIndex]:
        """Return each index with its class posterior, from (n, len(CARDS)) probabilities."""
        boxes, scores = self.box.astype(np.float64), self.score.tolist()
        return [
            ReadIndex(keypoints.rank, keypoints.suit, posterior, box, score)
            for keypoints, posterior, box, score in zip(
                self.to_keypoints(), posteriors, boxes, scores, strict=True
            )
        ]


class KeypointFinder:
    """The network that detects corner indices."""

    def __init__(self, path: Path) -> None:
        """Load the network."""
        self._network = Network(path)

    def find(self, image: NDArray[np.uint8], card_px: float, threshold: float) -> FoundIndices:
        """Detect the corner indices in a picture.

        Args:
            image: (H, W, 3) BGR.
            card_px: the short side of a card in the picture, pixels.
            threshold: the lowest score.
        """
        scale = FINDER_CARD_PX / card_px
        height, width = image.shape[:2]
        small_w, small_h = max(1, round(width * scale)), max(1, round(height * scale))
        small = image
        if (small_w, small_h) != (width, height):
            method = cv2.INTER_AREA if scale < 0.6 else cv2.INTER_LINEAR
            small = np.asarray(cv2.resize(image, (small_w, small_h), interpolation=method), dtype=np.uint8)
        tiles = [
            self._find_in_tile(small, left, top, threshold)
            for top in _tile_starts(small_h)
            for left in _tile_starts(small_w)
        ]
        indices = tiles[0] if len(tiles) == 1 else suppress_duplicates(FoundIndices.concatenate(tiles))
        shrunk = np.array([small_w / width, small_h / height], np.float32)
        # Pixel centres stay on pixel centres.
        indices = indices.map_points(lambda points: (points + np.float32(0.5)) / shrunk - np.float32(0.5))
        middles = indices.middle
        inside = np.asarray(((middles >= 0) & (middles < [width, height])).all(axis=1), np.bool_)
        return indices[inside]

    def _find_in_tile(self, small: NDArray[np.uint8], left: int, top: int, threshold: float) -> FoundIndices:
        tile = small[top : top + _TILE, left : left + _TILE]
        corner = np.array([left, top], np.float32)
        indices = decode_finder_output(self._network(_finder_input(tile))[0][0], threshold)
        return indices.map_points(lambda points: points + corner)


def decode_finder_output(output: Floats, threshold: float) -> FoundIndices:
    """Decode the finder's raw output to indices, without duplicates, the highest score first.

    Args:
        output: (9, N): box centre x y, width, height, score, rank x y, suit x y; pixels of the finder's picture.
        threshold: the lowest score.
    """
    candidates = output[:, output[4] >= threshold].T
    candidates = candidates[np.argsort(-candidates[:, 4], kind="stable")][:_MAX_CANDIDATES].astype(np.float32)
    centre, size, score, rank, suit = np.split(candidates, [2, 4, 5, 7], axis=1)
    box = np.concatenate([centre - size / 2, centre + size / 2], axis=1)
    return suppress_duplicates(FoundIndices(score[:, 0], box, rank, suit))


def suppress_duplicates(indices: FoundIndices) -> FoundIndices:
    """Remove duplicate detections of an index (non-maximum suppression); sorted by score before and after.

    The criterion is the distance of the middles, relative to the distance from rank to suit: boxes of neighbouring
    indices in a fan overlap, their middles don't.
    """
    middle, rank_to_suit = indices.middle, indices.rank_to_suit
    sizes = np.maximum(np.hypot(rank_to_suit[:, 0], rank_to_suit[:, 1]), 3.0)
    remaining = np.ones(len(indices), bool)
    selected = []
    for k in range(len(indices)):
        if not remaining[k]:
            continue
        selected.append(k)
        distances = np.hypot(middle[:, 0] - middle[k, 0], middle[:, 1] - middle[k, 1])
        remaining &= distances > 0.5 * np.maximum(sizes[k], np.minimum(sizes, 1.5 * sizes[k]))
    return indices[np.array(selected, np.intp)]


def _tile_starts(side: int) -> list[int]:
    """Return where the tiles of a long side begin."""
    if side <= _TILE:
        return [0]
    count = -(-(side - _TILE_OVERLAP) // (_TILE - _TILE_OVERLAP))
    return [round(k * (side - _TILE) / (count - 1)) for k in range(count)]


def _finder_input(tile: NDArray[np.uint8]) -> Floats:
    """Return a picture as the finder's input (1, 3, H, W), RGB, padded with grey to a multiple of the stride."""
    height, width = tile.shape[:2]
    full_h, full_w = -(-height // _STRIDE) * _STRIDE, -(-width // _STRIDE) * _STRIDE
    if (full_h, full_w) != (height, width):
        padded = np.full((full_h, full_w, 3), 114, np.uint8)
        padded[:height, :width] = tile
        tile = padded
    return np.asarray(cv2.dnn.blobFromImage(tile, 1 / 255.0, swapRB=True), dtype=np.float32)
