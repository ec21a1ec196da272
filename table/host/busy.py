"""Whether another process has the camera and the buttons: two can't have them at once."""

from __future__ import annotations

import os
from pathlib import Path

from table.errors import TableError
from table.host.lock import is_held
from table.journals.archive import games_folder, lock_path

SERVICE = Path("/run/systemd/units/invocation:cardtable.service")
"""There while the service runs; systemd links it to the number of its run."""


def check_free(*, playing: bool = False) -> None:
    """``TableError`` that says what to stop, where the table is being played. ``playing``: it is asked by ``play``."""
    if os.path.lexists(SERVICE) and not _is_service():
        raise TableError("busy.service")
    if not playing and is_held(lock_path(games_folder())):
        raise TableError("busy.play")


def _is_service() -> bool:
    """Whether this process is the service's own."""
    try:
        return os.readlink(SERVICE) == os.environ.get("INVOCATION_ID")
    except OSError:
        return False
