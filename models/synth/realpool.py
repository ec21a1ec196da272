"""Fill a pool with parts of solved photographs: ``python -m models realpool --out runs/pool/real``.

The photographs come from the cache that ``python -m models fetch --realcards DIR`` builds.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import cv2
import numpy as np

from models.pool import Pool, rows
from models.synth.real import load_real, make_real_scene


def main(argv: list[str] | None = None) -> int:
    """Make the scenes."""
    parser = argparse.ArgumentParser(prog="python -m models realpool", description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--scenes", type=int, default=3000)
    parser.add_argument("--size", type=int, default=384)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--split", choices=["train", "held"], default="train")
    args = parser.parse_args(argv)
    cv2.setNumThreads(1)
    photographs = load_real(args.split)
    if not photographs:
        print(
            "no solved photographs in the cache: run python -m models fetch --realcards DIR",
            file=sys.stderr,
        )
        return 2
    pool = Pool(args.out, size=args.size, capacity=args.scenes)
    for k in range(args.scenes):
        scene = make_real_scene(np.random.default_rng([args.seed, k]), photographs, args.size)
        indices, cards = rows(scene)
        pool.put(scene.image, indices, cards)
    print(f"{args.scenes} scenes of {len(photographs)} photographs")
    return 0
