"""What strace saw of a command: the sockets that it opened and what it wrote, made or took away, and where."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

CALLS = (
    *("socket", "connect", "open", "openat", "openat2", "creat", "mkdir", "mkdirat", "mknod", "mknodat"),
    *("rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat", "truncate"),
    *("unlink", "unlinkat", "rmdir"),
)
"""The system calls that are looked at; a machine that lacks one has its sisters."""
QUIET_FAMILIES = ("AF_UNIX", "AF_NETLINK")
LOOK_UP = ("nscd", "resolve")
"""Unix sockets so named answer questions for host names."""

_CALL = re.compile(r"^(\w+)\((.*)\)\s+= (-?\d+|\?)(.*)$")
_OPENED = re.compile(r"^\d+<(.*)>$")
_WRITES = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND")
_PATH = re.compile(r'(?:(?:AT_FDCWD|\d+)(?:<([^>]*)>)?, )?"((?:[^"\\]|\\.)*)"')


@dataclass(slots=True)
class Seen:
    """What a command did."""

    sockets: set[str] = field(default_factory=set)
    """Sockets that could reach beyond this machine, and questions for host names."""
    local: set[str] = field(default_factory=set)
    """Sockets that stay on this machine."""
    written: set[Path] = field(default_factory=set)
    """Files and folders that were opened for writing, made, renamed or taken away."""


def read_trace(rows: Iterable[str], folder: Path, seen: Seen) -> None:
    """Add what one thread's trace (``strace -y``) tells of a command that works in ``folder``."""
    for row in rows:
        match = _CALL.match(row.strip())
        # What failed wrote nothing; a connect that failed was tried all the same.
        if match is None or (match[3] in ("-1", "?") and match[1] != "connect"):
            continue
        name, arguments, result, rest = match.groups()
        if name in ("socket", "connect"):
            _take_socket(name, arguments, seen)
        elif name in ("open", "openat", "openat2", "creat"):
            if name != "creat" and not _WRITES.search(arguments):
                continue
            opened = _OPENED.match(result + rest.strip())
            paths = [Path(opened[1])] if opened else _paths(arguments, folder)
            seen.written.update(paths)
        else:
            seen.written.update(_paths(arguments, folder))


def _take_socket(name: str, arguments: str, seen: Seen) -> None:
    if name == "socket":
        family = arguments.split(",")[0]
        (seen.local if family in QUIET_FAMILIES else seen.sockets).add(f"socket {arguments}")
        return
    address = arguments[arguments.find("{") :]
    local = any(f"sa_family={family}" in address for family in QUIET_FAMILIES)
    asks = any(word in address for word in LOOK_UP)
    (seen.local if local and not asks else seen.sockets).add(f"connect {address}")


def _paths(arguments: str, folder: Path) -> list[Path]:
    """The paths that a call names."""
    found = []
    for base, name in _PATH.findall(arguments):
        path = os.path.normpath(Path(base or folder) / name)
        found.append(Path(path))
    return found
