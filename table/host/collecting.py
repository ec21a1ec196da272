"""Python's search for circles of garbage, put off while much is made that stays."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def nothing_collected() -> Iterator[None]:
    """No circles are looked for meanwhile; also a decorator.

    Reading a long journal makes a hundred thousand values, all of which stay: going through them again and again, as
    their number grows, takes a fifth of the time.
    """
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()
