"""Which sockets a running process holds that could reach beyond this machine, as /proc tells."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PAUSE_S = 0.002
LOCAL = ("unix", "netlink")
"""The kernel's tables of sockets that stay on this machine."""


def internet_sockets(pid: int) -> frozenset[str]:
    """The process's sockets (``socket:[inode]``) that are neither Unix nor netlink ones.

    A socket that is not connected yet stands in none of the kernel's tables of internet sockets, so it is told by
    standing in no other.
    """
    before = _sockets(pid)
    if not before:
        return frozenset()
    local = {inode for name in LOCAL for inode in _inodes(Path(f"/proc/{pid}/net/{name}"))}
    # What was closed meanwhile is missing from the tables for that reason alone.
    return frozenset(one for one in before & _sockets(pid) if one[len("socket:[") : -1] not in local)


def _sockets(pid: int) -> frozenset[str]:
    found = set()
    try:
        handles = os.listdir(f"/proc/{pid}/fd")
    except OSError:
        return frozenset()
    for handle in handles:
        try:
            target = os.readlink(f"/proc/{pid}/fd/{handle}")
        except OSError:
            continue
        if target.startswith("socket:["):
            found.add(target)
    return frozenset(found)


def _inodes(table: Path) -> set[str]:
    try:
        heading, *rows = table.read_text().splitlines()
    except (OSError, ValueError):
        return set()
    column = heading.split().index("Inode")
    return {cells[column] for row in rows if len(cells := row.split()) > column}


@dataclass(frozen=True, slots=True)
class Watched:
    """What became of a command."""

    status: int
    output: str
    sockets: frozenset[str]
    """Every internet socket that it was seen to hold."""


def watch(command: Sequence[str], folder: Path, environ: Mapping[str, str]) -> Watched:
    """Run a command in ``folder`` and look at its sockets again and again until it ends."""
    seen: set[str] = set()
    output = folder / "output.txt"
    with output.open("wb") as file:
        process = subprocess.Popen(
            command, cwd=folder, env=dict(environ), stdout=file, stderr=file, stdin=subprocess.DEVNULL
        )
        while process.poll() is None:
            seen |= internet_sockets(process.pid)
            time.sleep(PAUSE_S)
    text = output.read_text(errors="replace")
    output.unlink()
    return Watched(process.returncode, text, frozenset(seen))


def bare_environment(home: Path, root: Path) -> dict[str, str]:
    """This process's environment with another home, the table's modules from ``root``, and no switch set."""
    environ = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("XDG_", "ORT_", "YOLO_", "PYTHON", "COV_"))
    }
    return {**environ, "HOME": str(home), "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
