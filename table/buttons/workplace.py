"""A place for lgpio's notification pipe, which it would leave in whatever folder the table was started from."""

from __future__ import annotations

import atexit
import os
import shutil

from table.errors import TableError
from table.host.temporary import own_folder

VARIABLE = "LG_WD"
"""lgpio reads it when it is first imported, which gpiozero does when it chooses lgpio's pins."""


def give_lgpio_a_place() -> None:
    """Have lgpio keep to a folder of its own, which goes with this process; one that the user has named stays."""
    if VARIABLE in os.environ:
        return
    try:
        folder = own_folder()
    except TableError:
        return
    os.environ[VARIABLE] = str(folder)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
