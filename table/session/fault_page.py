"""What the service's screen shows while the table can't start: what is wrong, and what to do about it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from table.menu.menu_view_data import MenuLine, MenuView
from table.phrase import PhrasedError, make_phrase
from table.playback.run_loop import DisplayWindow

RETRY_S: Final = 30
"""After so long the table starts anew: what was missing may have been plugged in."""
_LOOK_S: Final = 0.5


def make_fault_view(error: PhrasedError, set_up: Path) -> MenuView:
    """Return the page about an error that keeps the table from starting with this set-up file."""
    lines = (
        MenuLine(make_phrase("fault.doctor"), "sudo cardtable doctor"),
        MenuLine(make_phrase("fault.type"), make_phrase("fault.console")),
        MenuLine(make_phrase("fault.set_up"), str(set_up.absolute())),
        MenuLine(make_phrase("fault.starts"), make_phrase("fault.by_itself", seconds=RETRY_S)),
    )
    return MenuView(make_phrase("fault.title"), lines, selected=0, message=error.phrase)


def show_fault(
    window: DisplayWindow,
    error: PhrasedError,
    set_up: Path,
    *,
    ended: Callable[[], bool],
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Show the page about an error until :data:`RETRY_S` have passed, the set-up file is changed, or ``ended``."""
    before, end_s = _last_change(set_up), clock() + RETRY_S
    view = make_fault_view(error, set_up)
    while clock() < end_s and _last_change(set_up) == before:
        window.show(view)
        if ended() or window.quits():
            return
        sleep(_LOOK_S)


def _last_change(path: Path) -> int | None:
    """Return when a file was changed last; None if it is not there."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return None
