"""A camera held still under lamps at the mains: no flicker, as bright as it was, and nothing wanders any more."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from table.config.settings import CameraConfig
from table.observed_facts import MS
from table.phrase import make_phrase
from table.sources.camera import v4l2
from table.sources.camera.camera_kinds import V4L2Camera, WarmedUpCamera
from table.sources.camera.exposure_lock import NOT_CONTROLLED, ExposureLock, mean_brightness
from table.sources.camera.picamera import PiCamera, PiCameraControls
from table.sources.camera.v4l2 import V4L2Controls, device_path
from tests.sources.lamplight import FakeKernel, FakePicamera, Lamp, Sensor, picamera2_that_opens

PICTURES = 130
STEEP: dict[str, Any] = {"gains": (0.0, 255.0), "factor": lambda gain: 1.03 ** (gain / 4)}
"""A USB camera's gain: 0 is not none, and 255 is about six times as much."""


def settled(camera: str, sensor: Sensor, hz: int, **lacks: Any) -> tuple[WarmedUpCamera, Any]:
    """The camera as the table has it, and the fake behind it."""
    if camera == "picamera":
        fake = FakePicamera(sensor)
        config = CameraConfig(size=(64, 48), fps=sensor.fps)
        module = PiCamera(config, picamera2_that_opens(lambda: fake))
        return WarmedUpCamera(module, lambda: ExposureLock(module.controls, hz, sensor.fps)), fake
    kernel = FakeKernel(sensor, **lacks)
    device = SimpleNamespace(
        read=sensor.picture, accuracy=NOT_CONTROLLED, held=NOT_CONTROLLED, live=True, close=lambda: None
    )
    return WarmedUpCamera(
        device, lambda: ExposureLock(V4L2Controls("/dev/video0", kernel, kernel.open), hz, sensor.fps)
    ), kernel


def pictures(device: WarmedUpCamera, count: int = 60) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The mean of each row of each picture."""
    got = [device.read() for _ in range(count)]
    return np.array([one[1].mean(axis=(1, 2)) for one in got if one is not None])


def flicker(rows: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    """The worst row's standard deviation from picture to picture, as a share."""
    return float((rows.std(axis=0) / rows.mean(axis=0)).max())


@pytest.mark.parametrize("hz", [50, 60])
@pytest.mark.parametrize("mean", [0.05, 0.2, 0.5, 1.0])
@pytest.mark.parametrize("camera", ["picamera", "usb"])
def test_lamps_do_not_flicker_and_the_picture_stays_as_bright(camera: str, mean: float, hz: int) -> None:
    # 31 a second: at 30 the mains would stand still in the picture by chance.
    sensor = Sensor(Lamp(mean, mains_hz=hz), fps=31, **(STEEP if camera == "usb" else {}))
    for _ in range(40):
        automatic = mean_brightness(sensor.picture()[1])
    device, _ = settled(camera, sensor, hz)
    rows = pictures(device)
    assert flicker(rows) < 0.01
    assert abs(rows.mean() / automatic - 1) < 0.15
    assert (device.held.code, device.held.fields["hz"]) == ("held.still", hz)


def test_a_camera_left_to_itself_flickers_under_the_same_lamp() -> None:
    sensor = Sensor(Lamp(1.0), fps=31)
    device = WarmedUpCamera(
        SimpleNamespace(
            read=sensor.picture, accuracy=NOT_CONTROLLED, held=NOT_CONTROLLED, live=True, close=lambda: None
        )
    )
    sensor.automatic, sensor.exposure_us = False, 6_000.0
    assert flicker(pictures(device)) > 0.02
    assert device.held == NOT_CONTROLLED


def test_a_moving_hand_changes_nothing_any_more() -> None:
    sensor = Sensor(Lamp(0.5), fps=31)
    device, _ = settled("picamera", sensor, 50)
    before = pictures(device)
    setting = (sensor.exposure_us, sensor.gain)
    sensor.lamp.mean *= 0.7  # a sleeve takes light away
    after = pictures(device)
    assert (sensor.exposure_us, sensor.gain) == setting
    assert after[-1].mean() < 0.9 * before[-1].mean()


def test_another_light_is_set_anew_after_a_while_and_pictures_go_on() -> None:
    sensor = Sensor(Lamp(0.5), fps=31)
    device, _ = settled("picamera", sensor, 50)
    before = pictures(device)[-1].mean()
    sensor.lamp.mean = 0.1
    dark = pictures(device, 100)
    assert dark[-1].mean() < 0.6 * before, "not at once: a hand before the lens goes away again"
    again = pictures(device, 130)
    assert abs(again[-1].mean() / before - 1) < 0.1
    assert flicker(again[-30:]) < 0.01


@pytest.mark.parametrize("camera", ["picamera", "usb"])
def test_a_lamp_switched_on_after_the_camera_leaves_no_dark_picture(camera: str) -> None:
    lens = STEEP if camera == "usb" else {}
    lit, _ = settled(camera, Sensor(Lamp(0.5), fps=31, **lens), 50)
    wanted = pictures(lit)[-1].mean()
    sensor = Sensor(Lamp(0.001), fps=31, **lens)  # the camera alone can't make a room at night any brighter
    device, _ = settled(camera, sensor, 50)
    assert pictures(device)[-1].mean() < 0.3 * wanted
    sensor.lamp.mean = 0.5
    pictures(device, 300)
    rows = pictures(device)
    assert abs(rows.mean() / wanted - 1) < 0.15
    assert flicker(rows) < 0.01


def test_another_light_has_another_white_and_focus() -> None:
    sensor = Sensor(Lamp(0.001), fps=31)
    device, fake = settled("picamera", sensor, 50)
    pictures(device)
    fake.lens, fake.white = 3.5, (1.2, 2.4)  # what it finds once it sees something
    sensor.lamp.mean = 0.5
    pictures(device, 300)
    assert (fake.set["LensPosition"], fake.set["ColourGains"]) == (3.5, (1.2, 2.4))
    for name, value in {"AeEnable": False, "AwbEnable": False, "AfMode": 0}.items():
        assert fake.set[name] == value


def test_light_too_strong_for_a_half_period_is_said() -> None:
    sensor = Sensor(Lamp(8.0), fps=31)
    device, _ = settled("picamera", sensor, 50)
    rows = pictures(device)
    assert 100 < rows.mean() < 170
    assert (device.held.code, device.held.fields["hz"]) == ("held.short", 50)


def test_without_a_gain_the_nearest_multiple_that_is_not_too_bright_is_taken() -> None:
    sensor = Sensor(Lamp(0.7, mains_hz=60), fps=31, gains=(1.0, 1.0))
    device, _ = settled("usb", sensor, 60, lacks=(v4l2.GAIN,))
    assert flicker(pictures(device)) < 0.01
    assert sensor.exposure_us in (8300, 16700)


def test_the_camera_module_is_given_focus_white_and_mains() -> None:
    sensor = Sensor(Lamp(0.5), fps=31)
    device, fake = settled("picamera", sensor, 60)
    assert fake.set["AeFlickerPeriod"] == 8333
    assert fake.set["AfMode"] == 2
    device.read()
    assert sensor.count > 60, "it waits for the focus"
    for name, value in {"AeEnable": False, "AwbEnable": False, "AfMode": 0, "LensPosition": 1.25}.items():
        assert fake.set[name] == value
    assert fake.set["ColourGains"] == (1.9, 1.6)


def test_a_camera_module_without_autofocus_is_asked_for_nothing_that_it_lacks() -> None:
    sensor = Sensor(Lamp(0.5))
    fake = FakePicamera(sensor, focuses=False)
    knobs = PiCameraControls(fake)
    holder = ExposureLock(knobs, 50, 30)
    for _ in range(80):
        t_ns, image = sensor.picture()
        knobs.metadata = fake.metadata()
        used = holder.process_brightness(t_ns, mean_brightness(image))
    assert used
    assert "AfMode" not in fake.set


def test_a_usb_cameras_white_stays_where_it_was() -> None:
    sensor = Sensor(Lamp(0.5), **STEEP)
    device, kernel = settled("usb", sensor, 50)
    assert kernel.values[v4l2.POWER_LINE_FREQUENCY] == 1
    assert kernel.values[v4l2.EXPOSURE_AUTO] == 3
    device.read()
    assert kernel.values[v4l2.EXPOSURE_AUTO] == 1
    assert kernel.values[v4l2.AUTO_WHITE_BALANCE] == 0
    assert kernel.values[v4l2.WHITE_BALANCE_TEMPERATURE] == 4600
    assert kernel.values[v4l2.EXPOSURE_ABSOLUTE] % 100 == 0


def test_a_camera_whose_exposure_can_not_be_set_is_used_as_it_is() -> None:
    sensor = Sensor(Lamp(0.5), **STEEP)
    device, _ = settled("usb", sensor, 50, lacks=(v4l2.EXPOSURE_ABSOLUTE,))
    got = device.read()
    assert got is not None
    assert 700 * MS <= got[0] - 1000 * MS < 800 * MS
    assert device.held == make_phrase("held.not_holdable", error=make_phrase("held.no_exposure"))


def test_a_camera_that_goes_while_it_is_set_is_no_crash() -> None:
    sensor = Sensor(Lamp(0.5), **STEEP)
    device, kernel = settled("usb", sensor, 50)
    kernel.gone = True
    assert device.read() is not None
    assert device.held.code == "held.not_holdable"
    assert "No such device" in device.held.fields["error"]


def test_pictures_come_within_three_seconds_however_hard_the_light_is_to_find() -> None:
    for mean in (0.001, 0.3, 50.0):
        sensor = Sensor(Lamp(mean), **STEEP)
        device, _ = settled("usb", sensor, 50)
        got = device.read()
        assert got is not None
        assert got[0] - 1000 * MS < 3000 * MS


def test_the_devices_name() -> None:
    assert [device_path(one) for one in (0, "2", "/dev/v4l/by-id/a")] == [
        "/dev/video0",
        "/dev/video2",
        "/dev/v4l/by-id/a",
    ]
    assert V4L2Camera.held == NOT_CONTROLLED
