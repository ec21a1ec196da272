"""A recording: a folder with table.toml, a video, button edges and, optionally, answers and the ground truth.

A recording delivers frames and edges as the live table did: frames in time, edges when they became known.
Lines of ``buttons.csv`` may be up to 50 ms out of order, so the watermark of the edges is that much behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, get_args

from table.cards import is_card_name
from table.config.settings import TableConfig, load_config
from table.errors import TableError
from table.files.picture_and_video_reading import open_video, read_next_picture
from table.files.safe_reading import exists, is_file, is_folder
from table.number_parsing import parse_count
from table.observed_facts import END_NS, MS, Answer, Control, Delivery, Edge, Frame
from table.phrase import line_place, make_phrase
from table.sources.recordings.csv_files import EDGE_COLUMNS, FRAME_COLUMNS, CsvRow, read_rows

MAX_EDGE_DELAY_NS = 50 * MS
"""The most by which a line of buttons.csv may be earlier than a line before it."""
ANSWER_COLUMNS = ("t_ns", "about", "hand", "trick", "seat", "card")
QUESTION_KINDS = ("card", "owner", "order", "gone", "bid")
SEAT_QUESTION_KINDS = ("card", "owner", "bid")
"""The kinds of question about one seat's card or bid."""
_NANOSECONDS = make_phrase("expected.nanoseconds")
_CONTROLS: Final[dict[str, Control]] = {control: control for control in get_args(Control)}
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
    config = _with_own_pack(load_config(folder / "table.toml"), folder)
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


def _with_own_pack(config: TableConfig, folder: Path) -> TableConfig:
    """Return the configuration with the recording's copy of the pack, whatever folder the table kept it in."""
    camera = config.camera
    copy = folder / camera.pack.name if camera.pack is not None else None
    return config if copy is None or not is_file(copy) else replace(config, camera=replace(camera, pack=copy))


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
    expected_row = make_phrase("expected.frame_and_stamp")
    for row in read_rows(path, FRAME_COLUMNS, expected_row):
        frame, t_ns = parse_count(row["frame"]), parse_count(row["t_ns"])
        if frame is None or t_ns is None:
            raise row.make_error(expected_row, f"{row['frame']},{row['t_ns']}")
        if frame != len(times):
            raise row.make_error(make_phrase("expected.frame", number=len(times)), frame)
        if times and t_ns <= times[-1]:
            raise row.make_error(make_phrase("expected.later", than=times[-1]), t_ns)
        times.append(t_ns)
    return tuple(times)


def _read_edges(path: Path, seats: tuple[str, ...]) -> tuple[tuple[int, Edge], ...]:
    edges: list[tuple[int, Edge]] = []
    latest = 0
    for row in read_rows(path, EDGE_COLUMNS):
        t_ns = row.read_count("t_ns", _NANOSECONDS)
        row.check(row["seat"] in seats, make_phrase("expected.one_of", choices=seats), "seat")
        control = _CONTROLS.get(row["control"])
        if control is None:
            choices = make_phrase("expected.choice", choices=tuple(_CONTROLS))
            raise row.make_error(choices, row["control"], "control")
        row.check(row["level"] in ("0", "1"), make_phrase("expected.level"), "level")
        if t_ns < latest - MAX_EDGE_DELAY_NS:
            place = (path, line_place(row.line))
            raise TableError("row.late", at=place, late_ns=latest - t_ns, most_ns=MAX_EDGE_DELAY_NS)
        latest = max(latest, t_ns)
        edges.append((latest, Edge(t_ns, row["seat"], control, int(row["level"]))))
    return tuple(edges)


def read_answers(path: Path, seats: tuple[str, ...]) -> tuple[Answer, ...]:
    """Return the answers in the order of ``answers.csv``, none without it; `TableError` names file and line."""
    if not exists(path):
        return ()
    return tuple(_parse_answer(row, seats) for row in read_rows(path, ANSWER_COLUMNS))


def _parse_answer(row: CsvRow, seats: tuple[str, ...]) -> Answer:
    about, seat, answer = row["about"], row["seat"], row["card"]
    from_one = make_phrase("expected.number_from", low=1)
    t_ns = row.read_count("t_ns", _NANOSECONDS)
    row.check(about in QUESTION_KINDS, make_phrase("expected.one_of", choices=QUESTION_KINDS), "about")
    hand = row.read_count("hand", from_one, 1)
    trick = row.read_count("trick", from_one, 0 if about == "bid" else 1)  # a bid belongs to no trick
    names_seat = seat in seats or not (seat or about in SEAT_QUESTION_KINDS)
    row.check(names_seat, make_phrase("expected.one_of", choices=seats), "seat")
    if about in ("gone", "bid"):
        expected = make_phrase("expected.answer" if about == "gone" else "expected.bid")
        row.check(bool(answer), expected, "card")
    else:
        wants_card = about == "card" or (about == "order" and not seat)
        is_answer = is_card_name(answer) or not (answer or wants_card)
        row.check(is_answer, make_phrase("expected.card"), "card")
    return Answer(t_ns, about, hand, trick, seat, answer)
