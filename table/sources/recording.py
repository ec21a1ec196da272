"""A recording: a folder with table.toml, a video, button edges and, perhaps, answers and the truth.

It is delivered as the live table would have: frames in time, edges when they became known. Lines of
``buttons.csv`` may stand up to 50 ms out of order, so edges are known for certain only that much later.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from table.config import TableConfig, load_config
from table.errors import TableError
from table.facts import END_NS, MS, Answer, Control, Delivery, Edge, Frame
from table.files.films import next_picture, open_film
from table.files.numbers import count
from table.files.reading import exists, is_folder
from table.phrase import at_line, say
from table.sources.answers import read_answers
from table.sources.rows import EDGES, Cell, rows_of

LATE_NS = 50 * MS
"""How far a line of buttons.csv may stand behind a later one."""
_VIDEO = say("expected.video")
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
        film = open_film(self.video, _VIDEO)
        index = 0
        if film is not None:
            try:
                while (image := next_picture(film)) is not None:
                    yield Frame(self._time_of(index), image, index)
                    index += 1
            finally:
                film.release()
        if index == 0:
            raise TableError("recording.no_picture_in_it", at=self.video)

    def _time_of(self, index: int) -> int:
        if self.frame_times is None:
            return round(index * 1_000_000_000 / self.config.camera.fps)
        if index >= len(self.frame_times):
            wrong, name = self.folder / "frames.csv", self.video.name
            raise TableError("recording.few_stamps", at=wrong, frames=len(self.frame_times), video=name)
        return self.frame_times[index]


def open_recording(folder: Path) -> Recording:
    """Look at a recording's files; ``TableError`` says in one line what is wrong with which."""
    if not is_folder(folder):
        raise TableError("file.no_folder", at=folder, expected=say("expected.recording"))
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
    found = sorted(path for path in folder.glob("video.*") if path.suffix.lower() in VIDEO_SUFFIXES)
    if len(found) != 1:
        raise TableError("recording.videos", at=folder, n=len(found))
    film = open_film(found[0], _VIDEO)
    readable = film is not None and next_picture(film) is not None
    if film is not None:
        film.release()
    if not readable:
        raise TableError("recording.no_video", at=found[0])
    return found[0]


def _read_frames(path: Path) -> tuple[int, ...] | None:
    if not exists(path):
        return None
    times: list[int] = []
    for number, row in rows_of(path, ("frame", "t_ns")):
        line = Cell(path, number)
        frame, t_ns = (count(cell) for cell in row) if len(row) == 2 else (None, None)
        if frame is None or t_ns is None:
            raise line.wrong(say("expected.frame_and_stamp"), ",".join(row))
        if frame != len(times):
            raise line.wrong(say("expected.frame", number=len(times)), frame)
        if times and t_ns <= times[-1]:
            raise line.wrong(say("expected.later", than=times[-1]), t_ns)
        times.append(t_ns)
    return tuple(times)


def _read_edges(path: Path, seats: tuple[str, ...]) -> tuple[tuple[int, Edge], ...]:
    found: list[tuple[int, Edge]] = []
    latest = 0
    for number, row in rows_of(path, EDGES):
        line = Cell(path, number)
        if len(row) != 4:
            raise line.wrong(say("expected.cells", columns=",".join(EDGES)), ",".join(row))
        stamp, seat, control, level = row
        t_ns = count(stamp)
        if t_ns is None:
            raise line.wrong(say("expected.nanoseconds"), stamp, "t_ns")
        if seat not in seats:
            raise line.wrong(say("expected.one_of", choices=seats), seat, "seat")
        if not _is_control(control):
            raise line.wrong(say("expected.choice", choices=("bid", "rap")), control, "control")
        if level not in ("0", "1"):
            raise line.wrong(say("expected.level"), level, "level")
        if t_ns < latest - LATE_NS:
            raise TableError("row.late", at=(path, at_line(number)), late_ns=latest - t_ns, most_ns=LATE_NS)
        latest = max(latest, t_ns)
        found.append((latest, Edge(t_ns, seat, control, int(level))))
    return tuple(found)


def _is_control(text: str) -> TypeGuard[Control]:
    return text in ("bid", "rap")
