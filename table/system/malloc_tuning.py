"""Tuning of glibc's memory allocation: freed blocks of pictures are reused."""

from __future__ import annotations

import ctypes
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
