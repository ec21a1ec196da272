"""What libraries say past all that Python and OpenCV can be told: libpng, libjpeg, OpenCV's video writer."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def in_silence() -> Iterator[None]:
    """Nothing gets out at the second file descriptor; for as short a while as can be, other threads have it too."""
    try:
        kept = os.dup(2)
    except OSError:  # nobody listens
        yield
        return
    try:
        with open(os.devnull, "wb") as nothing:
            os.dup2(nothing.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
