"""What commands print comes from the catalogue too."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import table.__main__
from table.__main__ import main
from table.words.render import words_of
from table.words.spoken import speak
from tests.words.nonsense import latin, nonsense

ROOT = Path(__file__).parents[2]
WORD = re.compile(r"[A-Za-z]{2,}")


def literals(call: ast.Call) -> Iterator[str]:
    """The text that stands in a call itself: in its arguments, and in f-strings there."""
    for argument in (*call.args, *(one.value for one in call.keywords)):
        pieces = argument.values if isinstance(argument, ast.JoinedStr) else [argument]
        for piece in pieces:
            if isinstance(piece, ast.Constant) and isinstance(piece.value, str):
                yield piece.value


def said() -> Iterator[tuple[str, str]]:
    """The literals in the calls that print or draw, with their places."""
    for path in sorted((ROOT / "table").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            function = node.func
            called = function.id if isinstance(function, ast.Name) else ""
            drawn = (
                isinstance(function, ast.Attribute)
                and function.attr == "text"
                and isinstance(function.value, ast.Name)
                and function.value.id == "canvas"
            )
            if called in ("print", "complain") or drawn:
                yield from ((f"{path.relative_to(ROOT)}:{node.lineno}", text) for text in literals(node))


def test_nothing_is_printed_or_drawn_in_words_of_the_code() -> None:
    assert [one for one in said() if WORD.search(one[1]) and one[1] != "cardtable: "] == []


@pytest.fixture
def in_nonsense(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(table.__main__, "words_of", lambda language: nonsense())
    yield
    speak(words_of())


@pytest.mark.usefixtures("in_nonsense")
def test_commands_print_in_the_language_that_is_set(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = ["init", "--players", "Ada", "Ben", "Cleo"]
    assert main(made) == 0
    assert main(["calibrate", "--mat", "mat.pdf"]) == 0
    assert main(["history", "--games", str(tmp_path)]) == 0
    assert main(["games"]) == 0
    told = capsys.readouterr().out
    names = (
        "table.toml",
        "cardtable",
        "mat.pdf",
        str(tmp_path),
        "NAME",
        "--ruler",
        "mm",
        "calibrate",
        "A4",
        "--mat",
    )
    games = ("whysteria", "oh-hell", "israeli-whist", "oh-shit", "prediction-whist")
    assert len(told.splitlines()) > 7
    assert [line for line in told.splitlines() if latin(line, (*names, *games))] == []
