"""Measures the detector: found, missed, invented and misread cards, per set, per pack, per card (the worst first).

    python -m models evaluate --scenes 40 --check CHECK --train TRAIN --recording REC --pictures runs/failures

Sets: scenes of packs that no training scene uses (made here, always the same ones), photographs with the list of
their cards (`truth.csv` with `image,card`, and `x,y,w,h` where known), the resting cards of recordings, such packs
thrown on the virtual table's mark, and pictures without cards. Cards are counted as a multiset in each picture. In one
picture a missed card and an invented one are together one misread card.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.config import load as load_config
from models.sets import (
    Image,
    Sample,
    elsewhere_samples,
    empty_samples,
    photo_samples,
    recording_samples,
    scene_samples,
)
from table.detection.card_detections import CardDetection
from table.detection.detector import Detector
from table.detection.photo_reading import read_still


@dataclass
class Count:
    """Counts of one set."""

    cards: int = 0
    found: int = 0
    missed: int = 0
    invented: int = 0
    misread: int = 0
    pictures: int = 0

    def add(self, other: Count) -> None:
        """Add another's counts."""
        for name in ("cards", "found", "missed", "invented", "misread", "pictures"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def line(self) -> str:
        """The counts and the two shares that matter: found of all, right of what was reported."""
        reported = self.found + self.invented + self.misread
        return (
            f"{self.pictures:5d} {self.cards:6d} {self.found:6d} {self.missed:6d} {self.invented:6d} {self.misread:6d}"
            f"   {100 * self.found / max(self.cards, 1):6.2f} {100 * self.found / max(reported, 1):6.2f}"
        )


TRUST = (0.3, 0.5, 0.7, 0.9, 0.97, 0.99)
"""Edges of the classes of confidence for which the share of right readings is printed."""
HEADER = " pics  cards  found missed invent misrd   found%  right%"


def count_of(sample: Sample, read: list[str]) -> tuple[Count, Counter[str], Counter[str]]:
    """Count one picture; also the missed and the invented cards themselves."""
    truth, got = Counter(sample.cards), Counter(read)
    missed, extra = truth - got, got - truth
    extra -= Counter(sample.optional)
    n_missed, n_extra = sum(missed.values()), sum(extra.values())
    misread = min(n_missed, n_extra)
    count = Count(
        cards=len(sample.cards),
        found=len(sample.cards) - n_missed,
        missed=n_missed - misread,
        invented=n_extra - misread,
        misread=misread,
        pictures=1,
    )
    return count, missed, extra


def wrong_line(sample: Sample, missed: Counter[str], extra: Counter[str]) -> str:
    """What went wrong with a picture, in a line."""
    lost, added = (" ".join(cards.elements()) or "-" for cards in (missed, extra))
    return f"{sample.name}: missed {lost}, invented {added}"


# --- measuring


class Eyes:
    """The detector as it is, or as it is for each pack in play where that is to be known."""

    def __init__(self, weights: Path | None, *, known: bool) -> None:
        self._weights, self._known = weights, known
        self._detectors: dict[frozenset[str] | None, Detector] = {}

    def detector(self, pack: frozenset[str] | None) -> Detector:
        """Who is to read a picture of this pack."""
        pack = pack if self._known else None
        if pack not in self._detectors:
            self._detectors[pack] = Detector(self._weights, pack=pack)
        return self._detectors[pack]


def picture(
    sample: Sample, sightings: list[CardDetection], missed: Counter[str], extra: Counter[str]
) -> Image:
    """The picture with what was read (green, wrong ones red) and what was missed, written below."""
    image = sample.image.copy()
    scale = 1.0
    if max(image.shape[:2]) > 1400:
        scale = 1400 / max(image.shape[:2])
        image = np.asarray(
            cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8
        )
    for sighting in sightings:
        colour = (0, 0, 255) if extra[sighting.card] else (0, 200, 0)
        for index in sighting.indices:
            a = (round(index.rank[0] * scale), round(index.rank[1] * scale))
            b = (round(index.suit[0] * scale), round(index.suit[1] * scale))
            cv2.line(image, a, b, colour, 2)
        x, y = round(sighting.box[0] * scale), round(sighting.box[1] * scale)
        text = f"{sighting.card} {sighting.confidence:.2f}{'?' if sighting.indices_disagree else ''}"
        cv2.putText(image, text, (x, max(y, 12)), cv2.FONT_HERSHEY_SIMPLEX, 0.45, colour, 1, cv2.LINE_AA)
    foot = np.zeros((22, image.shape[1], 3), np.uint8)
    text = "missed " + " ".join(missed.elements()) + "   invented " + " ".join(extra.elements())
    cv2.putText(foot, text, (4, 15), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (255, 255, 255), 1, cv2.LINE_AA)
    return np.vstack([image, foot])


def measure(
    eyes: Eyes, title: str, samples: Iterator[Sample], least: float, pictures: Path | None
) -> dict[str, Any]:
    """Read all samples of a set and print its figures."""
    total = Count()
    groups: dict[str, Count] = defaultdict(Count)
    card_seen: Counter[str] = Counter()
    card_missed: Counter[str] = Counter()
    size_seen: Counter[str] = Counter()
    size_missed: Counter[str] = Counter()
    wrong: list[str] = []
    doubts = 0
    trust = [[0, 0] for _ in TRUST]
    for sample in samples:
        detector = eyes.detector(sample.pack)
        look = partial(read_still, detector) if sample.still else detector.read
        everything = look(sample.image, sample.card_px)
        for s in everything:
            if s.card not in sample.optional:
                slot = sum(s.confidence >= edge for edge in TRUST) - 1
                trust[max(slot, 0)][0] += s.card in sample.cards
                trust[max(slot, 0)][1] += 1
        sightings = [s for s in everything if s.confidence >= least]
        count, missed, extra = count_of(sample, [s.card for s in sightings])
        total.add(count)
        doubts += sum(s.indices_disagree for s in sightings)
        for kind, value in sample.groups.items():
            groups[f"{kind} {value}"].add(count)
        card_seen.update(sample.cards)
        card_missed.update(missed)
        for card in sample.cards:
            size = sample.sizes.get(card)
            if size:
                size_seen[size] += 1
                size_missed[size] += card in missed
        if missed or extra:
            wrong.append(wrong_line(sample, missed, extra))
            if pictures is not None:
                pictures.mkdir(parents=True, exist_ok=True)
                path = pictures / f"{title.replace('/', '-')}-{sample.name}.jpg"
                cv2.imwrite(str(path), picture(sample, sightings, missed, extra))
    print(f"\n{title:24s} {HEADER}")
    print(f"{'all':24s} {total.line()}   doubts {doubts}")
    if len(groups) > 1:
        for name in sorted(groups):
            print(f"  {name:22s} {groups[name].line()}")
    for size in sorted(size_seen):
        share = 100 * (1 - size_missed[size] / size_seen[size])
        print(f"  {size:22s} {size_seen[size]:6d} cards, {share:.2f} % found")
    print(
        "  right by confidence: "
        + ", ".join(f"from {edge:g}: {a} of {n}" for edge, (a, n) in zip(TRUST, trust, strict=True) if n)
    )
    worst = sorted((1 - card_missed[c] / card_seen[c], c) for c in card_seen if card_missed[c])[:10]
    if worst:
        print(
            "  worst cards: " + ", ".join(f"{c} {100 * share:.0f} % of {card_seen[c]}" for share, c in worst)
        )
    for line in wrong[:12]:
        print("    " + line)
    return {"set": title, **total.__dict__, "doubts": doubts}


def main() -> None:
    """Measure the sets that are given."""
    config = load_config()["evaluate"]
    parser = argparse.ArgumentParser(prog="python -m models evaluate", description=__doc__.split("\n")[0])
    parser.add_argument("--weights", type=Path, help="folder with the networks (default: the packaged ones)")
    parser.add_argument("--scenes", type=int, default=0, help="scenes of each held-out pack")
    parser.add_argument(
        "--mark", type=int, default=0, help="looks at each held-out pack on the mark in each light"
    )
    parser.add_argument(
        "--known",
        action="store_true",
        help="with --mark: read as in a game, which tells what cards are in play",
    )
    parser.add_argument("--empty", type=int, default=0, help="pictures of tables without cards")
    parser.add_argument(
        "--without", type=Path, action="append", default=[], help="a folder of any pictures without cards"
    )
    parser.add_argument("--check", type=Path, help="folder with overhead/, fans/ and truth.csv")
    parser.add_argument(
        "--train", type=Path, help="folder of photographs with truth.csv; every fifth is measured"
    )
    parser.add_argument("--recording", type=Path, action="append", default=[])
    parser.add_argument(
        "--least", type=float, default=config["least"], help="the least confidence that is counted"
    )
    parser.add_argument(
        "--seed", type=int, default=config["seed"], help="other scenes and looks than the usual"
    )
    parser.add_argument("--pictures", type=Path, help="where pictures of the failures go")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    eyes = Eyes(args.weights, known=args.known)
    sets: list[tuple[str, Iterator[Sample]]] = []
    for folder in args.recording:
        sets.append((folder.name, recording_samples(folder)))
    if args.check:
        sets.append(("check/fans", photo_samples(args.check, "fans", config["fans_card_px"])))
        sets.append(("check/overhead", photo_samples(args.check, "overhead", config["overhead_card_px"])))
    if args.train:
        sets.append(("train, every fifth", photo_samples(args.train, "train", 0.0, every=5)))
    if args.scenes:
        sets.append(("held-out scenes", scene_samples(args.scenes, args.seed)))
    if args.mark:
        from models.onmark import mark_samples

        sets.append(("held-out packs on the mark", mark_samples(args.mark, args.seed)))
        if args.check:
            from models.laidout import packs_of

            real = packs_of(args.check)
            sets.append(("photographed packs on the mark", mark_samples(args.mark, args.seed, real)))
    if args.empty:
        sets.append(("without cards", empty_samples(args.empty, args.seed)))
    for folder in args.without:
        sets.append((f"{folder.name}, without cards", elsewhere_samples(folder)))
    figures = [measure(eyes, title, samples, args.least, args.pictures) for title, samples in sets]
    if args.json:
        args.json.write_text(json.dumps(figures, indent=2) + "\n")
