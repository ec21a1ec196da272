"""The time before and between games: the buttons of all chairs step the menu, no card decides anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import pygame

from table.buttons.arrows import arrow_calls
from table.buttons.gestures import Gestures
from table.buttons.lamps import Lamps
from table.config import TableConfig
from table.facts import Call, Delivery
from table.menu.menu import Menu
from table.menu.pages import marked_chair, press, spells, typed, view_of
from table.menu.view import MenuView
from table.names import is_printed
from table.phrase import Phrase
from table.sources.base import Source
from table.sources.stillness import Stillness


class Lobby:
    """A menu at a table of chairs, until it has a wish."""

    def __init__(
        self,
        set_up: TableConfig,
        source: Source,
        menu: Menu,
        *,
        lamps: Lamps | None = None,
        keys: Callable[[], Iterable[pygame.event.Event]] = tuple,
    ) -> None:
        """``lamps`` are put out at the end; ``keys``: the key events since it was last asked."""
        self.menu = menu
        self._source = source
        self._gestures = Gestures(set_up.seats, set_up.buttons)
        self._lamps = lamps
        self._keys = keys
        self._stillness = Stillness()
        self._troubles: tuple[Phrase, ...] = ()

    def run(self) -> Iterator[int]:
        """Work the source off until the menu has a wish; after each delivery, the clock."""
        try:
            for delivery in self._source.deliveries():
                self.feed(delivery)
                yield delivery.now_ns
                if self.menu.wish is not None:
                    return
        finally:
            if self._lamps is not None:
                self._lamps.close()

    def feed(self, delivery: Delivery) -> None:
        """Work one delivery off; after a wish nothing is heard any more."""
        now_ns = delivery.now_ns
        self._stillness.follow(delivery)
        self._troubles = delivery.troubles
        heard = self._gestures.hear(delivery.edges, delivery.edges_until_ns)
        for call in heard.calls:
            self._press(call)
        for event in self._keys():
            if event.type == pygame.KEYDOWN:
                self._stillness.stir(now_ns)
                self._type(event, now_ns)
        if self._lamps is not None:
            chair = marked_chair(self.menu)
            self._lamps.answer(heard.receipts, now_ns)
            self._lamps.show(() if chair is None else (chair,), now_ns)

    def _press(self, call: Call) -> None:
        if self.menu.wish is None:
            self.menu = press(self.menu, call)

    def _type(self, event: pygame.event.Event, now_ns: int) -> None:
        """A key went down: a letter of the name that is spelled, else an arrow or the like."""
        letter = getattr(event, "unicode", "")
        if spells(self.menu) and letter and all(map(is_printed, letter)):
            self.menu = typed(self.menu, letter)
        elif spells(self.menu) and event.key == pygame.K_BACKSPACE and self.menu.now.spelling.name:
            self.menu = typed(self.menu, "")
        else:
            for call in arrow_calls((event,), now_ns):
                self._press(call)

    def view(self, now_ns: int) -> MenuView:
        """What the screen may show now."""
        wrong = (*self._troubles, *(trouble.said for trouble in self._gestures.troubles()))
        return replace(view_of(self.menu), troubles=wrong, dimmed=self._stillness.lasts(now_ns))
