"""What the camera does to pictures is taken out of them, and what people do is not."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from table.observed_facts import MS, Image
from table.tracking.imaging.stabilization import NO_DISPLACEMENT, StabilizedImage, Stabilizer

SIZE = (320, 180)
FRAME_NS = 33 * MS


def cloth(seed: int = 1) -> Image:
    """A table top with a little grain, 320 x 180."""
    rng = np.random.default_rng(seed)
    coarse = rng.normal(0, 9, (45, 80)).astype(np.float32)
    fine = cv2.resize(coarse, SIZE, interpolation=cv2.INTER_CUBIC) + rng.normal(0, 2, SIZE[::-1])
    return np.clip(np.dstack([70 + fine, 95 + fine, 60 + fine]), 0, 255).astype(np.uint8)


def noisy(picture: Image, seed: int) -> Image:
    grain = np.random.default_rng(seed).normal(0, 1.0, picture.shape)
    return np.clip(picture + grain, 0, 255).astype(np.uint8)


def with_hand(picture: Image) -> Image:
    shown = picture.copy()
    cv2.rectangle(shown, (120, 60), (170, 179), (150, 170, 210), -1)
    return shown


def after(change: Callable[[Image, int], Image], pictures: int = 20) -> tuple[StabilizedImage, Image]:
    """What is made of the last of so many changed pictures, and the table as it is."""
    bare = cloth()
    steady = Stabilizer(noisy(bare, 0))
    for number in range(1, pictures + 1):
        told = steady.stabilize(noisy(change(bare, number), number), number * FRAME_NS)
    return told, bare


def off(a: Image, b: Image) -> float:
    """The share of the inner pixels that differ by more than noise does."""
    difference = cv2.absdiff(a, b).max(axis=2)[8:-8, 8:-8]
    return float((difference > 12).mean())


def moved(picture: Image, x: float, y: float, grow: float = 0.0) -> Image:
    matrix = np.array([[1 + grow, 0, x - grow * 159.5], [0, 1 + grow, y - grow * 89.5]])
    shifted = cv2.warpAffine(picture, matrix, SIZE, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(shifted, dtype=np.uint8)


def lit(picture: Image, gain: np.ndarray | float) -> Image:
    return np.clip(picture * gain, 0, 255).astype(np.uint8)


ROWS = np.arange(SIZE[1], dtype=np.float64)[:, None, None]
COLUMNS = np.arange(SIZE[0], dtype=np.float64)[None, :, None]


def shadow(number: int) -> np.ndarray:
    """Darker by 40 % behind an edge, some 60 pixels soft, that glides in by 6 pixels a picture."""
    return 1 - 0.4 / (1 + np.exp((COLUMNS - 6.0 * number) / 12.0))


CHANGES: dict[str, Callable[[Image, int], Image]] = {
    "mains flicker": lambda one, k: lit(one, 1 + 0.1 * np.sin(ROWS / 10 + 2.1 * k)),
    "exposure": lambda one, k: lit(one, 1 - 0.02 * k),
    "white balance": lambda one, k: lit(one, np.array([1 - 0.008 * k, 1.0, 1 + 0.008 * k])),
    "a shadow": lambda one, k: lit(one, shadow(k)),
    "shake": lambda one, k: moved(one, 0.8 * (-1) ** k, 0.5 * (-1) ** (k // 2)),
    "sway": lambda one, k: moved(one, 1.4 * np.sin(k / 3), 1.4 * np.cos(k / 4)),
    "zoom": lambda one, k: moved(one, 0, 0, 0.0004 * k),
    "a push": lambda one, k: moved(one, *((0, 0) if k < 10 else (min(k - 9, 3) * 1.3, 1.0))),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("hand", [False, True], ids=["bare", "hand"])
def test_what_the_camera_does_is_taken_out(change: Callable[[Image, int], Image], hand: bool) -> None:
    told, bare = after(lambda one, k: change(with_hand(one) if hand and k > 12 else one, k))
    seen = told.small.copy()
    expected = bare.copy()
    if hand:
        # What the hand hides, and what its edges smear, is nobody's business here.
        for picture in (seen, expected):
            picture[45:, 105:185] = 0
    assert told.usable
    assert off(seen, expected) < 0.04  # (the shadow's edge is some pixels ahead of what is known of it)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_hand_is_still_there_afterwards(change: Callable[[Image, int], Image]) -> None:
    told, bare = after(lambda one, k: change(with_hand(one) if k > 12 else one, k))
    hand = cv2.absdiff(told.small, bare).max(axis=2)[70:170, 126:164]
    assert (hand > 25).mean() > 0.95


def test_a_camera_at_rest_is_left_alone() -> None:
    told, _ = after(lambda one, k: with_hand(one) if k > 10 else one, 40)
    assert told.light is None
    assert told.pose.max_displacement_px((159.5, 89.5)) == 0


def test_the_very_picture_that_it_was_made_from_shows_a_camera_at_rest() -> None:
    first = noisy(cloth(), 1)
    steady = Stabilizer(first)
    assert steady.stabilize(first, 0).pose is NO_DISPLACEMENT
    assert steady.is_at_rest


@pytest.mark.parametrize(
    "blind", [lambda one: one * 0, lambda one: one * 0 + 255], ids=["black", "washed out"]
)
def test_a_picture_of_no_table_is_not_used(blind: Callable[[Image], Image]) -> None:
    told, _ = after(lambda one, k: blind(one).astype(np.uint8) if k == 20 else one)
    assert not told.usable


def test_what_is_too_bright_to_be_measured_is_paper() -> None:
    def card(one: Image, k: int) -> Image:
        shown = one.copy()
        shown[60:120, 200:260] = 232
        return lit(shown, 1.0 + 0.02 * k)

    told, _ = after(card)
    assert abs(int(told.small[90, 230].min()) - 232) < 12


def test_an_arm_along_the_rows_makes_no_shadow_of_the_rest_of_them() -> None:
    """It may fill more than half of a row, and what is left of that is the table all the same."""

    def reached_over(picture: Image, number: int) -> Image:
        shown = picture.copy()
        if number > 5:
            cv2.rectangle(shown, (0, 80), (190, 110), (150, 120, 190), -1)
            cv2.rectangle(shown, (150, 86), (200, 104), (235, 240, 240), -1)
        return shown

    told, bare = after(reached_over)
    assert off(told.small[:, 208:], bare[:, 208:]) < 0.01


def test_rows_that_a_lamp_brightens_are_even_though_an_arm_lies_along_them() -> None:
    rows = 1.0 + 0.12 * np.sin(np.arange(SIZE[1]) / 25.0)[:, None, None]

    def flickers(picture: Image, number: int) -> Image:
        shown = picture.copy()
        cv2.rectangle(shown, (0, 80), (150, 110), (150, 120, 190), -1)
        return lit(shown, rows)

    told, bare = after(flickers)
    assert off(told.small[:, 168:], bare[:, 168:]) < 0.02


def test_where_something_moved_lately_a_card_about_as_light_as_the_table_is_no_light() -> None:
    bare = cloth()
    laid = bare.copy()
    laid[40:90, 80:150] = np.clip(laid[40:90, 80:150] * 1.07, 0, 255).astype(np.uint8)
    stirred = np.zeros(SIZE[::-1], np.uint8)
    cv2.rectangle(stirred, (70, 30), (160, 179), 255, -1)
    steady = Stabilizer(noisy(bare, 0))
    for shown, goes in ((laid, False), (bare, True)):
        for number in range(1, 31):
            told = steady.stabilize(noisy(shown, number), (number + 60 * goes) * FRAME_NS, stirred)
        place = told.small[45:85, 85:145].astype(float).mean()
        assert abs(place - shown[45:85, 85:145].mean()) < 1.0
        steady.set_reference(told.small)


def test_what_the_settled_table_looks_like_is_no_light_any_more() -> None:
    bare = cloth()
    darker = bare.copy()
    darker[40:140, 20:120] = (darker[40:140, 20:120] * 0.95).astype(np.uint8)
    steady = Stabilizer(noisy(bare, 0))
    for number in range(1, 21):
        told = steady.stabilize(noisy(darker, number), number * FRAME_NS)
    assert told.light is None
    steady.set_reference(told.small)
    stirred = np.zeros(SIZE[::-1], np.uint8)
    cv2.rectangle(stirred, (10, 30), (130, 150), 255, -1)
    shade = np.ones((SIZE[1], SIZE[0], 1))
    for number in range(21, 25):
        shade[:, 220:] -= 0.05
        told = steady.stabilize(noisy(lit(darker, shade), number), number * FRAME_NS, stirred)
    assert told.light is not None
    place = told.small[60:120, 40:100].astype(float).mean()
    assert abs(place / darker[60:120, 40:100].mean() - 1.0) < 0.02


def test_a_camera_that_was_displaced_is_at_rest_again_when_it_stays_there() -> None:
    bare = cloth()
    steady = Stabilizer(noisy(bare, 0))
    rests = []
    for number in range(1, 80):
        breathed = moved(bare, 0, 0, min(number, 3) * 0.002)
        told = steady.stabilize(noisy(breathed, number), number * FRAME_NS)
        rests.append(steady.is_at_rest)
    assert not rests[5]
    assert rests[-1]
    assert off(told.small, bare) < 0.02


def test_a_camera_that_comes_back_has_no_displacement() -> None:
    bare = cloth()
    steady = Stabilizer(noisy(bare, 0))
    for number in range(1, 160):
        pushed = moved(bare, 1.5 if 3 < number < 60 else 0.0, 0.0)
        steady.stabilize(noisy(pushed, number), number * FRAME_NS)
    assert steady.is_at_rest
    assert steady.pose is NO_DISPLACEMENT
