"""Settings of memory: glibc keeps the blocks of freed pictures, and garbage collection pauses during long reads."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def suspend_collection() -> Iterator[None]:
    """Suspend cyclic garbage collection in a ``with`` block; also a decorator.

    Reading a long journal makes a hundred thousand values, all of which stay: traversing them again and again, as their
    number grows, takes a fifth of the time. So it is where the referee searches a hand again: a third.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
