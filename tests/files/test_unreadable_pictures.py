"""Pictures that can't be read: each kind is told by a line of its own, with what to do about it."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.__main__ import main
from table.files.picture_and_video_reading import picture_size, read_picture
from table.phrase import make_phrase
from tests.wrong import wrong

PICTURE = np.random.default_rng(1).integers(0, 255, (30, 40, 3), dtype=np.uint8)
HEIC = struct.pack(">I4s4s", 24, b"ftyp", b"heic") + bytes(2000)


def encoded(suffix: str) -> bytes:
    return bytes(cv2.imencode(suffix, PICTURE)[1].tobytes())


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def large(width: int = 20_000, height: int = 20_000) -> bytes:
    """A PNG that says it is so large."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (HEIC, "file.heic"),
        (large(), "file.too_many_pixels"),
        (encoded(".png")[:500], "file.damaged_picture"),
        (encoded(".jpg")[:500], "file.damaged_picture"),
        (encoded(".jpg")[:8], "file.damaged_picture"),
        (b"no picture at all", "file.no_picture"),
        (b"", "file.no_picture"),
    ],
    ids=["heic", "too large", "cut off png", "cut off jpeg", "cut off in its header", "text", "empty"],
)
def test_a_picture_that_can_not_be_read_is_told_by_what_it_is(tmp_path: Path, data: bytes, code: str) -> None:
    path = tmp_path / "picture"
    path.write_bytes(data)
    with wrong(code, at=(path,)):
        read_picture(path)


def test_the_size_of_one_that_is_too_large_is_told(tmp_path: Path) -> None:
    path = tmp_path / "large.png"
    path.write_bytes(large(20_000, 10_000))
    with wrong("file.too_many_pixels", size=make_phrase("at.size", width=20_000, height=10_000), most=32):
        read_picture(path)


@pytest.mark.parametrize("suffix", [".png", ".jpg"])
def test_the_header_says_the_size(suffix: str) -> None:
    assert picture_size(encoded(suffix)) == (40, 30)


@pytest.mark.parametrize("command", [["detect"], ["enrol"], ["calibrate", "--config"]])
def test_every_command_that_takes_pictures_tells_them_apart(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if command[0] == "calibrate":
        assert main(["init", "--config", "table.toml", "--players", "Ada", "Ben"]) == 0
        command = [*command, "table.toml"]
    told = set()
    for name, data in (("AS.heic", HEIC), ("AS.png", large()), ("AS.jpg", encoded(".jpg")[:500])):
        (tmp_path / name).write_bytes(data)
        capsys.readouterr()
        assert main([*command, name]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        told.add(line.split(f"{name}: ")[1])
    assert len(told) == 3
