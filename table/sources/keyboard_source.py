"""A source with a keyboard added: its keys press the buttons, and are processed like them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pygame

from table.buttons.keyboard_buttons import DEBOUNCE_MS, RELEASE_MS, Keyboard
from table.config.settings import SeatConfig
from table.observed_facts import Delivery
from table.phrase import Phrase
from table.sources.source_interface import Source


class KeyboardSource:
    """Adds the edges of a keyboard to a source."""

    def __init__(
        self,
        source: Source,
        seats: tuple[SeatConfig, ...],
        debounce_ms: float = DEBOUNCE_MS,
        release_ms: float = RELEASE_MS,
    ) -> None:
        """``debounce_ms``, ``release_ms``: settings of the buttons that the keys replace."""
        self._source = source
        self._keyboard = Keyboard(seats, debounce_ms, release_ms)
        self._key_events: list[pygame.event.Event] = []
        self.used = False
        """Whether any button was pressed by a key."""

    @property
    def key_help(self) -> tuple[Phrase, ...]:
        """The keys of each seat, as a line for each seat."""
        return self._keyboard.describe_keys()

    @property
    def key_names(self) -> dict[str, tuple[str, ...]]:
        """The names of each seat's keys, BID's first."""
        return self._keyboard.key_names

    def add_key_events(self, events: Iterable[pygame.event.Event]) -> None:
        """Add key events of the window; they are stamped with the next delivery's clock."""
        self._key_events.extend(events)

    def deliveries(self) -> Iterator[Delivery]:
        """Yield the source's deliveries with the keys' edges added."""
        for delivery in self._source.deliveries():
            edges = self._keyboard.make_edges(self._key_events, delivery.now_ns)
            self._key_events.clear()
            self.used = self.used or bool(edges)
            # The source's watermark may be at this moment already: it must not pass the keys' edges.
            watermark_ns = min(delivery.edges_until_ns, delivery.now_ns) if edges else delivery.edges_until_ns
            yield replace(delivery, edges=(*delivery.edges, *edges), edges_until_ns=watermark_ns)
