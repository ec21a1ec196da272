"""The stick that is plugged in: a removable disk that is mounted, and can be written to."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from table.errors import TableError

MOUNTS = Path("/proc/self/mounts")
BLOCKS = Path("/sys/class/block")


def find_stick(mounts: Path = MOUNTS, blocks: Path = BLOCKS) -> Path:
    """The folder in which the stick is mounted, the last one of several; ``TableError`` where there is none."""
    try:
        rows = [
            row.split() for row in mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        ]
    except OSError as error:
        raise TableError("stick.unread", at=mounts, error=error) from None
    mounted = [(row[0], _plain(row[1]), row[3].split(",")) for row in rows if row[0].startswith("/dev/")]
    systems = {_disk(device, blocks) for device, place, _ in mounted if place == "/"}
    read_only = False
    for device, place, options in reversed(mounted):
        disk = _disk(device, blocks)
        if disk in systems or not _is_removable(disk):
            continue
        if "ro" in options or not os.access(place, os.W_OK):
            read_only = True
            continue
        return Path(place)
    if read_only:
        raise TableError("stick.read_only")
    raise TableError("stick.none")


def _disk(device: str, blocks: Path) -> Path:
    """The whole disk that a device is a part of, in sysfs."""
    at = Path(os.path.realpath(blocks / Path(os.path.realpath(device)).name))
    return at.parent if (at / "partition").exists() else at


def _is_removable(disk: Path) -> bool:
    """Whether it says so, or hangs at USB (a fast stick calls itself fixed)."""
    if any(part.startswith("usb") for part in disk.parts):
        return True
    with suppress(OSError):
        return (disk / "removable").read_text(encoding="ascii", errors="replace").strip() == "1"
    return False


def _plain(place: str) -> str:
    """A mount point as it is: spaces and the like stand there in octal."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), place)
