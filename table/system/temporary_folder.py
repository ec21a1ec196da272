"""Creation of a temporary folder."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from table.errors import TableError


def make_temporary_folder() -> Path:
    """Create a temporary folder of this process's own; raise `TableError` if that fails."""
    # With a named place tempfile does not write a file of its own to find out where it may write.
    parent = os.environ.get("TMPDIR", "/tmp")
    try:
        return Path(tempfile.mkdtemp(prefix="cardtable-", dir=parent))
    except OSError as error:
        raise TableError("file.not_written", at=parent, error=error) from None
