"""The joker that the owner shows: no two packs' look alike, so the networks are not asked what it is."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from table.detection.detector import Detector
from table.detection.enrolment_examples import ExampleCollector
from table.detection.indices.class_labels import CARDS, NONE
from table.detection.indices.enrolled_pack import PATCH_WINDOW, EnrolledPack, Example
from table.detection.indices.keypoints import FoundIndices
from table.detection.indices.pack_fitting import augment_examples
from table.observed_facts import Image

PICTURE = np.full((400, 400, 3), 230, np.uint8)


class Stars:
    """Finds a star in two opposite corners, the one a little larger than the other, and takes both for no index."""

    def __init__(self, *places: tuple[float, float, float, float]) -> None:
        self._places = places

    def find_indices(self, image: Image, card_px: float, threshold: float | None = None) -> FoundIndices:
        places = np.array(self._places, np.float32)
        score, box = np.full(len(places), 0.7, np.float32), np.zeros((len(places), 4), np.float32)
        return FoundIndices(score, box, places[:, :2], places[:, 2:])

    def classify_indices(self, image: Image, found: FoundIndices) -> NDArray[np.float64]:
        chances = np.full((len(found), len(CARDS)), 1e-4)
        chances[:, CARDS.index(NONE)] = 0.99
        return chances


def learner(*places: tuple[float, float, float, float]) -> ExampleCollector:
    return ExampleCollector(cast(Detector, Stars(*places)))


STARS = ((160.0, 143.0, 160.0, 157.0), (240.0, 257.0, 242.0, 248.0))


def test_a_shown_jokers_corners_are_learned_though_they_read_as_no_index() -> None:
    shown = learner(*STARS).collect_single(PICTURE, "JOKER", 100.0)
    assert shown is not None
    assert (len(shown.corners), shown.negatives) == (2, ())


def test_of_another_card_what_reads_as_no_index_is_not_learned() -> None:
    assert learner(*STARS).collect_single(PICTURE, "QS", 100.0) is None


def test_a_single_star_is_not_enough() -> None:
    assert learner(STARS[0]).collect_single(PICTURE, "JOKER", 100.0) is None


def test_a_joker_is_looked_at_more_often_and_more_askew() -> None:
    patch = np.full((PATCH_WINDOW.height, PATCH_WINDOW.width, 3), 240, np.uint8)
    for card, count in (("QS", 1 + 4), ("JOKER", 1 + 12)):
        _, labels = augment_examples(
            [Example(card, patch)], PATCH_WINDOW, 4, np.random.default_rng(1), beside=0
        )
        assert (labels == CARDS.index(card)).sum() == count


def test_beside_a_joker_shown_alone_what_reads_as_no_index_has_to_look_just_like_it() -> None:
    """Pips and pictures of the other cards, which nobody has shown, were read as further jokers."""
    patch = np.full((PATCH_WINDOW.height, PATCH_WINDOW.width, 3), 240, np.uint8)
    few, many = EnrolledPack(), EnrolledPack()
    few.replace_examples([Example("JOKER", patch)])
    many.replace_examples([Example(card, patch) for card in ("JOKER", *CARDS[:12])])
    assert few.find_unseen_cards()[CARDS.index(NONE)]
    assert not many.find_unseen_cards()[CARDS.index(NONE)]
