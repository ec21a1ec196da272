"""A card that the detector misses: it has gone when its place shows something else, not when it can't be read."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from table.observed_facts import Frame, Image
from table.table_geometry import MARK_PX, PX_PER_MM, Geometry, card_quad
from table.tracking.cards.missed_cards import find_departed, judge_missed_card
from table.tracking.scene.scene_state import SceneState
from table.tracking.scene.tracked_card import TrackedCard
from tests.tracking.stage import CAMERA, Stage

PLACE_MM = (5.0, 22.0)
LOOKS = 3


def defocused(image: Image) -> Image:
    """A lens that loses its focus shows a little less of the table, too."""
    height, width = image.shape[:2]
    zoom = cv2.getRotationMatrix2D((width / 2, height / 2), 0, 1.02)
    return np.asarray(cv2.GaussianBlur(cv2.warpAffine(image, zoom, (width, height)), (0, 0), 3.0))


def with_a_card(table: str) -> Frame:
    """A card lies on the table."""
    stage = Stage(table)
    stage.lie("7H", PLACE_MM)
    return stage.frame(0)


def is_gone(first: Frame, frame: Frame) -> bool:
    """Whether the card of the ``first`` frame is gone in ``frame``, where it is not detected any more."""
    with_card = SceneState(Geometry(CAMERA), first)
    middle = (MARK_PX - 1) / 2
    x, y = (middle + PX_PER_MM * millimetres for millimetres in PLACE_MM)
    card = TrackedCard(card_quad((x, y), 0.0), 0, id=1)
    card.capture_template(with_card.now.grey, card.outline_mask, 0)

    view = SceneState(Geometry(CAMERA), frame)
    view.background = with_card.background  # the table beneath the card was never seen
    view.tracks.published = [card]
    opened = np.full((MARK_PX, MARK_PX), 255, np.uint8)
    for _ in range(LOOKS):
        judge_missed_card(view, card, False, opened, find_departed(view, [card], opened))
    return card.missing_since_ns is not None


@pytest.mark.parametrize("table", ["cloth", "wood"])
def test_a_card_that_lay_there_from_the_start_stays_when_the_lens_loses_its_focus(table: str) -> None:
    first = with_a_card(table)
    assert not is_gone(first, replace(first, image=defocused(first.image)))


@pytest.mark.parametrize("table", ["cloth", "wood"])
def test_a_card_that_lay_there_from_the_start_has_gone_when_its_place_shows_the_table(table: str) -> None:
    assert is_gone(with_a_card(table), Stage(table).frame(0))
