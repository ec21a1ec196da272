"""The settings of a V4L2 camera, by the kernel's own calls: their ranges, their values, and setting them.

OpenCV sets some of them too, but tells no ranges, hides whether a camera has one, and lacks the mains' frequency.
Another handle of the same device may set them while pictures are being read.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from table.phrase import WrongValueError
from table.sources.held import Range, Setting

# linux/videodev2.h and linux/v4l2-controls.h
QUERYCTRL: Final = 0xC0445624
G_CTRL: Final = 0xC008561B
S_CTRL: Final = 0xC008561C
QUERY: Final = struct.Struct("=II32siiiiI8x")
"""id, type, name, minimum, maximum, step, default, flags, two reserved words."""
VALUE: Final = struct.Struct("=Ii")
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
UNIT_US: Final = 100.0
"""EXPOSURE_ABSOLUTE counts these."""
LINES: Final = ((15_000.0, 0), (9_000.0, 1), (0.0, 2))
"""POWER_LINE_FREQUENCY by the least half period in microseconds: off, 50 Hz, 60 Hz."""

Ioctl = Callable[[int, int, bytes], bytes]


def ioctl(handle: int, call: int, argument: bytes) -> bytes:
    """The kernel's call; what it has made of the argument."""
    return bytes(fcntl.ioctl(handle, call, argument))


@contextmanager
def opened(path: str) -> Iterator[int]:
    """A handle of the device for settings alone."""
    handle = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        yield handle
    finally:
        os.close(handle)


class V4L2Knobs:
    """What of a V4L2 camera can be set; ``OSError`` where the device has gone."""

    def __init__(self, path: str, call: Ioctl = ioctl, open_: Callable[[str], Any] = opened) -> None:
        """``WrongValueError`` for a camera whose exposure can't be set. ``call``, ``open_``: for tests."""
        self._path = path
        self._call = call
        self._open = open_
        with self._open(path) as handle:
            exposure = self._range(handle, EXPOSURE_ABSOLUTE)
            gain = self._range(handle, GAIN)
            manual = self._range(handle, EXPOSURE_AUTO)
        if exposure is None or manual is None:
            raise WrongValueError("held.no_exposure")
        self.exposure = Range(exposure.low * UNIT_US, exposure.high * UNIT_US, exposure.step * UNIT_US)
        self.gain = gain or Range(0.0, 0.0)

    def automatic(self, half_period_us: float) -> None:
        """Let the camera find its light, white and focus; its own means against flicker help it meanwhile."""
        line = next(value for least, value in LINES if half_period_us >= least)
        with self._open(self._path) as handle:
            self._set(handle, POWER_LINE_FREQUENCY, line)
            for value in EXPOSURES_AUTOMATIC:
                if self._set(handle, EXPOSURE_AUTO, value):
                    break
            self._set(handle, EXPOSURE_AUTO_PRIORITY, 0)  # or it takes fewer pictures in dim light
            for control in (AUTOGAIN, AUTO_WHITE_BALANCE, FOCUS_AUTO):
                self._set(handle, control, 1)

    def found(self) -> Setting | None:
        """What the camera says it has chosen; many say only what was set by hand last: then it is a first guess."""
        with self._open(self._path) as handle:
            exposure = self._get(handle, EXPOSURE_ABSOLUTE)
            gain = self._get(handle, GAIN)
        at = self.exposure.clip((exposure or 0) * UNIT_US)
        return Setting(at, self.gain.clip(float(gain or 0)))

    def fix(self, setting: Setting) -> None:
        """Set exposure and gain, and fix white and focus as they are."""
        with self._open(self._path) as handle:
            self._set(handle, EXPOSURE_AUTO, EXPOSURE_MANUAL)
            self._set(handle, AUTOGAIN, 0)
            self._set(handle, EXPOSURE_ABSOLUTE, round(setting.exposure_us / UNIT_US))
            if self.gain.high > self.gain.low:
                self._set(handle, GAIN, round(setting.gain))
            # Some cameras go back to an older value when they are taken off automatic: it is said to them again.
            for automatic, value in (
                (AUTO_WHITE_BALANCE, WHITE_BALANCE_TEMPERATURE),
                (FOCUS_AUTO, FOCUS_ABSOLUTE),
            ):
                if self._get(handle, automatic):
                    at = self._get(handle, value)
                    self._set(handle, automatic, 0)
                    if at is not None:
                        self._set(handle, value, at)

    def _range(self, handle: int, control: int) -> Range | None:
        """What a control can be set to; None where this camera has none."""
        try:
            answer = self._call(handle, QUERYCTRL, QUERY.pack(control, 0, b"", 0, 0, 0, 0, 0))
        except OSError as error:
            if error.errno in (errno.EINVAL, errno.ENOTTY):
                return None
            raise
        _, _, _, low, high, step, _, flags = QUERY.unpack(answer)
        return None if flags & DISABLED else Range(float(low), float(high), float(step))

    def _get(self, handle: int, control: int) -> int | None:
        try:
            return int(VALUE.unpack(self._call(handle, G_CTRL, VALUE.pack(control, 0)))[1])
        except OSError as error:
            _unless_gone(error)
            return None

    def _set(self, handle: int, control: int, value: int) -> bool:
        """Whether the camera has it and took it."""
        try:
            self._call(handle, S_CTRL, VALUE.pack(control, value))
        except OSError as error:
            _unless_gone(error)
            return False
        return True


def _unless_gone(error: OSError) -> None:
    """A camera may lack a control, or refuse it just now; a camera that is unplugged is another thing."""
    if error.errno == errno.ENODEV:
        raise error
