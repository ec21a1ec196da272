"""V4L2 cameras: those that are plugged in, their stable names, and their controls.

Linux numbers video devices in the order in which they are found, so a camera that is plugged in again, or
after another one, may have another number. udev links each device from a name that is made of its maker,
model and serial number, and from one that is made of its port. Two cameras of one model without serial numbers
share the first name, which then leads to one of them, now this and now that.

The controls are read and set by the kernel's ioctls. OpenCV sets some of them too, but gives no ranges, hides
whether a camera has one, and lacks the mains' frequency. Another handle of the same device may set them while
pictures are being read.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from table.phrase import WrongValueError
from table.sources.camera.exposure_lock import ControlRange, ExposureSetting

BY_ID: Final = Path("/dev/v4l/by-id")
BY_PORT: Final = Path("/dev/v4l/by-path")
DEVICES: Final = Path("/dev")
_NUMBERED: Final = re.compile(r"video\d+")
_USB: Final = "usb-"
"""A part of each name of a USB device; a Raspberry Pi's own devices have names by port too, and are no cameras."""
_PICTURE_SUFFIX: Final = "-index0"
"""The suffix of the name of a device that gives pictures; a camera's other devices give metadata."""

# linux/videodev2.h and linux/v4l2-controls.h
QUERYCAP: Final = 0x80685600
QUERYCTRL: Final = 0xC0445624
G_CTRL: Final = 0xC008561B
S_CTRL: Final = 0xC008561C
QUERY: Final = struct.Struct("=II32siiiiI8x")
"""id, type, name, minimum, maximum, step, default, flags, two reserved words."""
VALUE: Final = struct.Struct("=Ii")
CAPABILITY: Final = struct.Struct("=16s32s32sIII12x")
"""driver, card, bus, version, capabilities of all the driver's devices, those of this one, three reserved words."""
VIDEO_CAPTURE: Final = 0x00000001
IO_MC: Final = 0x20000000
"""The capability of a device that gives no pictures before a program such as libcamera has set up its pipeline."""
DISABLED: Final = 0x0001

AUTO_WHITE_BALANCE: Final = 0x0098090C
AUTOGAIN: Final = 0x00980912
GAIN: Final = 0x00980913
POWER_LINE_FREQUENCY: Final = 0x00980918
WHITE_BALANCE_TEMPERATURE: Final = 0x0098091A
EXPOSURE_AUTO: Final = 0x009A0901
EXPOSURE_ABSOLUTE: Final = 0x009A0902
EXPOSURE_AUTO_PRIORITY: Final = 0x009A0903
FOCUS_ABSOLUTE: Final = 0x009A090A
FOCUS_AUTO: Final = 0x009A090C

EXPOSURE_MANUAL: Final = 1
EXPOSURES_AUTOMATIC: Final = (3, 0)
"""Aperture priority, which is what USB cameras call it, or fully automatic."""
EXPOSURE_UNIT_US: Final = 100.0
"""The unit of EXPOSURE_ABSOLUTE in microseconds."""
POWER_LINE_VALUES: Final = ((15_000.0, 0), (9_000.0, 1), (0.0, 2))
"""The values of POWER_LINE_FREQUENCY by the least half period in microseconds: 60 Hz is 2, 50 Hz is 1, off is 0."""

Ioctl = Callable[[int, int, bytes], bytes]
"""Makes a call to the kernel; returns the argument as the kernel has changed it."""


# --- devices ----------------------------------------------------------------------------------------------


def device_path(source: str | int) -> str:
    """Return the path of the device that a V4L2 ``camera.source`` names."""
    number = str(source)
    return f"{DEVICES}/video{number}" if number.isdigit() else number


def find_stable_name(source: str | int) -> str | None:
    """Return a stable name of a V4L2 ``camera.source``, that of the device for a number; None if it has none.

    A name by the port stays: a twin may take the other name.
    """
    path = Path(device_path(source))
    if _NUMBERED.fullmatch(path.name) is None:
        return str(path)
    return _stable_names().get(os.path.realpath(path))


def find_in_use(source: str | int, cameras: Sequence[str]) -> str:
    """Return which of ``cameras`` a ``camera.source`` means, by whatever name; the source itself if it is none."""
    device = os.path.realpath(device_path(source))
    return next((name for name in cameras if os.path.realpath(device_path(name)) == device), str(source))


def list_cameras(call: Ioctl = fcntl.ioctl) -> tuple[str, ...]:
    """Return every camera that is plugged in, by its stable name; where none has one, by its device path.

    ``call``: for tests.
    """
    # Numbers from ten on are a Raspberry Pi's own devices, which are no cameras.
    paths = sorted(map(str, DEVICES.glob("video[0-9]")))
    return tuple(sorted(_stable_names().values())) or tuple(
        path for path in paths if _gives_pictures(path, call)
    )


def _stable_names() -> dict[str, str]:
    """Return the stable name of each USB camera that is plugged in, by the path of its device.

    All are named by their ports where one of them has no other name: it is a twin, and its twin's name may lead to it
    after the next start.
    """
    by_id, by_port = _picture_devices(BY_ID), _picture_devices(BY_PORT)
    return {**by_id, **by_port} if by_port.keys() - by_id.keys() else by_id


def _picture_devices(folder: Path) -> dict[str, str]:
    """Return udev's links in a folder to USB devices that give pictures, by the devices' paths."""
    try:
        links = sorted(link for link in folder.iterdir() if link.exists())
    except OSError:
        return {}
    return {
        os.path.realpath(link): str(link)
        for link in links
        if _USB in link.name and link.name.endswith(_PICTURE_SUFFIX)
    }


def _gives_pictures(path: str, call: Ioctl) -> bool:
    """Return whether a device gives pictures by itself, unlike those of a Raspberry Pi's camera module."""
    try:
        with open_handle(path) as handle:
            *_, capabilities = CAPABILITY.unpack(call(handle, QUERYCAP, bytes(CAPABILITY.size)))
    except OSError:
        return True  # nothing is known against it
    return bool(capabilities & VIDEO_CAPTURE) and not capabilities & IO_MC


# --- controls ---------------------------------------------------------------------------------------------


@contextmanager
def open_handle(path: str) -> Iterator[int]:
    """Open a handle of the device for its controls alone."""
    handle = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        yield handle
    finally:
        os.close(handle)


class V4L2Controls:
    """The controls of a V4L2 camera; ``OSError`` where the device has been unplugged."""

    def __init__(
        self, path: str, call: Ioctl = fcntl.ioctl, open_: Callable[[str], Any] = open_handle
    ) -> None:
        """``WrongValueError`` for a camera whose exposure can't be set. ``call``, ``open_``: for tests."""
        self._path = path
        self._ioctl = call
        self._open = open_
        with self._open(path) as handle:
            exposure = self._range(handle, EXPOSURE_ABSOLUTE)
            gain = self._range(handle, GAIN)
            manual = self._range(handle, EXPOSURE_AUTO)
        if exposure is None or manual is None:
            raise WrongValueError("held.no_exposure")
        self.exposure = ControlRange(*(value * EXPOSURE_UNIT_US for value in exposure))
        self.gain = gain or ControlRange(0.0, 0.0)

    def enable_automatic(self, half_period_us: float) -> None:
        """Let the camera adjust exposure, white balance and focus; its own anti-flicker setting helps meanwhile."""
        power_line = next(value for least, value in POWER_LINE_VALUES if half_period_us >= least)
        with self._open(self._path) as handle:
            self._set(handle, POWER_LINE_FREQUENCY, power_line)
            for value in EXPOSURES_AUTOMATIC:
                if self._set(handle, EXPOSURE_AUTO, value):
                    break
            self._set(handle, EXPOSURE_AUTO_PRIORITY, 0)  # or it takes fewer pictures in dim light
            for control in (AUTOGAIN, AUTO_WHITE_BALANCE, FOCUS_AUTO):
                self._set(handle, control, 1)

    def read_setting(self) -> ExposureSetting | None:
        """Return the setting that the camera reports. Many report only what was set by hand last: a first guess."""
        with self._open(self._path) as handle:
            exposure = self._get(handle, EXPOSURE_ABSOLUTE) or 0
            gain = self._get(handle, GAIN) or 0
        return ExposureSetting(self.exposure.clip(exposure * EXPOSURE_UNIT_US), self.gain.clip(gain))

    def fix_setting(self, setting: ExposureSetting) -> None:
        """Set exposure and gain, and fix white balance and focus as they are."""
        with self._open(self._path) as handle:
            self._set(handle, EXPOSURE_AUTO, EXPOSURE_MANUAL)
            self._set(handle, AUTOGAIN, 0)
            self._set(handle, EXPOSURE_ABSOLUTE, round(setting.exposure_us / EXPOSURE_UNIT_US))
            if self.gain.high > self.gain.low:
                self._set(handle, GAIN, round(setting.gain))
            # Some cameras go back to an older value when automatic is switched off: it is set again.
            pairs = ((AUTO_WHITE_BALANCE, WHITE_BALANCE_TEMPERATURE), (FOCUS_AUTO, FOCUS_ABSOLUTE))
            for automatic, value in pairs:
                if self._get(handle, automatic):
                    current = self._get(handle, value)
                    self._set(handle, automatic, 0)
                    if current is not None:
                        self._set(handle, value, current)

    def _range(self, handle: int, control: int) -> ControlRange | None:
        """Return the range of a control; None where this camera does not have it."""
        try:
            answer = self._ioctl(handle, QUERYCTRL, QUERY.pack(control, 0, b"", 0, 0, 0, 0, 0))
        except OSError as error:
            if error.errno in (errno.EINVAL, errno.ENOTTY):
                return None
            raise
        _, _, _, low, high, step, _, flags = QUERY.unpack(answer)
        return None if flags & DISABLED else ControlRange(float(low), float(high), float(step))

    def _get(self, handle: int, control: int) -> int | None:
        try:
            return int(VALUE.unpack(self._ioctl(handle, G_CTRL, VALUE.pack(control, 0)))[1])
        except OSError as error:
            _raise_if_unplugged(error)
            return None

    def _set(self, handle: int, control: int, value: int) -> bool:
        """Set a control; return whether the camera has it and accepted the value."""
        try:
            self._ioctl(handle, S_CTRL, VALUE.pack(control, value))
        except OSError as error:
            _raise_if_unplugged(error)
            return False
        return True


def _raise_if_unplugged(error: OSError) -> None:
    """Raise the error again if the camera was unplugged; a camera may lack a control, or refuse it just now."""
    if error.errno == errno.ENODEV:
        raise error
