"""Mounted file systems: what kind a folder's is, and where a USB stick is mounted."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from table.errors import TableError, convert_errors

MOUNTS = Path("/proc/self/mounts")
BLOCKS = Path("/sys/class/block")
COMMAND_LINE = Path("/proc/cmdline")
_OVERLAY_IN_MEMORY = re.compile(r"\b(boot=overlay|overlayroot=tmpfs)\b")
"""The kernel options of Raspberry Pi OS and Debian that keep all changes to the root file system in memory."""


class _Mount(NamedTuple):
    device: str
    mount_point: str
    kind: str
    options: list[str]


def _list_mounts(mounts: Path) -> list[_Mount]:
    """Return all rows of the kernel's mount table in its order; raise ``OSError`` if it can't be read."""
    lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    return [
        _Mount(_decode_octal(fields[0]), _decode_octal(fields[1]), fields[2], fields[3].split(","))
        for fields in map(str.split, lines)
        if len(fields) > 3
    ]


def _decode_octal(name: str) -> str:
    """Decode a name of the mount table, in which spaces and the like are octal escapes."""
    return re.sub(r"\\([0-7]{3})", lambda escape: chr(int(escape[1], 8)), name)


# --- a folder's file system -------------------------------------------------------------------------------


def file_system_kind(folder: Path, mounts: Path = MOUNTS) -> str:
    """Return the kind of a folder's file system, such as ``ext4``; ``OSError`` if the mount table can't be read."""
    folders = [Path("/"), *(folder.resolve() / "x").parents]
    holding = [mount for mount in _list_mounts(mounts) if Path(mount.mount_point) in folders]
    # Of several mounts at one place the last one is visible.
    innermost = max(reversed(holding), key=lambda mount: len(Path(mount.mount_point).parts), default=None)
    return innermost.kind if innermost is not None else "?"


def is_volatile(kind: str, command_line: Path = COMMAND_LINE) -> bool:
    """Return whether a file system of this kind loses its content when the machine is switched off."""
    if kind != "overlay":
        return kind in ("tmpfs", "ramfs")
    with suppress(OSError):
        options = command_line.read_text(encoding="utf-8", errors="replace")
        return _OVERLAY_IN_MEMORY.search(options) is not None
    return False


def nearest_existing_folder(folder: Path) -> Path:
    """Return the folder if it exists, else its innermost existing parent."""
    return next((parent for parent in (folder, *folder.parents) if os.path.isdir(parent)), Path("/"))


# --- USB sticks -------------------------------------------------------------------------------------------


class StickError(TableError):
    """The error that there is no stick that can be written."""


def find_stick(mounts: Path = MOUNTS, blocks: Path = BLOCKS) -> Path:
    """Return the folder where a writable stick is mounted, the last one of several; `StickError` if there is none."""
    with convert_errors(OSError, "stick.unread", at=mounts, into=StickError):
        devices = [mount for mount in _list_mounts(mounts) if mount.device.startswith("/dev/")]
    used_disks = {_disk_of(mount.device, blocks) for mount in devices}
    system_disks = {_disk_of(mount.device, blocks) for mount in devices if mount.mount_point == "/"}
    sticks = [mount for mount in reversed(devices) if _is_stick(_disk_of(mount.device, blocks), system_disks)]
    for mount in sticks:
        if "ro" not in mount.options and os.access(mount.mount_point, os.W_OK):
            return Path(mount.mount_point)
    if sticks:
        raise StickError("stick.read_only")
    unmounted = [disk for disk in _list_disks(blocks) - used_disks if _is_stick(disk, system_disks)]
    if unmounted:
        raise StickError("stick.not_mounted", device=f"/dev/{_device_to_mount(max(unmounted))}")
    raise StickError("stick.none")


def _list_disks(blocks: Path) -> set[Path]:
    """Return all disks that have a medium, in sysfs (an empty card reader is a disk of size 0)."""
    with suppress(OSError):
        disks = {_disk_of(name, blocks) for name in os.listdir(blocks)}
        return {disk for disk in disks if _read_number(disk / "size") > 0}
    return set()


def _disk_of(device: str, blocks: Path) -> Path:
    """Return the whole disk that a device is a part of, in sysfs."""
    path = Path(os.path.realpath(blocks / Path(os.path.realpath(device)).name))
    return path.parent if (path / "partition").exists() else path


def _is_stick(disk: Path, system_disks: set[Path]) -> bool:
    """Return whether a disk is a stick: removable or attached by USB (fast ones say fixed), and not the system's."""
    is_removable = any(part.startswith("usb") for part in disk.parts) or _read_number(disk / "removable") == 1
    return is_removable and disk not in system_disks


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
