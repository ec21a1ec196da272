"""A hand as light as the cloth has not its grain; the cloth has, be it in a shadow or shaken a little."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from table.tracking.imaging.cloth_or_hand_by_grain import is_other_surface

SIDE = 120
ALL = np.ones((SIDE, SIDE), np.bool_)
Picture = NDArray[np.uint8]
Levels = NDArray[np.float64]


def surface(seed: int, grain: float = 6.0) -> Levels:
    """Cloth of middling grey, in levels, with so much grain."""
    noise = np.random.default_rng(seed).standard_normal((SIDE, SIDE))
    coarse = np.asarray(cv2.GaussianBlur(noise, (0, 0), 3.0))
    return np.asarray(130.0 + grain * coarse / coarse.std())


def seen(what: Levels, seed: int, noise: float = 3.0) -> Picture:
    """As a camera sees it."""
    levels = what + noise * np.random.default_rng(seed).standard_normal(what.shape)
    return np.clip(levels, 0, 255).astype(np.uint8)


def test_cloth_is_itself_in_a_shadow_that_falls_across_it() -> None:
    cloth = surface(1)
    for deepest in (1.0, 0.7, 0.4):
        shadow = np.linspace(1.0, deepest, SIDE)[None, :]
        assert not is_other_surface(seen(cloth * shadow, 2), seen(cloth, 3), ALL)


def test_cloth_is_itself_under_a_camera_that_trembles() -> None:
    cloth = surface(1)
    shifted = np.asarray(
        cv2.warpAffine(cloth, np.array([[1, 0, 0.6], [0, 1, 0.4]]), (SIDE, SIDE)), np.float64
    )
    assert not is_other_surface(seen(shifted, 2)[5:-5, 5:-5], seen(cloth, 3)[5:-5, 5:-5], ALL[5:-5, 5:-5])


def test_a_hand_of_the_cloths_lightness_is_another_surface() -> None:
    cloth = seen(surface(1), 2)
    assert is_other_surface(seen(surface(4), 3), cloth, ALL)
    assert is_other_surface(seen(surface(4, grain=0.0), 3), cloth, ALL)


def test_nothing_is_told_by_a_cloth_without_grain_however_much_noise_there_is() -> None:
    for noise in (1.0, 3.0, 8.0):
        plain = surface(1, grain=0.0)
        assert not is_other_surface(seen(plain, 2, noise), seen(plain, 3, noise), ALL)


def test_what_lies_beside_the_place_that_is_asked_for_is_no_matter() -> None:
    cloth = surface(1)
    covered = cloth.copy()
    covered[:, 70:] = 250.0
    asked = ALL.copy()
    asked[:, 70:] = False
    assert not is_other_surface(seen(covered, 2), seen(cloth, 3), asked)


def test_print_that_shows_in_a_corner_of_the_place_does_not_drown_the_cloth() -> None:
    cloth, hand = surface(1), surface(4)
    for picture in (cloth, hand):
        picture[90:, 90:] = surface(7, grain=60.0)[90:, 90:]
    assert is_other_surface(seen(hand, 2), seen(cloth, 3), ALL)
