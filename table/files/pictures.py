"""Still pictures from files: none is decoded that asks for more than it can hold."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from table.errors import TableError
from table.facts import Image
from table.files.headers import kind_of_picture, size_of_picture
from table.files.reading import MB, MOST_PIXELS, read_bytes
from table.host.memory import bounded
from table.host.stderr import in_silence
from table.phrase import Phrase, dimensions, say

_LARGE = MB
_PIXELS_A_BYTE = 200
"""A photograph has 2 to 50."""
MOST_BYTES = 128 * MB
"""Of a picture's file."""
_MOST_MEMORY = 256 * MB
"""What a decoder gets: a progressive JPEG of so many pixels, which takes the most, takes 200 MB."""
_EXPECTED = say("expected.picture")


def read_picture(path: Path) -> Image:
    """A picture file as (H, W, 3) BGR; ``TableError`` when it is none, cut off, or too large."""
    data = read_bytes(path, _EXPECTED, MOST_BYTES)
    image = decoded(data)
    if image is None:
        raise TableError(why_undecoded(data), at=path)
    pixels = image.shape[0] * image.shape[1]
    if pixels > _LARGE and pixels > _PIXELS_A_BYTE * len(data):
        raise TableError("file.cut_off", at=path, bytes=len(data), megapixels=pixels // MB)
    return image


def why_undecoded(data: bytes) -> Phrase:
    """Why nothing could be decoded, by what the file's first bytes say that it is."""
    kind, size = kind_of_picture(data), size_of_picture(data)
    if kind == "heic":
        return say("file.heic", expected=_EXPECTED)
    if size is not None and size[0] * size[1] > MOST_PIXELS:
        return say("file.too_many_pixels", size=dimensions(size), most=MOST_PIXELS // MB)
    if kind is not None:
        return say("file.damaged_picture", bytes=len(data))
    return say("file.no_picture", most=MOST_PIXELS // MB, expected=_EXPECTED)


def decoded(data: bytes) -> Image | None:
    """The picture in a file's bytes as (H, W, 3) BGR; None where there is none, or a very large one."""
    try:
        with in_silence(), bounded(_MOST_MEMORY):
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    except (
        cv2.error,
        MemoryError,
    ):  # one that says it is too large, or takes more memory than there is for it
        return None
    return None if image is None else np.asarray(image, np.uint8)
