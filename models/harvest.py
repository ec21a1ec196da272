"""Makes a pool of real scenes from photographs of which only the cards and their boxes are known.

    python -m models harvest --photos REALCARDS --out runs/pool/real

The detector as it is finds the indices; one that lies in a card's box and can be read as that card gets the card's
true name. What lies in a box but could not be read so is left out of the finder's loss (neither index nor background),
so the detector's own misses teach it nothing wrong. Every fifth photograph is left out: it is measured with.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.photos import listed, mirrored
from models.pool import CARD_FIELDS, INDEX_FIELDS, Pool
from table.detection.detector import Detector
from table.detection.indices.class_labels import CARDS

CROPS = 8
"""Scenes cut from each photograph, at different scales and turns."""
SIZE = 384


def label_photo(
    detector: Detector, image: NDArray[np.uint8], card_px: float, boxes: list[tuple[str, NDArray[np.float64]]]
) -> NDArray[np.float32]:
    """Index rows (as in a pool) of a photograph, in its pixels; boxes are (name, x1 y1 x2 y2)."""
    found = detector.find_indices(image, card_px)
    rows: list[NDArray[np.float32]] = []
    chances = detector.classify_indices(image, found) if len(found) else np.zeros((0, len(CARDS)))
    for mark in found.with_posteriors(chances):
        rank, suit, middle, chance = mark.rank, mark.suit, mark.middle, mark.probabilities
        inside = [
            CARDS.index(name)
            for name, box in boxes
            if (box[:2] - 4 <= middle).all() and (middle <= box[2:] + 4).all()
        ]
        if not inside:
            continue
        best = max(inside, key=lambda k: chance[k])
        # The box leaves few names to choose from, so a weak reading is enough, but it must be the best of all cards
        # or the finder must be sure that there is an index.
        sure = chance[best] > 0.3 and mark.score > 0.25
        down = mark.rank_to_suit
        right = np.array([down[1], -down[0]])
        quad = [rank - 0.55 * down + s * 0.55 * right for s in (-1, 1)]
        quad += [suit + 0.4 * down + s * 0.55 * right for s in (1, -1)]
        rows.append(
            np.concatenate(
                [rank, suit, np.array(quad).reshape(8), [1.0 if sure else 0.45, best, 0, 1.0]]
            ).astype(np.float32)
        )
    for name, box in boxes:
        x1, y1, x2, y2 = box
        quad8 = np.array([x1, y1, x2, y1, x2, y2, x1, y2])
        nowhere = np.array([-1e4, -1e4, -1e4, -1e4])
        rows.append(np.concatenate([nowhere, quad8, [0.45, CARDS.index(name), 0, 1.0]]).astype(np.float32))
    return np.array(rows, np.float32).reshape(-1, INDEX_FIELDS)


def main() -> None:
    """Fill the pool."""
    parser = argparse.ArgumentParser(prog="python -m models harvest", description=__doc__.split("\n")[0])
    parser.add_argument(
        "--photos", type=Path, required=True, help="folder with train/, in which truth.csv is"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--seed", type=int, default=5)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    boxes: dict[str, list[tuple[str, NDArray[np.float64]]]] = defaultdict(list)
    for name, lines in listed(args.photos / "train").items():
        for line in lines:
            x, y, w, h = (float(line[k]) for k in "xywh")
            boxes[name].append((line["card"], np.array([x, y, x + w, y + h])))
    names = [n for k, n in enumerate(boxes) if k % 5 and Path(n).stem not in mirrored()]
    pool = Pool(args.out, size=SIZE, capacity=len(names) * CROPS)
    pool.restart()
    detector = Detector(args.weights)
    rng = np.random.default_rng(args.seed)
    labelled = 0
    for name in names:
        image = np.asarray(cv2.imread(str(args.photos / name)), dtype=np.uint8)
        areas = [float((box[2] - box[0]) * (box[3] - box[1])) for _, box in boxes[name]]
        card_px = float(np.sqrt(np.median(areas) / 1.45 / 1.4))
        rows = label_photo(detector, image, card_px, boxes[name])
        labelled += int((rows[:, 12] == 1).sum())
        side = card_px
        for _ in range(CROPS):
            scale = 100.0 / card_px * float(np.exp(rng.uniform(-0.15, 0.25)))
            middle = (image.shape[1] / 2, image.shape[0] / 2)
            matrix = np.asarray(
                cv2.getRotationMatrix2D(middle, float(rng.integers(4)) * 90, scale), np.float64
            )
            _, box = boxes[name][int(rng.integers(len(boxes[name])))]
            centre = (box[:2] + box[2:]) / 2 + rng.normal(0, 30, 2)
            matrix[:, 2] += SIZE / 2 - (matrix[:, :2] @ centre + matrix[:, 2])
            fill = tuple(float(v) for v in image[::16, ::16].reshape(-1, 3).mean(axis=0))
            method = cv2.INTER_AREA if scale > 0.6 else cv2.INTER_LINEAR
            source = image if scale > 0.6 else cv2.blur(image, (3, 3))
            crop = cv2.warpAffine(source, matrix, (SIZE, SIZE), flags=method, borderValue=fill)
            turned = rows.copy()
            points = turned[:, :12].reshape(-1, 6, 2) @ matrix[:, :2].T + matrix[:, 2]
            turned[:, :12] = points.reshape(-1, 12)
            width = side * scale
            card = np.array([0, 0, width, 0, width, 1.4 * width, 0, 1.4 * width, 0, 1], np.float32)
            pool.put(np.asarray(crop, dtype=np.uint8), turned, card.reshape(1, CARD_FIELDS))
    print(f"{len(names)} photographs, {labelled} indices, {len(pool)} scenes")
