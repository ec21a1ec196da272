"""Cameras that hang, or whose stamps can't be: said, put right, and never believed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from table.observed_facts import MS
from table.sources.camera.live_camera import FROZEN, OTHER_CLOCK, LiveCamera
from table.sources.camera.picture_and_stamp_checks import (
    ASTRAY_NS,
    FROZEN_NS,
    MIN_ODD_STAMPS,
    FrozenImageDetector,
    TimestampChecks,
)
from tests.sources.test_live_camera import CONFIG, SOON_S, STEP, Clock, Plug, picture, reading, stamps, until

NOW = 1_000_000 * MS


# --- the same picture again and again ---------------------------------------------------------------------------------


def test_the_same_picture_for_five_seconds_is_a_camera_that_hangs() -> None:
    frozen = FrozenImageDetector()
    told = [frozen.check_image(k * STEP, picture(7)) for k in range(200)]
    assert told.index(True) * STEP == pytest.approx(FROZEN_NS, abs=STEP)
    assert all(told[told.index(True) :])
    assert frozen.check_image(201 * STEP + 3_000 * MS, picture(7)), "opened again it still hangs"
    other = picture(7)
    other[3, 5, 1] += 1
    assert not frozen.check_image(300 * STEP, other)


def test_a_pause_is_no_picture_that_stays() -> None:
    frozen = FrozenImageDetector()
    assert not frozen.check_image(0, picture())
    assert not frozen.check_image(60_000 * MS, picture())


def test_a_camera_that_hangs_is_told_and_opened_again_and_decides_nothing() -> None:
    clock = Clock()

    def hangs() -> Iterator[tuple[int, Any]]:
        while True:
            clock.now += STEP
            yield clock.now, picture(3)

    def lives() -> Iterator[tuple[int, Any]]:
        for level in range(40, 60):
            clock.now += STEP
            yield clock.now, picture(level)

    plug = Plug(hangs(), hangs(), lives())
    with reading(plug, clock, again_s=0.01, kept=1000) as camera:
        taken = until(camera, lambda one: one.frame is not None and int(one.frame.image[0, 0, 0]) >= 40)
        assert FROZEN in {one.trouble for one in taken}
        assert taken[-1].trouble is None
        assert len(plug.opened) == 3
        same = [one for one in taken[:-1] if one.frame is not None]
        assert len(same) == pytest.approx(FROZEN_NS / STEP, abs=2), "of the second time none was believed"


def test_a_film_that_shows_the_same_for_long_does_not_hang() -> None:
    clock = Clock()

    def still() -> Iterator[tuple[int, Any]]:
        for _ in range(300):
            clock.now += STEP
            yield clock.now, picture(3)

    plug = Plug(still())

    def film(config: Any) -> Any:
        device = plug(config)
        device.live = False
        return device

    with LiveCamera(CONFIG, opener=film, clock=clock, kept=1000, again_s=SOON_S) as camera:
        until(camera, lambda one: one.frame is not None and one.frame.index == 299)
        plug.over.set()


# --- stamps -----------------------------------------------------------------------------------------------------------


def test_good_stamps_are_taken_as_they_are() -> None:
    taken = TimestampChecks()
    assert [taken.correct_stamp(NOW - late * MS, NOW) for late in (0, 40, 1_900)] == [
        NOW,
        NOW - 40 * MS,
        NOW - 1_900 * MS,
    ]
    assert taken.correct_stamp(NOW + 58 * MS, NOW) == NOW
    assert not taken.has_other_clock


@pytest.mark.parametrize("away_ms", [-3_600_000, 5_000, 10**12])
def test_another_clock_is_moved_by_the_least_time_that_a_picture_took(away_ms: int) -> None:
    taken = TimestampChecks()
    lates = [40, 55, 38, 41, 90, 36, 44, 50, 47, 39, 37, 52, 35, 61]
    found = []
    for k, late in enumerate(lates):
        exposed = NOW + k * STEP
        found.append((exposed, taken.correct_stamp(exposed + away_ms * MS, exposed + late * MS)))
    assert [one for _, one in found[: MIN_ODD_STAMPS - 1]] == [None] * (MIN_ODD_STAMPS - 1)
    assert taken.has_other_clock
    for exposed, stamp in found[MIN_ODD_STAMPS - 1 :]:
        assert stamp is not None
        assert 0 <= stamp - exposed < 60 * MS


def test_a_single_odd_stamp_leaves_its_picture_out() -> None:
    taken = TimestampChecks()
    assert taken.correct_stamp(NOW, NOW + 30 * MS) == NOW
    assert taken.correct_stamp(NOW + 10**15, NOW + 63 * MS) is None
    assert taken.correct_stamp(NOW + 66 * MS, NOW + 96 * MS) == NOW + 66 * MS


def test_a_clock_that_stands_is_none() -> None:
    taken = TimestampChecks()
    found = [taken.correct_stamp(0, NOW + k * 100 * MS) for k in range(40)]
    assert all(
        one is not None and abs(one - NOW - k * 100 * MS) <= ASTRAY_NS for k, one in enumerate(found) if k > 9
    )


def test_a_camera_with_another_clock_is_told_and_its_pictures_are_used() -> None:
    clock = Clock()

    def script() -> Iterator[int]:
        for _ in range(20):
            clock.now += STEP
            yield clock.now + 86_400_000 * MS

    with reading(Plug(script()), clock) as camera:
        taken = until(camera, lambda one: one.frame is not None and one.frame.index == 19)
        assert taken[-1].trouble == OTHER_CLOCK
        found = stamps(taken)
        assert len(found) == 11
        assert found == sorted(found)
        assert found[-1] <= clock.now
