"""A keyboard that replaces the buttons: key events become edges, which are processed like those of real buttons.

There are two rows of keys: each seat's BID is in the row of digits, its RAP in the row beneath, whatever the
layout (keys are identified by their scan code, not by their letter).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pygame

from table.buttons.debounce import MIN_CLOSED_NS
from table.config.settings import ButtonsConfig, SeatConfig
from table.observed_facts import MS, Control, Edge
from table.phrase import Phrase, make_phrase

_BID_KEYS = tuple(range(pygame.KSCAN_1, pygame.KSCAN_9 + 1))
_RAP_KEYS = (
    pygame.KSCAN_Q,
    pygame.KSCAN_W,
    pygame.KSCAN_E,
    pygame.KSCAN_R,
    pygame.KSCAN_T,
    pygame.KSCAN_Y,
    pygame.KSCAN_U,
    pygame.KSCAN_I,
    pygame.KSCAN_O,
)
_RAP_NAMES = "QWERTYUIO"
DEBOUNCE_MS = ButtonsConfig().debounce_ms
RELEASE_MS = ButtonsConfig().release_ms


class Keyboard:
    """Turns pygame's key events into edges."""

    def __init__(
        self, seats: Sequence[SeatConfig], debounce_ms: float = DEBOUNCE_MS, release_ms: float = RELEASE_MS
    ) -> None:
        """Up to nine seats have keys. ``debounce_ms``, ``release_ms``: settings of the replaced buttons."""
        self._min_down_ns = max(round(debounce_ms * MS), MIN_CLOSED_NS) + MS
        """The shortest time for which a key is down: a shorter press would be taken for bounce, or for a spike."""
        self._min_up_ns = round(max(debounce_ms, release_ms) * MS) + MS
        """The shortest time for which a key is up between two presses."""
        self._keys: dict[int, tuple[str, Control]] = {}
        self._key_names: list[tuple[str, str, str]] = []
        for number, seat in enumerate(seats[: len(_BID_KEYS)]):
            self._keys[_BID_KEYS[number]] = (seat.name, "bid")
            if not seat.one_button:
                self._keys[_RAP_KEYS[number]] = (seat.name, "rap")
            self._key_names.append(
                (seat.name, str(number + 1), "" if seat.one_button else _RAP_NAMES[number])
            )
        self._down: set[int] = set()
        self._latest_ns: dict[int, int] = {}
        """The stamp of the last edge of each key."""

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
        latest = self._latest_ns.get(key)
        stamp = (
            t_ns if latest is None else max(t_ns, latest + (self._min_up_ns if level else self._min_down_ns))
        )
        self._latest_ns[key] = stamp
        return stamp

    @property
    def key_names(self) -> dict[str, tuple[str, ...]]:
        """The names of each seat's keys, BID's first."""
        return {name: (bid, rap) if rap else (bid,) for name, bid, rap in self._key_names}

    def describe_keys(self) -> tuple[Phrase, ...]:
        """Return a line for each seat with its keys, as an English keyboard names them."""
        return tuple(
            make_phrase("play.keys" if rap else "play.key", seat=name, bid=bid, rap=rap)
            for name, bid, rap in self._key_names
        )
