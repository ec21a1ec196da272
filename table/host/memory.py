"""The memory of pictures that are done with."""

from __future__ import annotations

import ctypes
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
