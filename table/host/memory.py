"""The memory that pictures take: kept for the next one, and bounded where they come from files."""

from __future__ import annotations

import ctypes
import resource
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

KEPT: Final = 1 << 25
"""Bytes that may lie idle: the most that glibc lets be said of single blocks."""
_TRIM_THRESHOLD: Final = -1
_MMAP_THRESHOLD: Final = -3
"""Their numbers in glibc's malloc.h."""


def keep_memory() -> None:
    """What one picture leaves is kept for the next one.

    Pictures come and go many times a frame. By itself glibc gives their pages back to the system, which empties each
    before it is used again: a twentieth of what a replay cost. Other libraries are left as they are.
    """
    library = ctypes.CDLL(None)
    if hasattr(library, "mallopt"):
        library.mallopt(_TRIM_THRESHOLD, KEPT)
        library.mallopt(_MMAP_THRESHOLD, KEPT)


_BOUND = threading.RLock()
"""One bound at a time: it is the whole process's."""


@contextmanager
def bounded(most: int) -> Iterator[None]:
    """Refuse this process more than ``most`` bytes beyond what it has.

    A library that decodes a file makes room for what the file says of itself; a few bytes can ask for gigabytes. With
    the bound its allocation fails, and it reports a file that can't be decoded. On a system that does not tell how much
    a process has there is no bound.
    """
    with _BOUND:
        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        held = _held()
        if held is None or (soft != resource.RLIM_INFINITY and soft < held + most):
            yield
            return
        if hard != resource.RLIM_INFINITY and hard < held + most:
            yield
            return
        resource.setrlimit(resource.RLIMIT_DATA, (held + most, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _held() -> int | None:
    """The bytes of data and stack that this process has; None where the system does not say."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[5]
    except (OSError, IndexError):
        return None
    return int(pages) * resource.getpagesize()
