"""Detection of a plugged-in USB stick: a removable disk that is mounted and writable."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from table.errors import TableError
from table.system.mounted_file_systems import MOUNTS, list_mounts

BLOCKS = Path("/sys/class/block")


def find_stick(mounts: Path = MOUNTS, blocks: Path = BLOCKS) -> Path:
    """Return the folder where a stick is mounted, the last one of several; raise `TableError` if there is none."""
    try:
        devices = [mount for mount in list_mounts(mounts) if mount.device.startswith("/dev/")]
    except OSError as error:
        raise TableError("stick.unread", at=mounts, error=error) from None
    used_disks = {_disk_of(mount.device, blocks) for mount in devices}
    system_disks = {_disk_of(mount.device, blocks) for mount in devices if mount.mount_point == "/"}
    sticks = [mount for mount in reversed(devices) if _is_stick(_disk_of(mount.device, blocks), system_disks)]
    for mount in sticks:
        if "ro" not in mount.options and os.access(mount.mount_point, os.W_OK):
            return Path(mount.mount_point)
    if sticks:
        raise TableError("stick.read_only")
    unmounted = [
        disk for disk in _list_disks(blocks) if disk not in used_disks and _is_stick(disk, system_disks)
    ]
    if unmounted:
        raise TableError("stick.not_mounted", device=f"/dev/{_device_to_mount(unmounted[-1])}")
    raise TableError("stick.none")


def _list_disks(blocks: Path) -> list[Path]:
    """Return all disks that have a medium, in sysfs (an empty card reader is a disk of size 0)."""
    with suppress(OSError):
        disks = {_disk_of(name, blocks) for name in sorted(os.listdir(blocks))}
        return sorted(disk for disk in disks if _read_number(disk / "size") > 0)
    return []


def _device_to_mount(disk: Path) -> str:
    """Return the name of the device to mount: the first partition, or the disk itself if it has none."""
    partitions = sorted(path.parent.name for path in disk.glob("*/partition"))
    return partitions[0] if partitions else disk.name


def _read_number(path: Path) -> int:
    """Return the number in a file of sysfs; 0 if there is none."""
    try:
        return int(path.read_text(encoding="ascii", errors="replace"))
    except (OSError, ValueError):
        return 0


def _disk_of(device: str, blocks: Path) -> Path:
    """Return the whole disk that a device is a part of, in sysfs."""
    path = Path(os.path.realpath(blocks / Path(os.path.realpath(device)).name))
    return path.parent if (path / "partition").exists() else path


def _is_stick(disk: Path, system_disks: set[Path]) -> bool:
    """Return whether a disk is a stick: removable or attached by USB (fast ones say fixed), and not the system's."""
    if disk in system_disks:
        return False
    if any(part.startswith("usb") for part in disk.parts):
        return True
    return _read_number(disk / "removable") == 1
