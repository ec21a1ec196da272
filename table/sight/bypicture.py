"""What was worked out of pictures is kept for as long as they are: they stay what they are."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Result = TypeVar("Result")
Picture = NDArray[np.uint8]


class ByPicture(Generic[Result]):
    """Results by the pictures that they were worked out of."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[weakref.ref[Picture], Result]] = {}

    def of(self, picture: Picture, work: Callable[[Picture], Result]) -> Result:
        """What ``work`` gives, or gave, for this very array; not to be written to."""
        known = self._known.get(id(picture))
        if known is not None and known[0]() is picture:
            return known[1]
        result = work(picture)
        self._known = {key: one for key, one in self._known.items() if one[0]() is not None}
        self._known[id(picture)] = weakref.ref(picture), result
        return result

    def forget(self) -> None:
        """Other results would be worked out now."""
        self._known = {}
