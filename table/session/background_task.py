"""A task of the menu that needs no camera but takes long, such as copying games to a slow stick."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from table.menu.menu_view_data import MenuView, make_loading_view
from table.sources.source import Source

T = TypeVar("T")


class BackgroundTask(Generic[T]):
    """Works in a thread of its own while the deliveries go on, so that the screen and the watchdog wait for nothing."""

    def __init__(self, source: Source, work: Callable[[], tuple[T, ...]], code: str) -> None:
        """``code``: the catalogue's code of what the screen says meanwhile."""
        self.result: tuple[T, ...] = ()
        """The result of ``work``; empty until it is done."""
        self._source = source
        self._work = work
        self._view = make_loading_view(code)
        self._thread = threading.Thread(target=self._run_work, name="menu task", daemon=True)

    def _run_work(self) -> None:
        self.result = self._work()

    def run(self) -> Iterator[int]:
        """Process deliveries until the work is done; yields the clock after each. What people press is ignored."""
        self._thread.start()
        for delivery in self._source.deliveries():
            yield delivery.now_ns
            if not self._thread.is_alive():
                return

    def view(self, now_ns: int) -> MenuView:
        """Return the page that says what is being done."""
        return self._view
