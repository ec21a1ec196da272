"""The interface of a source of frames and edges; the code above does not know which source it has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from table.observed_facts import Delivery


class Source(Protocol):
    """A source of frames and edges: the live table, a recording, or the simulated table."""

    def deliveries(self) -> Iterator[Delivery]:
        """Yield edges and frames as they arrive; the last delivery carries ``END_NS`` as both watermarks.

        A live source blocks until something arrives or a few milliseconds have passed (then it delivers only
        its new watermarks, so that windows close while nothing happens).
        """
        ...
