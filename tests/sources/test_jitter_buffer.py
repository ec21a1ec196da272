"""A network camera delivers late and in bursts: what it filmed keeps its distances."""

from __future__ import annotations

from itertools import pairwise

import pytest

from table.config.settings import CameraConfig
from table.observed_facts import MS
from table.sources.camera.camera_kinds import UrlCamera
from tests.sources.test_live_camera import FakeCapture, picture

STEP = 50 * MS
START = 1_000_000 * MS
CAMERA = CameraConfig(source="http://camera/stream", size=(32, 24), fps=30)


class Clock:
    """The time of the arrival that comes next."""

    def __init__(self, arrivals: list[int]) -> None:
        self._arrivals = iter(arrivals)
        self.left = len(arrivals)

    def __call__(self) -> int:
        self.left -= 1
        return next(self._arrivals)


class Stream(FakeCapture):
    """Delivers a picture at each of the arrivals, then the line breaks."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.bad = iter(())

    def grab(self) -> bool:
        return self._clock.left > 0


def stamped(arrivals: list[int]) -> list[int]:
    """The stamps that a network camera's pictures get, up to where the line breaks."""
    clock = Clock(arrivals)
    device = UrlCamera(CAMERA, Stream(clock), clock)
    found = []
    while (got := device.read()) is not None:
        assert got[1].shape == picture().shape
        found.append(got[0])
    assert len(found) == len(arrivals)
    return found


def exposures(pictures: int) -> list[int]:
    return [START + k * STEP for k in range(pictures)]


def delayed(exposed: list[int], first: int, until: int, apart_ns: int = MS) -> list[int]:
    """Arrivals where the network stalls: the pictures from one to before another come at once, with that one."""
    arrivals = list(exposed)
    for k in range(first, until):
        arrivals[k] = exposed[until] - (until - k) * apart_ns
    return arrivals


def test_pictures_that_arrive_evenly_are_stamped_on_arrival() -> None:
    assert stamped(exposures(100)) == exposures(100)


@pytest.mark.parametrize("apart_ms", [1, 12, 30])
@pytest.mark.parametrize("stalled", [3, 10, 20])
def test_a_burst_after_a_stall_is_stamped_as_it_was_exposed(stalled: int, apart_ms: int) -> None:
    exposed = exposures(150)
    arrivals = delayed(exposed, 100, 100 + stalled, apart_ms * MS // (1 + stalled // 10))
    found = stamped(arrivals)
    assert max(abs(stamp - true) for stamp, true in zip(found, exposed, strict=True)) < 0.2 * STEP


def test_the_backlog_that_comes_with_the_connection_lies_before_it() -> None:
    exposed = exposures(100)
    found = stamped(delayed(exposed, 0, 12))
    # Nothing is known of the stream's rate yet: it is taken for 30 pictures a second.
    assert found[12] - found[0] == pytest.approx(12 * 1e9 / 30, abs=MS)
    assert found[13:] == exposed[13:]


def test_after_a_stall_without_a_burst_the_picture_is_of_now() -> None:
    exposed = exposures(60)
    arrivals = exposed[:30] + [stamp + 800 * MS for stamp in exposed[30:]]
    assert stamped(arrivals) == arrivals


def test_pictures_that_always_come_in_groups_are_spaced() -> None:
    """As a sleeping radio delivers them: five at a time."""
    exposed = exposures(200)
    arrivals = [exposed[k // 5 * 5 + 4] + k % 5 * MS for k in range(200)]
    found = stamped(arrivals)
    steps = [after - before for before, after in pairwise(found[60:-5])]
    assert min(steps) > 0.8 * STEP
    assert max(steps) < 1.2 * STEP


def test_stamps_grow_and_never_lie_after_the_arrival() -> None:
    exposed = exposures(200)
    arrivals = delayed(delayed(exposed, 50, 95), 120, 135)
    found = stamped(arrivals)
    assert all(after > before for before, after in pairwise(found))
    assert all(stamp <= at for stamp, at in zip(found, arrivals, strict=True))
