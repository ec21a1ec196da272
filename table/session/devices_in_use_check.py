"""Checks whether another process uses the camera and the buttons: only one can have them."""

from __future__ import annotations

import os
from pathlib import Path

from table.errors import TableError
from table.history.archive import games_folder, lock_path
from table.system.process_lock import is_held

SERVICE = Path("/run/systemd/units/invocation:cardtable.service")
"""A link that exists while the service runs; systemd points it to the id of the run."""


def require_free_devices(*, playing: bool = False) -> None:
    """Raise ``TableError``, with what to stop, if another process plays; ``playing``: this process is ``play``."""
    if os.path.lexists(SERVICE) and not _is_service():
        raise TableError("busy.service")
    if not playing and is_held(lock_path(games_folder())):
        raise TableError("busy.play")


def _is_service() -> bool:
    try:
        return os.readlink(SERVICE) == os.environ.get("INVOCATION_ID")
    except OSError:
        return False
