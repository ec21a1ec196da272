"""A wrong argument is one line in any language: argparse's own words are English, ours are translated."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from table.__main__ import make_parser
from table.i18n.catalogue import languages
from table.i18n.phrase_rendering import renderer_for
from table.i18n.terminal_output import set_language


@pytest.fixture(params=languages())
def spoken(request: pytest.FixtureRequest) -> Iterator[str]:
    set_language(renderer_for(request.param))
    yield request.param
    set_language(renderer_for())


def complaint(argv: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What is printed about wrong arguments: one line."""
    with pytest.raises(SystemExit) as ended:
        make_parser().parse_args(argv)
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert told.startswith("cardtable: ")
    assert told.count("\n") == 1
    return told


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["play", "--nonsense"], "unrecognized arguments: --nonsense"),
        (["games", "a", "b"], "unrecognized arguments: b"),
        (["record"], "record: the following arguments are required: DIR"),
        (["play", "--journal"], "play: argument --journal: expected one argument"),
        (["detect", "a.png", "--courts", "X"], "argument --courts: invalid choice: 'X'"),
        (["export", "--csv", "--pbn"], "argument --pbn: not allowed with argument --csv"),
        (["demo", "--seed", "x"], "demo: argument --seed: invalid int value: 'x'"),
    ],
)
@pytest.mark.usefixtures("spoken")
def test_what_argparse_finds_wrong_is_one_line_in_its_own_words(
    argv: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = complaint(argv, capsys)
    assert words in told
    assert told.endswith("--help)\n")


def test_what_our_own_checks_find_wrong_is_told_in_the_language_that_is_spoken(
    spoken: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = complaint(["show", "x", "--at", "soon"], capsys)
    assert told.startswith("cardtable: show: argument --at: ")
    assert ("expected seconds" in told) is (spoken == "en")


@pytest.mark.parametrize("command", ["demo", "init", "calibrate", "play", "replay"])
def test_the_help_of_the_program_has_examples_in_lines_of_their_own(command: str, spoken: str) -> None:
    lines = make_parser().format_help().splitlines()
    examples = [line for line in lines if line.startswith("  cardtable ")]
    assert any(line.startswith(f"  cardtable {command}") for line in examples)
    assert all(len(line) <= 88 for line in examples)
