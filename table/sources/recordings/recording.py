"""A recording: a folder with table.toml, a video, button edges and, optionally, answers and the ground truth.

A recording delivers frames and edges as the live table did: frames in time, edges when they became known.
Lines of ``buttons.csv`` may be up to 50 ms out of order, so the watermark of the edges is that much behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from table.config.settings import TableConfig, load_config
from table.errors import TableError
from table.files.picture_and_video_reading import open_video, read_next_picture
from table.files.safe_reading import exists, is_folder
from table.number_parsing import parse_count
from table.observed_facts import END_NS, MS, Answer, Control, Delivery, Edge, Frame
from table.phrase import line_place, make_phrase
from table.sources.recordings.csv_files import EDGE_COLUMNS, CsvCell, read_rows
from table.sources.recordings.player_answers_csv import read_answers

MAX_EDGE_DELAY_NS = 50 * MS
"""The most by which a line of buttons.csv may be earlier than a line before it."""
_VIDEO = make_phrase("expected.video")
VIDEO_SUFFIXES = (".mp4", ".mkv", ".avi", ".mov", ".webm", ".m4v", ".mpg", ".ts")


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording whose files have been checked; the video is read while it is delivered."""

    folder: Path
    config: TableConfig
    video: Path
    frame_times: tuple[int, ...] | None
    """The stamps from frames.csv; None: frame k is at k / fps."""
    edges: tuple[tuple[int, Edge], ...]
    """Each edge with the moment at which it was delivered, in the order of the file."""
    answers: tuple[Answer, ...] = ()
    """The answers from answers.csv to the table's questions; without that file nobody answers."""

    @property
    def truth_path(self) -> Path:
        """The path of the ground truth, whether or not the file exists."""
        return self.folder / "truth.jsonl"

    def deliveries(self) -> Iterator[Delivery]:
        """Yield frames and edges as they became known; the last delivery carries ``END_NS``."""
        now = 0
        pending = list(reversed(self.edges))
        for frame in self._frames():
            if frame.index == 0:
                # The game starts at the same moment whatever the order of the lines in buttons.csv.
                now = min([frame.t_ns, *(edge.t_ns for _, edge in self.edges)])
                yield Delivery(now, (), None, now, now)
            while pending and pending[-1][0] <= frame.t_ns:
                now, edge = pending.pop()
                yield Delivery(now, (edge,), None, now - MAX_EDGE_DELAY_NS, frame.t_ns)
            now = frame.t_ns
            yield Delivery(now, (), frame, now - MAX_EDGE_DELAY_NS, now + 1)
        while pending:
            now, edge = pending.pop()
            yield Delivery(now, (edge,), None, now - MAX_EDGE_DELAY_NS, END_NS)
        yield Delivery(now, (), None, END_NS, END_NS)

    def _frames(self) -> Iterator[Frame]:
        film = open_video(self.video, _VIDEO)
        index = 0
        if film is not None:
            try:
                while (image := read_next_picture(film)) is not None:
                    yield Frame(self._stamp_of(index), image, index)
                    index += 1
            finally:
                film.release()
        if index == 0:
            raise TableError("recording.no_picture_in_it", at=self.video)

    def _stamp_of(self, index: int) -> int:
        if self.frame_times is None:
            return round(index * 1_000_000_000 / self.config.camera.fps)
        if index >= len(self.frame_times):
            path, name = self.folder / "frames.csv", self.video.name
            raise TableError("recording.few_stamps", at=path, frames=len(self.frame_times), video=name)
        return self.frame_times[index]


def open_recording(folder: Path) -> Recording:
    """Check a recording's files and return the recording; ``TableError`` says in one line what is wrong with which."""
    if not is_folder(folder):
        raise TableError("file.no_folder", at=folder, expected=make_phrase("expected.recording"))
    config = load_config(folder / "table.toml")
    if config.camera.homography is None:
        raise TableError("set_up.no_homography", at=(folder / "table.toml", "camera.homography"))
    return Recording(
        folder=folder,
        config=config,
        video=_find_video(folder),
        frame_times=_read_frames(folder / "frames.csv"),
        edges=_read_edges(folder / "buttons.csv", config.names),
        answers=read_answers(folder / "answers.csv", config.names),
    )


def _find_video(folder: Path) -> Path:
    videos = sorted(path for path in folder.glob("video.*") if path.suffix.lower() in VIDEO_SUFFIXES)
    if len(videos) != 1:
        raise TableError("recording.videos", at=folder, n=len(videos))
    film = open_video(videos[0], _VIDEO)
    readable = film is not None and read_next_picture(film) is not None
    if film is not None:
        film.release()
    if not readable:
        raise TableError("recording.no_video", at=videos[0])
    return videos[0]


def _read_frames(path: Path) -> tuple[int, ...] | None:
    if not exists(path):
        return None
    times: list[int] = []
    for number, row in read_rows(path, ("frame", "t_ns")):
        line = CsvCell(path, number)
        frame, t_ns = (parse_count(cell) for cell in row) if len(row) == 2 else (None, None)
        if frame is None or t_ns is None:
            raise line.make_error(make_phrase("expected.frame_and_stamp"), ",".join(row))
        if frame != len(times):
            raise line.make_error(make_phrase("expected.frame", number=len(times)), frame)
        if times and t_ns <= times[-1]:
            raise line.make_error(make_phrase("expected.later", than=times[-1]), t_ns)
        times.append(t_ns)
    return tuple(times)


def _read_edges(path: Path, seats: tuple[str, ...]) -> tuple[tuple[int, Edge], ...]:
    edges: list[tuple[int, Edge]] = []
    latest = 0
    for number, row in read_rows(path, EDGE_COLUMNS):
        line = CsvCell(path, number)
        if len(row) != 4:
            raise line.make_error(
                make_phrase("expected.cells", columns=",".join(EDGE_COLUMNS)), ",".join(row)
            )
        stamp, seat, control, level = row
        t_ns = parse_count(stamp)
        if t_ns is None:
            raise line.make_error(make_phrase("expected.nanoseconds"), stamp, "t_ns")
        if seat not in seats:
            raise line.make_error(make_phrase("expected.one_of", choices=seats), seat, "seat")
        if not _is_control(control):
            raise line.make_error(make_phrase("expected.choice", choices=("bid", "rap")), control, "control")
        if level not in ("0", "1"):
            raise line.make_error(make_phrase("expected.level"), level, "level")
        if t_ns < latest - MAX_EDGE_DELAY_NS:
            raise TableError(
                "row.late", at=(path, line_place(number)), late_ns=latest - t_ns, most_ns=MAX_EDGE_DELAY_NS
            )
        latest = max(latest, t_ns)
        edges.append((latest, Edge(t_ns, seat, control, int(level))))
    return tuple(edges)


def _is_control(text: str) -> TypeGuard[Control]:
    return text in ("bid", "rap")
