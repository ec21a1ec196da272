"""A video that is whole up to its last second, whenever it is torn off.

OpenCV's writer keeps what it is given to itself for long (Matroska a cluster of 5 s, every format 256 kB). So each
second is written as a video of its own, and its bytes are put behind those before: MPEG transport streams are made to
be joined like that.
"""

from __future__ import annotations

from collections.abc import Callable
from io import FileIO
from pathlib import Path

import cv2

from table.errors import TableError
from table.facts import MS, Image
from table.files.writing import new_file, open_new
from table.host.stderr import in_silence

NAME = "video.ts"
_PIECE = "piece-of-video.ts"
PIECE_NS = 1_000 * MS
_CODEC = cv2.VideoWriter.fourcc(*"mp4v")


class Pieces:
    """A video cut into pieces of a second, each a whole video by itself that can be put behind the one before."""

    def __init__(self, folder: Path, fps: float, size: tuple[int, int], put: Callable[[bytes], None]) -> None:
        """``put`` gets each piece when it is whole; meanwhile it lies in ``folder``. ``TableError`` where none can."""
        self._path = folder / _PIECE
        self._fps, self._size, self._put_on = fps, size, put
        self._piece: cv2.VideoWriter | None = None
        self._since_ns = 0
        self._open().release()
        self._path.unlink(missing_ok=True)

    def write(self, t_ns: int, image: Image) -> None:
        """Add a frame, stamped ``t_ns``; ``OSError`` where the disk fails."""
        if self._piece is not None and t_ns - self._since_ns >= PIECE_NS:
            self.end()
        if self._piece is None:
            self._piece, self._since_ns = self._open(), t_ns
        self._piece.write(image)

    def end(self) -> None:
        """Hand on what there is of the last second."""
        if self._piece is None:
            return
        self._piece.release()
        self._piece = None
        data = self._path.read_bytes()
        self._path.unlink()
        self._put_on(data)

    def _open(self) -> cv2.VideoWriter:
        new_file(self._path).close()  # a link to another file goes
        with in_silence():  # it says that a transport stream has no name for the codec, as if that mattered
            piece = cv2.VideoWriter(str(self._path), cv2.CAP_FFMPEG, _CODEC, self._fps, self._size)
        if not piece.isOpened():
            raise TableError("recording.no_encoder", at=self._path)
        return piece


class Film:
    """A video under way: MPEG-4, which can be read at any time but for the last second."""

    def __init__(self, folder: Path, fps: float, size: tuple[int, int]) -> None:
        """Begin ``video.ts`` in ``folder``; ``TableError`` where it can't be, ``OSError`` where the disk can't."""
        self._file = FileIO(folder / NAME, "w", opener=open_new)
        try:
            self._pieces = Pieces(folder, fps, size, self._put)
        except TableError:
            self._file.close()
            raise
        self.write = self._pieces.write

    def close(self) -> None:
        """Add what there is of the last second."""
        try:
            self._pieces.end()
        finally:
            self._file.close()

    def _put(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[self._file.write(rest) :]
