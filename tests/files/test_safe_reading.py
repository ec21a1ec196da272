"""What can't be a file is said in a line: no pipe and no device is waited for."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import cv2
import numpy as np
import pytest

from table.__main__ import main
from table.files import picture_and_video_reading
from table.files.safe_reading import open_file
from table.phrase import Phrase, make_phrase
from table.system.process_lock import is_held
from tests.fuzz.judge import not_for_ever
from tests.history.test_archive import written

RECORDINGS = Path(__file__).parents[1] / "recordings"


@pytest.fixture(autouse=True)
def nobody_waits() -> Iterator[None]:
    with not_for_ever():
        yield


def refuses(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """The one line in which a command refuses."""
    assert main([str(one) for one in arguments]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    return Path(shutil.copytree(RECORDINGS / "unreadable-card", tmp_path / "recording"))


def piped(path: Path) -> Path:
    """A pipe with that name, at whose other end nobody is."""
    with suppress(FileNotFoundError):
        path.unlink()
    os.mkfifo(path)
    return path


@pytest.mark.parametrize(
    "name", ["table.toml", "buttons.csv", "frames.csv", "answers.csv", "truth.jsonl", "video.mp4"]
)
def test_a_pipe_in_a_recording_is_named(
    name: str, recording: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe = piped(recording / name)
    assert str(pipe) in refuses(capsys, "replay", recording, "--check")


@pytest.mark.parametrize(
    "arguments",
    [
        ("detect", "PIPE"),
        ("detect", "PICTURE", "--pack", "PIPE"),
        ("enrol", "PIPE", "--out", "x.npz"),
        ("enrol", "PICTURE", "--list", "PIPE", "--out", "x.npz"),
        ("enrol", "PICTURE", "--out", "PIPE"),
        ("calibrate", "PIPE", "--config", "SET_UP"),
        ("games", "--config", "PIPE"),
        ("play", "--headless", "--config", "PIPE"),
        ("show", "PIPE"),
        ("show", "JOURNAL", "--out", "PIPE"),
        ("export", "PIPE"),
        ("calibrate", "--config", "FILMED"),
        ("play", "--headless", "--config", "FILMED"),
    ],
    ids=" ".join,
)
def test_a_pipe_is_waited_for_by_no_command(
    arguments: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    picture = tmp_path / "AS.png"
    cv2.imwrite(str(picture), np.zeros((24, 32, 3), np.uint8))
    set_up = (RECORDINGS / "virtual-3" / "table.toml").read_text()
    filmed = tmp_path / "table.toml"
    filmed.write_text(set_up.replace('source = "video.mp4"', f'source = "{tmp_path / "pipe"}"'))
    names = {
        "PIPE": str(piped(tmp_path / "pipe")),
        "PICTURE": str(picture),
        "FILMED": str(filmed),
        "SET_UP": str(RECORDINGS / "virtual-3" / "table.toml"),
        "JOURNAL": str(written(tmp_path / "game.jsonl", over=True)),
    }
    line = refuses(capsys, *(names.get(one, one) for one in arguments))
    assert "pipe" in line


def test_a_device_is_no_film(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (recording / "video.mp4").unlink()
    (recording / "video.mp4").symlink_to("/dev/zero")
    assert "video.mp4" in refuses(capsys, "replay", recording)


def test_a_journal_that_is_a_pipe_is_not_written(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = piped(recording / "pipe")
    assert str(pipe) in refuses(capsys, "replay", recording, "--journal", pipe)


def test_a_lock_that_is_a_pipe_is_held_by_nobody(tmp_path: Path) -> None:
    assert not is_held(piped(tmp_path / "lock"))


def test_the_film_that_was_checked_is_the_one_that_is_read(
    recording: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    video, other = recording / "video.mp4", tmp_path / "other.mp4"
    code = cv2.VideoWriter.fourcc(*"mp4v")
    cv2.VideoWriter(str(other), cv2.CAP_FFMPEG, code, 20, (64, 48)).release()

    def and_then_swapped(path: Path, wanted: Phrase) -> BinaryIO:
        file = open_file(path, wanted)
        other.replace(path)
        return file

    monkeypatch.setattr(picture_and_video_reading, "open_file", and_then_swapped)
    film = picture_and_video_reading.open_video(video, make_phrase("expected.film"))
    assert film is not None
    picture = picture_and_video_reading.read_next_picture(film)
    assert picture is not None
    assert picture.shape == (540, 960, 3)


@pytest.mark.thorough
def test_a_playlist_of_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """In a process of its own: FFmpeg waits where no signal of Python's gets through."""
    pipe, playlist = piped(tmp_path / "piece.ts"), tmp_path / "film.m3u8"
    playlist.write_text(f"#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\n{pipe}\n#EXT-X-ENDLIST\n")
    config = RECORDINGS / "unreadable-card" / "table.toml"
    command = (sys.executable, "-m", "table", "calibrate", playlist, "--config", config, "--check")
    ended = subprocess.run(command, capture_output=True, timeout=30, check=False)
    assert ended.returncode == 2
    assert b"film.m3u8" in ended.stderr
