"""The live camera: nothing waits for it, and it may go away and come back."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from table.config.settings import CameraConfig, source_kind
from table.errors import TableError
from table.i18n.terminal_output import phrase_text
from table.observed_facts import END_NS, MS, Image
from table.phrase import make_phrase
from table.sources.camera.camera_kinds import (
    FilmCamera,
    V4L2Camera,
    WarmedUpCamera,
    check_source,
    open_device,
)
from table.sources.camera.live_camera import SILENT_NS, LiveCamera, NextFrame
from table.sources.camera.picamera import PiCamera
from tests.sources.lamplight import USB_CAMERA, picamera2_that_opens
from tests.wrong import wrong

CONFIG = CameraConfig(source="/dev/video0", size=(32, 24), fps=30)
STEP = 33 * MS
SOON_S = 5.0
"""How long a test waits for another thread; none does where all is well."""


def picture(level: int = 0, size: tuple[int, int] = (32, 24)) -> Image:
    return np.full((size[1], size[0], 3), level, np.uint8)


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 1_000_000 * MS

    def __call__(self) -> int:
        return self.now


class FakeDevice:
    """Gives what it is told to: stamps, None (it stops), or an exception."""

    accuracy = held = make_phrase("stamped.film")
    live = True

    def __init__(self, script: Iterator[Any], over: threading.Event) -> None:
        self._script = script
        self._over = over
        self._levels = itertools.cycle(range(200))
        self.closed = threading.Event()

    def read(self) -> tuple[int, Image] | None:
        step = next(self._script, "wait")
        if step == "wait":
            self._over.wait(SOON_S)
            return None
        if isinstance(step, BaseException):
            raise step
        return step if step is None or isinstance(step, tuple) else (step, picture(next(self._levels)))

    def close(self) -> None:
        self.closed.set()


class Plug:
    """Opens one device after the other; an exception among them is a failure to open."""

    def __init__(self, *scripts: Any) -> None:
        self._scripts = list(scripts)
        self.opened: list[FakeDevice] = []
        self.idle = threading.Event()
        self.over = threading.Event()

    def __call__(self, config: CameraConfig) -> FakeDevice:
        if not self._scripts:
            self.idle.set()
            raise TableError("the camera is not there")
        script = self._scripts.pop(0)
        if isinstance(script, BaseException):
            raise script
        self.opened.append(FakeDevice(iter(script), self.over))
        return self.opened[-1]


@contextmanager
def reading(plug: Plug, clock: Clock, **options: Any) -> Iterator[LiveCamera]:
    """A camera that reads what ``plug`` gives."""
    with LiveCamera(CONFIG, opener=plug, clock=clock, **options) as camera:
        try:
            yield camera
        finally:
            plug.over.set()


def until(camera: LiveCamera, wanted: Callable[[NextFrame], bool]) -> list[NextFrame]:
    """Take until something wanted comes; everything taken."""
    taken = []
    for _ in range(int(SOON_S / 0.01)):
        taken.append(camera.next_frame(0.01))
        if wanted(taken[-1]):
            return taken
    raise AssertionError(f"it never came; last: {taken[-1]}")


def stamps(taken: list[NextFrame]) -> list[int]:
    return [one.frame.t_ns for one in taken if one.frame is not None]


def test_frames_come_in_order_with_their_stamps_and_numbers() -> None:
    clock = Clock()
    given = [clock.now - STEP * k for k in (3, 2, 1)]
    with reading(Plug(given), clock) as camera:
        taken = until(camera, lambda one: one.frame is not None and one.frame.index == 2)
        assert stamps(taken) == given
        assert taken[-1].until_ns == given[-1] + 1, "nothing older can come"
        assert taken[-1].trouble is None
        assert camera.accuracy == make_phrase("stamped.film")


def test_a_camera_that_stops_is_told_and_comes_back() -> None:
    clock = Clock()
    seen = threading.Event()

    def back() -> Iterator[int]:
        seen.wait(SOON_S)
        yield clock.now - STEP

    first = clock.now - 5 * STEP
    plug = Plug([first, None], TableError("no such device"), back())
    with reading(plug, clock, again_s=0.01) as camera:
        gone = until(camera, lambda one: one.trouble is not None)
        seen.set()
        again = until(camera, lambda one: one.frame is not None)
        assert {phrase_text(one.trouble) for one in gone if one.frame is None and one.trouble} <= {
            "the camera has stopped: check its cable. Until it is back only buttons count",
            "no such device",
        }
        assert again[-1].trouble is None, "all is well again"
        assert stamps(gone + again) == [first, clock.now - STEP]
        assert plug.opened[0].closed.is_set()


def test_another_camera_is_read_once_it_is_chosen() -> None:
    clock = Clock()
    opened: list[CameraConfig] = []
    plug = Plug([clock.now - 2 * STEP] * 2, [clock.now - STEP])

    def opener(config: CameraConfig) -> FakeDevice:
        opened.append(config)
        return plug(config)

    other = replace(CONFIG, source="/dev/video9")
    with LiveCamera(CONFIG, opener=opener, clock=clock, again_s=0.01) as camera:
        until(camera, lambda one: one.frame is not None)
        camera.change_camera(other)
        plug.over.set()
        until(camera, lambda one: one.frame is not None and one.frame.t_ns == clock.now - STEP)
    assert opened[:2] == [CONFIG, other]
    assert plug.opened[0].closed.is_set()


def test_a_driver_that_raises_anything_is_no_crash() -> None:
    clock = Clock()
    plug = Plug([RuntimeError("USB\ngone")])
    with reading(plug, clock, again_s=SOON_S) as camera:
        taken = until(camera, lambda one: one.trouble is not None)
        assert taken[-1].trouble == make_phrase("camera.stopped_by", error="USB gone")


def test_a_silent_camera_holds_the_table_up_for_a_second_at_most() -> None:
    clock = Clock()
    with reading(Plug([clock.now]), clock) as camera:
        until(camera, lambda one: one.frame is not None)
        before = camera.next_frame()
        clock.now += 10 * SILENT_NS
        after = camera.next_frame()
        assert before.until_ns == clock.now - 10 * SILENT_NS + 1
        assert after.until_ns == clock.now - SILENT_NS
        assert after.trouble == make_phrase("camera.stopped")


def test_a_frame_older_than_what_was_promised_is_dropped() -> None:
    clock = Clock()
    gate = threading.Event()

    def script() -> Iterator[Any]:
        yield clock.now
        gate.wait(SOON_S)
        yield clock.now - 5 * SILENT_NS
        yield clock.now

    with reading(Plug(script()), clock) as camera:
        first = until(camera, lambda one: one.frame is not None)
        clock.now += 10 * SILENT_NS
        promised = camera.next_frame().until_ns
        gate.set()
        taken = until(camera, lambda one: one.frame is not None)
        assert stamps(first + taken) == [clock.now - 10 * SILENT_NS, clock.now]
        assert taken[-1].until_ns > promised
        assert camera.dropped_frames == 1


def test_the_newest_frames_are_kept_and_the_dropped_ones_counted() -> None:
    clock = Clock()
    given = [clock.now + k for k in range(10)]
    plug = Plug([*given, None])
    with reading(plug, clock, kept=4, again_s=0.01) as camera:
        assert plug.idle.wait(SOON_S)
        first = camera.next_frame()
        assert first.frame is not None
        assert first.frame.index == 6, "numbered as the camera gave them"
        rest = [camera.next_frame() for _ in range(4)]
        assert stamps([first, *rest]) == given[-4:]
        assert camera.dropped_frames == 6


def test_that_the_table_is_too_slow_is_told() -> None:
    clock = Clock()
    all_given = threading.Event()

    def script() -> Iterator[int]:
        yield from range(clock.now, clock.now + 5)
        all_given.set()

    with reading(Plug(script()), clock, kept=1) as camera:
        assert all_given.wait(SOON_S)
        taken = camera.next_frame()
        assert taken.frame is not None
        assert taken.frame.index == 4
        assert taken.trouble is not None
        assert "too slow" in phrase_text(taken.trouble)


@pytest.mark.parametrize(("fps", "few"), [(5, True), (8, False), (30, False)])
def test_that_a_camera_gives_too_few_pictures_is_told(fps: int, few: bool) -> None:
    clock = Clock()

    def script() -> Iterator[int]:
        for _ in range(20):
            clock.now += 1000 * MS // fps
            yield clock.now

    with reading(Plug(script()), clock) as camera:
        taken = until(camera, lambda one: one.frame is not None and one.frame.index == 19)
        assert taken[-1].trouble == (make_phrase("camera.few", fps=5.0, least=7.0) if few else None)


def test_a_single_gap_is_no_lack_of_pictures() -> None:
    clock = Clock()

    def script() -> Iterator[int]:
        for number in range(20):
            clock.now += 900 * MS if number == 12 else STEP
            yield clock.now

    with reading(Plug(script()), clock) as camera:
        taken = until(camera, lambda one: one.frame is not None and one.frame.index == 19)
        assert {one.trouble for one in taken} == {None}


def test_pictures_of_another_size_are_told_not_used() -> None:
    clock = Clock()
    plug = Plug([(clock.now, picture(size=(64, 48)))])
    with reading(plug, clock, again_s=0.01) as camera:
        assert plug.idle.wait(SOON_S)
        assert camera.next_frame().frame is None
    plug = Plug([(clock.now, picture(size=(64, 48)))])
    with reading(plug, clock, again_s=SOON_S) as camera:
        taken = until(camera, lambda one: one.trouble is not None)
        assert taken[-1].trouble == make_phrase("camera.other_size", width=64, height=48, wide=32, high=24)


def test_a_tap_gets_every_frame_even_those_that_the_table_drops() -> None:
    clock = Clock()
    tapped: list[int] = []
    plug = Plug([clock.now + k for k in range(10)] + [None])
    camera = LiveCamera(CONFIG, opener=plug, clock=clock, kept=2, again_s=0.01)
    camera.tap = lambda frame: tapped.append(frame.index)
    with camera:
        assert plug.idle.wait(SOON_S)
    assert tapped == list(range(10))


# --- the kinds of camera ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("picamera", "picamera"),
        (0, "v4l2"),
        ("1", "v4l2"),
        ("/dev/video2", "v4l2"),
        ("rtsp://camera/1", "url"),
        ("game.mp4", "file"),
    ],
)
def test_what_a_source_names(source: str | int, kind: str) -> None:
    assert source_kind(source) == kind


class FakeCapture:
    """OpenCV's capture of a V4L2 device whose driver stamps with ``stamp_of(now)``."""

    def __init__(self, clock: Clock, stamp_of: Callable[[int], int]) -> None:
        self.clock = clock
        self.stamp_of = stamp_of
        self.settings: dict[int, float] = {}
        self.good = True
        self.bad: Iterator[Any] = iter(())
        """What the first calls of `retrieve` give: an answer, a picture, or an exception."""

    def isOpened(self) -> bool:  # noqa: N802 (OpenCV's name)
        return True

    def set(self, key: int, value: float) -> bool:
        self.settings[key] = value
        return True

    def get(self, key: int) -> float:
        assert key == cv2.CAP_PROP_POS_MSEC
        return self.stamp_of(self.clock.now) / MS

    def grab(self) -> bool:
        return self.good

    def retrieve(self) -> tuple[bool, Image | None]:
        bad = next(self.bad, picture())
        if isinstance(bad, BaseException):
            raise bad
        return bad if isinstance(bad, tuple) else (True, bad)

    def release(self) -> None:
        pass


def test_the_kernels_stamp_is_taken_where_it_is_of_our_clock() -> None:
    clock = Clock()
    capture = FakeCapture(clock, lambda now: now - 40 * MS)
    device = V4L2Camera(CONFIG, capture, clock)
    got = device.read()
    assert got is not None
    assert abs(got[0] - (clock.now - 40 * MS)) < 1000
    assert device.accuracy == make_phrase("stamped.bus")
    assert capture.settings[cv2.CAP_PROP_FRAME_WIDTH] == 32
    capture.good = False
    assert device.read() is None, "unplugged"


def test_a_stamp_that_lies_a_little_ahead_is_now() -> None:
    clock = Clock()
    device = V4L2Camera(CONFIG, FakeCapture(clock, lambda now: now + 58 * MS), clock)
    got = device.read()
    assert got is not None
    assert got[0] == clock.now
    assert device.accuracy == make_phrase("stamped.bus")


def test_a_stamp_of_another_clock_is_not() -> None:
    clock = Clock()
    device = V4L2Camera(CONFIG, FakeCapture(clock, lambda now: 1_700_000_000_000 * MS), clock)
    got = device.read()
    assert got is not None
    assert got[0] == clock.now
    assert device.accuracy == make_phrase("stamped.handed_over")


BAD_PICTURES = [(False, None), None, np.zeros((0, 0, 3), np.uint8), cv2.error("imdecode: buf is empty")]


@pytest.mark.parametrize("bad", BAD_PICTURES, ids=["refused", "none", "empty", "raised"])
def test_a_single_picture_that_can_not_be_decoded_is_left_out(bad: Any) -> None:
    clock = Clock()
    capture = FakeCapture(clock, lambda now: now)
    capture.bad = iter([bad])
    device = V4L2Camera(CONFIG, capture, clock)
    got = device.read()
    assert got is not None
    assert got[1].shape == (24, 32, 3)


def test_a_camera_of_which_no_picture_can_be_decoded_any_more_has_stopped() -> None:
    clock = Clock()
    capture = FakeCapture(clock, lambda now: now)
    capture.bad = iter(lambda: (False, None), None)
    assert V4L2Camera(CONFIG, capture, clock).read() is None


class FakePicamera2:
    """As much of picamera2 as is used; gives one picture, then times out."""

    def __init__(self) -> None:
        self.left = 1
        self.log: list[str] = []
        self.camera_controls: dict[str, tuple[float, float, float]] = {}

    def create_video_configuration(self, **wanted: Any) -> dict[str, Any]:
        assert wanted["main"] == {"size": (32, 24), "format": "RGB888"}
        return wanted

    def configure(self, config: dict[str, Any]) -> None:
        assert config["controls"] == {"FrameRate": 30}

    def start(self) -> None:
        self.log.append("start")

    def capture_request(self, wait: bool) -> str:
        assert not wait
        return "job"

    def wait(self, job: str, timeout: float) -> Any:
        assert job == "job"
        if not self.left:
            raise TimeoutError
        self.left -= 1
        return SimpleNamespace(
            make_array=lambda name: picture(7),
            get_metadata=lambda: {"SensorTimestamp": 12345},
            release=lambda: self.log.append("release"),
        )

    def stop(self) -> None:
        self.log.append("stop")

    def close(self) -> None:
        self.log.append("close")


def test_the_camera_module_gives_the_sensors_stamp() -> None:
    fake = FakePicamera2()
    device = PiCamera(CONFIG, picamera2_that_opens(lambda: fake))
    got = device.read()
    assert got is not None
    assert (got[0], int(got[1][0, 0, 0])) == (12345, 7)
    assert device.read() is None, "its cable has come off"
    device.close()
    assert fake.log == ["start", "release", "stop", "close"]


def test_a_camera_module_that_another_program_uses_is_not_said_to_be_missing() -> None:
    def in_use() -> None:
        try:
            raise RuntimeError("Failed to acquire camera: Device or resource busy")
        except RuntimeError:
            raise RuntimeError("Camera __init__ sequence did not complete.")  # noqa: B904 (as picamera2 does)

    with wrong("source.module_not_started") as caught:
        PiCamera(CONFIG, picamera2_that_opens(in_use))
    assert "Device or resource busy" in str(caught.value)


@pytest.mark.parametrize("cameras", [(), (USB_CAMERA,)], ids=["none", "usb"])
def test_a_camera_module_that_is_missing_is_not_opened_again_and_again(cameras: tuple[str, ...]) -> None:
    """Each time that picamera2 fails to open one it leaves a pipe open, until the process may open no more files."""
    opened: list[None] = []
    with wrong("source.no_module"):
        PiCamera(CONFIG, picamera2_that_opens(lambda: opened.append(None), cameras))
    assert opened == []


def test_a_library_that_was_built_for_other_libraries_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So Bookworm's picamera2 begins where its JPEG encoder finds a newer NumPy than it was built for."""
    (tmp_path / "picamera2.py").write_text('raise ValueError("numpy.dtype size changed")\n')
    monkeypatch.syspath_prepend(tmp_path)
    with wrong("source.no_picamera", at="camera.source") as caught:
        check_source(CameraConfig())
    assert "numpy.dtype size changed" in str(caught.value)


def test_the_first_pictures_of_a_camera_are_left_out() -> None:
    stamps_ = [1000 * MS + k * 100 * MS for k in range(9)]
    device = WarmedUpCamera(FakeDevice(iter([*stamps_, None]), threading.Event()))
    got = [device.read() for _ in range(3)]
    assert [one[0] if one else None for one in got] == [stamps_[7], stamps_[8], None]


@pytest.fixture
def film(tmp_path: Path) -> CameraConfig:
    """Six pictures at 200 a second."""
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 200, (32, 24))
    for level in range(6):
        writer.write(picture(40 * level))
    writer.release()
    return CameraConfig(source=str(path), size=(32, 24))


def test_a_file_is_a_camera_to_its_end(film: CameraConfig) -> None:
    with LiveCamera(film) as camera:
        frames = list(camera)
        assert [frame.index for frame in frames] == list(range(6))
        levels = [round(float(frame.image.mean()) / 40) for frame in frames]
        assert levels == list(range(6))
        steps = np.diff([frame.t_ns for frame in frames])
        assert set(steps) == {5 * MS}
        assert camera.next_frame().until_ns == END_NS


def test_a_file_is_opened_by_its_name(film: CameraConfig) -> None:
    device = open_device(film)
    assert isinstance(device, FilmCamera)
    device.close()


def test_a_device_that_is_no_camera_is_refused_and_one_that_is_not_there_may_come() -> None:
    with wrong("source.no_camera", at=("camera.source", "'/dev/zero'")):
        check_source(CameraConfig(source="/dev/zero"))
    check_source(CameraConfig(source="/dev/video250"))


def test_a_source_that_can_not_be_is_one_line(tmp_path: Path) -> None:
    with wrong("source.no_file"):
        LiveCamera(CameraConfig(source=str(tmp_path / "none.mp4"))).start()
    (tmp_path / "text.mp4").write_text("no film")
    with wrong("source.no_film", source=str(tmp_path / "text.mp4")):
        open_device(CameraConfig(source=str(tmp_path / "text.mp4")))
