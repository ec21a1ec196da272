"""Memory of pictures: freed blocks are reused, and decoding of files is limited."""

from __future__ import annotations

import ctypes
import resource
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

KEPT_BYTES: Final = 1 << 25
"""The size of free memory that glibc may hold: its limit for the threshold of single blocks."""
_TRIM_THRESHOLD: Final = -1
_MMAP_THRESHOLD: Final = -3
"""The numbers of these parameters in glibc's malloc.h."""


def reuse_freed_memory() -> None:
    """Make glibc keep the memory of freed pictures for the next ones.

    Pictures are allocated and freed many times a frame. By default glibc returns their pages to the system, which
    clears each before it is used again: a twentieth of the cost of a replay. Other C libraries are left as they are.
    """
    library = ctypes.CDLL(None)
    if hasattr(library, "mallopt"):
        library.mallopt(_TRIM_THRESHOLD, KEPT_BYTES)
        library.mallopt(_MMAP_THRESHOLD, KEPT_BYTES)


_LIMIT_LOCK = threading.RLock()
"""Held while a limit is set: the limit is the whole process's."""


@contextmanager
def limit_memory(max_bytes: int) -> Iterator[None]:
    """Limit this process to ``max_bytes`` more than it has, in a ``with`` block.

    A library that decodes a file allocates what the file's header asks for; a few bytes can ask for gigabytes. With the
    limit its allocation fails, and it reports a file that can't be decoded. On a system that does not report the memory
    of a process there is no limit.
    """
    with _LIMIT_LOCK:
        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        used = _used_bytes()
        if used is None or (soft != resource.RLIM_INFINITY and soft < used + max_bytes):
            yield
            return
        if hard != resource.RLIM_INFINITY and hard < used + max_bytes:
            yield
            return
        resource.setrlimit(resource.RLIMIT_DATA, (used + max_bytes, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _used_bytes() -> int | None:
    """Return the bytes of data and stack of this process; None if the system does not report them."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[5]
    except (OSError, IndexError):
        return None
    return int(pages) * resource.getpagesize()
