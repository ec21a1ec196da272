"""Photographs, with the committed weights: scales that are known roughly, cards seen from the side."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from table.detection.detector import Detector
from table.detection.indices.class_labels import CARDS
from table.detection.indices.index_pair_geometry import ReadIndex
from table.detection.photo_reading import read_still
from tests.tracking.cards_on_cloth import cloth, lay, names


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector()


def test_a_roughly_known_scale_is_found_on_stills(detector: Detector) -> None:
    picture = cloth(640)
    lay(picture, "QC", 180, 200, 75, 1.9)
    lay(picture, "3S", 440, 430, 200, 1.9)
    assert names(read_still(detector, picture)) == ["3S", "QC"]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("card", "across", "along"), [("9H", 0.45, 1.0), ("5C", 1.0, 0.45), ("KD", 0.45, 1.0)]
)
def test_a_card_seen_from_far_aside_is_surely_read_on_stills(
    detector: Detector, card: str, across: float, along: float
) -> None:
    """As in photographs from the side of a table; the nine was once read as a joker."""
    far = cloth(300)
    lay(far, card, 150, 150, 90 if across < 1 else 0)
    part = cv2.resize(far, None, fx=across, fy=along, interpolation=cv2.INTER_AREA)
    picture = cloth(640)
    lay(picture, "QD", 430, 420, 20)
    picture[40 : 40 + part.shape[0], 40 : 40 + part.shape[1]] = part
    assert names(read_still(detector, picture), 0.9) == [card, "QD"]


class Sees(Detector):
    """Sees at every scale the same cards, each by one index, so surely."""

    def __init__(self, **cards: float) -> None:
        super().__init__()
        self._cards = cards

    def read_indices(
        self, image: NDArray[np.uint8], card_px: float, *, still: bool = False
    ) -> list[ReadIndex]:
        marks = []
        for k, (card, chance) in enumerate(self._cards.items()):
            x, y = 90.0 + 300 * k, 100.0
            chances = np.zeros(len(CARDS))
            chances[CARDS.index(card[1:])], chances[-1] = chance, 1 - chance
            box = np.array([x - 8, y - 8, x + 8, y + 20])
            marks.append(ReadIndex(np.array([x, y]), np.array([x, y + 13]), chances, box, score=0.9))
        return marks


def test_a_lone_weak_index_in_a_picture_without_any_plain_card_is_not_believed() -> None:
    """A meadow, a motor cycle and a picture of the moon showed a card each, at .5 to .7."""
    picture = cloth(640)
    assert names(read_still(Sees(_2C=0.75), picture)) == []
    assert names(read_still(Sees(_2C=0.75, _QS=0.99), picture)) == ["2C", "QS"]
    assert names(read_still(Sees(_2C=0.88), picture)) == ["2C"]


@pytest.mark.parametrize(("others", "joker", "believed"), [(6, 0.8, False), (2, 0.8, True), (6, 0.95, True)])
def test_a_weak_joker_among_many_plain_cards_is_hardly_one(others: int, joker: float, believed: bool) -> None:
    """Something beside thirteen hearts on a card table was a joker at .75."""
    cards = {f"_{name}": 0.999 for name in ("2C", "QS", "7D", "9H", "AC", "KD")[:others]}
    seen = names(read_still(Sees(**cards, _JOKER=joker), cloth(2200)))
    assert ("JOKER" in seen) == believed
    assert len(seen) == others + believed
