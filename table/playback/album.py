"""Pictures of a game, left in a folder: one of the table's screen at each change that matters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import cv2

from table.display.look import PLAIN, Look
from table.display.screen import save
from table.display.theme import Size
from table.errors import TableError
from table.facts import Image
from table.files.rights import rights_at
from table.files.writing import make_folder, replace_file
from table.phrase import Phrase, say
from table.playback.moments import MATTERS, what_matters
from table.referee.journal import JournalLine
from table.referee.view import View
from table.words.render import Words

MOST = 2_000
"""A whole evening's; after so many no more are kept, and that is said."""
_OURS = re.compile(rf"\d{{4,}}-({'|'.join(MATTERS)})(-camera\.jpg|\.png)".replace("_", "-"))


class Album:
    """A folder of pictures, each named by its line's number and event: ``0032-trick-won.png``."""

    def __init__(
        self,
        folder: Path,
        size: Size = (1280, 720),
        look: Look = PLAIN,
        *,
        words: Words | None = None,
        most: int = MOST,
    ) -> None:
        """The folder is made if missing, and pictures of an earlier game in it go; ``TableError`` where it can't be.

        ``words``: the pictures' language; the one that is spoken where none is given.
        """
        self.count = 0
        """How many moments are kept."""
        self.left_out = 0
        """For how many there was no room any more."""
        self._folder, self._size, self._look, self._most = folder, size, look, most
        self._words = words
        try:
            make_folder(folder)
            with rights_at(folder / "picture"):
                for old in folder.iterdir():
                    if _OURS.fullmatch(old.name):
                        old.unlink()
        except OSError as error:
            raise TableError("file.no_pictures", at=folder, error=error) from None

    def keep(self, lines: Sequence[JournalLine], view: View, camera: Image | None = None) -> None:
        """Keep the screen as it is after ``lines`` that were known at once, where one of them matters.

        One picture, named after the line that matters most, and one of what the camera sees, if that is given.
        ``TableError`` where a picture can't be written.
        """
        line = what_matters(lines)
        if line is None:
            return
        if self.count >= self._most:
            self.left_out += 1
            return
        self.count += 1
        name = f"{line['seq']:04}-{line['event'].replace('_', '-')}"
        save(view, self._folder / f"{name}.png", self._size, self._words, self._look)
        if camera is not None:
            small = cv2.resize(camera, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            self._write(f"{name}-camera.jpg", cv2.imencode(".jpg", small)[1].tobytes())

    @property
    def lack(self) -> Phrase | None:
        """What there is to say about pictures that were not kept; None where all were."""
        if not self.left_out:
            return None
        return say("album.left_out", folder=str(self._folder), n=self.left_out, most=self._most)

    def _write(self, name: str, data: bytes) -> None:
        try:
            replace_file(self._folder / name, data)
        except OSError as error:
            raise TableError("file.no_pictures", at=self._folder, error=error) from None
