"""The last half minute of camera and buttons, so that whoever says "that's wrong" has it on film.

Kept as pieces of video, as a recording has them: in memory, so nothing is written while all goes well. What is taken
out of it is a recording in the folder format that ``replay`` reads.
"""

from __future__ import annotations

import queue
import shutil
import threading
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Final

from table.buttons.gpio import Read
from table.config import TableConfig
from table.errors import TableError
from table.facts import MS, Edge, Frame
from table.files.rights import rights_at
from table.files.writing import make_folder, new_file
from table.host.temporary import own_folder
from table.phrase import Phrase, say
from table.sources.film import NAME as FILM
from table.sources.film import Pieces
from table.sources.rows import write_edges
from table.sources.set_up import copy_set_up, pack_of

SPAN_NS: Final = 30_000 * MS
"""So much is kept; pieces are whole seconds, so it may be one more."""
WAITING: Final = 60
"""So many frames wait for the encoder at most."""


@dataclass(frozen=True, slots=True)
class _Piece:
    video: bytes
    stamps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Keep:
    """A wish to keep what there is."""

    folder: Path
    others: tuple[tuple[str, bytes], ...]
    edges: tuple[Edge, ...]
    done: threading.Event = field(default_factory=threading.Event)


class Ring:
    """Keeps the last half minute. Frames may come from another thread than all else; nothing waits for the encoder."""

    def __init__(self, config: TableConfig) -> None:
        """``TableError`` where no video can be made."""
        self._config = config
        # A piece lies there for a second; most never get to the disk before they are gone again.
        self._folder = own_folder()
        self._stamps: list[int] = []
        self._pieces: deque[_Piece] = deque()
        self._edges: deque[Edge] = deque()
        self.trouble: Phrase | None = None
        """Why the last wish was not fulfilled."""
        try:
            self._video = Pieces(self._folder, config.camera.fps, config.camera.size, self._put)
        except TableError:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        self._queue: queue.Queue[Frame | _Keep | None] = queue.Queue(WAITING)
        self._thread = threading.Thread(target=self._run, name="ring", daemon=True)
        self._thread.start()

    def frame(self, frame: Frame) -> None:
        """Take a frame; never waits."""
        try:
            self._queue.put_nowait(frame)
        except queue.Full:
            return  # a hole in what is kept; its stamp is left out with it

    def read(self, read: Read) -> None:
        """Take what the buttons' reader brought."""
        self._edges += read.edges
        while self._edges and self._edges[0].t_ns < self._edges[-1].t_ns - 2 * SPAN_NS:
            self._edges.popleft()

    def keep(self, folder: Path, others: tuple[tuple[str, bytes], ...] = ()) -> threading.Event:
        """Write what there is into ``folder``, as a recording, and ``others`` beside it by their names.

        It is done by another thread; the event tells when. Where it can't be done, ``trouble`` says why.
        """
        wish = _Keep(folder, others, tuple(self._edges))
        self._queue.put(wish)
        return wish.done

    def close(self) -> None:
        """Forget all; what was wished before is done."""
        self._queue.put(None)
        self._thread.join()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Ring:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- the encoder's thread -----------------------------------------------------------------------------

    def _run(self) -> None:
        while (task := self._queue.get()) is not None:
            try:
                if isinstance(task, Frame):
                    self._add(task)
                else:
                    self._write(task)
                    self.trouble = None
            except (OSError, TableError) as error:
                self.trouble = say("recording.complaint_lost", error=error)
            if isinstance(task, _Keep):
                task.done.set()

    def _add(self, frame: Frame) -> None:
        self._video.write(frame.t_ns, frame.image)
        self._stamps.append(frame.t_ns)
        while self._pieces and self._pieces[0].stamps[-1] < frame.t_ns - SPAN_NS:
            self._pieces.popleft()

    def _put(self, video: bytes) -> None:
        self._pieces.append(_Piece(video, tuple(self._stamps)))
        self._stamps.clear()

    def _write(self, wish: _Keep) -> None:
        self._video.end()
        stamps = [stamp for piece in self._pieces for stamp in piece.stamps]
        if not stamps or self._config.path is None:
            return
        part = wish.folder.with_name(f"{wish.folder.name}.part")
        with rights_at(part):
            shutil.rmtree(part, ignore_errors=True)
            make_folder(part.parent)
            part.mkdir()  # new: nobody has put anything there
        copy_set_up(self._config.path, part / "table.toml")
        with new_file(part / FILM) as file:
            file.writelines(piece.video for piece in self._pieces)
        rows = "".join(f"{number},{stamp}\n" for number, stamp in enumerate(stamps))
        edges = sorted((edge for edge in wish.edges if edge.t_ns >= stamps[0]), key=lambda edge: edge.t_ns)
        write_edges(part / "buttons.csv", edges)
        pack = pack_of(self._config)
        also = ("frames.csv", f"frame,t_ns\n{rows}".encode()), *wish.others, *([pack] if pack else [])
        for name, data in also:
            with new_file(part / name) as file:
                file.write(data)
        with rights_at(part):
            part.rename(wish.folder)
