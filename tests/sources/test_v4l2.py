"""USB cameras by the names that they keep: found again under another number, and named where one can't be opened."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from table.config.settings import CameraConfig
from table.errors import TableError
from table.observed_facts import MS
from table.sources.camera import v4l2
from table.sources.camera.camera_kinds import Device, StableOpener, V4L2Camera
from table.sources.camera.live_camera import LiveCamera
from tests.sources.test_live_camera import SOON_S, Clock, FakeDevice, until
from tests.wrong import wrong

NAME = "usb-Acme_HD_Camera_1234-video-index0"


class Bus:
    """The devices of a machine, and udev's names of them."""

    def __init__(self, folder: Path) -> None:
        self.by_id = folder / "v4l" / "by-id"
        self.by_port = folder / "v4l" / "by-path"
        self.folder = folder
        self.by_id.mkdir(parents=True)
        self.by_port.mkdir()

    def plug(self, number: int, name: str = NAME) -> None:
        device = self.folder / f"video{number}"
        device.touch()
        (self.by_id / name).symlink_to(device)

    def plug_with_port(self, number: int, port: str, name: str = NAME) -> str:
        """Plug in a device that has a name by its port too; as with udev the last of two of one name has it."""
        (self.by_id / name).unlink(missing_ok=True)
        self.plug(number, name)
        link = self.by_port / f"{port}-video-index0"
        link.symlink_to(self.folder / f"video{number}")
        return str(link)

    def unplug(self, number: int, name: str = NAME) -> None:
        (self.by_id / name).unlink()
        (self.folder / f"video{number}").unlink()


@pytest.fixture
def bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bus:
    bus = Bus(tmp_path)
    monkeypatch.setattr(v4l2, "BY_ID", bus.by_id)
    monkeypatch.setattr(v4l2, "BY_PORT", bus.by_port)
    monkeypatch.setattr(v4l2, "DEVICES", tmp_path)
    return bus


def camera(source: str | int) -> CameraConfig:
    return CameraConfig(source=source, size=(32, 24), fps=30)


@pytest.mark.parametrize("source", [0, "0"])
def test_a_camera_that_comes_back_under_another_number_is_found_again(bus: Bus, source: str | int) -> None:
    clock = Clock()
    over, gone = threading.Event(), threading.Event()
    opened: list[str] = []

    def open_(config: CameraConfig) -> Device:
        device = Path(v4l2.device_path(config.source)).resolve()
        if not device.exists():
            raise TableError("source.none_there", source=str(device))
        opened.append(device.name)
        return FakeDevice(iter([clock.now] if device.name == "video2" else [clock.now, None]), over)

    class Replugged(FakeDevice):
        """Is pulled out as it is closed, and comes back as another device."""

        def close(self) -> None:
            bus.unplug(0)
            bus.plug(2)
            clock.now += MS
            gone.set()

    def first_then(config: CameraConfig) -> Device:
        device = open_(config)
        return Replugged(iter([clock.now, None]), over) if opened == ["video0"] else device

    bus.plug(0)
    with LiveCamera(camera(source), opener=StableOpener(first_then), clock=clock, again_s=0.01) as live:
        until(live, lambda one: one.frame is not None)
        assert gone.wait(SOON_S)
        until(live, lambda one: one.frame is not None)
        over.set()
    assert opened == ["video0", "video2"]


def test_another_camera_in_its_place_is_taken_by_the_number_that_is_set(bus: Bus) -> None:
    opened: list[str | int] = []

    def open_(config: CameraConfig) -> Device:
        opened.append(config.source)
        return FakeDevice(iter(()), threading.Event())

    opener = StableOpener(open_)
    bus.plug(0)
    opener(camera(0))
    bus.unplug(0)
    bus.plug(0, "usb-Other_Camera-video-index0")
    opener(camera(0))
    assert opened == [0, 0]


def test_a_camera_named_by_its_port_keeps_that_name_because_a_twin_may_take_the_other(bus: Bus) -> None:
    port = bus.plug_with_port(0, "pci-0000:00:14.0-usb-0:1:1.0")
    assert v4l2.find_stable_name(port) == port


def test_two_cameras_of_one_name_are_both_listed_by_their_ports(bus: Bus) -> None:
    first = bus.plug_with_port(0, "pci-0000:00:14.0-usb-0:1:1.0")
    assert v4l2.list_cameras() == (str(bus.by_id / NAME),), "one alone has the name that says what it is"
    second = bus.plug_with_port(2, "pci-0000:00:14.0-usb-0:2:1.0")
    (bus.by_port / "platform-1f00110000.csi-video-index0").symlink_to(bus.folder / "video4")
    (bus.folder / "video4").touch()
    assert v4l2.list_cameras() == (first, second)
    assert v4l2.find_stable_name(2) == second, "its other name may lead to its twin after the next start"


def test_the_camera_in_use_is_known_by_whatever_name(bus: Bus) -> None:
    port = bus.plug_with_port(0, "pci-0000:00:14.0-usb-0:1:1.0")
    bus.plug(2, "usb-Other_Camera-video-index0")
    cameras = v4l2.list_cameras()
    assert len(cameras) == 2
    for source in (0, "0", port, str(bus.by_id / NAME), str(bus.folder / "video0")):
        assert v4l2.find_in_use(source, cameras) == str(bus.by_id / NAME)
    assert v4l2.find_in_use("picamera", ("picamera", *cameras)) == "picamera"
    assert v4l2.find_in_use("http://camera/stream", cameras) == "http://camera/stream"
    assert v4l2.find_in_use(7, cameras) == "7"


def test_the_stable_name_of_a_device_and_the_cameras_that_are_there(bus: Bus) -> None:
    bus.plug(0)
    bus.plug(1, NAME.replace("index0", "index1"))
    bus.plug(4, "usb-Other_Camera-video-index0")
    assert v4l2.find_stable_name(0) == str(bus.by_id / NAME)
    assert v4l2.find_stable_name(str(bus.folder / "video4")) == str(
        bus.by_id / "usb-Other_Camera-video-index0"
    )
    assert v4l2.find_stable_name(7) is None
    assert v4l2.list_cameras() == (
        str(bus.by_id / NAME),
        str(bus.by_id / "usb-Other_Camera-video-index0"),
    )


def test_without_stable_names_the_numbers_are_told(bus: Bus) -> None:
    for number in (1, 0, 10):
        (bus.folder / f"video{number}").touch()
    assert v4l2.list_cameras() == (str(bus.folder / "video0"), str(bus.folder / "video1"))


def test_the_devices_of_a_raspberry_pi_s_camera_module_are_no_cameras_of_their_own(bus: Bus) -> None:
    """On a Pi 4 these are video0 and video1, on a Pi 5 video0 to video7; libcamera alone can use them."""
    streaming, metadata = 0x04000000, 0x00800000
    capabilities = {
        "video0": v4l2.VIDEO_CAPTURE | v4l2.IO_MC | streaming,
        "video1": metadata | v4l2.IO_MC | streaming,
        "video2": v4l2.VIDEO_CAPTURE | streaming,
        "video3": metadata | streaming,
    }
    for name in capabilities:
        (bus.folder / name).touch()

    def kernel(handle: int, request: int, _: bytes) -> bytes:
        assert request == v4l2.QUERYCAP
        own = capabilities[Path(os.readlink(f"/proc/self/fd/{handle}")).name]
        return v4l2.CAPABILITY.pack(b"", b"", b"", 0, 0x80000000 | own, own)

    assert v4l2.list_cameras(kernel) == (str(bus.folder / "video2"),)


def test_a_camera_that_is_not_there_is_named_with_those_that_are(bus: Bus) -> None:
    with wrong("source.none_there", source=str(bus.folder / "video0")):
        V4L2Camera(camera(0))
    bus.plug(2)
    there = (str(bus.by_id / NAME),)
    with wrong("source.others_there", source=str(bus.folder / "video0"), cameras=there):
        V4L2Camera(camera(0))


def test_a_camera_that_is_there_and_can_not_be_opened_is_used_by_another_program(bus: Bus) -> None:
    bus.plug(0)
    with wrong("source.in_use", source=str(bus.folder / "video0")):
        V4L2Camera(camera(0))
