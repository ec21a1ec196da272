"""Films from files: opened and read within bounds of size and memory."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np

from table.errors import TableError
from table.facts import Image
from table.files.reading import MB, MOST_PIXELS, open_file
from table.host.memory import bounded
from table.phrase import Phrase, dimensions

MOST_MEMORY: Final = 256 * MB
"""What FFmpeg gets to decode a film: at 3840 x 2160 on one thread it takes a quarter of that."""


def open_film(path: Path, wanted: Phrase) -> cv2.VideoCapture | None:
    """A film at its first picture; None where FFmpeg can't read it.

    ``TableError`` where the file can't be read at all, is a pipe or a device, or has pictures that are too large.
    ``wanted``: what the file should have been.
    """
    with open_file(path, wanted) as file, bounded(MOST_MEMORY):
        # What was checked, whatever has its name by now.
        same = Path(f"/proc/self/fd/{file.fileno()}")
        # On one thread: two of them take up to a seventh more of a processor, to wait for each other.
        options = [cv2.CAP_PROP_N_THREADS, 1]
        film = cv2.VideoCapture(str(same if same.exists() else path), cv2.CAP_FFMPEG, options)
    if not film.isOpened():
        film.release()
        return None
    size = int(film.get(cv2.CAP_PROP_FRAME_WIDTH)), int(film.get(cv2.CAP_PROP_FRAME_HEIGHT))
    if size[0] * size[1] > MOST_PIXELS:
        film.release()
        raise TableError("file.large_pictures", at=path, size=dimensions(size), most=MOST_PIXELS // MB)
    return film


def next_picture(film: cv2.VideoCapture) -> Image | None:
    """The next picture, (H, W, 3) BGR; None at the end, or where it can't be decoded."""
    try:
        with bounded(MOST_MEMORY):
            good, image = film.read()
    except (cv2.error, MemoryError):
        return None
    return np.asarray(image, dtype=np.uint8) if good else None
