"""Corners of cards that lie there are no new cards, however they are read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from table.facts import Image, Reading
from table.reader.sightings import Sighting
from tests.sight.stage import MarkerReader, Stage, watch


class TwoNames(MarkerReader):
    """Reads the second corner of a card, once both are in sight, as another card's."""

    def __init__(self, card: str, other: str) -> None:
        super().__init__()
        self._card, self._other = card, other
        self.misread = 0

    def read(self, image: Image, card_px: float = 100.0) -> Sequence[Sighting]:
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


class HalfHidden(MarkerReader):
    """Reads a corner of a card that another one hides by half as a third card's."""

    def __init__(self, card: str, other: str) -> None:
        super().__init__()
        self._card, self._other = card, other
        self._was_whole = False
        self.misread = 0

    def read(self, image: Image, card_px: float = 100.0) -> Sequence[Sighting]:
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

    def read(self, image: Image, card_px: float = 100.0) -> Sequence[Sighting]:
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
