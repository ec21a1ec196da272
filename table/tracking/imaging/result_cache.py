"""Cache of results computed from images, kept as long as the images exist; images must not be modified."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Result = TypeVar("Result")
Picture = NDArray[np.uint8]


class FrameCache(Generic[Result]):
    """Cached results by the identity of the image that they were computed from."""

    def __init__(self) -> None:
        self._results: dict[int, tuple[weakref.ref[Picture], Result]] = {}

    def get(self, picture: Picture, work: Callable[[Picture], Result]) -> Result:
        """Return the cached result for this very array, or compute it with ``work``; the result is read-only."""
        known = self._results.get(id(picture))
        if known is not None and known[0]() is picture:
            return known[1]
        result = work(picture)
        self._results = {key: entry for key, entry in self._results.items() if entry[0]() is not None}
        self._results[id(picture)] = weakref.ref(picture), result
        return result

    def clear(self) -> None:
        """Clear the cache, because results would differ now."""
        self._results = {}
