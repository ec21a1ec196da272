"""A folder for what is needed for a moment only."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from table.errors import TableError


def own_folder() -> Path:
    """A new folder of this process's own among the machine's temporary ones; ``TableError`` where none can be made."""
    # The place is named, for else tempfile tries out with a file of its own where it may write.
    place = os.environ.get("TMPDIR", "/tmp")
    try:
        return Path(tempfile.mkdtemp(prefix="cardtable-", dir=place))
    except OSError as error:
        raise TableError("file.not_written", at=place, error=error) from None
