"""Corners of cards that lie there are no new cards, however they are read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.detection.card_detections import CardDetection
from table.detection.detector import Detector
from table.observed_facts import CardReread, Image, Reading
from table.table_geometry import CARD_PX, card_quad
from table.tracking.scene.detections import Detection, convert_detections, merge_corners
from tests.tracking.stage import MarkerReader, Stage, watch


class TwoNames(MarkerReader):
    """Reads the second corner of a card, once both are in sight, as another card's."""

    def __init__(self, card: str, other: str) -> None:
        super().__init__()
        self._card, self._other = card, other
        self.misread = 0

    def read(self, image: Image, card_px: float = 100.0) -> Sequence[CardDetection]:
        """A sighting for each corner of that card."""
        sightings = []
        for one in super().read(image, card_px):
            if one.readings[0].card != self._card or len(one.indices) < 2:
                sightings.append(one)
                continue
            first, second = one.indices
            readings = (Reading(self._other, 0.9), Reading(self._card, 0.05))
            sightings.append(replace(one, box=first.box, indices=(first,)))
            sightings.append(replace(one, box=second.box, indices=(second,), readings=readings))
            self.misread += 1
        return sightings


class HalfCovered(MarkerReader):
    """Reads a card's second corner at first, while a hand covers it by half, more surely as another card's."""

    def __init__(self, card: str, other: str, looks: int) -> None:
        super().__init__()
        self._card, self._other = card, other
        self.misreads = looks

    def read(self, image: Image, card_px: float = 100.0) -> Sequence[CardDetection]:
        """A sighting for each corner of that card, then one for the card."""
        sightings = []
        for one in super().read(image, card_px):
            if not self.misreads or one.readings[0].card != self._card or len(one.indices) < 2:
                sightings.append(one)
                continue
            for index, card, confidence in zip(
                one.indices, (self._card, self._other), (0.98, 0.985), strict=True
            ):
                readings = (Reading(card, confidence), Reading("2S", 0.003))
                sightings.append(replace(one, box=index.box, indices=(index,), readings=readings))
            self.misreads -= 1
        return sightings


class HalfHidden(MarkerReader):
    """Reads a corner of a card that another one hides by half as a third card's."""

    def __init__(self, card: str, other: str) -> None:
        super().__init__()
        self._card, self._other = card, other
        self._was_whole = False
        self.misread = 0

    def read(self, image: Image, card_px: float = 100.0) -> Sequence[CardDetection]:
        """What is seen, and that corner besides."""
        sightings = list(super().read(image, card_px))
        for one in sightings:
            if one.readings[0].card == self._card and len(one.indices) == 2:
                self._was_whole = True
            elif one.readings[0].card == self._card and self._was_whole:
                assert one.quad is not None
                (seen,) = one.indices
                x, y = (sum(values) / 2 for values in zip(*one.quad, strict=True))  # twice the card's middle
                x1, y1, x2, y2 = seen.box
                box = (x - x2, y - y2, x - x1, y - y1)
                readings = (Reading(self._other, 0.83), Reading(self._card, 0.05))
                hidden = replace(seen, box=box)
                sightings.append(replace(one, box=box, indices=(hidden,), readings=readings, quad=None))
                self.misread += 1
        return sightings


class OneSided(MarkerReader):
    """Reads one corner of each card, and takes it for the other one of that end."""

    def read(self, image: Image, card_px: float = 100.0) -> Sequence[CardDetection]:
        """What is seen, placed across."""
        sightings = []
        for one in super().read(image, card_px):
            first, quad = one.indices[0], np.array(one.quad)
            x1, y1, x2, y2 = first.box
            right = (quad[1] - quad[0]) / np.hypot(*(quad[1] - quad[0]))
            out = float((((x1 + x2) / 2, (y1 + y2) / 2) - quad.mean(axis=0)) @ right)
            across = tuple((float(x), float(y)) for x, y in quad + 2 * out * right)
            sightings.append(replace(one, box=first.box, indices=(first,), quad=across))
        return sightings


def test_a_card_read_by_one_side_alone_lies_where_the_table_is_not_bare() -> None:
    stage = Stage()
    stage.play("7H", 280.0, 30, (-20, 0), 30)
    stage.play("8H", 40.0, 70, (14, -8), 75)
    seen = watch(stage, 130, reader=OneSided())
    assert seen.names() == ["7H", "8H"]
    for fact, (x, y) in zip(seen.landed, ((-20, 0), (14, -8)), strict=True):
        assert math.dist(fact.place_mm, (x, y)) < 3.0


def test_a_corner_that_comes_to_light_and_is_read_otherwise_is_no_other_card() -> None:
    stage = Stage()
    reader = TwoNames("7H", "QH")
    stage.play("7H", 280.0, 30, (0, 0), 150, hold=60)
    seen = watch(stage, 140, reader=reader)
    assert reader.misread
    assert seen.names() == ["7H"]


def test_a_corner_that_a_new_card_hides_by_half_is_no_other_card() -> None:
    stage = Stage()
    reader = HalfHidden("7H", "2S")
    stage.play("7H", 280.0, 30, (-20, 0), 30)
    stage.play("8H", 40.0, 70, (24, -18), 75)
    seen = watch(stage, 130, reader=reader)
    assert reader.misread > 1
    assert seen.names() == ["7H", "8H"]


def test_a_corner_half_covered_by_the_hand_and_surely_read_as_another_card_names_no_card() -> None:
    stage = Stage()
    reader = HalfCovered("7H", "QH", looks=1)
    stage.play("7H", 280.0, 30, (0, 0), 150, hold=60)
    seen = watch(stage, 140, reader=reader)
    assert not reader.misreads
    readings = [card.readings for card in seen.landed]
    readings += [fact.readings for fact in seen.facts if isinstance(fact, CardReread)]
    assert [one[0].card for one in readings] == ["7H"]


@pytest.fixture(scope="module")
def half_a_nine() -> Image:
    """From the demo of Israeli Whist: of one index of the 9 of diamonds a thumb leaves what looks like a 4."""
    picture = cv2.imread(str(Path(__file__).with_name("half_covered_nine.jpg")))
    assert picture is not None
    return np.asarray(picture, np.uint8)


def test_half_a_nine_that_is_read_as_a_four_leaves_a_doubt_and_no_second_card(half_a_nine: Image) -> None:
    seen = convert_detections(Detector().read(half_a_nine, CARD_PX), joker_is_card=False)
    assert sorted((one.name, one.readings[0].confidence > 0.9) for one in seen) == [
        ("4D", True),
        ("9D", True),
    ]
    (card,) = merge_corners(seen)
    assert {reading.card for reading in card.readings[:2]} == {"4D", "9D"}
    assert card.readings[0].confidence < 0.6
    assert len(card.index_boxes) == 2
    assert all(math.dist(card.centre, one.centre) < 5 for one in seen)


def test_two_indices_of_the_card_on_top_outweigh_the_one_that_peeks_out_beneath_it() -> None:
    """The 4 of hearts, laid squarely onto the 4 of clubs, was doubted for the club's index beside its own."""
    quad = card_quad((256.0, 256.0), 0.0)
    corners = (213.0, 192.0, 229.0, 222.0), (283.0, 290.0, 299.0, 320.0)
    top = Detection((Reading("4H", 0.99), Reading("4D", 0.01)), quad, (213.0, 192.0, 299.0, 320.0), corners)
    peeking = (209.0, 189.0, 225.0, 219.0)
    beneath = Detection((Reading("4C", 0.99), Reading("4S", 0.01)), quad - 4.0, peeking, (peeking,))
    (card,) = merge_corners([top, beneath])
    assert card.name == "4H"
    assert card.readings[0].confidence > 0.95
