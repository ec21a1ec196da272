"""The recorder of the live table, which writes the folder format that ``replay`` reads.

The video is MPEG-4: the detector reads it as well as the camera's own pictures (measured), at a fifth of
Motion JPEG's size.
"""

from __future__ import annotations

import io
import queue
import shutil
import threading
from pathlib import Path
from typing import TextIO

from table.buttons.gpio_edges import EdgeReading
from table.config.settings import TableConfig
from table.config.toml_edit import copy_set_up
from table.errors import TableError
from table.files.atomic_writing import create_file, make_folder
from table.files.write_as_folder_owner import owner_rights
from table.observed_facts import END_NS, Edge, Frame
from table.phrase import Phrase, make_phrase
from table.sources.recordings.csv_files import EDGE_COLUMNS, FRAME_COLUMNS, format_edges
from table.sources.recordings.video_writer import VIDEO_NAME as FILM
from table.sources.recordings.video_writer import VideoWriter

MAX_QUEUED_FRAMES = 90
"""The most frames that wait for the encoder (3 s, and 250 MB, at 1280 x 720)."""
MIN_FREE_BYTES = 300 * 1024 * 1024
"""The free space below which recording ends, before the disk is full: games are stored on it too."""
FRAMES_PER_SPACE_CHECK = 150


def is_unused(folder: Path) -> bool:
    """Return whether a folder can take a recording: it is missing or empty."""
    try:
        return not any(folder.iterdir())
    except OSError:
        return not folder.exists()


class Recorder:
    """Records the live table. Frames may come from another thread than edges; neither waits for the disk."""

    def __init__(self, folder: Path, config: TableConfig) -> None:
        """Begin a recording in ``folder``; ``TableError`` unless the folder is new or empty, and can be written."""
        if config.camera.homography is None or config.path is None:
            place = (config.path or "table.toml", "camera.homography")
            raise TableError("recording.not_calibrated", at=place)
        self._folder = folder
        self._created_files = ["table.toml", FILM, "frames.csv", "buttons.csv"]
        if config.camera.pack is not None:
            self._created_files.append(config.camera.pack.name)
        try:
            make_folder(folder)
            if not is_unused(folder):
                raise TableError("file.not_empty", at=folder)
            copy_set_up(config, folder)
            self._video = VideoWriter(folder, config.camera.fps, config.camera.size)
            self._frames_csv = _begin_csv(folder / "frames.csv", ",".join(FRAME_COLUMNS))
            self._buttons_csv = _begin_csv(folder / "buttons.csv", ",".join(EDGE_COLUMNS))
        except OSError as error:
            raise TableError("recording.not_made", at=error.filename or folder, error=error) from None
        self.frames_written = 0
        self.frames_lost = 0
        """The number of frames that the encoder could not keep up with; each is a gap in the recording."""
        self.edges_written = 0
        self.trouble: Phrase | None = None
        """Why recording has ended early."""
        self._waiting_edges: list[Edge] = []
        self._queue: queue.Queue[Frame | None] = queue.Queue(MAX_QUEUED_FRAMES)
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    def add_frame(self, frame: Frame) -> None:
        """Queue a frame for the encoder; never waits."""
        try:
            self._queue.put_nowait(frame)
        except queue.Full:
            self.frames_lost += 1

    def add_reading(self, read: EdgeReading) -> None:
        """Write the edges of a reading of the buttons; the file has the edges in the order of their stamps."""
        edges = sorted((*self._waiting_edges, *read.edges), key=lambda edge: edge.t_ns)
        complete = [edge for edge in edges if edge.t_ns < read.until_ns]
        self._waiting_edges = edges[len(complete) :]
        if not complete:
            return
        try:
            self._buttons_csv.write(format_edges(complete))
            self._buttons_csv.flush()
            self.edges_written += len(complete)
        except OSError as error:
            self._give_up(make_phrase("recording.disk_error", error=error))

    def close(self) -> None:
        """Write what is queued and close the files; where nothing was recorded, leave the folder empty."""
        if self._buttons_csv.closed:
            return
        self.add_reading(EdgeReading((), END_NS))
        self._buttons_csv.close()
        self._queue.put(None)
        self._thread.join()
        try:
            self._video.close()
        except (OSError, TableError) as error:
            self._give_up(make_phrase("recording.disk_error", error=error))
        self._frames_csv.close()
        if not self.frames_written and not self.edges_written:
            with owner_rights(self._folder / FILM):
                for name in self._created_files:
                    (self._folder / name).unlink(missing_ok=True)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def summary(self) -> Phrase:
        """Return a message that says what has been recorded."""
        code = "recording.summary_lost" if self.frames_lost else "recording.summary"
        counts = {"frames": self.frames_written, "lost": self.frames_lost, "edges": self.edges_written}
        return make_phrase(code, folder=str(self._folder), **counts)

    def _run(self) -> None:
        while (frame := self._queue.get()) is not None:
            if self.trouble is not None:
                continue
            try:
                if (
                    self.frames_written % FRAMES_PER_SPACE_CHECK == 0
                    and shutil.disk_usage(self._folder).free < MIN_FREE_BYTES
                ):
                    self._give_up(make_phrase("recording.disk_full"))
                    continue
                # The stamp before its picture: an interrupted recording has a stamp for each of its pictures.
                self._frames_csv.write(f"{self.frames_written},{frame.t_ns}\n")
                self._frames_csv.flush()
                self._video.write(frame.t_ns, frame.image)
                self.frames_written += 1
            except Exception as error:  # whatever a codec raises: close() waits for this thread
                self._give_up(make_phrase("recording.disk_error", error=error))

    def _give_up(self, why: Phrase) -> None:
        self.trouble = make_phrase("recording.ended", why=why)


def _begin_csv(path: Path, header: str) -> TextIO:
    file = io.TextIOWrapper(create_file(path), encoding="utf-8")
    file.write(header + "\n")
    file.flush()
    return file
