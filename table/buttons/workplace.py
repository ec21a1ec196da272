"""A place for lgpio's notification pipe, which it would leave in whatever folder the table was started from."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

VARIABLE = "LG_WD"
"""lgpio reads it when it is first imported, which gpiozero does when it chooses lgpio's pins."""


def give_lgpio_a_place() -> None:
    """Have lgpio keep to a folder of its own, which goes with this process; one that the user has named stays."""
    if VARIABLE in os.environ:
        return
    try:
        # The place is named, for else tempfile tries out with a file of its own where it may write.
        folder = tempfile.mkdtemp(prefix="cardtable-", dir=os.environ.get("TMPDIR", "/tmp"))
    except OSError:
        return
    os.environ[VARIABLE] = folder
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
