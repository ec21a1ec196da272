"""What commands print comes from the catalogue too."""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import table.__main__
from table.__main__ import COMMANDS, main, make_parser
from table.commands.setup.calibrate import PICTURE
from table.errors import TableError, print_error
from table.games.registry import GAMES
from table.i18n.catalogue import load_catalogue
from table.i18n.phrase_rendering import renderer_for
from table.i18n.terminal_output import set_language
from tests.i18n.nonsense import latin, nonsense

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
    monkeypatch.setattr(table.__main__, "renderer_for", lambda language: nonsense())
    yield
    set_language(renderer_for())


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
    assert len(told.splitlines()) > 7
    assert [line for line in told.splitlines() if latin(line, (*names, *GAMES))] == []


# --- help ---------------------------------------------------------------------------------------------------------


def notation(parser: argparse.ArgumentParser) -> Iterator[str]:
    """What help shows that is no sentence: names of commands and options, what stands for a value, and values."""
    yield parser.prog.partition(" ")[0]
    for action in parser._actions:
        yield from action.option_strings
        yield from (str(one) for one in action.choices or ())
        yield from (part for part in ([action.metavar] if isinstance(action.metavar, str) else ()))
        yield from (str(one) for one in (action.default, action.const) if one is not None)


ARGPARSE = re.compile(r"^usage: |^positional arguments:$|^options:$|\bshow this help message and exit$")
"""The words of argparse itself, which are English in every language."""


def unlike_nonsense(line: str, known: set[str]) -> list[str]:
    """The Latin words of a line, the ``known`` names left out."""
    for name in sorted(known, key=len, reverse=True):
        line = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", " ", line)
    return WORD.findall(line)


@pytest.mark.parametrize("command", ["", *COMMANDS])
@pytest.mark.usefixtures("in_nonsense")
def test_no_line_of_help_is_english(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "1000")  # no name is broken in two
    with pytest.raises(SystemExit) as ended:
        main([*([command] if command else []), "--help"])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    whole = make_parser()
    (commands,) = (one for one in whole._actions if isinstance(one, argparse._SubParsersAction))
    parsers = [whole, *commands.choices.values()]
    known = {name for parser in parsers for name in notation(parser) if name} | {*COMMANDS, *GAMES, PICTURE}
    assert len(told.splitlines()) > 4
    assert [line for line in told.splitlines() if unlike_nonsense(ARGPARSE.sub("", line), known)] == []


# --- what is wrong ------------------------------------------------------------------------------------------------


RAISED = (
    "TableError",
    "DamagedError",
    "PhrasedError",
    "WrongValueError",
    "expected",
    "complain",
    "make_phrase",
    "wrong",
)
NAME = re.compile(r"[\w.,:/-]*[: ]*")
"""A code, a key, a file's name, an option: one word is no sentence."""


def errors_said() -> Iterator[tuple[str, ast.Call]]:
    """Every place at which the program says what is wrong, with what it is given."""
    for path in sorted((ROOT / "table").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                function = node.func
                called = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
                if called in RAISED:
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def test_no_error_has_words_of_its_own() -> None:
    every = list(errors_said())
    assert len(every) > 300
    wrong = [
        (place, one.value)
        for place, call in every
        for one in ast.walk(call)
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and not NAME.fullmatch(one.value)
    ]
    assert wrong == []


def test_every_error_is_a_code_of_the_catalogue() -> None:
    """Where the code itself stands in the call; others are given phrases, which are tested where they are said."""
    given = [
        (place, call.args[0].value)
        for place, call in errors_said()
        if isinstance(call.func, ast.Name) and call.args and isinstance(call.args[0], ast.Constant)
    ]
    assert len(given) > 250
    assert [one for one in given if one[1] not in load_catalogue().entries] == []


OTHERS = (
    "No such file or directory",
    "Is a directory",
    r"Expected '\]' at the end of a table .* column \d+\)",
)
"""What the system and the reader of TOML say."""


@pytest.mark.parametrize(
    "argv",
    [
        ["play", "--config", "none.toml"],
        ["play", "--config", "broken.toml"],
        ["play", "--config", "odd.toml"],
        ["games", "bridge"],
        ["games", "--config", "hands.toml"],
        ["init", "--config", "odd.toml", "--players", "Ada", "Ben"],
        ["init", "--players", "Ada"],
        ["init", "--players", "Ada", "ADA"],
        ["replay", "none"],
        ["show", "none"],
        ["show", "odd.toml"],
        ["show", "odd.toml", "--sheet", "--at", "3"],
        ["export", "none", "--games", "."],
        ["history", "--games", "none"],
        ["detect", "odd.toml"],
        ["bench", "--yardstick", "none.onnx"],
        ["calibrate", "--config", "none.toml"],
        ["calibrate", "--mat", "none/mat.pdf"],
        ["enrol", "--cards", "14S"],
        ["demo", "--players", "9"],
        ["virtual", "here", "--fps", "1000"],
    ],
    ids=" ".join,
)
@pytest.mark.usefixtures("in_nonsense")
def test_no_complaint_is_english(
    argv: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.toml").write_text("[game\n")
    (tmp_path / "odd.toml").write_text('[game]\nname = "whysteria"\n[[seat]]\nangle = "north"\n')
    seats = "".join(
        f'[[seat]]\nname = "{name}"\nangle = {angle}\n' for name, angle in (("Ada", 90), ("Ben", 270))
    )
    options = "[game.options]\nhands = [30]\n"
    (tmp_path / "hands.toml").write_text(f'[game]\nname = "whysteria"\n{options}{seats}')
    assert main(argv) == 2
    complaint = capsys.readouterr().err.removeprefix("cardtable: ")
    assert complaint.count("\n") == 1
    for told in OTHERS:
        complaint = re.sub(told, "", complaint)
    keys = {"game", "hands", "seat 1.angle", "north", "none.jsonl", "--sheet", "--film"}
    assert unlike_nonsense(complaint, {*argv, *GAMES, *keys, str(tmp_path)}) == []


def test_marks_of_direction_are_not_spelled_out(capsys: pytest.CaptureFixture[str]) -> None:
    set_language(renderer_for("he"))
    try:
        print_error(TableError("wrong.no_game", at="bridge", games=("whysteria",)))
    finally:
        set_language(renderer_for())
    told = capsys.readouterr().err
    assert "\u200f" in told
    assert "\\u" not in told
