"""The stick that is plugged in: a removable disk that is mounted, and can be written to."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from table.errors import TableError
from table.host.mounts import MOUNTS, mounted

BLOCKS = Path("/sys/class/block")


def find_stick(mounts: Path = MOUNTS, blocks: Path = BLOCKS) -> Path:
    """The folder in which the stick is mounted, the last one of several; ``TableError`` where there is none."""
    try:
        found = [mount for mount in mounted(mounts) if mount.device.startswith("/dev/")]
    except OSError as error:
        raise TableError("stick.unread", at=mounts, error=error) from None
    used = {_disk(mount.device, blocks) for mount in found}
    systems = {_disk(mount.device, blocks) for mount in found if mount.place == "/"}
    sticks = [mount for mount in reversed(found) if _is_stick(_disk(mount.device, blocks), systems)]
    for mount in sticks:
        if "ro" not in mount.options and os.access(mount.place, os.W_OK):
            return Path(mount.place)
    if sticks:
        raise TableError("stick.read_only")
    unmounted = [disk for disk in _disks(blocks) if disk not in used and _is_stick(disk, systems)]
    if unmounted:
        raise TableError("stick.not_mounted", device=f"/dev/{_part_of(unmounted[-1])}")
    raise TableError("stick.none")


def _disks(blocks: Path) -> list[Path]:
    """All disks that have a medium, in sysfs (an empty card reader is a disk of no size)."""
    with suppress(OSError):
        found = {_disk(name, blocks) for name in sorted(os.listdir(blocks))}
        return sorted(disk for disk in found if _number(disk / "size") > 0)
    return []


def _part_of(disk: Path) -> str:
    """The device to mount: the first partition, or the disk itself where it has none."""
    parts = sorted(path.parent.name for path in disk.glob("*/partition"))
    return parts[0] if parts else disk.name


def _number(path: Path) -> int:
    try:
        return int(path.read_text(encoding="ascii", errors="replace"))
    except (OSError, ValueError):
        return 0


def _disk(device: str, blocks: Path) -> Path:
    """The whole disk that a device is a part of, in sysfs."""
    at = Path(os.path.realpath(blocks / Path(os.path.realpath(device)).name))
    return at.parent if (at / "partition").exists() else at


def _is_stick(disk: Path, systems: set[Path]) -> bool:
    """Whether a disk that the machine does not run from says it is removable, or hangs at USB (fast ones say fixed)."""
    if disk in systems:
        return False
    if any(part.startswith("usb") for part in disk.parts):
        return True
    return _number(disk / "removable") == 1
