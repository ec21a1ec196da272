"""What a GPU is fed with: cut-outs of scenes that nobody keeps, and the packed ones of what no maker draws."""

from pathlib import Path

import cv2
import numpy as np

from models.config import load
from models.cutouts import CutoutSource, label_weight
from models.extras import load as unpacked
from models.extras import save
from models.pool import Pools, rows
from models.stream import cut_scene
from models.synth.drawn import Studio
from models.synth.scenes import Scene, SceneCard, SceneIndex
from table.detection.indices.class_labels import CARDS, NONE
from table.detection.indices.index_crop import WIDE_WINDOW


def _source() -> CutoutSource:
    return CutoutSource(Pools([]), load()["namer"], 3, window=WIDE_WINDOW)


def test_a_scene_is_cut_the_same_for_the_same_seed_and_otherwise_for_another() -> None:
    packs = [Studio()]
    one, again, other = (cut_scene(_source(), seed, packs, 384) for seed in ((1, 0, 5), (1, 0, 5), (1, 0, 6)))
    assert np.array_equal(one[0], again[0])
    assert np.array_equal(one[1], again[1])
    assert one[0].shape != other[0].shape or not np.array_equal(one[0], other[0])


def test_of_new_scenes_cards_are_cut_and_what_is_none() -> None:
    packs = [Studio()]
    names = np.concatenate([cut_scene(_source(), (2, 0, k), packs, 384)[1] for k in range(6)])
    none = CARDS.index(NONE)
    assert (names != none).sum() > 20
    assert 0 < (names == none).sum() < (names != none).sum()


def test_hidden_indices_are_cut_with_a_lower_label_weight() -> None:
    packs = [Studio()]
    parts = [cut_scene(_source(), (5, 0, k), packs, 384) for k in range(8)]
    names, weights = (np.concatenate([part[k] for part in parts]) for k in (1, 2))
    assert (weights[names == CARDS.index(NONE)] == 1).all()
    assert 0.02 < (weights < 1).mean() < 0.4
    assert ((weights >= 0) & (weights <= 1)).all()


def test_the_label_weight_grows_with_what_shows_of_an_index() -> None:
    weights = label_weight(np.array([0.0, 0.2, 0.3, 0.4, 0.6, 1.0]))
    assert np.allclose(weights, [0, 0, 0.25, 0.5, 1, 1])


def test_a_jokers_visible_share_is_that_of_its_word_alone() -> None:
    quad = np.zeros((4, 2), np.float32)
    covered = SceneIndex((0, 0), (0, 9), quad, visible=0.1, rank_visible=1.0, suit_visible=0.1)
    in_glare = SceneIndex((0, 0), (0, 9), quad, visible=0.4, rank_visible=1.0, suit_visible=1.0)
    off = SceneIndex((0, 0), (0, 9), quad, visible=0.0, rank_visible=0.8, suit_visible=0.0)
    shares = {
        name: rows(Scene(np.zeros((9, 9, 3), np.uint8), [SceneCard(name, quad, [covered, in_glare, off])]))[
            0
        ][:, 12]
        for name in ("JOKER", "7C")
    }
    assert np.allclose(shares["JOKER"], [1.0, 0.4, 0.8])
    assert np.allclose(shares["7C"], [0.1, 0.4, 0.0])


def test_packed_cutouts_come_back_as_they_were_to_the_eye(tmp_path: Path) -> None:
    cutouts, names, _ = cut_scene(_source(), (3, 0, 1), [Studio()], 384)
    soft = np.array([cv2.GaussianBlur(one, (0, 0), 2.0) for one in cutouts], np.uint8)
    save(tmp_path / "some.npz", soft, names)
    back, labels = unpacked(tmp_path / "some.npz")
    assert back.shape == (len(names), WIDE_WINDOW.height, WIDE_WINDOW.width, 3)
    assert np.array_equal(labels, names)
    assert np.abs(back.astype(int) - soft).mean() < 6
