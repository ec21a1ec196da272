"""Whether the machine's date can be believed: a Raspberry Pi keeps none while it is off, unless a battery does it."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

SYNCHRONIZED = Path("/run/systemd/timesync/synchronized")
"""There as soon as systemd-timesyncd has set the clock by the network since the machine was switched on."""
BY_BATTERY = Path("/sys/class/rtc/rtc0/hctosys")
"""Holds 1 where the kernel has set the clock, when it came up, by one that runs on while the machine is off."""
FIRST_YEAR = 2026
"""A clock before this was never set, or its battery is flat."""
_TIMEX_BYTES = 512
"""More than the kernel's ``struct timex`` has on any machine; all zeros ask and set nothing."""
_UNSYNCHRONIZED = 5
"""``TIME_ERROR`` of adjtimex(2)."""


def kernel_says_set() -> bool:
    """Whether some service keeps the clock by the network, as the kernel knows it; false where it may not be asked."""
    with suppress(OSError, AttributeError):
        adjtimex = ctypes.CDLL(None, use_errno=True).adjtimex
        return 0 <= int(adjtimex(ctypes.create_string_buffer(_TIMEX_BYTES))) < _UNSYNCHRONIZED
    return False


def date_is_sure(
    synchronized: Path = SYNCHRONIZED,
    by_battery: Path = BY_BATTERY,
    kernel: Callable[[], bool] = kernel_says_set,
    year: int | None = None,
) -> bool:
    """Whether the date came from the network, or from a clock with a battery; not where it is only gone on with."""
    if (time.gmtime().tm_year if year is None else year) < FIRST_YEAR:
        return False
    if synchronized.exists() or kernel():
        return True
    with suppress(OSError):
        return by_battery.read_text(encoding="ascii", errors="replace").strip() == "1"
    return False
