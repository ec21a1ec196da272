"""Run a game or the menu to its end: at full speed, in real time, or in real time with a window."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol

from table.observed_facts import MS

if TYPE_CHECKING:  # without a window pygame need not be imported
    from table.display.view_picture import ScreenView

PICTURE_NS = 40 * MS
"""The interval at which the window gets a new picture, by the table's clock ..."""
SLOWEST_PICTURE_NS = 300 * MS
"""... and the longest interval by the wall clock, however far the machine falls behind."""
LAST_PICTURE_NS = 10_000 * MS
"""The time for which the last picture of a playback is shown before the window closes by itself."""


class Playable(Protocol):
    """What can be run: a pipeline, or the menu's lobby."""

    def run(self) -> Iterator[int]:
        """Yield the clock after each delivery, to the end."""

    def view(self, now_ns: int) -> ScreenView:
        """Return the view to show at ``now_ns``."""


class DisplayWindow(Protocol):
    """The interface of a window that playback needs; :class:`table.display.window.ScreenWindow` has it."""

    def show(self, view: ScreenView) -> None:
        """Draw the view."""

    def quits(self) -> bool:
        """Return whether the user asked to close the window."""


def run_to_end(
    pipeline: Playable,
    *,
    realtime: bool = False,
    window: DisplayWindow | None = None,
    after: Callable[[int], None] | None = None,
    ends: Callable[[], bool] = lambda: False,
) -> int | None:
    """Run ``pipeline`` to the end of its source; return the clock there, or None when the window was closed before.

    ``realtime``: no faster than the source's own clock. ``window``: shows the view as it changes.
    ``after(now_ns)`` is called after each delivery. ``ends``: whether to end after a picture, as if the window was
    closed.
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
        # When the machine falls behind, pictures are skipped, never facts.
        wall_ns = time.monotonic_ns()
        in_time = ahead > -PICTURE_NS or wall_ns - drawn_ns > SLOWEST_PICTURE_NS
        if window is not None and now_ns - shown_ns >= PICTURE_NS and in_time:
            shown_ns, drawn_ns = now_ns, wall_ns
            window.show(pipeline.view(now_ns))
            if ends() or window.quits():
                return None
    if window is not None and now_ns > shown_ns:
        window.show(pipeline.view(now_ns))
    return now_ns


def hold_last_picture(pipeline: Playable, window: DisplayWindow, now_ns: int) -> None:
    """Keep showing the last picture for a while, its clock running on from ``now_ns``, unless the window is closed."""
    ended = time.monotonic_ns()
    while (since_ns := time.monotonic_ns() - ended) < LAST_PICTURE_NS and not window.quits():
        window.show(pipeline.view(now_ns + since_ns))
        time.sleep(0.05)
