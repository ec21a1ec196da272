"""Of two overlapping cards the picture tells which lies on top: its outline runs unbroken."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from table.observed_facts import MS, Reading
from table.table_geometry import Points
from table.tracking.imaging.which_card_on_top import evidence_of_lying_above
from table.tracking.scene.detections import Detection
from table.tracking.scene.landing_order import CardPlacement, find_cards_beneath
from table.tracking.scene.tracked_card import TrackedCard


def outline(x: float, y: float, degrees: float) -> Points:
    """A poker card of 100 x 140 px, turned about its centre."""
    corners = np.array([[-50, -70], [50, -70], [50, 70], [-50, 70]], dtype=np.float64)
    turn = np.radians(degrees)
    turned = corners @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return np.asarray(turned + (x, y))


def picture(*cards: Points, table: int = 60, seed: int = 0) -> NDArray[np.uint8]:
    """The mark with these cards on it, the first one lowest: each throws a faint shadow, and has pips."""
    rng = np.random.default_rng(seed)
    grey = np.full((512, 512), table, dtype=np.float32)
    for card in cards:
        shadow = np.zeros_like(grey)
        cv2.fillPoly(shadow, [np.rint(card + 1).astype(np.int32)], 1.0)
        grey = np.asarray(grey * (1 - 0.2 * cv2.GaussianBlur(shadow, (0, 0), 3)), dtype=np.float32)
        cv2.fillPoly(grey, [np.rint(card).astype(np.int32)], 225.0)
        for across in (0.25, 0.5, 0.75):
            for down in (0.2, 0.5, 0.8):
                pip = card[0] + across * (card[1] - card[0]) + down * (card[3] - card[0])
                cv2.circle(grey, (round(float(pip[0])), round(float(pip[1]))), 8, 40.0, -1)
    noisy = cv2.GaussianBlur(grey, (3, 3), 0) + rng.normal(0, 1.5, grey.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("table", [60, 150])
@pytest.mark.parametrize("angle", [0, 20, 55, 90, 130])
@pytest.mark.parametrize("apart", [(30, 40), (45, -25), (-60, 10)])
def test_the_card_laid_last_is_above(angle: float, apart: tuple[int, int], table: int) -> None:
    lower, upper = outline(250, 250, 10), outline(250 + apart[0], 250 + apart[1], 10 + angle)
    grey = picture(lower, upper, table=table)
    assert evidence_of_lying_above(upper, lower, grey) > 0.1
    assert evidence_of_lying_above(lower, upper, grey) < -0.1


def test_outlines_known_only_to_a_pixel_or_two_still_tell() -> None:
    lower, upper = outline(250, 250, 0), outline(280, 300, 40)
    grey = picture(lower, upper)
    assert evidence_of_lying_above(upper + (1.5, -1.0), lower + (-1.5, 1.0), grey) > 0.1


def test_cards_that_lie_apart_tell_nothing() -> None:
    left, right = outline(120, 250, 0), outline(400, 250, 0)
    assert evidence_of_lying_above(left, right, picture(left, right)) == 0.0


def test_how_surely_a_card_is_told_to_lie_upon_another_follows_from_what_the_picture_shows() -> None:
    lower, upper = (
        TrackedCard(outline(*place), 0, landed_ns=rest_ns)
        for place, rest_ns in (((250, 250, 0), 1_000 * MS), ((280, 300, 40), 1_000 * MS))
    )
    plain, nothing = picture(lower.quad, upper.quad), np.full((512, 512), 225, dtype=np.uint8)
    shown, hidden = find_cards_beneath(upper, [lower], plain), find_cards_beneath(upper, [lower], nothing)
    assert shown.beneath == hidden.beneath == (lower,)
    assert shown.order_confidence == 0.99
    assert hidden.order_confidence == 0.5
    lower.landed_ns -= 100 * MS  # then time tells, whatever the picture shows
    assert find_cards_beneath(upper, [lower], nothing) == CardPlacement((lower,), 0.99)
    lower.landed_ns = 0
    assert find_cards_beneath(upper, [lower], nothing).order_confidence is None  # it lay there long before


def test_a_card_read_on_its_way_when_another_lay_came_after_that() -> None:
    """(A little is hidden of one corner, at which the picture shows nothing.)"""
    nothing = np.full((512, 512), 225, dtype=np.uint8)
    lower, upper = (
        TrackedCard(outline(*place), first_detected_ns=1_000 * MS, landed_ns=1_000 * MS)
        for place in ((250, 250, 0), (280, 300, 40))
    )
    lower.static_since_ns, upper.last_moving_ns = 900 * MS, 933 * MS
    assert find_cards_beneath(upper, [lower], nothing) == CardPlacement((lower,), 0.99)
    assert find_cards_beneath(lower, [upper], nothing) == CardPlacement((), 0.99)
    upper.last_moved_ns = 1_100 * MS  # (it was pushed since)
    assert find_cards_beneath(upper, [lower], nothing).order_confidence == 0.5


def read_at(card: TrackedCard, index: tuple[float, float, float, float]) -> Detection:
    return Detection((Reading("7H", 0.99),), card.quad, index, (index,))


def test_a_card_over_all_that_another_was_read_by_lies_upon_that() -> None:
    """(Nearly of one outline, they fit at each other's places, and no edge tells: "tied, like colours:7542".)"""
    nothing = np.full((512, 512), 225, dtype=np.uint8)
    lower, upper = (
        TrackedCard(outline(*place), first_detected_ns=1_000 * MS, landed_ns=1_000 * MS)
        for place in ((250, 250, 0), (254, 253, 2))
    )
    lower.detect(read_at(lower, (215.0, 200.0, 233.0, 222.0)), 950 * MS)
    assert find_cards_beneath(upper, [lower], nothing) == CardPlacement((lower,), 0.99)
    assert find_cards_beneath(lower, [upper], nothing) == CardPlacement((), 0.99)
    lower.last_detected_ns = 1_200 * MS  # (it is in sight still)
    assert find_cards_beneath(upper, [lower], nothing) == CardPlacement((), 0.99)


def test_an_index_read_in_the_midst_of_another_cards_place_shows_which_lies_upon_which() -> None:
    """Faint edges and the frames of court cards mislead; an index that another card covered could not be read."""
    nothing = np.full((512, 512), 225, dtype=np.uint8)
    lower, upper = (
        TrackedCard(outline(*place), first_detected_ns=1_000 * MS, landed_ns=1_000 * MS)
        for place in ((250, 250, 0), (280, 300, 40))
    )
    upper.detect(read_at(upper, (265.0, 240.0, 285.0, 260.0)), 1_100 * MS)
    assert find_cards_beneath(upper, [lower], nothing) == CardPlacement((lower,), 0.99)
    assert find_cards_beneath(lower, [upper], nothing) == CardPlacement((), 0.99)
    upper.last_detected_ns = 900 * MS  # (read before the other came)
    assert find_cards_beneath(upper, [lower], nothing).order_confidence == 0.5
