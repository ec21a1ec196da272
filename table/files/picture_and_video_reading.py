"""Reading of pictures and videos from files, with limits on size and memory."""

from __future__ import annotations

import resource
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, TypeAlias

import cv2
import numpy as np

from table.errors import TableError
from table.files.safe_reading import MB, MOST_PIXELS, open_file, read_bytes
from table.files.silence_library_stderr import suppress_stderr
from table.observed_facts import Image
from table.phrase import Phrase, make_phrase, size_phrase

Kind: TypeAlias = Literal["png", "jpeg", "heic"]

MOST_BYTES: Final = 128 * MB
_LARGE_PIXELS: Final = MB
_MAX_PIXELS_PER_BYTE: Final = 200
"""The most pixels for each byte of a large picture's file; a photograph has 2 to 50."""
_MAX_MEMORY: Final = 256 * MB
"""The decoders' memory limit. A progressive JPEG of the most pixels, which takes the most, takes 200 MB; a video of
3840 x 2160 on one thread takes a quarter of it."""
_EXPECTED_PICTURE: Final = make_phrase("expected.picture")
_LIMIT_LOCK: Final = threading.RLock()
"""Held while a limit is set: the limit is the whole process's."""


# --- pictures ---------------------------------------------------------------------------------------------


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


def decode_picture(data: bytes) -> Image | None:
    """Decode a picture file's bytes to (H, W, 3) BGR; return None if there is no picture, or a very large one."""
    try:
        with suppress_stderr(), limit_memory():
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    except (cv2.error, MemoryError):  # it says it is too large, or takes more memory than there is for it
        return None
    return None if image is None else np.asarray(image, np.uint8)


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


# --- headers of pictures ----------------------------------------------------------------------------------

_HEIC: Final = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
"""Brands of ISO/IEC 23008-12 with which phones' photographs begin."""
_FRAME_MARKERS: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG markers (ITU-T T.81, table B.1) that begin a frame header, which holds the size."""
_MARKERS_WITHOUT_LENGTH: Final = frozenset({0x01, *range(0xD0, 0xD8)})
_MAX_SEGMENTS: Final = 1_000


def picture_kind(data: bytes) -> Kind | None:
    """Return the kind of picture that the bytes begin as; None for any other."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if data.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    return "heic" if data[4:8] == b"ftyp" and data[8:12] in _HEIC else None


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height from the header of a PNG or a JPEG; None if it holds none."""
    kind = picture_kind(data)
    if kind == "png" and len(data) >= 24:
        return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
    return _size_of_jpeg(data) if kind == "jpeg" else None


def _size_of_jpeg(data: bytes) -> tuple[int, int] | None:
    position = 2
    for _ in range(_MAX_SEGMENTS):
        segment = data[position : position + 9]
        if len(segment) < 9 or segment[0] != 0xFF:
            return None
        marker = segment[1]
        if marker in _FRAME_MARKERS:
            return int.from_bytes(segment[7:9]), int.from_bytes(segment[5:7])
        if marker == 0xFF:
            position += 1
        elif marker in _MARKERS_WITHOUT_LENGTH:
            position += 2
        else:
            position += 2 + int.from_bytes(segment[2:4])
    return None


# --- videos -----------------------------------------------------------------------------------------------


def open_video(path: Path, wanted: Phrase) -> cv2.VideoCapture | None:
    """Open a video at its first picture, or return None if FFmpeg can't; `TableError` for no file or large pictures."""
    with open_file(path, wanted) as file, limit_memory():
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


def count_pictures(path: Path) -> int:
    """Return the number of pictures that a finished video has, less than 1 for one that is torn off.

    OpenCV's writer does not report that a disk was full.
    """
    video = open_video(path, make_phrase("expected.video"))
    if video is None:
        return 0
    count = round(video.get(cv2.CAP_PROP_FRAME_COUNT))
    video.release()
    return count


def read_next_picture(video: cv2.VideoCapture) -> Image | None:
    """Read the next picture, (H, W, 3) BGR; return None at the end, or if it can't be decoded."""
    try:
        with limit_memory():
            success, image = video.read()
    except (cv2.error, MemoryError):
        return None
    return np.asarray(image, dtype=np.uint8) if success else None


# --- memory -----------------------------------------------------------------------------------------------


@contextmanager
def limit_memory() -> Iterator[None]:
    """Limit this process to 256 MB more than it has, in a ``with`` block.

    A library that decodes a file allocates what the file's header asks for; a few bytes can ask for gigabytes. With the
    limit its allocation fails, and it reports a file that can't be decoded. On a system that does not report the memory
    of a process there is no limit.
    """
    with _LIMIT_LOCK:
        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        used = _used_bytes()
        set_limits = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
        if used is None or any(limit < used + _MAX_MEMORY for limit in set_limits):
            yield
            return
        resource.setrlimit(resource.RLIMIT_DATA, (used + _MAX_MEMORY, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _used_bytes() -> int | None:
    """Return the bytes of data and stack of this process; None if the system does not report them."""
    try:
        # (Read for every picture of a video: raw it takes a quarter of the time.)
        with open("/proc/self/statm", "rb", buffering=0) as file:
            pages = file.read().split()[5]
    except (OSError, IndexError):
        return None
    return int(pages) * resource.getpagesize()
