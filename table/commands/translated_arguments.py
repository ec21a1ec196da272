"""Command-line arguments: types, checks, and help and errors in the language in use."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeVar

from table.errors import TableError, print_error
from table.files.safe_reading import exists
from table.games.registry import GAMES
from table.i18n.catalogue import languages, load_catalogue
from table.i18n.terminal_output import phrase_text, print_line, terminal_renderer
from table.names import normalize_name
from table.phrase import Phrase, WrongValueError, expected_error, make_phrase

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

T = TypeVar("T")
_FIELD_PATTERN = re.compile(r"%(?:\((\w+)\))?[rsd]")


class Parser(argparse.ArgumentParser):
    """A parser that reports a wrong argument in one line, with the command that explains it."""

    def error(self, message: str) -> NoReturn:
        """Report wrong arguments like any other bad input and exit with status 2."""
        command = self.prog.removeprefix("cardtable").strip()
        described_error = f"{command}: {message}" if command else message
        print_error(make_phrase("command.wrong", wrong=described_error, command=self.prog))
        self.exit(2)

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Print the help; argparse's own method hides an error where the output is full."""
        if file is not None:
            super().print_help(file)
        else:
            print_line(self.format_help(), end="")


# --- help of commands and arguments -------------------------------------------------------------------------------


def command_help(command: str) -> dict[str, str]:
    """Return the keywords ``help`` and ``description`` of a command for ``add_parser``."""
    return {
        "help": argument_help(f"usage.{command}"),
        "description": phrase_text(Phrase(f"usage.{command}_does")),
    }


def argument_help(code: str, **fields: object) -> str:
    """Return the help of an argument."""
    return phrase_text(make_phrase(code, **fields)).replace("%", "%%")


# --- types of arguments -------------------------------------------------------------------------------------------


def checked_type(check: Callable[[str], T]) -> Callable[[str], T]:
    """Return an argument type that parses with ``check``; its ``WrongValueError`` becomes argparse's error."""

    def parsed(text: str) -> T:
        try:
            return check(text)
        except WrongValueError as wrong:
            raise argparse.ArgumentTypeError(phrase_text(wrong.phrase)) from None

    return parsed


def number_type(low: float, high: float) -> Callable[[str], float]:
    """Return an argument type for a number in a range."""

    def check(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise expected_error("expected.range", low=low, high=high, instead=text)
        return value

    return checked_type(check)


def parse_game(text: str) -> str:
    """Return the key of a game, given by its key or by its name in any language.

    ``WrongValueError`` where there is no such game.
    """
    wanted = _normalized_name(text)
    for key in GAMES:
        names = (load_catalogue(language).entries.get(f"game.{key}") for language in languages())
        if wanted in {_normalized_name(name) for name in (key, *names) if isinstance(name, str)}:
            return key
    raise WrongValueError("wrong.no_game", at=text, games=tuple(GAMES))


def require_config_file(path: Path) -> Path:
    """Return the path of a ``table.toml``; where the file is missing, ``TableError`` says which command makes one."""
    if not exists(path):
        raise TableError("set_up.make_one", at=path)
    return path


def _normalized_name(name: str) -> str:
    return normalize_name(name.replace("-", " "))


# --- translation of argparse's messages ---------------------------------------------------------------------------


def argparse_code(message: str) -> str:
    """Return the code in the catalogue of one of argparse's own messages, made of its letters without the fields."""
    words = re.findall(r"[a-z]+", _FIELD_PATTERN.sub(" ", message).lower())
    return "argparse." + "_".join(words)


def _translate(message: str, many: str = "", n: int = 1) -> str:
    """Translate one of argparse's messages; one without an entry (of a later Python) is returned as it is.

    The fields that argparse fills in later are kept: ``%(name)s``, or ``%s`` as the field ``it``.
    """
    if not isinstance(message, str) or not terminal_renderer().has_text(argparse_code(message)):
        return message if n == 1 or not many else many
    fields = {field[1] or "it": field[0] for field in _FIELD_PATTERN.finditer(message)}
    return phrase_text(make_phrase(argparse_code(message), n=n, **fields))


# argparse calls gettext, which would need compiled catalogues of its own beside ours.
vars(argparse).update(_=_translate, ngettext=_translate)
