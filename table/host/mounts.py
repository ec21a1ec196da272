"""What is mounted where, and on what kind of file system a folder lies."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

MOUNTS = Path("/proc/self/mounts")
COMMAND_LINE = Path("/proc/cmdline")
_IN_MEMORY = ("tmpfs", "ramfs")
_OVER_MEMORY = re.compile(r"\b(boot=overlay|overlayroot=tmpfs)\b")
"""How Raspberry Pi OS and Debian say that all changes to the root file system are kept in memory."""


@dataclass(frozen=True, slots=True)
class Mount:
    """A row of the kernel's table."""

    device: str
    place: str
    kind: str
    options: tuple[str, ...]


def mounted(mounts: Path = MOUNTS) -> list[Mount]:
    """All that is mounted, in that order; ``OSError`` where it can't be read."""
    rows = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    fields = [row.split() for row in rows]
    return [
        Mount(_plain(row[0]), _plain(row[1]), row[2], tuple(row[3].split(",")))
        for row in fields
        if len(row) > 3
    ]


def file_system(folder: Path, mounts: Path = MOUNTS) -> str:
    """The kind of the file system that a folder lies on, such as ``ext4``; ``OSError`` as :func:`mounted`."""
    inside = [Path("/"), *(folder.resolve() / "x").parents]
    held = [one for one in mounted(mounts) if Path(one.place) in inside]
    # Of several at one place the last one is seen.
    return max(reversed(held), key=lambda one: len(Path(one.place).parts)).kind if held else "?"


def is_volatile(kind: str, command_line: Path = COMMAND_LINE) -> bool:
    """Whether what is written to a file system of that kind is gone when the machine is switched off."""
    if kind != "overlay":
        return kind in _IN_MEMORY
    try:
        return _OVER_MEMORY.search(command_line.read_text(encoding="utf-8", errors="replace")) is not None
    except OSError:
        return False


def existing(folder: Path) -> Path:
    """The folder, or the innermost of those around it that is there."""
    return next((one for one in (folder, *folder.parents) if os.path.isdir(one)), Path("/"))


def _plain(place: str) -> str:
    """A name as it is: spaces and the like stand there in octal."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), place)
