"""What can't be a file is said in a line: no pipe and no device is waited for."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.__main__ import main
from table.host.lock import is_held
from tests.fuzz.judge import not_for_ever
from tests.journals.test_archive import written

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
