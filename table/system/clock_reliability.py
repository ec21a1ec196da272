"""Reliability of the machine's date: a Raspberry Pi without a battery loses it while it is off."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

SYNCHRONIZED = Path("/run/systemd/timesync/synchronized")
"""This file exists as soon as systemd-timesyncd has set the clock by the network since the machine was switched on."""
BY_BATTERY = Path("/sys/class/rtc/rtc0/hctosys")
"""This file holds 1 if the kernel set the clock at boot from one that runs while the machine is off."""
FIRST_YEAR = 2026
"""A clock before this year was never set, or its battery is flat."""
_TIMEX_BYTES = 512
"""More than the size of the kernel's ``struct timex`` on any machine; all zeros ask and set nothing."""
_UNSYNCHRONIZED = 5
"""The value ``TIME_ERROR`` of adjtimex(2)."""


def is_kernel_clock_set() -> bool:
    """Return whether the kernel reports a clock that is kept by the network; False if it can't be asked."""
    with suppress(OSError, AttributeError):
        adjtimex = ctypes.CDLL(None, use_errno=True).adjtimex
        return 0 <= int(adjtimex(ctypes.create_string_buffer(_TIMEX_BYTES))) < _UNSYNCHRONIZED
    return False


def is_date_reliable(
    synchronized: Path = SYNCHRONIZED,
    by_battery: Path = BY_BATTERY,
    kernel: Callable[[], bool] = is_kernel_clock_set,
    year: int | None = None,
) -> bool:
    """Return whether the date came from the network or from a battery clock, not only from the last shutdown."""
    if (time.gmtime().tm_year if year is None else year) < FIRST_YEAR:
        return False
    if synchronized.exists() or kernel():
        return True
    with suppress(OSError):
        return by_battery.read_text(encoding="ascii", errors="replace").strip() == "1"
    return False
