"""The cut-outs that the namers learn from show what their labels say, in either window."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from models.cutouts import CutoutSource, augment
from models.pool import INDEX_FIELDS, Pool, Pools
from table.detection.indices.class_labels import CARDS, NONE
from table.detection.indices.index_crop import NARROW_WINDOW, WIDE_WINDOW, CropWindow

CONFIG = {"negatives": 0.2, "turn_deg": 8.0, "shift": 0.09, "zoom": 0.1, "mined": 0.25, "jokers": 4}
NUMBER = {name: k for k, name in enumerate(CARDS)}
SIZE = 160


@pytest.fixture
def pools(tmp_path: Path) -> Pools:
    """Ten scenes with one index each, white paper with a red rank and a blue suit, turned by any angle."""
    pool = Pool(tmp_path / "pool", size=SIZE, capacity=10)
    rng = np.random.default_rng(1)
    for _ in range(10):
        image = np.full((SIZE, SIZE, 3), 235, np.uint8)
        middle = rng.uniform(60, 100, 2)
        angle = rng.uniform(0, 2 * np.pi)
        half = 9 * np.array([np.cos(angle), np.sin(angle)])
        rank, suit = middle - half, middle + half
        cv2.circle(image, (round(rank[0]), round(rank[1])), 5, (30, 30, 200), -1)
        cv2.circle(image, (round(suit[0]), round(suit[1])), 5, (200, 30, 30), -1)
        row = np.zeros((1, INDEX_FIELDS), np.float32)
        row[0, :4] = [*rank, *suit]
        row[0, 4:12] = (middle + np.array([[-14, -14], [14, -14], [14, 14], [-14, 14]])).reshape(-1)
        row[0, 12:] = [1.0, NUMBER["7C"], 0, 1]
        pool.put(image, row, np.zeros((0, 10), np.float32))
    return Pools([tmp_path / "pool"])


def redness(cutout: NDArray[np.uint8], window: CropWindow, dy: int) -> float:
    """How much redder than blue the cut-out is around the rank's place, `dy` further down."""
    x, y = window.rank_at[0], window.rank_at[1] + dy
    part = cutout[y - 3 : y + 4, x - 3 : x + 4].astype(float).mean(axis=(0, 1))
    return float(part[2] - part[0])


@pytest.mark.parametrize("window", [NARROW_WINDOW, WIDE_WINDOW])
def test_a_cutout_has_the_rank_above_the_suit_and_what_has_not_is_labelled_none(
    pools: Pools, window: CropWindow
) -> None:
    cutouts, names = CutoutSource(pools, CONFIG, 3, window=window).batch(200)
    assert cutouts.shape == (200, window.height, window.width, 3)
    upright = np.array([redness(c, window, 0) > 20 and redness(c, window, 25) < -20 for c in cutouts])
    named = names == NUMBER["7C"]
    assert upright[named].mean() > 0.95
    assert upright[names == NUMBER[NONE]].mean() < 0.05
    assert 0.1 < (names == NUMBER[NONE]).mean() < 0.6


def test_the_same_seed_gives_the_same_cutouts(pools: Pools) -> None:
    first = CutoutSource(pools, CONFIG, 5).batch(40)
    again = CutoutSource(pools, CONFIG, 5).batch(40)
    assert np.array_equal(first[0], again[0])
    assert np.array_equal(first[1], again[1])


@pytest.mark.parametrize("window", [NARROW_WINDOW, WIDE_WINDOW])
def test_the_finders_own_mistakes_are_cut_from_their_middle(pools: Pools, window: CropWindow) -> None:
    mistakes = np.full((3, 144, 120, 3), 235, np.uint8)
    mistakes[:, 48 - 4 : 48 + 5, 48 - 4 : 48 + 5] = (30, 200, 30)  # where the rank would be
    cutouts, names = CutoutSource(pools, CONFIG, 7, negatives=[mistakes], window=window).batch(40)
    share = round(40 * CONFIG["mined"])
    assert (names[-share:] == NUMBER[NONE]).all()
    x, y = window.rank_at
    green = cutouts[-share:, y - 2 : y + 3, x - 2 : x + 3].astype(float).mean(axis=(1, 2))
    assert (green[:, 1] - green[:, 0] > 40).mean() > 0.8


def test_each_file_of_mistakes_counts_the_same_however_much_it_holds(pools: Pools) -> None:
    dark, light = np.full((60, 144, 120, 3), 20, np.uint8), np.full((2, 144, 120, 3), 235, np.uint8)
    source = CutoutSource(pools, {**CONFIG, "mined": 1.0}, 7, negatives=[dark, light])
    cutouts, _ = source.batch(200)
    assert 0.35 < (cutouts.mean(axis=(1, 2, 3)) > 128).mean() < 0.65


def test_changed_light_neither_turns_nor_mirrors(pools: Pools) -> None:
    cutouts, names = CutoutSource(pools, CONFIG, 3, plain=True).batch(60)
    shown = cutouts[names == NUMBER["7C"]]
    after = augment(shown, np.random.default_rng(1))
    assert after.shape == shown.shape
    still = [redness(c, NARROW_WINDOW, 0) > redness(c, NARROW_WINDOW, 25) for c in after]
    assert np.mean(still) > 0.9
