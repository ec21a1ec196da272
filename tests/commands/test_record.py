"""``cardtable record`` loses nothing, and ``replay`` reads what it wrote."""

from __future__ import annotations

import itertools
import os
import shutil
import threading
import time
from pathlib import Path

import cv2
import pytest

from table.__main__ import main
from table.buttons.gpio_edges import EdgeReading
from table.commands import play, record
from table.config.settings import load_config
from table.errors import TableError
from table.files.safe_reading import MOST_PACK
from table.history.truth_comparison import compare
from table.i18n.terminal_output import phrase_text
from table.observed_facts import Edge, Frame
from table.pipeline import Pipeline
from table.playback.run_loop import run_to_end
from table.referee.records.journal import read_lines
from table.sources.camera.live_camera import LiveCamera
from table.sources.live_table import LiveTable
from table.sources.recordings import live_recorder
from table.sources.recordings.live_recorder import Recorder
from table.sources.recordings.recording import _read_edges, open_recording
from tests.commands.filmed import RECORDING, FilmedTable
from tests.sources.fake_video_writer import FakeVideoWriter
from tests.wrong import wrong

S = 1_000_000_000
END = 1009 * S + S * 8 // 10
"""The first trick lies complete on the mark; the camera's film ends here."""


def ends() -> None:
    raise EOFError


def check(folder: Path) -> None:
    """What was recorded is what was there, and a replay finds in it what happened."""
    original, again = open_recording(RECORDING), open_recording(folder)
    assert original.frame_times is not None
    frames = [t_ns for t_ns in original.frame_times if t_ns < END]
    assert again.frame_times == tuple(frames)
    edges = sorted(
        (edge for _, edge in original.edges if edge.t_ns <= frames[-1]), key=lambda edge: edge.t_ns
    )
    assert [edge for _, edge in again.edges] == edges
    pipeline = Pipeline(again.config, again)
    run_to_end(pipeline)
    truth = [line for line in read_lines(RECORDING / "truth.jsonl") if line["t_ns"] < END]
    assert truth[-1]["event"] == "trick_won"
    assert compare(truth, pipeline.referee.journal.lines).differences == ()


def test_what_is_recorded_is_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(live_recorder, "MAX_QUEUED_FRAMES", 1000)
    monkeypatch.setattr(record, "open_live", FilmedTable(at_ns=END, then=ends).live)
    folder = tmp_path / "evening"
    assert main(["record", str(folder), "--config", str(RECORDING / "table.toml")]) == 0
    assert "none lost" in capsys.readouterr().out
    check(folder)


@pytest.mark.thorough
def test_a_game_that_is_played_can_be_recorded_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_recorder, "MAX_QUEUED_FRAMES", 1000)
    monkeypatch.setattr(play, "open_live", FilmedTable(at_ns=END, then=ends).live)
    folder, journal = tmp_path / "evening", tmp_path / "game.jsonl"
    config = str(RECORDING / "table.toml")
    arguments = ["play", "--config", config, "--headless", "--journal", str(journal), "--record", str(folder)]
    assert main(arguments) == 0
    assert [line["event"] for line in read_lines(journal)][-1] == "trick_won"
    check(folder)


def test_frames_that_the_encoder_has_no_time_for_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_recorder, "MAX_QUEUED_FRAMES", 1)
    monkeypatch.setattr(cv2, "VideoWriter", _Slow)
    config = load_config(RECORDING / "table.toml")
    film = cv2.VideoCapture(str(RECORDING / "video.mp4"))
    image = film.read()[1]
    with Recorder(tmp_path / "evening", config) as recording:
        for number in range(20):
            recording.add_frame(Frame(number * 1000, image, number))  # type: ignore[arg-type]
        _Slow.go.set()
    assert recording.frames_lost == 20 - recording.frames_written > 0
    rows = (tmp_path / "evening" / "frames.csv").read_text().splitlines()[1:]
    assert [row.split(",")[0] for row in rows] == [str(number) for number in range(recording.frames_written)]
    assert "LOST" in phrase_text(recording.summary())


class _Slow(FakeVideoWriter):
    """A video writer that takes its time."""

    go = threading.Event()

    def write(self, image: object) -> None:
        self.go.wait(10)


def test_edges_are_written_in_the_order_of_their_stamps(tmp_path: Path) -> None:
    config = load_config(RECORDING / "table.toml")
    early, late = Edge(100, "Ada", "bid", 1), Edge(200, "Ben", "rap", 1)
    with Recorder(tmp_path / "evening", config) as recording:
        recording.add_reading(EdgeReading((late,), 90))
        recording.add_reading(EdgeReading((early,), 150))
        recording.add_reading(EdgeReading((), 150))
    rows = (tmp_path / "evening" / "buttons.csv").read_text().splitlines()
    assert rows == ["t_ns,seat,control,level", "100,Ada,bid,1", "200,Ben,rap,1"]


def test_a_name_with_a_comma_or_a_quote_is_read_again(tmp_path: Path) -> None:
    text = (RECORDING / "table.toml").read_text()
    names = load_config(RECORDING / "table.toml").names
    odd = ('Ada, the "Fox"', *names[1:])
    home = tmp_path / "table.toml"
    home.write_text(text.replace(f'"{names[0]}"', "'Ada, the \"Fox\"'"))
    config = load_config(home)
    assert config.names == odd
    edges = [Edge(100, odd[0], "bid", 1), Edge(200, odd[1], "bid", 1)]
    with Recorder(tmp_path / "evening", config) as recording:
        recording.add_reading(EdgeReading(tuple(edges), 1000))
    assert [edge for _, edge in _read_edges(tmp_path / "evening" / "buttons.csv", odd)] == edges


def test_the_pack_in_use_is_kept_with_the_recording(tmp_path: Path) -> None:
    home, folder = tmp_path / "home", tmp_path / "evening"
    home.mkdir()
    text = (RECORDING / "table.toml").read_text()
    (home / "table.toml").write_text(text.replace("[camera]", '[camera]\npack = "mine.npz"'))
    (home / "mine.npz").write_bytes(b"a pack")
    with Recorder(folder, load_config(home / "table.toml")) as recording:
        recording.add_reading(EdgeReading((Edge(100, "Ada", "bid", 1),), 150))
    assert (folder / "mine.npz").read_bytes() == b"a pack"
    assert load_config(folder / "table.toml").camera.pack == folder / "mine.npz"


@pytest.mark.parametrize("size", [None, MOST_PACK + 1])
def test_what_can_be_no_pack_is_not_copied(size: int | None, tmp_path: Path) -> None:
    home, folder = tmp_path / "home", tmp_path / "evening"
    home.mkdir()
    text = (RECORDING / "table.toml").read_text()
    (home / "table.toml").write_text(text.replace("[camera]", '[camera]\npack = "mine.npz"'))
    pack = home / "mine.npz"
    if size is None:
        os.mkfifo(pack)
    else:
        pack.touch()
        os.truncate(pack, size)
    with pytest.raises(TableError, match=r"mine\.npz"):
        Recorder(folder, load_config(home / "table.toml"))
    assert not (folder / "mine.npz").exists()


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "video.mkv").write_text("an evening")
    config = load_config(RECORDING / "table.toml")
    with wrong("file.not_empty", at=tmp_path):
        Recorder(tmp_path, config)
    assert (tmp_path / "video.mkv").read_text() == "an evening"


def test_without_a_picture_there_is_no_recording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def unplugged(config: object, *, keyboard: bool) -> LiveTable:
        def opener(_: object) -> object:
            raise TableError("the camera is not there")

        camera = LiveCamera(load_config(RECORDING / "table.toml").camera, opener=opener, again_s=0.01)  # type: ignore[arg-type]
        return LiveTable(camera)

    monkeypatch.setattr(record, "open_live", unplugged)
    monkeypatch.setattr(record, "PATIENCE_S", 0.1)
    folder = tmp_path / "evening"
    assert main(["record", str(folder), "--config", str(RECORDING / "table.toml")]) == 2
    assert "no picture has come: the camera is not there" in capsys.readouterr().err
    assert list(folder.iterdir()) == []


def test_a_recording_that_is_killed_keeps_its_pictures_up_to_the_last_second(tmp_path: Path) -> None:
    original = open_recording(RECORDING)
    frames = list(itertools.islice(original._frames(), 70))
    folder, killed = tmp_path / "evening", tmp_path / "killed"
    with Recorder(folder, load_config(RECORDING / "table.toml")) as recording:
        for count, frame in enumerate(frames, start=1):
            recording.add_frame(frame)
            while recording.frames_written < count:
                time.sleep(0.001)
        shutil.copytree(folder, killed)  # what SIGKILL leaves
    for left, least in ((killed, frames[-1].t_ns - S), (folder, frames[-1].t_ns)):
        again = open_recording(left)
        stamps = [frame.t_ns for frame in again._frames()]
        assert stamps == [frame.t_ns for frame in frames][: len(stamps)]
        assert stamps[-1] >= least
