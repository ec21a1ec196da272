"""Record the screen as a film: one picture for each time step, with long still periods shortened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pygame

from table.display.drawing.colours_and_sizes import Size
from table.display.drawing.screen_options import PLAIN, ScreenOptions
from table.display.view_picture import ScreenView, draw, visible_part
from table.errors import TableError
from table.files.atomic_writing import create_file
from table.files.silence_library_stderr import suppress_stderr
from table.i18n.phrase_rendering import PhraseRenderer
from table.observed_facts import MS
from table.referee.model.view import View

FPS = 10
"""Frames per second of the film."""
STEP_NS = 1_000 * MS // FPS
MAX_STILL_NS = 2_000 * MS
"""The longest time that an unchanged picture is shown, however long nothing changed."""
CODECS = {".webm": "VP80", ".mp4": "mp4v", ".mkv": "mp4v", ".avi": "mp4v"}
"""The codec for each file name ending that a film may have.

OpenCV's own FFmpeg writes them without a licence. Browsers and code hosts play the first. The others take less time.
"""


class ScreenFilm:
    """Writer of a film of the screen, in the codec that the file name asks for."""

    def __init__(self, path: Path, size: Size, words: PhraseRenderer, look: ScreenOptions = PLAIN) -> None:
        """Open the film's temporary file beside ``path``; raise ``TableError`` when no film can be written there."""
        self._size, self._renderer, self._options = size, words, look
        self._frames = 0
        self._path, self._temporary_path = path, path.with_name(f"{path.stem}.part{path.suffix}")
        try:
            if path.suffix.lower() not in CODECS or path.is_dir():
                raise ValueError
            create_file(self._temporary_path).close()
        except (OSError, ValueError):
            raise self._no_film() from None
        with suppress_stderr():
            codec = cv2.VideoWriter.fourcc(*CODECS[path.suffix.lower()])
            self._writer = cv2.VideoWriter(str(self._temporary_path), cv2.CAP_FFMPEG, codec, FPS, size)
        if not self._writer.isOpened():
            self._temporary_path.unlink(missing_ok=True)
            raise self._no_film()

    def _no_film(self) -> TableError:
        return TableError("image.no_film", at=self._path, suffixes=tuple(CODECS))

    def show(self, view: View, span_ns: int) -> None:
        """Append the picture of ``view`` for ``span_ns``, but for no longer than :data:`MAX_STILL_NS`."""
        drawn = pygame.surfarray.array3d(draw(view, self._size, self._renderer, self._options))
        picture = np.ascontiguousarray(drawn.swapaxes(0, 1)[..., ::-1])
        for _ in range(max(1, round(min(span_ns, MAX_STILL_NS) / STEP_NS))):
            self._writer.write(picture)
            self._frames += 1

    @property
    def seconds(self) -> float:
        """The length of the film so far, in seconds."""
        return self._frames / FPS

    def close(self) -> None:
        """Finish the film and move it to its final name, which keeps its old content until then.

        Raises ``TableError`` when the film cannot be moved.
        """
        self._writer.release()
        try:
            self._temporary_path.replace(self._path)
        except OSError:
            raise self._no_film() from None


def view_durations(moments: Iterable[tuple[int, View]]) -> Iterator[tuple[View, int]]:
    """Yield each view whose picture differs from the last, with its duration; the last has :data:`MAX_STILL_NS`."""
    last: tuple[int, View, ScreenView] | None = None
    for now_ns, view in moments:
        visible = visible_part(view)
        if last is None:
            last = now_ns, view, visible
        elif visible != last[2]:
            yield last[1], now_ns - last[0]
            last = now_ns, view, visible
    if last is not None:
        yield last[1], MAX_STILL_NS
