"""How jokers are read, by what marks their corners: the rarest cards, no two packs' alike.

    python -m models jokers --number 300

Packs drawn anew with held-out fonts, signs and pictures, their joker alone on the mark of the virtual table, in seven
lights by turns. Always the same ones.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from models.config import load as load_config
from models.evaluate import HEADER, Count, count_of
from models.onmark import LIGHTS, thrown
from models.sets import Sample
from models.synth.drawn import JOKERS, DrawnFaces, draw
from table.detection.detector import Detector
from table.detection.indices.class_labels import JOKER


def main() -> None:
    """Print the counts for each kind of joker."""
    config = load_config()["evaluate"]
    parser = argparse.ArgumentParser(prog="python -m models jokers", description=__doc__.split("\n")[0])
    parser.add_argument(
        "--number", type=int, default=300, help="packs drawn (some jokers have no mark: no picture)"
    )
    parser.add_argument("--weights", type=Path, help="folder with the networks (default: the packaged ones)")
    parser.add_argument("--seed", type=int, default=config["seed"])
    args = parser.parse_args()
    cv2.setNumThreads(1)
    detector = Detector(args.weights)
    kinds: dict[str, Count] = defaultdict(Count)
    for sample in samples(args.number, args.seed):
        read = [
            s.card for s in detector.read(sample.image, sample.card_px) if s.confidence >= config["least"]
        ]
        for kind in (sample.groups["joker"], "all"):
            kinds[kind].add(count_of(sample, read)[0])
    print(f"{'':26s} {HEADER}")
    for kind, count in sorted(kinds.items()):
        print(f"{kind:26s} {count.line()}")


def samples(number: int, seed: int) -> Iterator[Sample]:
    """One picture of each drawn pack's joker that has a mark in its corners, all of one of them in sight."""
    lights = list(LIGHTS)
    for k in range(number):
        rng = np.random.default_rng([seed, 53, k])
        pack = draw(rng, held=True)
        sample = thrown(rng, pack, [JOKER], lights[k % len(lights)], f"joker-{k:03d}")
        if sample.cards and isinstance(pack.faces, DrawnFaces):
            sample.groups["joker"] = JOKERS[pack.faces.style.joker]
            yield sample
