"""A keyboard beside a source: its keys press the same buttons, through the same path."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pygame

from table.buttons.keyboard import DEBOUNCE_MS, RELEASE_MS, Keyboard
from table.config import SeatConfig
from table.facts import Delivery
from table.phrase import Phrase
from table.sources.base import Source


class Keyed:
    """A source whose players have a keyboard too."""

    def __init__(
        self,
        source: Source,
        seats: tuple[SeatConfig, ...],
        debounce_ms: float = DEBOUNCE_MS,
        release_ms: float = RELEASE_MS,
    ) -> None:
        """``debounce_ms``, ``release_ms``: of the buttons that the keys stand in for."""
        self._source = source
        self._keyboard = Keyboard(seats, debounce_ms, release_ms)
        self._pressed: list[pygame.event.Event] = []
        self.used = False
        """Whether any button was pressed by a key."""

    @property
    def help(self) -> tuple[Phrase, ...]:
        """Which key is whose button, a line for each seat."""
        return self._keyboard.help()

    @property
    def keys(self) -> dict[str, tuple[str, ...]]:
        """The names of each seat's keys, BID's first."""
        return self._keyboard.keys

    def press(self, events: Iterable[pygame.event.Event]) -> None:
        """Key events that the window has seen; they are stamped with the next delivery's clock."""
        self._pressed.extend(events)

    def deliveries(self) -> Iterator[Delivery]:
        """What the source delivers, with the keys' edges added."""
        for delivery in self._source.deliveries():
            edges = self._keyboard.edges(self._pressed, delivery.now_ns)
            self._pressed.clear()
            self.used = self.used or bool(edges)
            # A watermark may already stand at this moment: the keys' edges are what it has to wait for.
            known = min(delivery.edges_until_ns, delivery.now_ns) if edges else delivery.edges_until_ns
            yield replace(delivery, edges=(*delivery.edges, *edges), edges_until_ns=known)
