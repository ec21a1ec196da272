"""A keyboard that replaces the buttons: key events become edges, which are processed like those of real buttons.

There are two rows of keys: each seat's BID is in the row of digits, its RAP in the row beneath, whatever the
layout (keys are identified by their scan code, not by their letter). Arrow keys, Enter and Backspace make calls
for the menu, which any player may operate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import pygame

from table.buttons.debounce import MIN_CLOSED_NS
from table.config.settings import ButtonsConfig, SeatConfig
from table.observed_facts import MS, Call, Control, Delivery, Edge, Gesture
from table.phrase import Phrase, make_phrase
from table.sources.source import Source

_BID_NAMES: Final = "123456789"
_RAP_NAMES: Final = "QWERTYUIO"
_ARROW_KEYS: Final = {
    pygame.K_DOWN: (Gesture.TAPS, 1),
    pygame.K_UP: (Gesture.TAPS, -1),
    pygame.K_RETURN: (Gesture.RAP, 0),
    pygame.K_KP_ENTER: (Gesture.RAP, 0),
    pygame.K_BACKSPACE: (Gesture.WRONG, 0),
}


class KeyboardSource:
    """Adds the edges of a keyboard to a source; up to nine seats have keys."""

    def __init__(
        self, source: Source, seats: Sequence[SeatConfig], buttons: ButtonsConfig | None = None
    ) -> None:
        """``buttons``: settings of the buttons that the keys replace."""
        buttons = buttons or ButtonsConfig()
        self._source = source
        self._key_events: list[pygame.event.Event] = []
        self.used = False
        self._min_down_ns = max(round(buttons.debounce_ms * MS), MIN_CLOSED_NS) + MS
        """The shortest time for which a key is down: a shorter press would be taken for bounce, or for a spike."""
        self._min_up_ns = round(max(buttons.debounce_ms, buttons.release_ms) * MS) + MS
        """The shortest time for which a key is up between two presses."""
        self._keys: dict[int, tuple[str, Control]] = {}
        self.key_names: dict[str, tuple[str, ...]] = {}
        """The names of each seat's keys on an English keyboard, BID's first."""
        for seat, bid, rap in zip(seats, _BID_NAMES, _RAP_NAMES, strict=False):
            controls: dict[str, Control] = {bid: "bid"} if seat.one_button else {bid: "bid", rap: "rap"}
            self.key_names[seat.name] = tuple(controls)
            for name, control in controls.items():
                self._keys[getattr(pygame, f"KSCAN_{name}")] = (seat.name, control)
        self._down: set[int] = set()
        self._latest_ns: dict[int, int] = {}
        """The stamp of the last edge of each key."""

    @property
    def key_help(self) -> tuple[Phrase, ...]:
        """The keys of each seat, as a line for each seat."""
        return tuple(
            make_phrase("play.keys" if rap else "play.key", seat=seat, bid=bid, rap="".join(rap))
            for seat, (bid, *rap) in self.key_names.items()
        )

    def add_key_events(self, events: Iterable[pygame.event.Event]) -> None:
        """Add key events of the window; they are stamped with the next delivery's clock."""
        self._key_events.extend(events)

    def deliveries(self) -> Iterator[Delivery]:
        """Yield the source's deliveries with the keys' edges added."""
        for delivery in self._source.deliveries():
            edges = self.make_edges(self._key_events, delivery.now_ns)
            self._key_events.clear()
            self.used = self.used or bool(edges)
            # The source's watermark may be at this moment already: it must not pass the keys' edges.
            watermark_ns = min(delivery.edges_until_ns, delivery.now_ns) if edges else delivery.edges_until_ns
            yield replace(delivery, edges=(*delivery.edges, *edges), edges_until_ns=watermark_ns)

    def make_edges(self, events: Iterable[pygame.event.Event], t_ns: int) -> tuple[Edge, ...]:
        """Return the edges of key events read at ``t_ns``, a nanosecond apart to keep their order.

        A key has no contacts that bounce, so all of its events count. The edges of one key between two
        readings of the window are spread further apart than a bounce is, if need be a little after ``t_ns``.
        When the window loses the keyboard focus every key that is down is released.
        """
        key_changes: list[tuple[int, int]] = []
        for event in events:
            if event.type == pygame.KEYDOWN and event.scancode in self._keys:
                if event.scancode not in self._down:
                    self._down.add(event.scancode)
                    key_changes.append((event.scancode, 1))
            elif event.type == pygame.KEYUP and event.scancode in self._down:
                self._down.discard(event.scancode)
                key_changes.append((event.scancode, 0))
            elif event.type == pygame.WINDOWFOCUSLOST:
                key_changes += ((key, 0) for key in sorted(self._down))
                self._down.clear()
        return tuple(
            Edge(self._stamp(key, level, t_ns + number), *self._keys[key], level)
            for number, (key, level) in enumerate(key_changes)
        )

    def _stamp(self, key: int, level: int, t_ns: int) -> int:
        if key in self._latest_ns:
            t_ns = max(t_ns, self._latest_ns[key] + (self._min_up_ns if level else self._min_down_ns))
        self._latest_ns[key] = t_ns
        return t_ns


def calls_from_arrow_keys(events: Iterable[pygame.event.Event], t_ns: int) -> tuple[Call, ...]:
    """Return the calls of the key events read at ``t_ns``, with an empty seat; a step upwards has count -1."""
    pressed = (event.key for event in events if event.type == pygame.KEYDOWN)
    return tuple(Call(t_ns, t_ns, "", *_ARROW_KEYS[key]) for key in pressed if key in _ARROW_KEYS)
