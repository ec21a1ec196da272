"""Nothing that is printed steers a terminal, whatever name a file gives to a player, a picture or itself."""

from __future__ import annotations

import ast
import io
import json
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from table.__main__ import main
from table.commands.arguments import Parser
from table.i18n.phrase_rendering import escape_unprintable, renderer_for
from table.i18n.terminal_output import ask, print_line
from table.phrase import make_phrase
from table.referee.records.checksummed_journal_rows import scan_rows, seal_row
from table.system.progress_line import Progress
from tests.history.test_archive import written

ROOT = Path(__file__).parents[2]
STEERS = ("\x1b[2J", "\x1b]0;title\x07", "\x9b2J", "\x7f", "\r", "\u202egnp", "\u2028", "\x85")
PLACES = {"table/i18n/terminal_output.py", "table/errors.py"}
"""Here all is printed that is printed."""


@pytest.mark.parametrize("letters", STEERS)
def test_what_steers_a_terminal_is_written_out_as_json_has_it(
    letters: str, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = escape_unprintable(f"A{letters}B")
    assert plain.isprintable()
    assert json.loads(f'"{plain}"') == f"A{letters}B"
    print_line(json.dumps({"seat": letters, "card": "AS"}, ensure_ascii=False))
    out = capsys.readouterr().out
    assert out.rstrip("\n").isprintable()
    assert json.loads(out) == {"seat": letters, "card": "AS"}


def test_letters_of_any_script_stay_as_they_are() -> None:
    for name in ("Zoë", "می‌خواهم", "👩‍👧", "à table !", "עדה", "山田　太郎", "\u200fאבא\u200e"):
        assert escape_unprintable(name) == name
    assert renderer_for("fr")(make_phrase("word.play", seat="A\nB", card="AS")) == renderer_for("fr")(
        make_phrase("word.play", seat="A\\u000aB", card="AS")
    ), "no name begins a line of its own"


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A game of people with such names, in a file with one."""
    name = dict(zip(("Ada", "Ben", "Cleo"), ("A\x1b[2Ja", "B\x9b1me", "C\u202e\nleo"), strict=True))
    text = json.dumps(scan_rows(written(tmp_path / "game", over=True)).lines)
    for plain, odd in name.items():
        text = text.replace(f'"{plain}"', json.dumps(odd))
    games = tmp_path / "games"
    games.mkdir()
    path = games / "game\x1b[31m.jsonl"
    path.write_text("".join(f"{seal_row(line)}\n" for line in json.loads(text)))
    return path


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    main([str(one) for one in arguments])
    captured = capsys.readouterr()
    every = captured.out + captured.err
    assert every.strip()
    for line in every.split("\n"):
        assert escape_unprintable(line) == line
    return captured.out


def test_the_names_of_a_game_are_printed_raw_by_no_command(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = ("--size", "320x200", "--out", tmp_path / "o\x1b[2J.png")
    for arguments in (("show", journal), ("show", journal, "--at", "4"), ("show", journal, "--sheet")):
        said(capsys, *arguments, *small)
    for form in ((), ("--csv",), ("--pbn",)):
        said(capsys, "export", journal, *form)
    for shown in ((), ("--json",), ("--statistics",), ("--statistics", "--json")):
        said(capsys, "history", "--games", journal.parent, *shown)
    rows = said(capsys, "export", journal).splitlines()
    assert [json.loads(row) for row in rows] == [
        json.loads(row) for row in journal.read_text().split("\n")[:-1]
    ]
    copied = tmp_path / "copied.jsonl"
    copied.write_text("\n".join(rows) + "\n")
    assert scan_rows(copied).lines == scan_rows(journal).lines, "its checksums still fit"


@pytest.mark.parametrize("name", ["\x1b[2J.png", "a\nb.png", "\udcff.png", "\u202egnp.png"])
def test_the_name_of_a_picture_is_printed_raw_by_no_command(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_bytes(cv2.imencode(".png", np.zeros((24, 32, 3), np.uint8))[1].tobytes())
    for arguments in (("detect",), ("detect", "--json"), ("enrol", "--out", tmp_path / "x.npz")):
        out = said(capsys, *arguments, path)
        assert out.count("\n") <= 2
    said(capsys, "detect", tmp_path / f"no-{name}")


def test_the_name_of_a_recording_is_printed_raw_by_no_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(shutil.copytree(ROOT / "tests/recordings/unreadable-card", tmp_path / "rec\x1b[2J"))
    (folder / "frames.csv").write_text("frame,t_ns\n0,\x1b[2J\n")
    said(capsys, "replay", folder)
    said(capsys, "show", folder)


def test_what_is_asked_and_how_far_it_has_come_are_printed_raw_nowhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("yes\n"))
    assert ask("Who is A\x1b[2Ja?") == "yes"
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr("table.system.progress_line.phrase_text", lambda _: "A\x1b[2Ja")
    with monkeypatch.context() as at_once, Progress(make_phrase("progress.part")) as progress:
        at_once.setattr(progress, "_next_s", 0.0)
        progress(0.5)
    captured = capsys.readouterr()
    assert captured.out == "Who is A\\u001b[2Ja? "
    assert captured.err.replace("\r", "").strip() == "A\\u001b[2Ja"


def test_help_is_printed_where_all_else_is(capsys: pytest.CaptureFixture[str]) -> None:
    Parser(prog="cardtable", description="A\x1b[2Ja").print_help()
    assert "A\\u001b[2Ja" in capsys.readouterr().out


def test_an_answer_that_is_no_text_is_asked_for_again(tmp_path: Path) -> None:
    terminal, other_end = pty.openpty()
    command = [sys.executable, "-m", "table", "init", "--config", str(tmp_path / "table.toml")]
    given = ("--game", "whysteria", "--buttons", "two", "--camera", "picamera", "--first-angle", "0")
    os.write(terminal, b"Ada,B\xe9a,Cleo\nAda,Ben,Cleo\n")
    strict = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}  # as where LANG is de_DE.UTF-8
    try:
        ended = subprocess.run(
            (*command, *given), stdin=other_end, env=strict, capture_output=True, timeout=60, check=False
        )
    finally:
        os.close(terminal)
        os.close(other_end)
    assert (ended.returncode, ended.stderr) == (0, b""), ended.stderr
    assert ended.stdout.count(b"Who plays") == 2
    assert '"Ben"' in (tmp_path / "table.toml").read_text()


def test_everything_is_printed_and_asked_in_one_place() -> None:
    found = set()
    for path in (ROOT / "table").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if name in ("print", "input") or ("sys.std" in name and name.endswith(".write")):
                found.add(path.relative_to(ROOT).as_posix())
    assert found == PLACES
