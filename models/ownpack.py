"""Measures what enrolling a pack is worth (`cardtable enrol`), on held-out packs.

    python -m models ownpack --number 4 --json runs/ownpack.json

Each card of a pack is shown once, alone on the mark, in plain light. Then tricks of the pack are read in all lights,
as a stranger's pack and as the enrolled one; and tricks of the next pack in the list without and with that enrolment,
for other people's cards must be read no worse.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from models.config import load as load_config
from models.evaluate import HEADER, Count, count_of, wrong_line
from models.onmark import pack_samples, thrown
from models.sets import Sample
from models.synth.drawn import Studio
from models.synth.packs import Pack
from models.synth.scenes import label
from models.synth.splits import load_packs
from table.detection.detector import Detector
from table.detection.enrolment_examples import ExampleCollector
from table.detection.indices.enrolled_pack import EnrolledPack, Example

CARD_PX = 100.0


def packs(drawn: int, seed: int) -> list[Pack]:
    """The whole held-out packs, and so many drawn ones of 63 cards."""
    cached = [
        pack
        for pack in load_packs("held")
        if not isinstance(pack, Studio) and sum(label(name) == name for name in pack.faces) >= 52
    ]
    studio = Studio(held=True)
    return cached + [studio.new(np.random.default_rng([seed, 8, k])) for k in range(drawn)]


def enrol(pack: Pack, learner: ExampleCollector, seed: int) -> EnrolledPack:
    """Show each card of the pack once."""
    examples: list[Example] = []
    for k, name in enumerate(name for name in pack.faces if label(name) == name):
        rng = np.random.default_rng([seed, 9, k])
        one = learner.collect_single(thrown(rng, pack, [name], "plain", name).image, name, CARD_PX)
        if one is not None:
            examples += [*one.corners, *one.negatives]
    enrolled = EnrolledPack()
    enrolled.replace_examples(examples)
    return enrolled


def read(detector: Detector, samples: Iterator[Sample], least: float) -> tuple[Count, list[str], list[int]]:
    """The counts of a set, what went wrong, and [right, all] of the readings surer than 0.9."""
    total, wrong, sure = Count(), [], [0, 0]
    for sample in samples:
        seen = detector.read(sample.image, sample.card_px)
        count, missed, extra = count_of(sample, [s.card for s in seen if s.confidence >= least])
        total.add(count)
        for sighting in seen:
            if sighting.confidence >= 0.9:
                sure[0] += sighting.card in sample.cards or sighting.card in sample.optional
                sure[1] += 1
        if missed or extra:
            wrong.append(wrong_line(sample, missed, extra))
    return total, wrong, sure


def main() -> None:
    """Print the figures of each pack."""
    config = load_config()["evaluate"]
    parser = argparse.ArgumentParser(prog="python -m models ownpack", description=__doc__.split("\n")[0])
    parser.add_argument("--weights", type=Path, help="folder with the networks (default: the packaged ones)")
    parser.add_argument("--number", type=int, default=4, help="pictures of each pack in each light")
    parser.add_argument("--drawn", type=int, default=4, help="so many drawn packs besides")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    seed = config["seed"]
    stranger = Detector(args.weights)
    learner = ExampleCollector(stranger)
    chosen = packs(args.drawn, seed)
    totals = {
        kind: Count() for kind in ("unknown", "enrolled", "other pack", "other pack, this one enrolled")
    }
    surest = {kind: [0, 0] for kind in totals}
    for k, pack in enumerate(chosen):
        enrolled = enrol(pack, learner, seed)
        owner = Detector(args.weights, enrolled=enrolled)
        print(
            f"\n{pack.name:32s} {HEADER}   ({sum(enrolled.index_counts.values())} corners enrolled)",
            flush=True,
        )
        other = chosen[(k + 1) % len(chosen)]
        for kind, detector, shown in zip(
            totals, (stranger, owner, stranger, owner), (pack, pack, other, other), strict=True
        ):
            samples = pack_samples(shown, args.number, [seed, 32, chosen.index(shown)])
            count, wrong, sure = read(detector, samples, config["least"])
            totals[kind].add(count)
            surest[kind] = [a + b for a, b in zip(surest[kind], sure, strict=True)]
            print(f"  {kind:30s} {count.line()}", flush=True)
            for line in wrong if kind == "enrolled" else ():
                print(f"      {line}", flush=True)
    print(f"\n{'all':32s} {HEADER}   surer than 0.9, and right")
    for kind, count in totals.items():
        print(f"  {kind:30s} {count.line()}   {surest[kind][1]:6d} {surest[kind][0]:6d}")
    if args.json:
        figures = {kind: {**count.__dict__, "sure": surest[kind]} for kind, count in totals.items()}
        args.json.write_text(json.dumps(figures, indent=2) + "\n")
