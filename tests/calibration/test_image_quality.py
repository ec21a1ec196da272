"""What doctor says of the camera's pictures, with the mat in them and without."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from table.calibration.image_quality import check_dropped_frames, check_image_quality, measure_flicker
from table.observed_facts import MS, Frame, Image
from tests.calibration.photographed import Shot, photograph
from tests.sources.lamplight import Lamp, Sensor

STEP = 33 * MS


def cloth(level: float, seed: int = 1) -> Image:
    rng = np.random.default_rng(seed)
    return np.clip(rng.normal(level, 4, (240, 320, 3)), 0, 255).astype(np.uint8)


def filmed(images: list[Image]) -> list[Frame]:
    return [Frame(1000 * MS + STEP * k, image, k) for k, image in enumerate(images)]


def said(images: list[Image]) -> dict[str, tuple[bool, str]]:
    return {one.part: (one.good, one.text) for one in check_image_quality(filmed(images))}


def test_a_good_camera_over_a_bare_table_is_all_right() -> None:
    told = said([cloth(120, seed) for seed in range(12)])
    assert {part: good for part, (good, _) in told.items()} == dict.fromkeys(
        ("drops", "light", "flicker", "sharpness"), True
    )


@pytest.mark.parametrize(("level", "words"), [(25, "more light above the table"), (252, "over-exposed")])
def test_too_little_and_too_much_light_are_faults(level: float, words: str) -> None:
    good, text = said([cloth(level)] * 6)["light"]
    assert not good
    assert words in text


def test_with_the_mat_sharpness_is_measured_too() -> None:
    shots = [photograph(replace(Shot(), seed=seed)) for seed in range(6)]
    told = said(shots)
    assert told["sharpness"][0]
    assert "mm wide" in told["sharpness"][1]
    soft = [photograph(replace(Shot(), blur=2.7, seed=seed)) for seed in range(6)]
    assert not said(soft)["sharpness"][0]


def test_lamplight_that_flickers_is_a_fault_and_the_mains_are_named() -> None:
    sensor = Sensor(Lamp(1.0), fps=31, automatic=False, exposure_us=6_000.0)
    good, text = said([sensor.picture()[1] for _ in range(20)])["flicker"]
    assert not good
    assert "camera.mains_hz" in text
    sensor.exposure_us = 10_000.0
    assert said([sensor.picture()[1] for _ in range(30)][10:])["flicker"][0]


def test_a_hand_that_moves_is_no_flicker() -> None:
    images = []
    for k in range(12):
        image = cloth(120, k)
        image[:, 20 * k : 20 * k + 60] = 190
        images.append(image)
    assert measure_flicker(images) < 0.01


def test_lost_pictures_are_counted_by_their_stamps() -> None:
    stamps = [k * STEP for k in range(40) if k not in (7, 20, 21)]
    found = check_dropped_frames(stamps)
    assert not found.good
    assert found.text.startswith("3 of 40 pictures were lost")
    trembling = [k * STEP + (k % 3) * MS for k in range(40)]
    assert check_dropped_frames(trembling).good
