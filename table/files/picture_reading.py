"""Reading of still pictures from files, with limits on size and memory."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from table.errors import TableError
from table.files.image_headers import picture_kind, picture_size
from table.files.limit_decoding_memory import limit_memory
from table.files.safe_reading import MB, MOST_PIXELS, read_bytes
from table.files.silence_library_stderr import suppress_stderr
from table.observed_facts import Image
from table.phrase import Phrase, make_phrase, size_phrase

_LARGE_PIXELS = MB
_MAX_PIXELS_PER_BYTE = 200
"""The most pixels for each byte of a large picture's file; a photograph has 2 to 50."""
MOST_BYTES = 128 * MB
"""The largest size of a picture's file."""
_MAX_MEMORY = 256 * MB
"""The decoder's memory limit: a progressive JPEG of that many pixels, which takes the most, takes 200 MB."""
_EXPECTED_PICTURE = make_phrase("expected.picture")


def read_picture(path: Path) -> Image:
    """Read a picture file as (H, W, 3) BGR; raise `TableError` if it is none, cut off, or too large."""
    data = read_bytes(path, _EXPECTED_PICTURE, MOST_BYTES)
    image = decode_picture(data)
    if image is None:
        raise TableError(explain_undecodable(data), at=path)
    pixels = image.shape[0] * image.shape[1]
    if pixels > _LARGE_PIXELS and pixels > _MAX_PIXELS_PER_BYTE * len(data):
        raise TableError("file.cut_off", at=path, bytes=len(data), megapixels=pixels // MB)
    return image


def explain_undecodable(data: bytes) -> Phrase:
    """Return why these bytes could not be decoded, judging by the picture kind in the header."""
    kind, size = picture_kind(data), picture_size(data)
    if kind == "heic":
        return make_phrase("file.heic", expected=_EXPECTED_PICTURE)
    if size is not None and size[0] * size[1] > MOST_PIXELS:
        return make_phrase("file.too_many_pixels", size=size_phrase(size), most=MOST_PIXELS // MB)
    if kind is not None:
        return make_phrase("file.damaged_picture", bytes=len(data))
    return make_phrase("file.no_picture", most=MOST_PIXELS // MB, expected=_EXPECTED_PICTURE)


def decode_picture(data: bytes) -> Image | None:
    """Decode a picture file's bytes to (H, W, 3) BGR; return None if there is no picture, or a very large one."""
    try:
        with suppress_stderr(), limit_memory(_MAX_MEMORY):
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    except (
        cv2.error,
        MemoryError,
    ):  # one that says it is too large, or takes more memory than there is for it
        return None
    return None if image is None else np.asarray(image, np.uint8)
