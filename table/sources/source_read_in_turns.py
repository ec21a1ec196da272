"""A source that several consumers read in turn: each continues where the one before stopped."""

from __future__ import annotations

from collections.abc import Iterator

from table.observed_facts import Delivery
from table.sources.source_interface import Source


class SharedSource:
    """A source that stays open when a consumer stops reading it, until it is closed."""

    def __init__(self, source: Source) -> None:
        self._deliveries = source.deliveries()

    def deliveries(self) -> Iterator[Delivery]:
        """Yield what the source delivers from now on."""
        while (delivery := next(self._deliveries, None)) is not None:
            yield delivery

    def close(self) -> None:
        """Close the underlying source."""
        close = getattr(self._deliveries, "close", None)
        if close is not None:
            close()
