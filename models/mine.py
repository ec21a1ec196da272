"""Collects what the finder takes for an index and is none: cut-outs from which the namer learns to refuse.

    python -m models mine --pool runs/pool/a --pool runs/pool/real --scenes 3000 --out runs/negatives.npy
    python -m models mine --pictures PICTURES --looks 3 --out runs/elsewhere.npy

The finder looks at pool scenes with a low threshold; a find far from every index that shows at all (and, in real
photographs, outside every card's box) goes into the file: (n, 144, 120, 3) BGR, upright as found, with a margin so that
training can still shift and turn it. In pictures that show no cards (photographs, textures, screens; looked at in
several scales) every find is one, and of those that the namers refuse at once only a share is kept.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.photos import without_cards
from models.pool import Pools, PoolScene
from table.detection.detector import Detector
from table.detection.indices.index_crop import WIDE_WINDOW, upright_crop_matrix
from table.detection.indices.index_pair_geometry import IndexKeypoints

MARGIN = 20
"""Pixels kept around the wide window, for training to shift and turn."""
CARD_PX = (45.0, 220.0)
"""How wide cards might be in a picture that shows none: it is looked at as if they were."""
REFUSED = 0.97
"""What is no index surer than this teaches little..."""
REFUSED_KEPT = 0.15
"""...and only this share of it is kept."""
DARK = 55.0
"""A cut-out whose middle is darker than this on average (night, stars) shows no paper..."""
DARK_KEPT = 0.06
"""...and of such ones this share is kept."""
MOST = 25
"""Cut-outs of one look at a picture: one texture shall not fill the file."""
REGION = 6.0
"""A look is at a part so many cards wide, somewhere in the picture."""

Cutout = NDArray[np.uint8]


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(prog="python -m models mine", description=__doc__.split("\n")[0])
    parser.add_argument("--pool", type=Path, action="append", default=[])
    parser.add_argument("--scenes", type=int, default=3000)
    parser.add_argument(
        "--pictures", type=Path, action="append", default=[], help="a folder of pictures without cards"
    )
    parser.add_argument("--looks", type=int, default=3, help="scales at which each of them is looked at")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--threshold", type=float, default=0.04)
    parser.add_argument("--seed", type=int, default=3)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    detector = Detector(args.weights, threshold=args.threshold)
    rng = np.random.default_rng(args.seed)
    cutouts: list[Cutout] = []
    for folder in args.pool:
        pools = Pools([folder])
        for slot in rng.permutation(len(pools))[: args.scenes]:
            cutouts += in_scene(detector, pools.at(int(slot)))
        print(f"{folder}: {len(cutouts)} so far", flush=True)
    for folder in args.pictures:
        for _, image in without_cards(folder):
            for _ in range(args.looks):
                cutouts += in_picture(detector, image, rng)
        print(f"{folder}: {len(cutouts)} so far", flush=True)
    np.save(args.out, np.array(cutouts, np.uint8))


def in_scene(detector: Detector, scene: PoolScene) -> Iterator[Cutout]:
    """The finds in a pool scene that are far from all that its cards show."""
    quads = scene.indices[scene.indices[:, 12] > 0.02, 4:12].reshape(-1, 4, 2)
    low, high = quads.min(axis=1) - 3, quads.max(axis=1) + 3
    for find in detector.find_indices(scene.image, 100.0).to_keypoints():
        if not ((low < find.middle) & (find.middle < high)).all(axis=1).any():
            yield _cut(scene.image, find)


def in_picture(detector: Detector, image: NDArray[np.uint8], rng: np.random.Generator) -> Iterator[Cutout]:
    """The finds in a part of a picture without cards, place and scale drawn anew: the hard ones, and a few others."""
    card_px = float(np.exp(rng.uniform(*np.log(CARD_PX))))
    side = round(REGION * card_px)
    height, width = image.shape[:2]
    top, left = rng.integers(max(height - side, 0) + 1), rng.integers(max(width - side, 0) + 1)
    part = image[top : top + side, left : left + side]
    found = detector.find_indices(part, card_px)[: 2 * MOST]
    if not len(found):
        return
    refused = detector.classify_indices(part, found)[:, -1]
    kept = (refused < REFUSED) | (rng.random(len(found)) < REFUSED_KEPT)
    for find in found[kept][:MOST].to_keypoints():
        cutout = _cut(part, find)
        if (
            cutout[2 * MARGIN : -2 * MARGIN, 3 * MARGIN // 2 : -3 * MARGIN // 2].mean() > DARK
            or rng.random() < DARK_KEPT
        ):
            yield cutout


def _cut(image: NDArray[np.uint8], find: IndexKeypoints) -> Cutout:
    (rx, ry), (sx, sy) = find.rank, find.suit
    matrix = upright_crop_matrix((rx, ry), (sx, sy), window=WIDE_WINDOW)
    matrix[:, 2] += MARGIN
    size = (WIDE_WINDOW.width + 2 * MARGIN, WIDE_WINDOW.height + 2 * MARGIN)
    return np.asarray(cv2.warpAffine(image, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)
