"""What a lens out of focus did to a picture is measured at the edges of cards and taken out for the reader."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from table.observed_facts import MS, Image
from table.tracking.imaging.defocus_correction import DefocusEstimator, measure_softness
from table.tracking.imaging.recent_frame import colour_to_grey

WHERE = np.full((512, 512), 255, np.uint8)


def cards(colour: int = 235) -> Image:
    """Two cards on a cloth, finely printed at their corners."""
    big = np.full((2048, 2048, 3), (70, 45, 40), np.uint8)
    for x, y, turn in ((760.0, 900.0, 20.0), (1350.0, 1200.0, 70.0)):
        paper = cv2.boxPoints(((x, y), (400.0, 560.0), turn))
        cv2.fillConvexPoly(big, np.rint(paper).astype(np.int32), (colour, colour, colour))
        for corner in (paper * 0.75 + np.array([x, y]) * 0.25).astype(np.int32):
            cv2.putText(big, "8", (int(corner[0]) - 30, int(corner[1]) + 30), 0, 2.5, (30, 30, 30), 9)
    return np.asarray(cv2.resize(big, (512, 512), interpolation=cv2.INTER_AREA), np.uint8)


def through_disc(picture: Image, radius: float) -> Image:
    """What a lens makes of it that is out of focus, with a sensor's noise."""
    y, x = np.mgrid[-60:61, -60:61] / 8.0
    disc = cv2.resize(
        (np.hypot(x, y) <= radius).astype(np.float32)[:120, :120], (15, 15), interpolation=cv2.INTER_AREA
    )
    soft = cv2.filter2D(picture, cv2.CV_32F, disc / disc.sum())
    noise = np.random.default_rng(1).normal(0.0, 2.0, soft.shape)
    return np.asarray(np.clip(soft + noise, 0, 255), np.uint8)


def through_bell(picture: Image, deviation: float) -> Image:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), deviation), np.uint8)


@pytest.mark.parametrize("radius", [3.0, 4.5, 6.0])
def test_the_disc_of_a_lens_out_of_focus_is_measured(radius: float) -> None:
    soft = measure_softness(colour_to_grey(through_disc(cards(), radius)), WHERE)
    assert soft is not None
    assert soft.disc_radius_px == pytest.approx(radius, abs=0.6)
    assert soft.gaussian_sigma_px < 1.5


@pytest.mark.parametrize("deviation", [2.0, 3.0])
def test_a_soft_picture_is_not_taken_for_one_through_a_disc(deviation: float) -> None:
    soft = measure_softness(colour_to_grey(through_bell(cards(), deviation)), WHERE)
    assert soft is not None
    assert soft.sigma_px == pytest.approx(deviation, abs=0.4)
    assert soft.disc_radius_px / 2 < soft.gaussian_sigma_px * 1.1


def test_no_edges_tell_nothing() -> None:
    cloth = np.random.default_rng(1).integers(40, 60, (512, 512, 3)).astype(np.uint8)
    assert measure_softness(colour_to_grey(cloth), WHERE) is None
    assert measure_softness(colour_to_grey(through_disc(cards(), 4.5)), np.zeros_like(WHERE)) is None


def test_what_a_lens_blurred_is_sharpened_for_the_reader() -> None:
    sharp = cards()
    soft = through_disc(sharp, 4.5)
    focus = DefocusEstimator(2.0)
    assert focus.sharpen(soft) is soft  # (nothing has been measured yet)
    focus.measure_if_due(colour_to_grey(soft), WHERE, 1000 * MS)
    wanted = through_bell(sharp, 1.5).astype(float)
    before, after = (
        np.square(picture.astype(float) - wanted).mean() for picture in (soft, focus.sharpen(soft))
    )
    assert after < before / 3


def test_a_camera_in_focus_and_one_with_large_pixels_are_left_alone() -> None:
    sharp = cards()
    focus = DefocusEstimator(2.0)
    focus.measure_if_due(colour_to_grey(sharp), WHERE, 1000 * MS)
    assert focus.sharpen(sharp) is sharp
    coarse = cv2.resize(cv2.resize(sharp, (220, 220), interpolation=cv2.INTER_AREA), (512, 512))
    focus = DefocusEstimator(0.68)
    focus.measure_if_due(colour_to_grey(np.asarray(coarse, np.uint8)), WHERE, 1000 * MS)
    assert focus.sharpen(sharp) is sharp


def test_focus_is_measured_anew_now_and_then() -> None:
    focus = DefocusEstimator(2.0)
    focus.measure_if_due(colour_to_grey(through_disc(cards(), 6.0)), WHERE, 1000 * MS)
    soft = focus.softness
    focus.measure_if_due(colour_to_grey(cards()), WHERE, 1500 * MS)
    assert focus.softness == soft
    focus.measure_if_due(colour_to_grey(cards()), WHERE, 4000 * MS)
    assert focus.softness is not None
    assert focus.softness.sigma_px < 1.0


def test_what_moves_is_not_taken_for_a_lens_out_of_focus() -> None:
    passing = cards()
    passing[:, 256:] = cv2.blur(passing[:, 256:], (15, 1))
    soft = measure_softness(colour_to_grey(passing), WHERE)
    assert soft is None or soft.sigma_px < 1.4
