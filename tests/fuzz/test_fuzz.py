"""Whatever a file holds, a command says in one short line what is wrong with it, or does its work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.__main__ import main
from table.config.settings import EXPECTED_CONFIG
from tests.fuzz.attacks import KINDS
from tests.fuzz.cases import cases, run, sandbox, table_of
from tests.fuzz.judge import Stderr, judged, memory_kb
from tests.wrong import expects, told

FEW = 15
SEED = 7
MEASURED = {"too slow", "too large"}
"""Faults that only `python -m tests.fuzz`, alone on its machine, can measure."""


@pytest.mark.thorough
def test_no_damaged_file_ends_a_command_otherwise_than_in_a_line() -> None:
    rows = run(list(KINDS), FEW, SEED)
    assert all(row.tried == FEW for row in rows.values())
    assert sum(row.refused for row in rows.values()) > FEW
    left = [fault for row in rows.values() for fault in row.faults if fault not in MEASURED]
    assert not left, table_of(rows)


@pytest.mark.thorough
def test_a_link_lies_where_each_command_writes() -> None:
    commands: set[str] = set()
    with closing(Stderr()) as stderr, sandbox() as (seeds, folder):
        for _, case in cases(seeds, folder, "links", 24, SEED):
            before = files_in(folder)
            faults = judged(case, stderr, memory_kb(), seeds.witness).faults
            assert set(faults) <= MEASURED, faults
            if files_in(folder) - before:
                commands.add(" ".join(word for word in case if word.startswith("--") or word == case[0]))
    assert len(commands) == 7, commands


def files_in(folder: Path) -> set[tuple[str, int]]:
    """What is written into a folder: files that are no links, and which ones they are."""
    return {
        (str(path), path.stat().st_ino)
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink() and path.name != "table.toml"
    }


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line in which a command refuses."""
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert len(captured.err) <= 301
    return captured.err


SET_UP = Path(__file__).parents[1] / "recordings" / "virtual-3" / "table.toml"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            lambda text: text.replace("Ada", "Zoë").encode("latin-1"),
            f"line 8: {told('file.not_utf', kind='Latin-1', expected=EXPECTED_CONFIG)}",
        ),
        (lambda text: text.encode("utf-16"), told("file.not_utf", kind="UTF-16", expected=EXPECTED_CONFIG)),
        (
            lambda text: text.replace("[2, 1]", "[" * 2000 + "]" * 2000).encode(),
            told("file.deep", expected=EXPECTED_CONFIG),
        ),
        (
            lambda text: text.replace("27.1", "1" * 400).encode(),
            f"seat.angle: {expects('expected.digits', most=19)}",
        ),
        (lambda text: text.replace("27.1", "1" * 5000).encode(), "a number is too long"),
        (lambda text: text.replace("27.1", "nan").encode(), "expected a number"),
        (
            lambda text: (text + "a" + ".a" * 20_000 + " = 1\n").encode(),
            f"line 39: {told('file.long_key', expected=EXPECTED_CONFIG)}",
        ),
        (
            lambda text: (text + "#" * 200_000).encode(),
            told("file.too_large", kb=64, expected=EXPECTED_CONFIG),
        ),
        (
            lambda text: text.replace("[camera]", '[camera]\npack = "~nosuchuser/pack.npz"').encode(),
            f"camera.pack: {expects('expected.file_of_user')}",
        ),
    ],
)
def test_what_is_wrong_with_a_set_up_is_called_by_its_name(change, expected, tmp_path, capsys) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "table.toml"
    path.write_bytes(change(SET_UP.read_text()))
    line = said(capsys, "games", "--config", str(path))
    assert line.startswith(f"cardtable: {path}: ")
    assert expected in line


def test_a_byte_order_mark_is_read_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bom = b"\xef\xbb\xbf"
    path = tmp_path / "table.toml"
    path.write_bytes(bom + SET_UP.read_bytes())
    assert main(["games", "--config", str(path)]) == 0
    games = tmp_path / "games"
    games.mkdir()
    first = {"seq": 1, "t_ns": 1, "decided_ns": 2, "event": "game_started"}
    line = {**first, "game": "oh-hell", "seats": ["Ada", "Ben"], "options": {}}
    (games / "a.jsonl").write_bytes(bom + json.dumps(line).encode() + b"\n")
    capsys.readouterr()
    assert main(["history", "--games", str(games)]) == 0
    assert "Ada and Ben; unfinished" in capsys.readouterr().out


def test_a_long_complaint_keeps_its_place_and_what_was_expected(capsys: pytest.CaptureFixture[str]) -> None:
    line = said(capsys, "export", "x" * 5_000 + "\x1b[2J")
    assert line.startswith("cardtable: xxx")
    assert " … " in line
    assert "expected a file, or a name that history lists" in line or "looked in" in line
    assert line.rstrip("\n").isprintable()


def test_libraries_keep_their_own_words_to_themselves(tmp_path: Path) -> None:
    """In a process of its own, where nothing has been set up beforehand: a PNG of which a byte has changed.

    libpng writes of it to the standard error by itself.
    """
    path = tmp_path / "AS.png"
    picture = bytearray(cv2.imencode(".png", np.arange(4800, dtype=np.uint8).reshape(40, 40, 3))[1].tobytes())
    picture[len(picture) // 2] ^= 255
    path.write_bytes(picture)
    clean = {key: value for key, value in os.environ.items() if not key.startswith("OPENCV")}
    done = subprocess.run(
        [sys.executable, "-m", "table", "detect", str(path)],
        capture_output=True,
        text=True,
        check=False,
        env=clean,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 2
    assert done.stderr == f"cardtable: {path}: {told('file.damaged_picture', bytes=len(picture))}\n"
