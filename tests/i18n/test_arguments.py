"""What argparse says of itself is in the catalogue too: no user sees its English where another language is spoken."""

from __future__ import annotations

import argparse
import ast
import inspect
from collections.abc import Iterator

import pytest

from table.__main__ import make_parser
from table.commands.translated_arguments import argparse_code
from table.i18n.catalogue import load_catalogue
from table.i18n.phrase_rendering import renderer_for
from table.i18n.terminal_output import set_language

SHOWN = (
    "usage: ",
    "positional arguments",
    "options",
    "show this help message and exit",
    "argument %(argument_name)s: %(message)s",
    "unrecognized arguments: %s",
    "ambiguous option: %(option)s could match %(matches)s",
    "invalid choice: %(value)r (choose from %(choices)s)",
    "invalid %(type)s value: %(value)r",
    "expected one argument",
    "expected at most one argument",
    "expected at least one argument",
    "expected %s argument",
    "the following arguments are required: %s",
    "one of the arguments %s is required",
    "not allowed with argument %s",
    "ignored explicit argument %r",
    "unexpected option string: %s",
    "unknown parser %(parser_name)r (choices: %(choices)s)",
)
"""What users of a command may see."""
FOR_AUTHORS = (
    ".__call__() not defined",
    "%r is not callable",
    "'required' is an invalid argument for positionals",
    "mutually exclusive arguments must be optional",
    "cannot merge actions - two groups are named %r",
    "cannot have multiple subparser arguments",
    "conflicting option string: %s",
    "conflicting subparser: %s",
    "conflicting subparser alias: %s",
    "invalid option string %(option)r: must start with a character %(prefix_chars)r",
    "dest= is required for options like %r",
    "invalid conflict_resolution value: %r",
    "can't open '%(filename)s': %(error)s",
    'argument "-" with mode %r',
    "%(prog)s: error: %(message)s\n",
    "%(prog)s: warning: %(message)s\n",
    "argument '%(argument_name)s' is deprecated",
    "command '%(parser_name)s' is deprecated",
    "option '%(option)s' is deprecated",
    " (default: %(default)s)",
    "show program's version number and exit",
    "%(heading)s:",
    "subcommands",
)
"""What only authors of a command can see, or what no command here uses (of any Python from 3.11 to 3.13)."""


def own_sentences() -> Iterator[str]:
    """All that this Python's argparse would have translated."""
    for node in ast.walk(ast.parse(inspect.getsource(argparse))):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("_", "ngettext")
        ):
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first.value


def test_every_sentence_of_argparse_has_words_or_is_for_authors() -> None:
    sentences = set(own_sentences())
    assert len(sentences) > 20
    left = {
        one
        for one in sentences
        if argparse_code(one) not in load_catalogue().entries and not any(map(one.startswith, FOR_AUTHORS))
    }
    assert left == set()


@pytest.mark.parametrize(
    ("argv", "complaint"),
    [
        (["play", "--nonsense"], "unbekannte Angaben: --nonsense"),
        (["games", "a", "b"], "unbekannte Angaben: b"),
        (["record"], "record: es fehlen: DIR"),
        (["play", "--journal"], "play: Argument --journal: erwartet: eine Angabe"),
        (["detect", "a.png", "--courts", "X"], "Argument --courts: keine solche Wahl: 'X' (zur Wahl: "),
        (["export", "--csv", "--pbn"], "Argument --pbn: nicht zusammen mit --csv"),
        (["demo", "--seed", "x"], "demo: Argument --seed: kein Wert der Art int: 'x'"),
        (["show", "x", "--at", "soon"], "show: Argument --at: erwartet: Sekunden (32s, 0:32) oder"),
    ],
)
def test_wrong_arguments_are_told_in_the_language_that_is_spoken(
    argv: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    set_language(renderer_for("de"))
    try:
        with pytest.raises(SystemExit) as ended:
            make_parser().parse_args(argv)
    finally:
        set_language(renderer_for())
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert complaint in told
    assert told.endswith("--help)\n")
