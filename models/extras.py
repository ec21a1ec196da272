"""Packs what no maker of scenes draws: cut-outs of real cards and of what is none, to be carried to a GPU.

    python -m models extras --real runs/pool/real --held runs/pool/held --negatives runs/negatives.npy \
           --out runs/extras

One folder with a file for each kind: `real.npz` (indices in photographs, `models.harvest`), `mined-K.npz`
(`models.mine`, one of each file given) and `held.npz` (held-out scenes, to measure with). Each holds `pictures`, the
cut-outs of the wide window as WebP one after another, `ends`, where each ends, and `names`, their numbers in `CARDS`.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.config import load as load_config
from models.cutouts import CutoutSource, cut_mined
from models.pool import Pools
from models.synth.packs import encode
from table.detection.indices.class_labels import CARDS, NONE
from table.detection.indices.index_crop import WIDE_WINDOW
from table.errors import TableError

_QUALITY: Final = 88


def save(path: Path, cutouts: NDArray[np.uint8], names: NDArray[np.int64]) -> None:
    """Write cut-outs (n, 104, 80, 3) BGR and their numbers in `CARDS`."""
    packed = [encode(".webp", picture, cv2.IMWRITE_WEBP_QUALITY, _QUALITY) for picture in cutouts]
    ends = np.cumsum([len(data) for data in packed])
    np.savez(path, pictures=np.concatenate(packed), ends=ends, names=names)


def load(path: Path) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Read what `save` wrote; ``TableError`` where there is no such file."""
    if not path.is_file():
        raise TableError(f"{path}: no such file (make the folder with python -m models extras)")
    with np.load(path) as file:
        parts = np.split(file["pictures"], file["ends"][:-1])
        pictures = [np.asarray(cv2.imdecode(part, cv2.IMREAD_COLOR), np.uint8) for part in parts]
        return np.array(pictures), np.asarray(file["names"], np.int64)


def main() -> None:
    """Write the folder."""
    parser = argparse.ArgumentParser(prog="python -m models extras", description=__doc__.split("\n")[0])
    parser.add_argument("--real", type=Path, required=True, help="pool of harvested photographs")
    parser.add_argument("--held", type=Path, required=True, help="pool of held-out scenes")
    parser.add_argument("--negatives", type=Path, action="append", default=[], help="from models.mine")
    parser.add_argument("--number", type=int, default=6000, help="cut-outs of each kind at most")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=8)
    args = parser.parse_args()
    config = load_config()["namer"]
    args.out.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(args.seed)
    for kind, pool, plain in (("real", args.real, False), ("held", args.held, True)):
        source = CutoutSource(Pools([pool]), config, args.seed, plain=plain, window=WIDE_WINDOW)
        save(args.out / f"{kind}.npz", *source.batch(args.number))
    for k, path in enumerate(args.negatives):
        mined: Any = np.load(path, mmap_mode="r")
        chosen = np.sort(rng.permutation(len(mined))[: args.number])
        cutouts = np.array([cut_mined(mined[slot], rng, WIDE_WINDOW) for slot in chosen])
        save(args.out / f"mined-{k}.npz", cutouts, np.full(len(cutouts), CARDS.index(NONE)))
    for path in sorted(args.out.glob("*.npz")):
        print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")
