"""The lobby: the time before and between games, when the buttons of all chairs operate the menu."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
import pygame

from table.buttons.calls_of_all_seats import Gestures
from table.buttons.lamps import Lamps
from table.config.settings import TableConfig
from table.menu.menu import Menu
from table.menu.menu_pages import apply_call, is_entering_name, make_menu_view, marked_chair, type_letter
from table.menu.menu_view_data import MenuView, TablePicture
from table.names import is_printable_letter
from table.observed_facts import MS, Call, Delivery, Gesture
from table.phrase import Phrase
from table.sources.idle_detector import IdleDetector
from table.sources.keyboard_source import calls_from_arrow_keys
from table.sources.source import Source

PICTURE_INTERVAL_NS: Final = 500 * MS
"""The menu's picture of the table is replaced so often."""
PICTURE_WIDTH_PX: Final = 480


def update_picture(picture: TablePicture | None, delivery: Delivery) -> TablePicture | None:
    """Return the picture of the table for the menu after a delivery; None while the camera gives none."""
    if delivery.troubles:
        return None
    frame = delivery.frame
    if frame is None or (picture is not None and frame.t_ns - picture.t_ns < PICTURE_INTERVAL_NS):
        return picture
    height, width = frame.image.shape[:2]
    size = PICTURE_WIDTH_PX, round(PICTURE_WIDTH_PX * height / width)
    small = cv2.resize(frame.image, size, interpolation=cv2.INTER_AREA)
    return TablePicture(frame.t_ns, np.asarray(small, np.uint8))


class Lobby:
    """Runs the menu at the table until somebody makes a request."""

    def __init__(
        self,
        set_up: TableConfig,
        source: Source,
        menu: Menu,
        *,
        lamps: Lamps | None = None,
        keys: Callable[[], Iterable[pygame.event.Event]] = tuple,
    ) -> None:
        """``lamps`` are switched off at the end; ``keys`` returns the key events since its last call."""
        self.menu = menu
        self._source = source
        self._gestures = Gestures(set_up.seats, set_up.buttons)
        self._lamps = lamps
        self._keys = keys
        self._waiting_calls: list[Call] = []
        """The calls before which another may still come: a burst of taps that began earlier."""
        self._idle_detector = IdleDetector()
        self._troubles: tuple[Phrase, ...] = ()
        self._picture: TablePicture | None = None

    def run(self) -> Iterator[int]:
        """Process the source's deliveries until the menu has a request; yields the clock after each delivery."""
        try:
            for delivery in self._source.deliveries():
                self.process(delivery)
                yield delivery.now_ns
                if self.menu.request is not None:
                    return
        finally:
            if self._lamps is not None:
                self._lamps.close()

    def process(self, delivery: Delivery) -> None:
        """Process one delivery; after a request further calls are ignored."""
        now_ns = delivery.now_ns
        self._idle_detector.process(delivery)
        self._troubles = delivery.troubles
        self._picture = update_picture(self._picture, delivery)
        recognised = self._gestures.process_edges(delivery.edges, delivery.edges_until_ns)
        waiting_calls = sorted((*self._waiting_calls, *recognised.calls), key=lambda call: call.t_ns)
        self._waiting_calls = [call for call in waiting_calls if call.t_ns >= recognised.until_ns]
        for call in waiting_calls[: len(waiting_calls) - len(self._waiting_calls)]:
            self._process_call(call)
        for event in self._keys():
            if event.type == pygame.KEYDOWN:
                self._idle_detector.record_activity(now_ns)
                self._process_key(event, now_ns)
        if self._lamps is not None:
            chair = marked_chair(self._shown_menu)
            self._lamps.show_feedback(recognised.feedback, now_ns)
            self._lamps.update(() if chair is None else (chair,), now_ns)

    @property
    def _shown_menu(self) -> Menu:
        """The menu with the steps of taps that are still going on: nothing is chosen before it is known."""
        menu = self.menu
        for call in self._waiting_calls:
            if call.gesture is not Gesture.TAPS:
                return menu
            menu = apply_call(menu, call)
        for seat, taps in self._gestures.taps_under_way().items():
            menu = apply_call(menu, Call(0, 0, seat, Gesture.TAPS, taps)) if taps else menu
        return menu

    def _process_call(self, call: Call) -> None:
        if self.menu.request is None:
            self.menu = apply_call(self.menu, call)

    def _process_key(self, event: pygame.event.Event, now_ns: int) -> None:
        """Process a key press: a letter of the name being spelled, otherwise a call by the arrow keys."""
        letter = getattr(event, "unicode", "")
        is_letter = letter != "" and all(map(is_printable_letter, letter))
        deletes = event.key == pygame.K_BACKSPACE and self.menu.shown_page.spelling.name != ""
        if is_entering_name(self.menu) and (is_letter or deletes):
            self.menu = type_letter(self.menu, letter if is_letter else "")
            return
        for call in calls_from_arrow_keys((event,), now_ns):
            self._process_call(call)

    def view(self, now_ns: int) -> MenuView:
        """Return the menu's view for the screen."""
        troubles = (*self._troubles, *(faulty_line.message for faulty_line in self._gestures.faulty_lines()))
        view = make_menu_view(self._shown_menu)
        picture = self._picture if view.chairs else None
        dimmed = self._idle_detector.is_idle(now_ns)
        return replace(view, picture=picture, troubles=troubles, dimmed=dimmed)
