"""Recordings where the disk takes no more, or the encoder fails: they say so, and nothing waits for them for ever."""

from __future__ import annotations

import errno
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.__main__ import main
from table.config.settings import TableConfig, load_config
from table.errors import TableError
from table.observed_facts import MS, Frame
from table.phrase import make_phrase
from table.sources.recordings import video_writer
from table.sources.recordings.last_half_minute_buffer import ReplayBuffer
from table.sources.recordings.live_recorder import MAX_QUEUED_FRAMES, Recorder
from table.sources.recordings.recording import open_recording
from tests.sources.fake_video_writer import FakeVideoWriter
from tests.sources.test_last_half_minute_buffer import TOML
from tests.wrong import told, wrong

SIZE = (320, 240)
LIMIT_BYTES = 100_000
LOST = make_phrase("recording.pictures_lost")


@pytest.fixture
def config(tmp_path: Path) -> TableConfig:
    path = tmp_path / "table.toml"
    path.write_text(TOML)
    return load_config(path)


@contextmanager
def nearly_full_disk() -> Iterator[None]:
    """No file grows beyond some pictures, for FFmpeg as for Python."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT_BYTES, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def frames(count: int, first: int = 0) -> Iterator[Frame]:
    """Ten pictures of noise a second, which no encoder makes small."""
    rng = np.random.default_rng(3)
    for number in range(first, first + count):
        image = rng.integers(0, 255, (SIZE[1], SIZE[0], 3), dtype=np.uint8)
        yield Frame(number * 100 * MS, image, number)


def test_a_recorder_ends_where_the_disk_has_not_taken_all_pictures(
    config: TableConfig, tmp_path: Path
) -> None:
    with nearly_full_disk(), Recorder(tmp_path / "evening", config) as recorder:
        for frame in frames(20):
            recorder.add_frame(frame)
    assert recorder.trouble == make_phrase(
        "recording.ended", why=make_phrase("recording.disk_error", error=LOST)
    )


def test_a_complaint_has_no_pictures_of_a_second_that_the_disk_did_not_take(
    config: TableConfig, tmp_path: Path
) -> None:
    with ReplayBuffer(config) as buffer:
        with nearly_full_disk():
            for frame in frames(11):
                buffer.add_frame(frame)
            buffer.save(tmp_path / "lost").wait(20)
        assert buffer.trouble == make_phrase("recording.complaint_lost", error=LOST)
        for frame in frames(15, first=11):
            buffer.add_frame(frame)
        assert buffer.save(tmp_path / "001").wait(20)
        assert buffer.trouble is None
    times = [
        each.frame.t_ns for each in open_recording(tmp_path / "001").deliveries() if each.frame is not None
    ]
    assert times == [frame.t_ns for frame in frames(15, first=11)]


@pytest.mark.thorough
def test_a_simulated_game_that_the_disk_does_not_take_is_no_recording(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "game"
    arguments = ["--game", "oh-hell", "--hands", "1", "--players", "3", "--size", "320x240", "--fps", "10"]
    with nearly_full_disk():
        assert main(["virtual", str(folder), *arguments]) == 2
    assert told("recording.pictures_lost") in capsys.readouterr().err


def test_a_full_folder_for_temporary_files_is_an_error_that_a_game_goes_on_without(
    config: TableConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(video_writer, "create_file", full)
    with wrong("file.not_written", kind=TableError):
        ReplayBuffer(config)
    assert [path.name for path in tmp_path.iterdir()] == ["table.toml"]


class _Broken(FakeVideoWriter):
    """A video writer that fails in the way of a codec."""

    def write(self, image: object) -> None:
        raise cv2.error("the codec has failed")


def test_nothing_waits_for_an_encoder_that_has_failed(
    config: TableConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cv2, "VideoWriter", _Broken)
    with Recorder(tmp_path / "evening", config) as recorder, ReplayBuffer(config) as buffer:
        for frame in frames(MAX_QUEUED_FRAMES + 10):
            recorder.add_frame(frame)
            buffer.add_frame(frame)
        assert buffer.save(tmp_path / "001").wait(20)
    assert recorder.trouble is not None
    assert recorder.trouble.code == "recording.ended"


def test_a_recorder_ends_where_its_video_can_not_be_continued(
    config: TableConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_Broken, "write", lambda *_: None)
    with Recorder(tmp_path / "evening", config) as recorder:
        monkeypatch.setattr(_Broken, "isOpened", lambda _: False)
        monkeypatch.setattr(cv2, "VideoWriter", _Broken)
        for frame in frames(MAX_QUEUED_FRAMES + 10):
            recorder.add_frame(frame)
    assert recorder.trouble is not None
    assert recorder.trouble.code == "recording.ended"


def test_pictures_of_an_odd_size_are_refused_rather_than_cut(config: TableConfig, tmp_path: Path) -> None:
    text = TOML.replace("[320, 240]", "[321, 240]")
    (tmp_path / "table.toml").write_text(text)
    with wrong("expected.picture_size"):
        Recorder(tmp_path / "evening", load_config(tmp_path / "table.toml"))


@pytest.mark.parametrize("size", ["641x481", "9000x9000", "100x100"])
def test_a_simulated_camera_has_a_size_that_can_be_replayed(
    size: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["virtual", str(tmp_path / "game"), "--size", size, "--hands", "1"]) == 2
    assert "size" in capsys.readouterr().err
    assert not (tmp_path / "game").exists()
