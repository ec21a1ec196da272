"""One source for several readers in turn: each goes on where the one before left off."""

from __future__ import annotations

from collections.abc import Iterator

from table.facts import Delivery
from table.sources.base import Source


class Lasting:
    """A source that stays open when somebody stops reading it, until it is closed."""

    def __init__(self, source: Source) -> None:
        self._deliveries = source.deliveries()

    def deliveries(self) -> Iterator[Delivery]:
        """What the source delivers from now on."""
        while (delivery := next(self._deliveries, None)) is not None:
            yield delivery

    def close(self) -> None:
        """Nobody reads it any more."""
        close = getattr(self._deliveries, "close", None)
        if close is not None:
            close()
