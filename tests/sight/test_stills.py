"""Photographs, with the committed weights: scales that are known roughly, cards seen from the side."""

from __future__ import annotations

import cv2
import pytest

from table.sight.detector import Detector
from table.sight.sightings import Sighting
from table.sight.stills import read_still
from tests.sight.cards_on_cloth import cloth, lay


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector()


def names(sightings: list[Sighting], least: float = 0.5) -> list[str]:
    return sorted(s.card for s in sightings if s.confidence >= least)


def test_a_roughly_known_scale_is_found_on_stills(detector: Detector) -> None:
    picture = cloth(640)
    lay(picture, "QC", 180, 200, 75, 1.9)
    lay(picture, "3S", 440, 430, 200, 1.9)
    assert names(read_still(detector, picture)) == ["3S", "QC"]


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
