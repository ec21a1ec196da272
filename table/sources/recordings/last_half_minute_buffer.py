"""A buffer of the last half minute of camera and buttons, for the video of a complaint ("that's wrong").

The buffer holds pieces of video in memory, encoded as a recording has them, so nothing is written while all
goes well. What is saved from it is a recording in the folder format that ``replay`` reads.
"""

from __future__ import annotations

import queue
import shutil
import threading
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from table.buttons.gpio_edges import EdgeReading
from table.config.settings import TableConfig
from table.config.toml_edit import copy_set_up
from table.errors import TableError, convert_errors
from table.files.atomic_writing import create_file, make_folder, make_temporary_folder, replace_file
from table.files.write_as_folder_owner import owner_rights
from table.observed_facts import MS, Edge, Frame
from table.phrase import Phrase, make_phrase
from table.sources.recordings.csv_files import write_edges, write_frames
from table.sources.recordings.video_writer import VIDEO_NAME as FILM
from table.sources.recordings.video_writer import VideoPiece, VideoPieces

SPAN_NS: Final = 30_000 * MS
"""The length of the buffer; pieces are whole seconds, so it may be one more."""
MAX_QUEUED_FRAMES: Final = 60


class _Task(NamedTuple):
    """What the encoder's thread does next, and the event that it sets then."""

    do: Callable[[], None]
    done: threading.Event | None = None


class ReplayBuffer:
    """Buffers the last half minute of edges, and of frames from any thread; nothing waits for the encoder."""

    def __init__(self, config: TableConfig) -> None:
        """``TableError`` where no video can be encoded or written."""
        self._config = config
        # A piece exists there for a second; most are deleted before they get to the disk.
        self._folder = make_temporary_folder()
        self._pieces: deque[VideoPiece] = deque()
        self._edges: deque[Edge] = deque()
        self.trouble: Phrase | None = None
        """Why the last request to save failed."""
        try:
            with convert_errors(OSError, "file.not_written", at=self._folder):
                self._video = VideoPieces(
                    self._folder, config.camera.fps, config.camera.size, self._pieces.append
                )
        except TableError:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise
        self._queue: queue.Queue[_Task | None] = queue.Queue(MAX_QUEUED_FRAMES)
        self._thread = threading.Thread(target=self._run, name="ring", daemon=True)
        self._thread.start()

    def add_frame(self, frame: Frame) -> None:
        """Queue a frame for the encoder; never waits."""
        try:
            self._queue.put_nowait(_Task(partial(self._encode, frame)))
        except queue.Full:
            return  # a gap in the buffer; the frame's stamp is left out with it

    def add_reading(self, read: EdgeReading) -> None:
        """Add the edges of a reading of the buttons."""
        self._edges += read.edges
        while self._edges and self._edges[0].t_ns < self._edges[-1].t_ns - 2 * SPAN_NS:
            self._edges.popleft()

    def save(self, folder: Path, others: tuple[tuple[str, bytes], ...] = ()) -> threading.Event:
        """Save the buffer into ``folder`` as a recording, with the files ``others`` (names and contents) beside it.

        Another thread does this; the returned event is set when it is done. Where it fails, ``trouble`` says
        why.
        """
        done = threading.Event()
        self._queue.put(_Task(partial(self._save, folder, others, tuple(self._edges)), done))
        return done

    def close(self) -> None:
        """Carry out the requests so far, stop the encoder and discard the buffer."""
        self._queue.put(None)
        self._thread.join()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> ReplayBuffer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- the encoder's thread -----------------------------------------------------------------------------

    def _run(self) -> None:
        while (task := self._queue.get()) is not None:
            try:
                task.do()
            except Exception as error:  # whatever a codec raises: the table waits for this thread
                self.trouble = make_phrase("recording.complaint_lost", error=error)
            if task.done is not None:
                task.done.set()

    def _encode(self, frame: Frame) -> None:
        self._video.write(frame.t_ns, frame.image)
        while self._pieces and self._pieces[0].stamps[-1] < frame.t_ns - SPAN_NS:
            self._pieces.popleft()

    def _save(self, folder: Path, others: tuple[tuple[str, bytes], ...], all_edges: tuple[Edge, ...]) -> None:
        self._video.finish_piece()
        stamps = [stamp for piece in self._pieces for stamp in piece.stamps]
        if not stamps or self._config.path is None:
            return
        part = folder.with_name(f"{folder.name}.part")
        with owner_rights(part):
            shutil.rmtree(part, ignore_errors=True)
            make_folder(part.parent)
            part.mkdir()  # new: nobody has put anything there
        copy_set_up(self._config, part)
        edges = sorted((edge for edge in all_edges if edge.t_ns >= stamps[0]), key=lambda edge: edge.t_ns)
        write_edges(part / "buttons.csv", edges)
        write_frames(part / "frames.csv", stamps)
        with create_file(part / FILM) as file:
            file.writelines(piece.video for piece in self._pieces)
        for name, data in others:
            replace_file(part / name, data)
        with owner_rights(part):
            part.rename(folder)
        self.trouble = None
