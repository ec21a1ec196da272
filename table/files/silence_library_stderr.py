"""Suppression of messages that libraries write to stderr directly: libpng, libjpeg, OpenCV's video writer."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def suppress_stderr() -> Iterator[None]:
    """Discard the process's output on file descriptor 2, in a ``with`` block; keep it short, it affects all threads."""
    try:
        saved = os.dup(2)
    except OSError:  # nobody listens
        yield
        return
    try:
        with open(os.devnull, "wb") as null:
            os.dup2(null.fileno(), 2)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
