"""What was read is news only where the picture shows something else than was expected there."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from table.reader.sightings import Box
from table.sight.newness import shows_other
from tests.sight.cards_on_cloth import cloth, lay

AT = (256.0, 256.0)
INDEX: Box = (208.0, 190.0, 222.0, 212.0)
"""Where the upper left index of a card is that lies upright at `AT`."""
BESIDE: Box = (60.0, 60.0, 80.0, 88.0)
"""On the cloth."""


def mark(*names: str, shadow: float = 1.0) -> NDArray[np.uint8]:
    """The mark in grey, cards laid squarely one upon the other; the light falls off across the picture to that."""
    picture = cloth()
    for name in names:
        lay(picture, name, *AT, 0.0)
    light = np.linspace(1.0, shadow, 512)[None, :]
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) * light).astype(np.uint8)


def test_the_same_print_is_no_news_however_deep_the_shadow() -> None:
    """("arms crossing:896": the joker that is the mark, read as a six.)"""
    for shadow in (1.0, 0.6, 0.1):
        assert not shows_other(INDEX, mark("4H", shadow=shadow), mark("4H"))


def test_another_index_at_the_same_place_is_news() -> None:
    for upper in ("9S", "9H", "4D"):
        assert shows_other(INDEX, mark("4H", upper), mark("4H"))
    assert shows_other(INDEX, mark("4H", "9S", shadow=0.4), mark("4H"))


def test_a_card_on_the_cloth_is_news_and_the_cloth_is_none() -> None:
    assert shows_other(INDEX, mark("4H"), mark())
    assert not shows_other(BESIDE, mark("4H"), mark())


def test_what_a_new_card_hides_of_an_index_is_not_asked_for() -> None:
    covered = mark("4H")
    covered[:, 214:] = 20
    open_mask = np.full((512, 512), 255, np.uint8)
    open_mask[:, 212:] = 0
    assert shows_other(INDEX, covered, mark("4H"))
    assert not shows_other(INDEX, covered, mark("4H"), open_mask)
