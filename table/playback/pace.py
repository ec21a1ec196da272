"""Working a game or the menu off: as fast as it goes, in real time, or in real time before a window."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol

from table.facts import MS

if TYPE_CHECKING:  # who shows nothing need not wait for what draws
    from table.display.draw import Shown

PICTURE_NS = 40 * MS
"""The window gets a new picture this often, by the table's clock."""
SLOWEST_PICTURE_NS = 300 * MS
"""And at least this often by the wall's, however far the machine falls behind."""
LAST_PICTURE_NS = 10_000 * MS
"""The last picture of what was played back stands for so long: then the window closes, with nobody there too."""


class Worked(Protocol):
    """What is worked off: a pipeline, or the menu's lobby."""

    def run(self) -> Iterator[int]:
        """The clock after each delivery, to the end."""
        ...

    def view(self, now_ns: int) -> Shown:
        """What the screen may show."""
        ...


class Window(Protocol):
    """What a window must do here; :class:`table.display.screen.Screen` does."""

    def show(self, view: Shown) -> None:
        """Draw the view."""
        ...

    def quits(self) -> bool:
        """Whether its user wants it closed."""
        ...


def work_off(
    pipeline: Worked,
    *,
    realtime: bool = False,
    window: Window | None = None,
    after: Callable[[int], None] | None = None,
) -> int | None:
    """Run it to its source's end; the clock there, or None when the window was closed before.

    ``realtime``: no faster than the source's own clock. ``window``: is shown the view as it changes.
    ``after(now_ns)`` is called after each delivery.
    """
    first_ns: int | None = None
    shown_ns = drawn_ns = 0
    now_ns = 0
    started = time.monotonic_ns()
    for now_ns in pipeline.run():
        first_ns = now_ns if first_ns is None else first_ns
        ahead = (now_ns - first_ns) - (time.monotonic_ns() - started)
        if realtime and ahead > 0:
            time.sleep(ahead / 1e9)
        if after is not None:
            after(now_ns)
        # When the machine falls behind, pictures are left out, never facts.
        wall_ns = time.monotonic_ns()
        in_time = ahead > -PICTURE_NS or wall_ns - drawn_ns > SLOWEST_PICTURE_NS
        if window is not None and now_ns - shown_ns >= PICTURE_NS and in_time:
            shown_ns, drawn_ns = now_ns, wall_ns
            window.show(pipeline.view(now_ns))
            if window.quits():
                return None
    if window is not None and now_ns > shown_ns:
        window.show(pipeline.view(now_ns))
    return now_ns


def linger(pipeline: Worked, window: Window, now_ns: int) -> None:
    """Show the last picture, of ``now_ns``, for a while yet, unless the window is closed; its clock goes on."""
    ended = time.monotonic_ns()
    while (since_ns := time.monotonic_ns() - ended) < LAST_PICTURE_NS and not window.quits():
        window.show(pipeline.view(now_ns + since_ns))
        time.sleep(0.05)
