"""The second camera draws the same film every time, and the bench asks only for what its pictures show."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from table.observed_facts import MS
from table.simulation.rendering.motions_over_time import CardPose, Lay, Scene
from tests.scenes import shown
from tests.scenes.film.compression import compress
from tests.scenes.film.look import (
    CARD_PX,
    MAX_PERSPECTIVE,
    PERSPECTIVE_REACH_MM,
    SQUARE_MM,
    TABLE_TOPS,
    FocusHunt,
    random_look,
)
from tests.scenes.film.motions import Deal, LayAndPush
from tests.scenes.film.script import SQUARE_DEG
from tests.scenes.film.script import SQUARE_MM as ON_PILE_MM
from tests.scenes.kinds import scene
from tests.scenes.scenario import START_NS, Scenario
from tests.scenes.watch import verdict_of


def first_second(kind: str, number: int) -> Scenario:
    """A scene until shortly after its first landing."""
    whole = scene("film-tuning", kind, number)
    return replace(whole, end_ns=whole.cards[0].landed_ns + 300 * MS)


@pytest.mark.thorough
def test_the_same_scene_gives_the_same_film() -> None:
    one = first_second("pile, dealt from a pack", 1)
    films = [
        [delivery.frame.image for delivery in one.source().deliveries() if delivery.frame is not None]
        for _ in range(2)
    ]
    assert len(films[0]) == len(one.world.clock.times)
    assert all(np.array_equal(*pair) for pair in zip(*films, strict=True))


def test_looks_are_as_various_as_tables_are() -> None:
    rng = np.random.default_rng(3)
    looks = [random_look(rng) for _ in range(200)]
    assert {look.table for look in looks} == set(TABLE_TOPS)
    perspectives, widths = [], []
    for look in looks:
        matrix = np.array(look.homography)
        scale_px = np.sqrt(np.linalg.det(matrix[:2, :2] - np.outer(matrix[:2, 2], matrix[2, :2])))
        widths.append(63.5 * scale_px)
        slope = float(np.hypot(*matrix[2, :2])) * PERSPECTIVE_REACH_MM
        perspectives.append((1 + slope) / (1 - slope))
        assert look.size[1] >= SQUARE_MM * widths[-1] / 63.5 * 0.85
    assert 1.2 < max(perspectives) < MAX_PERSPECTIVE + 0.02
    assert CARD_PX[0] * 0.85 < min(widths) < 80
    assert 100 < max(widths) < CARD_PX[1] * 1.05
    assert any(look.kbit_s == 0 for look in looks)
    assert all(300 <= look.kbit_s <= 1000 for look in looks if look.kbit_s)


@pytest.mark.parametrize("codec", ["mpeg4", "libx264"])
def test_a_lower_bit_rate_leaves_less_of_a_picture(codec: str) -> None:
    rng = np.random.default_rng(1)
    noise = rng.integers(0, 255, (160, 240, 3), np.uint8)
    pattern = cv2.GaussianBlur(noise, (0, 0), 1.5)
    moved = [np.roll(pattern, 3 * k, axis=1) for k in range(12)]
    pictures = [np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420), np.uint8) for picture in moved]
    errors = []
    for kbit_s in (60, 2000):
        left = list(compress(pictures, (240, 160), 30, kbit_s, codec))  # type: ignore[arg-type]
        assert len(left) == len(pictures)
        errors.append(float(np.abs(left[-1].astype(int) - moved[-1]).mean()))
    assert errors[0] > errors[1]


def test_a_hunting_lens_is_sharp_before_and_after() -> None:
    hunt = FocusHunt(1000, 500, 2.0)
    assert [round(hunt.blur_at(t_ms), 3) for t_ms in (900, 1000, 1250, 1500, 1600)] == [0, 0, 2, 0, 0]


def test_cards_on_a_pile_lie_squarely() -> None:
    for number in range(6):
        one = scene("film-tuning", "pile, hands in turn", number)
        rests = [stroke.rest for stroke in one.strokes if isinstance(stroke, Lay)]
        first = rests[0]
        for rest in rests[1:]:
            assert np.hypot(rest.x - first.x, rest.y - first.y) <= 2 * ON_PILE_MM
            assert abs((rest.angle - first.angle + 90) % 180 - 90) <= 2 * SQUARE_DEG


def test_cards_on_a_pile_follow_one_another_as_people_lay_them() -> None:
    for kind in ("pile, one hand", "pile, hands in turn", "pile, dealt from a pack"):
        for number in range(4):
            times = [card.landed_ns for card in scene("film-tuning", kind, number).cards]
            gaps_s = np.diff(times) / 1e9
            assert gaps_s.min() > 0.45, kind
            assert gaps_s.max() < 2.6, kind


def test_fingers_that_push_a_card_stay_on_it() -> None:
    lay = LayAndPush(
        1000 * MS, "Ada", 0.0, 1, "KH", CardPose(0, 0, 180), pushed_to=CardPose(50, 0, 180), held_ns=300 * MS
    )
    scene_ = Scene([lay])
    before, after = scene_.snapshot_at(1200 * MS), scene_.snapshot_at(1460 * MS)
    assert (before.resting[0].pose.x, after.resting[0].pose.x) == (0, 50)
    assert after.hands[0].tip[0] - before.hands[0].tip[0] == pytest.approx(50)


def test_a_dealt_card_is_turned_over_on_its_way() -> None:
    deal = Deal(
        1000 * MS, "Ada", 0.0, 1, "KH", CardPose(0, 0, 180), 300 * MS, pack=(150, -150), until_ns=2000 * MS
    )
    faces = [
        [card.card for card in Scene([deal]).snapshot_at(t_ms * MS).carried] for t_ms in (750, 960, 1000)
    ]
    assert faces == [[None], ["KH"], []]


def test_a_name_is_asked_for_where_its_index_was_shown_long_enough() -> None:
    pile = scene("film-tuning", "pile, one hand", 3)
    assert shown.named(pile) == {card.id for card in pile.cards}
    short = replace(pile, end_ns=pile.cards[0].landed_ns + 120 * MS)
    assert shown.named(short) == frozenset()
    hunting = FocusHunt(0, 60_000, 40.0)
    assert pile.film is not None
    blurred = replace(pile, film=replace(pile.film, hunts=(hunting,)))
    assert shown.named(blurred) == frozenset()


def test_a_card_that_no_picture_shows_may_be_missed() -> None:
    pile = scene("film-tuning", "pile, one hand", 3)
    assert verdict_of(pile, []).wrong["missed"] == len(pile.cards)
    dark = replace(pile, end_ns=START_NS + 100 * MS)
    assert verdict_of(dark, []).wrong["missed"] == 0


def test_cards_face_down_have_no_name_to_ask_for() -> None:
    one = scene("film-tuning", "face down", 0)
    down = [card.id for card in one.cards if not card.name]
    assert len(down) == 2
    assert not shown.named(one) & set(down)
