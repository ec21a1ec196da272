"""A film of the screen: a picture for each step of time, with what stands still for long made shorter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pygame

from table.display.draw import Shown, draw, seen
from table.display.look import PLAIN, Look
from table.display.theme import Size
from table.errors import TableError
from table.facts import MS
from table.files.writing import new_file
from table.host.stderr import in_silence
from table.referee.view import View
from table.words.render import Words

FPS = 10
STEP_NS = 1_000 * MS // FPS
STILL_NS = 2_000 * MS
"""A picture stays no longer than this, however long nothing changed."""
SUFFIXES = (".mp4", ".mkv", ".avi")


class Reel:
    """Writes a film, MPEG-4 part 2: what OpenCV's own FFmpeg can write without a licence to be had."""

    def __init__(self, path: Path, size: Size, words: Words, look: Look = PLAIN) -> None:
        """``TableError`` where there can be no film at ``path``."""
        self._size, self._words, self._look = size, words, look
        self._frames = 0
        self._path, self._part = path, path.with_name(f"{path.stem}.part{path.suffix}")
        try:
            if path.suffix.lower() not in SUFFIXES or path.is_dir():
                raise ValueError
            new_file(self._part).close()
        except (OSError, ValueError):
            raise self._no_film() from None
        with in_silence():
            self._writer = cv2.VideoWriter(
                str(self._part), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*"mp4v"), FPS, size
            )
        if not self._writer.isOpened():
            self._part.unlink(missing_ok=True)
            raise self._no_film()

    def _no_film(self) -> TableError:
        return TableError("image.no_film", at=self._path, suffixes=tuple(SUFFIXES))

    def show(self, view: View, span_ns: int) -> None:
        """The screen as in ``view`` for so long, but no longer than :data:`STILL_NS`."""
        drawn = pygame.surfarray.array3d(draw(view, self._size, self._words, self._look))
        picture = np.ascontiguousarray(drawn.swapaxes(0, 1)[..., ::-1])
        for _ in range(max(1, round(min(span_ns, STILL_NS) / STEP_NS))):
            self._writer.write(picture)
            self._frames += 1

    @property
    def seconds(self) -> float:
        """How long the film is."""
        return self._frames / FPS

    def close(self) -> None:
        """Finish the file; until then, what has its name stays as it was. ``TableError`` where it can't be."""
        self._writer.release()
        try:
            self._part.replace(self._path)
        except OSError:
            raise self._no_film() from None


def spans(moments: Iterable[tuple[int, View]]) -> Iterator[tuple[View, int]]:
    """Each view that differs from the one before, with how long it stood; the last one stands for a while."""
    kept: tuple[int, View, Shown] | None = None
    for now_ns, view in moments:
        what = seen(view)
        if kept is None:
            kept = now_ns, view, what
        elif what != kept[2]:
            yield kept[1], now_ns - kept[0]
            kept = now_ns, view, what
    if kept is not None:
        yield kept[1], STILL_NS
