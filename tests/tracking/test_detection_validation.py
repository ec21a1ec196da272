"""What was read is news only where the picture shows something else than was expected there."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from table.detection.card_detections import Box
from table.observed_facts import Reading
from table.table_geometry import PX_PER_MM, Geometry, Points, card_quad
from table.tracking.cards.detection_validation import (
    indices_have_changed,
    place_has_changed,
)
from table.tracking.imaging.quad_geometry import INDEX_POSITION
from table.tracking.imaging.recent_frame import index_has_changed
from table.tracking.scene.detections import Detection
from table.tracking.scene.scene_state import SceneState
from table.tracking.scene.tracked_card import TrackedCard
from tests.tracking.cards_on_cloth import cloth, lay
from tests.tracking.stage import CAMERA, Stage

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
        assert not index_has_changed(INDEX, mark("4H", shadow=shadow), mark("4H"))


def test_another_index_at_the_same_place_is_news() -> None:
    for upper in ("9S", "9H", "4D"):
        assert index_has_changed(INDEX, mark("4H", upper), mark("4H"))
    assert index_has_changed(INDEX, mark("4H", "9S", shadow=0.4), mark("4H"))


def test_a_card_on_the_cloth_is_news_and_the_cloth_is_none() -> None:
    assert index_has_changed(INDEX, mark("4H"), mark())
    assert not index_has_changed(BESIDE, mark("4H"), mark())


def test_what_a_new_card_hides_of_an_index_is_not_asked_for() -> None:
    covered = mark("4H")
    covered[:, 214:] = 20
    open_mask = np.full((512, 512), 255, np.uint8)
    open_mask[:, 212:] = 0
    assert index_has_changed(INDEX, covered, mark("4H"))
    assert not index_has_changed(INDEX, covered, mark("4H"), open_mask)


def comes(view: SceneState, name: str, sure: float, off_mm: tuple[float, float] = (0.0, 0.0)) -> TrackedCard:
    """A card that was read, so surely, so far from the mark's middle, and is about to be told of."""
    x, y = (255.5 + mm * PX_PER_MM for mm in off_mm)
    card = TrackedCard(card_quad((x, y), 20.0), view.now_ns, mark_before=view.render_staying())
    index = (x - 40, y - 60, x - 20, y - 40)
    card.detect(Detection((Reading(name, sure),), card.quad, index, (index,)), view.now_ns)
    view.tracks.tentative.append(card)
    return card


def watched(stage: Stage) -> SceneState:
    """What is seen once the cards that are played lie there, and nobody has told of them yet."""
    view = SceneState(Geometry(CAMERA), stage.frame(0))
    for number in range(1, 40):
        view.add_frame(stage.frame(number))
    return view


def test_a_card_whose_place_looks_as_before_has_not_come() -> None:
    """Another corner of a card that lies there, half hidden, is read as some card's ("pile of seven squared:1123")."""
    stage = Stage()
    stage.play("7H", 250.0, 12, (0.0, 0.0), 20.0)
    view = watched(stage)
    card = comes(view, "7H", 0.8)
    view.capture_template(card)
    assert place_has_changed(view, card)
    card.id = 1
    view.tracks.tentative, view.tracks.published = [], [card]
    assert not place_has_changed(view, comes(view, "9H", 0.6, (4.0, -3.0)))
    view.tracks.tentative = []
    assert not place_has_changed(view, comes(view, "9H", 0.6, (80.0, 60.0)))


def test_a_card_that_was_only_read_on_its_way_is_not_asked_how_its_place_looks() -> None:
    view = SceneState(Geometry(CAMERA), Stage().frame(0))
    card = comes(view, "9H", 0.6)
    assert not place_has_changed(view, card)
    card.last_detection = None
    assert place_has_changed(view, card)


def test_a_card_that_was_read_surely_where_nothing_changed_has_not_come() -> None:
    """("gathered singly:746": one upon three others, invented.)"""
    view = SceneState(Geometry(CAMERA), Stage().frame(0))
    assert not place_has_changed(view, comes(view, "9H", 0.95))


def test_a_card_that_was_read_surely_hides_most_of_the_cloth_at_its_place() -> None:
    """A corner of one that is not known yet, which reaches into the place, is not that card."""
    stage = Stage()
    stage.play("7H", 250.0, 12, (0.0, 0.0), 20.0)
    view = watched(stage)
    assert place_has_changed(view, comes(view, "9H", 0.95))
    view.tracks.tentative = []
    assert not place_has_changed(view, comes(view, "9H", 0.95, (30.0, 30.0)))


def corners_read(quad: Points, *which: int) -> Detection:
    """A card that lies so, read by those of its corners."""
    centre, (along, across) = quad.mean(axis=0), ((quad[1] - quad[0]) / 2, (quad[3] - quad[0]) / 2)
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    at = [
        centre + signs[k][0] * INDEX_POSITION[0] * along + signs[k][1] * INDEX_POSITION[1] * across
        for k in which
    ]
    spots = tuple((x - 10, y - 10, x + 10, y + 10) for x, y in at)
    return Detection((Reading("9C", 1.0),), quad, spots[0], spots)


def test_a_card_is_news_though_another_was_told_of_with_part_of_it_for_its_face() -> None:
    """("tied, arms crossing:7806" on green cloth: read by all of its corners for a second, and never told of.)"""
    stage = Stage()
    stage.play("7H", 250.0, 12, (0.0, 0.0), 0.0)
    stage.play("9C", 250.0, 14, (36.0, 46.0), 0.0)
    view = watched(stage)
    lower = comes(view, "7H", 0.95)
    view.capture_template(lower)
    lower.quad = card_quad((255.5, 255.5), 0.0)
    lower.face_mask = lower.outline_mask
    upper = card_quad((255.5 + 36 * PX_PER_MM, 255.5 + 46 * PX_PER_MM), 0.0)
    assert indices_have_changed(view, corners_read(upper, 0, 1, 2, 3))
    lower.id = 1
    view.tracks.tentative, view.tracks.published = [], [lower]
    assert indices_have_changed(view, corners_read(upper, 0, 1, 2, 3))
    assert indices_have_changed(view, corners_read(upper, 1, 2, 3))
    assert not indices_have_changed(view, corners_read(upper, 0))
    assert not indices_have_changed(view, corners_read(upper, 0, 2))
    own = corners_read(lower.quad, 0, 1, 2, 3)
    assert not indices_have_changed(view, own)
