"""Reading of videos from files, with limits on size and memory."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np

from table.errors import TableError
from table.files.limit_decoding_memory import limit_memory
from table.files.safe_reading import MB, MOST_PIXELS, open_file
from table.observed_facts import Image
from table.phrase import Phrase, size_phrase

MOST_MEMORY: Final = 256 * MB
"""FFmpeg's memory limit for a video: at 3840 x 2160 on one thread it takes a quarter of that."""


def open_video(path: Path, wanted: Phrase) -> cv2.VideoCapture | None:
    """Open a video at its first picture; return None if FFmpeg can't read it.

    Raises `TableError` if the file can't be read at all, is a pipe or a device, or has pictures that are too large.
    ``wanted``: what the file should have been.
    """
    with open_file(path, wanted) as file, limit_memory(MOST_MEMORY):
        # Open the file that was checked, whatever has its name by now.
        same = Path(f"/proc/self/fd/{file.fileno()}")
        # On one thread: two of them take up to a seventh more of a processor, to wait for each other.
        options = [cv2.CAP_PROP_N_THREADS, 1]
        video = cv2.VideoCapture(str(same if same.exists() else path), cv2.CAP_FFMPEG, options)
    if not video.isOpened():
        video.release()
        return None
    size = int(video.get(cv2.CAP_PROP_FRAME_WIDTH)), int(video.get(cv2.CAP_PROP_FRAME_HEIGHT))
    if size[0] * size[1] > MOST_PIXELS:
        video.release()
        raise TableError("file.large_pictures", at=path, size=size_phrase(size), most=MOST_PIXELS // MB)
    return video


def read_next_picture(video: cv2.VideoCapture) -> Image | None:
    """Read the next picture, (H, W, 3) BGR; return None at the end, or if it can't be decoded."""
    try:
        with limit_memory(MOST_MEMORY):
            success, image = video.read()
    except (cv2.error, MemoryError):
        return None
    return np.asarray(image, dtype=np.uint8) if success else None
