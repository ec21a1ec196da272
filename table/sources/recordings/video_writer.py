"""A video writer whose file is complete up to the last second, whenever writing is interrupted.

OpenCV's writer buffers for long (Matroska a cluster of 5 s, every format 256 kB). So each second is written
as a video of its own, and its bytes are appended to those before: MPEG transport streams are made to be
joined like that. Nor does it report that a disk is full, so the pictures in each of these videos are counted.
"""

from __future__ import annotations

from collections.abc import Callable
from io import FileIO
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from table.errors import TableError
from table.files.atomic_writing import create_file, exclusive_opener
from table.files.silence_library_stderr import suppress_stderr
from table.observed_facts import MS, Image
from table.phrase import expected_error, size_phrase

VIDEO_NAME = "video.ts"
_PIECE_NAME = "piece-of-video.ts"
PIECE_NS = 1_000 * MS
# MPEG-4 part 2: OpenCV's own FFmpeg writes it without a licence (it has no H.264 encoder).
_CODEC = cv2.VideoWriter.fourcc(*"mp4v")
_PACKET_BYTES = 188
_BEGINS_PICTURE = (0x41, 0x00)
"""The second and third byte of a transport stream's packet in which a picture of FFmpeg's first stream begins."""


def open_writer(path: Path, fps: float, size: tuple[int, int]) -> cv2.VideoWriter:
    """Open a new file for a video; ``TableError`` where there is no encoder, or for an odd size, which it would cut."""
    if not is_even(size):
        raise TableError(expected_error("expected.picture_size", at="camera.size", instead=size_phrase(size)))
    create_file(path).close()  # replaces a link to another file
    # FFmpeg warns that a transport stream has no name for the codec, which does not matter.
    with suppress_stderr():
        writer = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, _CODEC, fps, size)
    if not writer.isOpened():
        raise TableError("recording.no_encoder", at=path)
    return writer


def is_even(size: tuple[int, int]) -> bool:
    """Return whether pictures of this size can be encoded without a row or column being cut off."""
    return size[0] % 2 == size[1] % 2 == 0


def _count_pictures(stream: bytes) -> int:
    """Return the number of pictures in a transport stream; 0 for one that is torn off."""
    if len(stream) % _PACKET_BYTES:
        return 0
    packets = np.frombuffer(stream, np.uint8).reshape(-1, _PACKET_BYTES)
    return int((packets[:, 1:3] == _BEGINS_PICTURE).all(axis=1).sum())


class VideoPiece(NamedTuple):
    """About a second of video."""

    video: bytes
    stamps: tuple[int, ...]
    """The stamps of its frames."""


class VideoPieces:
    """A video in pieces of a second, each a complete video by itself that can be appended to the one before."""

    def __init__(
        self, folder: Path, fps: float, size: tuple[int, int], put: Callable[[VideoPiece], None]
    ) -> None:
        """``put`` gets each complete piece; until then the piece is a file in ``folder``.

        ``TableError`` as of :func:`open_writer`.
        """
        self._path = folder / _PIECE_NAME
        self._fps, self._size, self._on_piece = fps, size, put
        self._piece: cv2.VideoWriter | None = None
        self._stamps: list[int] = []
        """The stamps of the current piece's frames."""
        self._open().release()
        self._path.unlink(missing_ok=True)

    def write(self, t_ns: int, image: Image) -> None:
        """Add a frame stamped ``t_ns``; ``OSError`` or ``TableError`` where the disk fails."""
        if self._stamps and t_ns - self._stamps[0] >= PIECE_NS:
            self.finish_piece()
        if self._piece is None:
            self._piece = self._open()
        self._piece.write(image)
        self._stamps.append(t_ns)

    def finish_piece(self) -> None:
        """Complete the current piece and pass it on.

        ``OSError`` or ``TableError`` if it is lost, with its frames and their stamps.
        """
        if self._piece is None:
            return
        self._piece.release()
        self._piece = None
        stamps, self._stamps = tuple(self._stamps), []
        data = self._path.read_bytes()
        self._path.unlink()
        if _count_pictures(data) != len(stamps):
            raise TableError("recording.pictures_lost")
        self._on_piece(VideoPiece(data, stamps))

    def _open(self) -> cv2.VideoWriter:
        return open_writer(self._path, self._fps, self._size)


class VideoWriter:
    """Writes an MPEG-4 video that can be read at any time but for the last second."""

    def __init__(self, folder: Path, fps: float, size: tuple[int, int]) -> None:
        """Begin ``video.ts``; ``TableError`` as of :func:`open_writer`, ``OSError`` where the disk fails."""
        self._file = FileIO(folder / VIDEO_NAME, "w", opener=exclusive_opener)
        try:
            self._pieces = VideoPieces(folder, fps, size, self._put)
        except TableError:
            self._file.close()
            raise
        self.write = self._pieces.write

    def close(self) -> None:
        """Write the current piece and close the file; ``OSError`` or ``TableError`` where the disk fails."""
        try:
            self._pieces.finish_piece()
        finally:
            self._file.close()

    def _put(self, piece: VideoPiece) -> None:
        remaining = memoryview(piece.video)
        while remaining:
            remaining = remaining[self._file.write(remaining) :]
