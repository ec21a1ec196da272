"""Screenshots of a game in a folder: one of the table's screen at each change that matters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import cv2

from table.config.settings import ScreenConfig
from table.display.picture_files import save_view
from table.errors import convert_errors
from table.files.atomic_writing import make_folder, replace_file
from table.files.write_as_folder_owner import owner_rights
from table.observed_facts import Image
from table.phrase import Phrase, make_phrase
from table.playback.views_of_past_moments import EVENT_PRIORITIES, most_important_line
from table.referee.model.view import View
from table.referee.records.journal import JournalLine

MAX_SCREENSHOTS = 2_000
"""Limit of screenshots, about a whole evening's; further ones are left out, and players are told."""
_OURS = re.compile(rf"\d{{4,}}-({'|'.join(EVENT_PRIORITIES)})(-camera\.jpg|\.png)".replace("_", "-"))


class ScreenshotFolder:
    """A folder of screenshots, each named by its journal line's number and event: ``0032-trick-won.png``."""

    def __init__(self, folder: Path, screen: ScreenConfig) -> None:
        """Make the folder if missing and delete an earlier game's screenshots; ``TableError`` if that fails."""
        self.count = 0
        self.left_out = 0
        """The number of moments beyond the limit, which were not saved."""
        self._folder, self._screen = folder, screen
        with convert_errors(OSError, "file.no_pictures", at=folder):
            make_folder(folder)
            with owner_rights(folder / "picture"):  # a path inside, so that the folder's own owner counts
                for old in folder.iterdir():
                    if _OURS.fullmatch(old.name):
                        old.unlink()

    def save_if_important(
        self, lines: Sequence[JournalLine], view: View, camera: Image | None = None
    ) -> None:
        """Save the screen (and the camera's picture) if one of these lines matters, named after the most important."""
        line = most_important_line(lines)
        if line is None:
            return
        if self.count >= MAX_SCREENSHOTS:
            self.left_out += 1
            return
        self.count += 1
        name = f"{line['seq']:04}-{line['event'].replace('_', '-')}"
        save_view(view, self._folder / f"{name}.png", self._screen)
        if camera is not None:
            small = cv2.resize(camera, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            with convert_errors(OSError, "file.no_pictures", at=self._folder):
                replace_file(self._folder / f"{name}-camera.jpg", cv2.imencode(".jpg", small)[1].tobytes())

    @property
    def left_out_message(self) -> Phrase | None:
        """The message about screenshots that were left out; None if all were saved."""
        if not self.left_out:
            return None
        return make_phrase("album.left_out", folder=str(self._folder), n=self.left_out, most=MAX_SCREENSHOTS)
