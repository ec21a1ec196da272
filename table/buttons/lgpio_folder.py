"""The folder of lgpio's notification pipe, which lgpio would otherwise create in the current folder."""

from __future__ import annotations

import atexit
import os
import shutil

from table.errors import TableError
from table.files.atomic_writing import make_temporary_folder

FOLDER_VARIABLE = "LG_WD"
"""lgpio reads it when it is first imported, which gpiozero does when it chooses lgpio's pins."""


def set_lgpio_folder() -> None:
    """Give lgpio a temporary folder that is removed when this process ends; a folder that the user has named stays."""
    if FOLDER_VARIABLE in os.environ:
        return
    try:
        folder = make_temporary_folder()
    except TableError:
        return
    os.environ[FOLDER_VARIABLE] = str(folder)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
