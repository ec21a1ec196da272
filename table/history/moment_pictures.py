"""Photo finishes: for each ruling on tied leads a picture of the mark beside the journal, ``NAME.moments/SEQ.jpg``."""

from __future__ import annotations

import re
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Final

from table.errors import TableError
from table.files.atomic_writing import create_file, make_folder
from table.files.safe_reading import is_file, read_bytes
from table.files.write_as_folder_owner import owner_rights
from table.phrase import make_phrase

SUFFIX: Final = ".moments"
MAX_PICTURE_BYTES: Final = 60_000
"""Limit of one picture."""
MAX_GAME_BYTES: Final = 20_000_000
"""Limit of all pictures of a game; further ones are not stored."""
MIN_FREE_BYTES: Final = 100_000_000
"""With less free on the disk none is stored, so that games have room."""
_NAME: Final = re.compile(r"(\d{1,9})\.jpg", re.ASCII)


def picture_path(journal: Path, seq: int) -> Path:
    """Return the path of the picture of a journal's line ``seq``."""
    return _pictures_folder(journal) / f"{seq}.jpg"


def _pictures_folder(journal: Path) -> Path:
    """Return the folder of a journal's pictures; ``with_suffix`` would raise for a path without a name."""
    return journal.parent / f"{journal.stem}{SUFFIX}"


def read_picture(journal: Path, seq: int) -> bytes | None:
    """Return the photo finish of a journal's line ``seq``, a JPEG; None where there is none that can be read."""
    try:
        data = read_bytes(picture_path(journal, seq), make_phrase("expected.picture"), MAX_PICTURE_BYTES)
    except TableError:
        return None
    return data if data.startswith(b"\xff\xd8") else None


def save_picture(journal: Path, seq: int, picture: bytes) -> None:
    """Store the photo finish of a journal's line ``seq``, where the disk and the game's share of it have room.

    A failure is not reported: the journal reports the same trouble, and the game does not need the picture.
    """
    path = picture_path(journal, seq)
    with suppress(OSError, ValueError):
        taken = sum(file.stat().st_size for file in path.parent.glob("*.jpg"))
        has_room = shutil.disk_usage(journal.parent).free >= MIN_FREE_BYTES
        fits = len(picture) <= MAX_PICTURE_BYTES and taken + len(picture) <= MAX_GAME_BYTES
        if fits and has_room and is_file(journal):
            make_folder(path.parent)
            with create_file(path) as file:
                file.write(picture)


def delete_pictures(journal: Path, after: int = 0) -> None:
    """Delete the pictures of the lines after ``after``: these lines are written anew."""
    folder = _pictures_folder(journal)
    with suppress(OSError, ValueError), owner_rights(folder / "picture"):
        for path in folder.iterdir():
            name = _NAME.fullmatch(path.name)
            if name is not None and int(name[1]) > after:
                path.unlink()
