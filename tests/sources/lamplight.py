"""A camera under a lamp at the mains, and the two ways in which its settings are reached: picamera2's and the kernel's.

What real ones do: settings take effect some pictures later; automatic exposure follows the light; levels are not
linear; gain has a scale of its own, or steps; a UVC camera goes on telling the exposure that was last set by hand; a
control that a camera lacks is refused (picamera2: all of the call; the kernel: EINVAL).
"""

from __future__ import annotations

import errno
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np

from table.observed_facts import MS, Image
from table.sources.camera import v4l2

LATENCY = 4
ROWS = 48


@dataclass
class Lamp:
    """A light at the mains: its mean, and by how much it swings."""

    mean: float = 1.0
    swing: float = 0.3
    mains_hz: float = 50.0

    def over(self, start_us: float, long_us: float) -> float:
        """The light that falls in between, in mean lights times milliseconds."""
        turns = 2 * math.pi * 2 * self.mains_hz / 1e6
        wave = (math.cos(turns * start_us) - math.cos(turns * (start_us + long_us))) / turns
        return self.mean * (long_us + self.swing * wave) / 1000


@dataclass
class Sensor:
    """A rolling shutter at ``fps``; exposure and gain by hand or by itself, some pictures late."""

    lamp: Lamp
    fps: float = 30.0
    factor: Callable[[float], float] = lambda gain: gain
    """From a gain's setting to what it makes of light."""
    gains: tuple[float, float] = (1.0, 16.0)
    longest_us: float = 33_000.0
    automatic: bool = True
    exposure_us: float = 33_000.0
    gain: float = 1.0
    count: int = 0
    _queue: list[tuple[float, float]] = field(default_factory=list)

    def set(self, exposure_us: float, gain: float) -> None:
        self.exposure_us, self.gain = exposure_us, gain

    def picture(self) -> tuple[int, Image]:
        """The next one, and its stamp."""
        if self.automatic:
            self._find()
        self._queue.append((self.exposure_us, self.gain))
        exposure_us, gain = self._queue[0] if len(self._queue) <= LATENCY else self._queue.pop(0)
        start_us = 1e6 * self.count / self.fps
        t_ns = 1000 * MS + round(start_us * 1000)
        self.count += 1
        rows = [
            self.lamp.over(start_us + row * 20_000 / ROWS, exposure_us) * self.factor(gain)
            for row in range(ROWS)
        ]
        levels = np.clip(255 * (np.array(rows) / 40) ** (1 / 2.2), 0, 255)  # 40 clips
        return t_ns, np.repeat(levels[:, None, None], 64, axis=1).repeat(3, axis=2).astype(np.uint8)

    def _find(self) -> None:
        """Exposure for a middling picture: long first, then gain, as automatic exposure has it."""
        wanted = 10 / self.lamp.mean * 1000  # microseconds times gain
        self.exposure_us = min(self.longest_us, wanted / self.factor(self.gains[0]))
        self.gain = next(
            (
                gain
                for gain in np.linspace(*self.gains, 200)
                if self.exposure_us * self.factor(float(gain)) >= 0.98 * wanted
            ),
            self.gains[1],
        )


MODULE = "/base/axi/pcie@120000/rp1/i2c@88000/imx708@1a"
USB_CAMERA = "/base/axi/pcie@120000/rp1/usb@200000-1:1.0-046d:0825"
"""Names that libcamera gives to cameras."""


def picamera2_that_opens(open_: Callable[[], Any], cameras: Sequence[str] = (MODULE,)) -> Any:
    """The library picamera2 on a machine with these cameras."""

    class Picamera2:
        def __new__(cls) -> Any:
            return open_()

        @staticmethod
        def global_camera_info() -> list[dict[str, Any]]:
            return [{"Id": camera} for camera in cameras]

    return SimpleNamespace(Picamera2=Picamera2)


class FakePicamera:
    """As much of picamera2 as is set; refuses what the camera lacks."""

    def __init__(self, sensor: Sensor, *, focuses: bool = True) -> None:
        self.sensor = sensor
        self.set: dict[str, Any] = {}
        self.white, self.lens = (1.9, 1.6), 1.25
        """What automatic white balance and focus find."""
        self.camera_controls: dict[str, tuple[Any, Any, Any]] = {
            "ExposureTime": (26, 112_015_443, 20_000),
            "AnalogueGain": (*sensor.gains, 1.0),
            "AeEnable": (False, True, None),
            "AwbEnable": (False, True, None),
            "ColourGains": (0.0, 32.0, None),
            "AeFlickerMode": (0, 1, 0),
            "AeFlickerPeriod": (100, 1_000_000, None),
            "AeExposureMode": (0, 3, 0),
        }
        if focuses:
            self.camera_controls |= {"AfMode": (0, 2, 0), "LensPosition": (0.0, 15.0, 1.0)}
        self._focuses = focuses

    def set_controls(self, wanted: Mapping[str, Any]) -> None:
        for name in wanted:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.set |= wanted
        self.sensor.automatic = self.set["AeEnable"]
        if not self.sensor.automatic:
            self.sensor.set(self.set["ExposureTime"], self.set["AnalogueGain"])

    def metadata(self) -> dict[str, Any]:
        """Of the picture that comes now."""
        told: dict[str, Any] = {
            "ExposureTime": int(self.sensor.exposure_us),
            "AnalogueGain": self.sensor.gain,
            "ColourGains": self.white if self.set["AwbEnable"] else self.set["ColourGains"],
            "SensorTimestamp": 0,
        }
        if self._focuses:
            lens = self.lens if self.set["AfMode"] else self.set["LensPosition"]
            told |= {"AfState": 2 if self.sensor.count > 60 else 1, "LensPosition": lens}
        return told

    # --- for PiCamera

    def create_video_configuration(self, **wanted: Any) -> dict[str, Any]:
        return wanted

    def configure(self, config: dict[str, Any]) -> None:
        pass

    def start(self) -> None:
        pass

    def capture_request(self, wait: bool) -> str:
        return "job"

    def wait(self, job: str, timeout: float) -> Any:
        t_ns, image = self.sensor.picture()
        told = self.metadata() | {"SensorTimestamp": t_ns}
        return SimpleNamespace(make_array=lambda name: image, get_metadata=lambda: told, release=lambda: None)

    def stop(self) -> None:
        pass

    def close(self) -> None:
        pass


class FakeKernel:
    """The controls of a UVC camera behind ioctl; ``lacks`` those."""

    def __init__(self, sensor: Sensor, lacks: tuple[int, ...] = ()) -> None:
        self.sensor = sensor
        self.gone = False
        low, high = (round(gain) for gain in sensor.gains)
        self.ranges = {
            v4l2.EXPOSURE_ABSOLUTE: (3, 2047, 1),
            v4l2.GAIN: (low, high, 1),
            v4l2.EXPOSURE_AUTO: (0, 3, 1),
            v4l2.EXPOSURE_AUTO_PRIORITY: (0, 1, 1),
            v4l2.AUTO_WHITE_BALANCE: (0, 1, 1),
            v4l2.WHITE_BALANCE_TEMPERATURE: (2000, 6500, 1),
            v4l2.POWER_LINE_FREQUENCY: (0, 2, 1),
        }
        for control in lacks:
            del self.ranges[control]
        # Exposure and gain are what was set by hand last, whatever automatic makes of them.
        self.values = {control: low for control, (low, _, _) in self.ranges.items()} | {
            v4l2.EXPOSURE_ABSOLUTE: 250,
            v4l2.WHITE_BALANCE_TEMPERATURE: 4600,
        }

    @contextmanager
    def open(self, path: str) -> Iterator[int]:
        assert path == "/dev/video0"
        yield 7

    def __call__(self, handle: int, call: int, argument: bytes) -> bytes:
        assert handle == 7
        if self.gone:
            raise OSError(errno.ENODEV, "No such device")
        (control,) = v4l2.VALUE.unpack(argument[:8])[:1]
        if control not in self.ranges:
            raise OSError(errno.EINVAL, "Invalid argument")
        low, high, step = self.ranges[control]
        if call == v4l2.QUERYCTRL:
            return v4l2.QUERY.pack(control, 1, b"a name", low, high, step, low, 0)
        if call == v4l2.G_CTRL:
            return v4l2.VALUE.pack(control, self.values[control])
        assert call == v4l2.S_CTRL
        (_, value) = v4l2.VALUE.unpack(argument)
        if control == v4l2.EXPOSURE_AUTO and value not in (1, 3):
            raise OSError(errno.EINVAL, "Invalid argument")
        if control == v4l2.EXPOSURE_ABSOLUTE and self.values[v4l2.EXPOSURE_AUTO] != 1:
            raise OSError(errno.EACCES, "Permission denied")
        if not low <= value <= high:
            raise OSError(errno.ERANGE, "Numerical result out of range")
        self.values[control] = value
        self.sensor.automatic = self.values[v4l2.EXPOSURE_AUTO] != 1
        if not self.sensor.automatic:
            gain = self.values.get(v4l2.GAIN, self.sensor.gains[0])
            self.sensor.set(self.values[v4l2.EXPOSURE_ABSOLUTE] * 100.0, gain)
        return argument
