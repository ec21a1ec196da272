"""A recording: a folder with table.toml, a video, button edges and, perhaps, answers and the truth.

It is delivered as the live table would have: frames in time, edges when they became known. Lines of
``buttons.csv`` may stand up to 50 ms out of order, so edges are known for certain only that much later.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

import cv2
import numpy as np

from table.config import TableConfig, load_config
from table.errors import TableError
from table.facts import END_NS, MS, Answer, Control, Delivery, Edge, Frame
from table.files.numbers import count
from table.files.reading import exists, is_folder
from table.sources.answers import read_answers
from table.sources.rows import EDGES, rows_of

LATE_NS = 50 * MS
"""How far a line of buttons.csv may stand behind a later one."""
VIDEO_SUFFIXES = (".mp4", ".mkv", ".avi", ".mov", ".webm", ".m4v", ".mpg", ".ts")


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording whose files have been looked at; the video is read as it is delivered."""

    folder: Path
    config: TableConfig
    video: Path
    frame_times: tuple[int, ...] | None
    """From frames.csv; None: frame k is at k / fps."""
    edges: tuple[tuple[int, Edge], ...]
    """Each edge with the moment at which it was delivered, in the order of the file."""
    answers: tuple[Answer, ...] = ()
    """From answers.csv: what people answer to the table's questions; without it nobody answers."""

    @property
    def truth(self) -> Path:
        """Where the truth stands, if there is one."""
        return self.folder / "truth.jsonl"

    def deliveries(self) -> Iterator[Delivery]:
        """Frames and edges as they became known; then the end."""
        now = 0
        waiting = list(reversed(self.edges))
        for frame in self._frames():
            if frame.index == 0:
                # The game starts at the same moment whatever the order of the lines in buttons.csv.
                now = min([frame.t_ns, *(edge.t_ns for _, edge in self.edges)])
                yield Delivery(now, (), None, now, now)
            while waiting and waiting[-1][0] <= frame.t_ns:
                now, edge = waiting.pop()
                yield Delivery(now, (edge,), None, now - LATE_NS, frame.t_ns)
            now = frame.t_ns
            yield Delivery(now, (), frame, now - LATE_NS, now + 1)
        while waiting:
            now, edge = waiting.pop()
            yield Delivery(now, (edge,), None, now - LATE_NS, END_NS)
        yield Delivery(now, (), None, END_NS, END_NS)

    def _frames(self) -> Iterator[Frame]:
        capture = cv2.VideoCapture(str(self.video), cv2.CAP_FFMPEG)
        try:
            index = 0
            while True:
                good, image = capture.read()
                if not good:
                    break
                yield Frame(self._time_of(index), np.asarray(image, dtype=np.uint8), index)
                index += 1
        finally:
            capture.release()
        if index == 0:
            raise TableError(f"{self.video}: no picture in it: expected a video")

    def _time_of(self, index: int) -> int:
        if self.frame_times is None:
            return round(index * 1_000_000_000 / self.config.camera.fps)
        if index >= len(self.frame_times):
            raise TableError(
                f"{self.folder / 'frames.csv'}: {len(self.frame_times)} frames, but {self.video.name} has more"
            )
        return self.frame_times[index]


def open_recording(folder: Path) -> Recording:
    """Look at a recording's files; ``TableError`` says in one line what is wrong with which."""
    if not is_folder(folder):
        raise TableError(f"{folder}: no such folder: expected a recording")
    config = load_config(folder / "table.toml")
    if config.camera.homography is None:
        raise TableError(
            f"{folder / 'table.toml'}: camera.homography: missing (expected three rows of three numbers)"
        )
    return Recording(
        folder=folder,
        config=config,
        video=_find_video(folder),
        frame_times=_read_frames(folder / "frames.csv"),
        edges=_read_edges(folder / "buttons.csv", config.names),
        answers=read_answers(folder / "answers.csv", config.names),
    )


def _find_video(folder: Path) -> Path:
    found = sorted(path for path in folder.glob("video.*") if path.suffix.lower() in VIDEO_SUFFIXES)
    if len(found) != 1:
        what = "no video" if not found else f"{len(found)} videos"
        raise TableError(f"{folder}: {what}: expected one file video.mp4, video.mkv or the like")
    capture = cv2.VideoCapture(str(found[0]), cv2.CAP_FFMPEG)
    readable = capture.isOpened() and capture.read()[0]
    capture.release()
    if not readable:
        raise TableError(f"{found[0]}: can't be read as a video: expected a file that FFmpeg reads")
    return found[0]


def _read_frames(path: Path) -> tuple[int, ...] | None:
    if not exists(path):
        return None
    times: list[int] = []
    for number, row in rows_of(path, ("frame", "t_ns")):
        where = f"{path}: line {number}"
        frame, t_ns = (count(cell) for cell in row) if len(row) == 2 else (None, None)
        if frame is None or t_ns is None:
            raise TableError(f"{where}: expected frame,t_ns as whole numbers, not {','.join(row)!r}")
        if frame != len(times):
            raise TableError(f"{where}: expected frame {len(times)}, not {frame}")
        if times and t_ns <= times[-1]:
            raise TableError(f"{where}: expected a time later than {times[-1]}, not {t_ns}")
        times.append(t_ns)
    return tuple(times)


def _read_edges(path: Path, seats: tuple[str, ...]) -> tuple[tuple[int, Edge], ...]:
    found: list[tuple[int, Edge]] = []
    latest = 0
    for number, row in rows_of(path, EDGES):
        where = f"{path}: line {number}"
        if len(row) != 4:
            raise TableError(f"{where}: expected t_ns,seat,control,level, not {','.join(row)!r}")
        stamp, seat, control, level = row
        t_ns = count(stamp)
        if t_ns is None:
            raise TableError(f"{where}: t_ns: expected a whole number of nanoseconds, not {stamp!r}")
        if seat not in seats:
            raise TableError(f"{where}: seat: expected one of {', '.join(seats)}, not {seat!r}")
        if not _is_control(control):
            raise TableError(f"{where}: control: expected bid or rap, not {control!r}")
        if level not in ("0", "1"):
            raise TableError(f"{where}: level: expected 1 (pressed) or 0 (released), not {level!r}")
        if t_ns < latest - LATE_NS:
            late = (latest - t_ns) / MS
            raise TableError(
                f"{where}: {late:.0f} ms behind an earlier line (expected at most 50 ms out of order)"
            )
        latest = max(latest, t_ns)
        found.append((latest, Edge(t_ns, seat, control, int(level))))
    return tuple(found)


def _is_control(text: str) -> TypeGuard[Control]:
    return text in ("bid", "rap")
