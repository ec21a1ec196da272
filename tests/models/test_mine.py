"""What is mined for the namers to refuse: every find in pictures without cards, only strays in scenes with cards."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from models.mine import MARGIN, MOST, in_picture, in_scene
from models.photos import without_cards
from models.pool import PoolScene
from table.detection.detector import Detector
from table.detection.indices.keypoints import FoundIndices

Picture = NDArray[np.uint8]


class Finder(Detector):
    """Finds one index wherever it is asked, upright, 30 px from rank to suit, and reads it as told."""

    def __init__(self, none: float, finds: int = 1) -> None:
        self.none, self.finds = none, finds

    def find_indices(self, image: Picture, card_px: float, threshold: float | None = None) -> FoundIndices:
        """The same find again and again."""
        x, y = image.shape[1] / 2, image.shape[0] / 2
        box, rank, suit = [x - 10, y - 10, x + 10, y + 40], [x, y], [x, y + 30]
        each = (np.array([place] * self.finds, np.float32) for place in (box, rank, suit))
        return FoundIndices(np.full(self.finds, 0.9, np.float32), *each)

    def classify_indices(self, image: Picture, found: FoundIndices) -> NDArray[np.float64]:
        """No index, as surely as told."""
        return np.tile([1 - self.none, self.none], (len(found), 1))


def noise(height: int, width: int) -> Picture:
    """A picture of nothing."""
    return np.random.default_rng(3).integers(0, 256, (height, width, 3), np.uint8)


def test_every_doubtful_find_in_a_picture_without_cards_is_kept_up_to_a_limit() -> None:
    rng = np.random.default_rng(1)
    cutouts = list(in_picture(Finder(0.3, 80), noise(400, 500), rng))
    assert len(cutouts) == MOST
    assert cutouts[0].shape == (104 + 2 * MARGIN, 80 + 2 * MARGIN, 3)


def test_of_what_is_refused_at_once_only_a_share_is_kept() -> None:
    rng = np.random.default_rng(1)
    looks = [len(list(in_picture(Finder(0.999), noise(400, 500), rng))) for _ in range(300)]
    assert 0.05 < np.mean(looks) < 0.3


def test_in_a_scene_a_find_on_an_index_is_no_mistake() -> None:
    indices = np.zeros((1, 16), np.float32)
    indices[0, 4:12] = np.array([[170, 170], [220, 170], [220, 240], [170, 240]]).reshape(-1)
    indices[0, 12] = 1.0
    scene = PoolScene(noise(384, 384), indices, np.zeros((0, 10), np.float32))
    assert list(in_scene(Finder(0.3), scene)) == []
    indices[0, 4:12] -= 150
    assert len(list(in_scene(Finder(0.3), scene))) == 1


@pytest.mark.parametrize("ending", [".png", ".JPG"])
def test_pictures_are_found_in_every_folder_below_and_icons_left_out(tmp_path: Path, ending: str) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    cv2.imwrite(str(tmp_path / "a" / f"icon{ending}"), noise(64, 64))
    cv2.imwrite(str(tmp_path / "a" / "b" / f"large{ending}"), noise(600, 2000))
    (tmp_path / "a" / "broken.png").write_text("no picture")
    found = list(without_cards(tmp_path))
    assert [(name, image.shape) for name, image in found] == [(f"large{ending}", (384, 1280, 3))]
