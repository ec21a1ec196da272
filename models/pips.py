"""Fits the discriminants that tell suits by the pips of a face: ``python -m models pips --out FOLDER``.

Scenes of the training packs, a third of them frames of compressed films, give the mean pip of each face whose layout is
found at its outline, which is wrong by a pixel or two as at the table. A linear discriminant analysis of the four suits
(one covariance) gives the weights. Those of the held-out packs give the scale of the scores, at which they are log
likelihoods, and the shares of suits that are right.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.synth.scenes import make_scene
from models.synth.splits import load_packs
from table.detection.indices.class_labels import SUITS, log_softmax
from table.detection.pips import LAYOUTS, average_pip, describe_pip, fit_layouts

OUTLINE_ERROR: Final = 0.01
"""Standard deviation of an outline's corners, card widths."""
MIN_VISIBLE: Final = 0.85
"""Share of an index that must show; of a card in use at least two do, as at the table."""
MIN_CORRELATION: Final = 0.5
RIDGE: Final = 0.1
"""What is added to each variance."""
SCALES: Final = np.linspace(0.1, 2.0, 96)

Pips = NDArray[np.float64]
Labels = NDArray[np.int64]


def pips_of_scenes(held: bool, scenes: int, seed: int) -> tuple[Pips, Labels]:
    """Return the described pips (n, features) of the faces in many scenes, and their suits' numbers in `SUITS`."""
    rows = list(_pips(held, scenes, seed))
    return np.array([pip for pip, _ in rows]), np.array([suit for _, suit in rows])


def _pips(held: bool, scenes: int, seed: int) -> Iterator[tuple[Pips, int]]:
    packs = load_packs("held" if held else "train")
    for number in range(scenes):
        rng = np.random.default_rng([seed, number])
        pack = packs[int(rng.integers(len(packs)))]
        scene = make_scene(rng, [pack], size=512, filmed=number % 3 == 0)
        for card in scene.cards:
            uncovered = sum(index.visible >= MIN_VISIBLE for index in card.indices) > 1
            inside = card.quad.min() >= 0 and card.quad.max() < scene.image.shape[0]
            if card.name[:-1] not in LAYOUTS or not (uncovered and inside):
                continue
            quad = card.quad + rng.normal(0.0, OUTLINE_ERROR * scene.card_px, (4, 2))
            fit = max(fit_layouts(scene.image, quad), key=lambda fit: fit.correlation)
            if fit.correlation >= MIN_CORRELATION:
                yield describe_pip(average_pip(scene.image, quad, fit)), SUITS.index(card.name[-1])


def fit_discriminants(pips: Pips, suits: Labels) -> tuple[Pips, Pips]:
    """Return the weights (4, features) and biases (4) of a linear discriminant analysis."""
    means = np.array([pips[suits == suit].mean(axis=0) for suit in range(4)])
    covariance = np.cov((pips - means[suits]).T) + RIDGE * np.eye(pips.shape[1])
    weights = np.linalg.solve(covariance, means.T).T
    return weights, -0.5 * np.einsum("sf,sf->s", weights, means)


def log_likelihood(scores: Pips, suits: Labels) -> float:
    """Return the mean log probability of the true suits."""
    return float(log_softmax(scores)[np.arange(len(suits)), suits].mean())


def main() -> None:
    """Fit, scale, measure and write."""
    parser = argparse.ArgumentParser(prog="python -m models pips", description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="the folder that pips.json is written to")
    parser.add_argument("--scenes", type=int, default=2000, help="scenes of the training packs")
    parser.add_argument("--held", type=int, default=400, help="scenes of the held-out packs")
    parser.add_argument("--seed", type=int, default=41)
    options = parser.parse_args()
    weights, bias = fit_discriminants(*pips_of_scenes(False, options.scenes, options.seed))
    pips, suits = pips_of_scenes(True, options.held, options.seed + 1)
    scores = pips @ weights.T + bias
    scale = max(SCALES, key=lambda scale: log_likelihood(scale * scores, suits))
    for suit in range(4):
        rivals = [suit, 3 - suit]  # the two suits of a colour
        own = scores[suits == suit]
        right = (own.argmax(axis=1) == suit).mean()
        of_colour = (own[:, rivals].argmax(axis=1) == 0).mean()
        print(f"{SUITS[suit]}: {len(own)} faces, right {right:.3f}, among its colour {of_colour:.3f}")
    print(f"scale {scale:.2f}, mean log probability {log_likelihood(scale * scores, suits):.3f}")
    stored = {
        "weights": np.round(scale * weights, 4).tolist(),
        "bias": np.round(scale * bias, 4).tolist(),
    }
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "pips.json").write_text(json.dumps(stored) + "\n")


if __name__ == "__main__":
    main()
