"""A limit on the memory that decoding a file may use."""

from __future__ import annotations

import resource
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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
