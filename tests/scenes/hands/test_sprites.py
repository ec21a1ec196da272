"""The sprites of hands are sane, and the compositor changes what it should and nothing else."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest

from tests.scenes.hands.poses import KINDS
from tests.scenes.hands.sprites import FILE, Image, Sprite, card_pose, load_sprites, place

SIZE = (960, 640)
HOMOGRAPHY = np.array([[1.6, 0.02, 480], [-0.01, 1.6, 320], [0, 0.00002, 1]])
SOME = load_sprites()[::7]


def _cloth() -> Image:
    rng = np.random.default_rng(5)
    return rng.integers(60, 120, (SIZE[1], SIZE[0], 3)).astype(np.uint8)


def test_sprites_load_and_are_various() -> None:
    sprites = load_sprites()
    assert FILE.stat().st_size < 5e6
    assert len(sprites) >= 200
    assert {sprite.kind for sprite in sprites} == set(KINDS)
    assert min(Counter(sprite.left for sprite in sprites).values()) > len(sprites) / 3
    assert len({sprite.skin for sprite in sprites}) >= 12
    assert len({sprite.dress for sprite in sprites}) >= 12
    assert all(
        (sprite.card is not None) == (sprite.kind in ("lay_over", "lay_thumb", "hold")) for sprite in sprites
    )


@pytest.mark.parametrize("sprite", SOME, ids=lambda sprite: f"{sprite.number}-{sprite.kind}")
def test_pixels_are_premultiplied_and_reach_the_end_of_the_arm(sprite: Sprite) -> None:
    pixels, shadow = sprite.pixels, sprite.shadow
    alpha = pixels[..., 3]
    assert (pixels[..., :3].max(axis=2) <= alpha).all()
    assert 0.1 < (alpha > 250).mean() < 0.95
    # Hardly anything is half transparent: only edges are.
    assert ((alpha > 20) & (alpha < 235)).sum() < 0.12 * (alpha > 20).sum()
    # One piece, without a hole between hand and sleeve.
    count, _, stats, _ = cv2.connectedComponentsWithStats((alpha > 128).astype(np.uint8))
    assert stats[1:, cv2.CC_STAT_AREA].max() > 0.98 * (alpha > 128).sum(), count
    rows = (alpha > 128).sum(axis=1) * sprite.mm_per_px
    below = round(sprite.origin[1] + 60 / sprite.mm_per_px)
    assert rows[below : below + round(300 / sprite.mm_per_px)].min() > 30
    assert shadow.max() > 60
    assert shadow[0].max() < 60, "the shadow ends within the sprite"


@pytest.mark.parametrize("sprite", SOME, ids=lambda sprite: f"{sprite.number}-{sprite.kind}")
def test_finger_tips_lie_on_the_hand(sprite: Sprite) -> None:
    assert set(sprite.tips) == {"thumb", "index", "middle", "ring", "pinky"}
    for x, y in sprite.tips.values():
        column, row = (
            round(start + mm / sprite.mm_per_px) for start, mm in zip(sprite.origin, (x, y), strict=True)
        )
        near = sprite.pixels[max(0, row - 12) : row + 13, max(0, column - 12) : column + 13, 3]
        assert near.max() > 200


def test_a_hand_is_as_long_as_a_hand() -> None:
    flat = [sprite for sprite in load_sprites() if sprite.kind == "rest"]
    for sprite in flat:
        reach = max(np.hypot(x, y) for x, y in sprite.tips.values())
        assert 35 < reach < 130, "from the finger tips to the thumb's"


def test_placing_twice_gives_the_same_picture() -> None:
    pictures = []
    for _ in range(2):
        picture = _cloth()
        place(
            load_sprites()[3],
            HOMOGRAPHY,
            SIZE,
            (20, -10),
            130.0,
            travel_px=(11, -7),
            light=(0.8, 0.9, 1.0),
            lift_mm=12,
        ).draw(picture)
        pictures.append(picture)
    assert (pictures[0] == pictures[1]).all()


@pytest.mark.parametrize("sprite", SOME[::4], ids=lambda sprite: f"{sprite.number}-{sprite.kind}")
def test_nothing_changes_outside_hand_and_shadow(sprite: Sprite) -> None:
    before = _cloth()
    picture = before.copy()
    hand = place(sprite, HOMOGRAPHY, SIZE, (0, 0), 210.0, travel_px=(14, 3))
    hand.draw(picture)
    touched = np.zeros(picture.shape[:2], bool)
    for layer in (hand.hand, hand.shadow):
        x0, y0, x1, y1 = layer.box
        mask = layer.pixels[..., 3] if layer.pixels.ndim == 3 else layer.pixels
        touched[y0:y1, x0:x1] |= mask > 0
    assert (picture[~touched] == before[~touched]).all()
    assert (picture[touched] != before[touched]).any()


@pytest.mark.parametrize("sprite", SOME[::3], ids=lambda sprite: f"{sprite.number}-{sprite.kind}")
@pytest.mark.parametrize("mirrored", [False, True])
def test_the_hand_comes_to_its_place(sprite: Sprite, mirrored: bool) -> None:
    for arm_deg in (0.0, 100.0, 225.0):
        hand = place(sprite, HOMOGRAPHY, SIZE, (-30, 25), arm_deg, mirrored=mirrored)
        mask = np.zeros((SIZE[1], SIZE[0]), np.uint8)
        x0, y0, x1, y1 = hand.hand.box
        mask[y0:y1, x0:x1] = hand.hand.pixels[..., 3]
        # An arm lies beside the line from its finger tips, but along it.
        for far, aside in ((0.0, 32), (170.0, 120)):
            turn = np.radians(arm_deg)
            place_mm = np.array([-30 + far * np.sin(turn), 25 - far * np.cos(turn), 1])
            x, y, w = HOMOGRAPHY @ place_mm
            column, row = round(x / w), round(y / w)
            near = mask[max(0, row - aside) : row + aside, max(0, column - aside) : column + aside]
            assert not near.size or near.max() > 200


def test_a_held_card_lies_between_the_two_parts() -> None:
    for sprite in SOME:
        hand = place(sprite, HOMOGRAPHY, SIZE, (0, 40), 180.0)
        if sprite.card is None:
            assert hand.over is None
            continue
        assert hand.card == card_pose(sprite, (0, 40), 180.0)
        assert hand.over is not None
        share = (hand.over.pixels[..., 3] > 128).sum() / (hand.hand.pixels[..., 3] > 128).sum()
        assert 0.001 < share < 1.0
        x, y, _ = hand.card or (0.0, 0.0, 0.0)
        assert np.hypot(x, y - 40) < 60


def test_motion_blur_keeps_the_amount_of_hand() -> None:
    sprite = load_sprites()[0]
    still = place(sprite, HOMOGRAPHY, SIZE, (0, -60), 180.0)
    moved = place(sprite, HOMOGRAPHY, SIZE, (0, -60), 180.0, travel_px=(30, 0))
    masses = []
    for hand in (still, moved):
        mask = np.zeros((SIZE[1], SIZE[0]), np.float64)
        x0, y0, x1, y1 = hand.hand.box
        mask[y0:y1, x0:x1] = hand.hand.pixels[..., 3]
        masses.append((mask.sum(), (mask.sum(axis=0) * np.arange(SIZE[0])).sum() / mask.sum()))
    assert masses[1][0] == pytest.approx(masses[0][0], rel=0.02)
    assert masses[1][1] == pytest.approx(masses[0][1], abs=0.7)


def test_a_hand_outside_the_picture_changes_nothing() -> None:
    before = _cloth()
    picture = before.copy()
    place(load_sprites()[0], HOMOGRAPHY, SIZE, (0, 3000), 180.0).draw(picture)
    assert (picture == before).all()
