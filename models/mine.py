"""Collects what the finder takes for an index and is none: cut-outs from which the namer learns to refuse.

    python -m models.mine --pool runs/pool/a --pool runs/pool/real --scenes 3000 --out runs/negatives.npy

The finder looks at pool scenes with a low threshold; a find far from every index that shows at all (and, in real
photographs, outside every card's box) goes into the file: (n, 144, 120, 3) BGR, upright as found, with a margin so that
training can still shift and turn it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

from models.geometry import WIDE, upright_matrix
from models.pool import Pools
from table.sight.detector import Detector

MARGIN = 20
"""Pixels kept around the wide window, for training to shift and turn."""


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(prog="python -m models.mine", description=__doc__.split("\n")[0])
    parser.add_argument("--pool", type=Path, action="append", required=True)
    parser.add_argument("--scenes", type=int, default=3000)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--threshold", type=float, default=0.04)
    parser.add_argument("--seed", type=int, default=3)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    detector = Detector(args.weights, threshold=args.threshold)
    rng = np.random.default_rng(args.seed)
    cutouts = []
    for folder in args.pool:
        pools = Pools([folder])
        for slot in rng.permutation(len(pools))[: args.scenes]:
            scene = pools.at(int(slot))
            quads = scene.indices[scene.indices[:, 12] > 0.02, 4:12].reshape(-1, 4, 2)
            low, high = quads.min(axis=1) - 3, quads.max(axis=1) + 3
            for row in detector.find(scene.image, 100.0):
                rank, suit = row[5:7].astype(float), row[7:9].astype(float)
                middle = (rank + suit) / 2
                if ((low < middle) & (middle < high)).all(axis=1).any():
                    continue
                matrix = upright_matrix((rank[0], rank[1]), (suit[0], suit[1]), window=WIDE)
                matrix[:, 2] += MARGIN
                size = (WIDE.width + 2 * MARGIN, WIDE.height + 2 * MARGIN)
                cutouts.append(cv2.warpAffine(scene.image, matrix, size, borderMode=cv2.BORDER_REPLICATE))
        print(f"{folder}: {len(cutouts)} so far", flush=True)
    np.save(args.out, np.array(cutouts, np.uint8))


if __name__ == "__main__":
    main()
