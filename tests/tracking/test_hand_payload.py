"""Cards that nobody could read on their way, and that another one covers: told of by the hands that brought them."""

from __future__ import annotations

import numpy as np
import pytest

from table.directions import angle_between
from table.observed_facts import MS, CardReread, Reading
from table.table_geometry import MARK_PX, card_quad
from table.tracking.cards.association import assign_tracks
from table.tracking.scene.detections import Detection
from table.tracking.scene.tracked_card import TrackedCard
from table.tracking.scene.tracked_cards import TrackSet
from tests.tracking.cards_on_cloth import index_box
from tests.tracking.stage import MarkerReader, Stage, watch

EAST, WEST = 80.0, 260.0


def blind_to(name: str, looks: int = 1000) -> MarkerReader:
    """A reader that does not see one card in so many looks."""
    return MarkerReader(lambda asked, seen: "" if seen == name and asked <= looks else seen)


def two_at_once() -> Stage:
    """7H from the east, and all but squarely upon it in the same moment 8H from the west."""
    stage = Stage()
    stage.play("7H", EAST, 30, (10, 5), 80, hold=3)
    stage.play("8H", WEST, 31, (5, 11), 72, hold=3)
    return stage


def test_a_card_that_was_brought_unread_beneath_another_is_told_of_with_its_owner() -> None:
    seen = watch(two_at_once(), 90, reader=blind_to("7H"))
    assert seen.names() == ["", "8H"]
    lower, upper = seen.landed
    assert upper.upon == (lower.id,)
    for fact, seat in ((lower, EAST), (upper, WEST)):
        assert fact.arm_deg is not None
        assert angle_between(fact.arm_deg, seat) < 20
    assert not seen.gone


def test_it_goes_with_the_card_that_covers_it() -> None:
    stage = two_at_once()
    stage.take(["7H", "8H"], WEST, 80)
    seen = watch(stage, 130, reader=blind_to("7H"))
    assert seen.left() == ["", "8H"]


def test_it_gets_its_name_when_it_comes_to_light() -> None:
    stage = two_at_once()
    stage.nudge("8H", 80, (45, -40), seat=WEST)
    seen = watch(stage, 130, reader=blind_to("7H", looks=12))
    named = [fact for fact in seen.facts if isinstance(fact, CardReread)]
    assert seen.names() == ["", "8H"]
    assert [(fact.id, fact.readings[0].card) for fact in named] == [(seen.landed[0].id, "7H")]
    assert not seen.gone


@pytest.mark.parametrize("what", ["empty", "with its card and back"])
def test_a_hand_that_lays_nothing_down_brings_no_card(what: str) -> None:
    """Somebody points at the card as it is laid, or was late and keeps his own."""
    stage = Stage()
    stage.play("8H", WEST, 31, (10, 5), 80, hold=3)
    if what == "empty":
        stage.hand(EAST, 22, (40, 5), 3)
    else:
        stage.play("7H", EAST, 30, (30, 5), 80, hold=3)
        stage.take(["7H"], EAST, 36)
    seen = watch(stage, 110, reader=blind_to("7H"))
    assert seen.names() == ["8H"]


def test_the_hand_of_a_card_that_is_known_already_brought_no_other() -> None:
    """It was there a moment ago, with paper at its tip."""
    stage = Stage()
    stage.play("7H", EAST, 30, (10, 5), 80, hold=2, travel=6)
    stage.play("8H", WEST, 42, (12, 8), 80, hold=3, travel=6)
    assert watch(stage, 100).names() == ["7H", "8H"]


def test_what_is_read_where_nothing_has_moved_since_is_the_card_that_nobody_could_read() -> None:
    """Out of focus, a corner of it was read 200 ms after it had been told of, and passed for a third card."""
    pile = TrackSet()
    cover = TrackedCard(card_quad((250.0, 250.0), 40.0), 0, id=2)
    unread = TrackedCard(cover.quad, 0, id=1, published_ns=500 * MS)
    unread.hide_under(cover)
    pile.published = [unread, cover]
    corner = Detection(
        (Reading("7H", 0.5),), card_quad((235.0, 260.0), 110.0), (190, 240, 210, 280), ((190, 240, 210, 280),)
    )
    grey = np.zeros((MARK_PX, MARK_PX), np.uint8)
    present = {cover: 0.9}
    assert assign_tracks(pile, [corner], present, grey, 400 * MS)[0] is unread
    assert assign_tracks(pile, [corner], present, grey, 600 * MS)[0] is None
    spot = index_box(cover.quad)
    again = Detection((Reading("6D", 0.4),), cover.quad, spot, (spot,))
    assert assign_tracks(pile, [again], present, grey, 400 * MS)[0] is cover
