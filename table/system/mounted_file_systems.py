"""Mounted file systems, and the kind of file system of a folder."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

MOUNTS = Path("/proc/self/mounts")
COMMAND_LINE = Path("/proc/cmdline")
_IN_MEMORY = ("tmpfs", "ramfs")
_OVERLAY_IN_MEMORY = re.compile(r"\b(boot=overlay|overlayroot=tmpfs)\b")
"""The kernel options of Raspberry Pi OS and Debian that keep all changes to the root file system in memory."""


@dataclass(frozen=True, slots=True)
class Mount:
    """One row of the kernel's mount table."""

    device: str
    mount_point: str
    kind: str
    options: tuple[str, ...]


def list_mounts(mounts: Path = MOUNTS) -> list[Mount]:
    """Return all mounts in the kernel's order; raise ``OSError`` if the mount table can't be read."""
    lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    rows = [line.split() for line in lines]
    return [
        Mount(_decode_octal(fields[0]), _decode_octal(fields[1]), fields[2], tuple(fields[3].split(",")))
        for fields in rows
        if len(fields) > 3
    ]


def file_system_kind(folder: Path, mounts: Path = MOUNTS) -> str:
    """Return the kind of a folder's file system, such as ``ext4``; raise ``OSError`` as :func:`list_mounts`."""
    folders = [Path("/"), *(folder.resolve() / "x").parents]
    holding = [mount for mount in list_mounts(mounts) if Path(mount.mount_point) in folders]
    # Of several mounts at one place the last one is visible.
    return (
        max(reversed(holding), key=lambda mount: len(Path(mount.mount_point).parts)).kind if holding else "?"
    )


def is_volatile(kind: str, command_line: Path = COMMAND_LINE) -> bool:
    """Return whether a file system of this kind loses its content when the machine is switched off."""
    if kind != "overlay":
        return kind in _IN_MEMORY
    try:
        return (
            _OVERLAY_IN_MEMORY.search(command_line.read_text(encoding="utf-8", errors="replace")) is not None
        )
    except OSError:
        return False


def nearest_existing_folder(folder: Path) -> Path:
    """Return the folder if it exists, else its innermost existing parent."""
    return next((parent for parent in (folder, *folder.parents) if os.path.isdir(parent)), Path("/"))


def _decode_octal(name: str) -> str:
    """Decode a name of the mount table, in which spaces and the like are octal escapes."""
    return re.sub(r"\\([0-7]{3})", lambda escape: chr(int(escape[1], 8)), name)
