"""What the pips of a face tell of its card."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from table.detection.card_detections import assemble_detections
from table.detection.detector import WEIGHTS
from table.detection.indices.class_labels import CARDS
from table.detection.pips import LAYOUTS, PipReader
from table.table_geometry import card_quad
from tests.detection.test_detector_grouping import marks
from tests.tracking.cards_on_cloth import cloth, lay

CARD_PX = 100.0
PIPS = PipReader(WEIGHTS / "pips.json")


def likelihoods(picture: NDArray[np.uint8], angle: float) -> dict[str, float]:
    quad = card_quad((256.0, 256.0), angle)
    return dict(zip(CARDS, PIPS.likelihoods(picture, np.asarray(quad)), strict=True))


def posterior_of(chances: dict[str, float]) -> NDArray[np.float64]:
    posterior = np.full(len(CARDS), (1.0 - sum(chances.values())) / (len(CARDS) - len(chances)))
    for card, chance in chances.items():
        posterior[CARDS.index(card)] = chance
    return posterior


@pytest.mark.parametrize("rank", LAYOUTS)
def test_a_blurred_face_has_the_pips_of_its_card(rank: str) -> None:
    for suit, angle in (("S", 0.0), ("H", 77.0), ("D", 180.0), ("C", 301.0)):
        picture = cloth()
        lay(picture, rank + suit, 256, 256, angle)
        blurred = np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.2), np.uint8)
        by_card = likelihoods(blurred, angle)
        assert max(by_card, key=lambda name: by_card[name]) == rank + suit
        assert by_card[rank + suit] > 5.0


@pytest.mark.parametrize("name", ["AS", "KH", "QD", "JC", "JOKER"])
def test_a_face_without_a_layout_leaves_every_name_as_it_is(name: str) -> None:
    picture = cloth()
    lay(picture, name, 256, 256, 20.0)
    assert max(likelihoods(picture, 20.0).values()) < 2.0


def test_an_index_in_doubt_is_decided_by_the_pips() -> None:
    """In a film of 480 lines a 2 whose lower rank was cut off was read as a 6 with .77."""
    picture = cloth()
    lay(picture, "2D", 256, 256, 0.0)
    doubtful = posterior_of({"6D": 0.6, "2D": 0.2})
    indices = marks("6D", 256, 256, 0.0, "TL BR")
    indices = [replace(index, probabilities=doubtful) for index in indices]
    (detection,) = assemble_detections(
        indices, CARD_PX, 0.1, face_likelihoods=partial(PIPS.likelihoods, picture)
    )
    assert detection.card == "2D"
    (by_index,) = assemble_detections(indices, CARD_PX, 0.1)
    assert by_index.card == "6D"


def test_the_pips_of_a_card_laid_upon_it_do_not_rename_a_card() -> None:
    picture = cloth()
    lay(picture, "2D", 256, 256, 0.0)
    lay(picture, "6C", 272, 258, 0.0)
    doubtful = posterior_of({"2D": 0.8, "6D": 0.05})
    (index,) = marks("2D", 256, 256, 0.0, "TL")
    beneath = replace(index, probabilities=doubtful)
    (detection,) = assemble_detections(
        [beneath], CARD_PX, 0.1, face_likelihoods=partial(PIPS.likelihoods, picture)
    )
    assert detection.card == "2D"
