"""Command-line arguments: their help from the catalogue, their types, and one-line errors."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from table.errors import TableError, print_error
from table.files.safe_reading import exists
from table.games.registry import GAMES
from table.i18n.catalogue import languages, load_catalogue
from table.i18n.terminal_output import phrase_text, print_line
from table.names import normalize_name
from table.phrase import Phrase, WrongValueError, expected_error, make_phrase

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

T = TypeVar("T")
DEFAULT_CONFIG = Path("table.toml")


class Parser(argparse.ArgumentParser):
    """A parser with help from the catalogue and one-line errors; argparse's own words are English in every language."""

    def add_argument(
        self, *names: str, usage: str = "", fields: Mapping[str, object] | None = None, **options: Any
    ) -> argparse.Action:
        """Add an argument as argparse does, with its help unless ``help`` is given.

        ``usage``: the code of the help, by default ``usage.COMMAND_NAME``; ``fields``: the fields of its text.
        """
        if "help" not in options:
            name = names[-1].lstrip("-").replace("-", "_")
            options["help"] = usage_text(usage or f"usage.{self.prog.split()[-1]}_{name}", **(fields or {}))
        return super().add_argument(*names, **options)

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


def add_command(subparsers: Any, name: str, run: Callable[[argparse.Namespace], int]) -> Parser:
    """Add a sub-command and return its parser; ``run`` returns the exit status."""
    parser: Parser = subparsers.add_parser(
        name, help=usage_text(f"usage.{name}"), description=phrase_text(Phrase(f"usage.{name}_does"))
    )
    parser.set_defaults(run=run)
    return parser


def add_config_option(parser: Parser) -> None:
    """Add the option ``--config``: the ``table.toml`` in use."""
    parser.add_argument("--config", metavar="FILE", type=Path, default=DEFAULT_CONFIG, usage="usage.config")


def usage_text(code: str, **fields: object) -> str:
    """Return the help of an argument, in which argparse looks for ``%``."""
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
    """Return the key of a game given by its key or its name in any language; ``WrongValueError`` if there is none."""
    wanted = _normalized_name(text)
    for key in GAMES:
        names = (load_catalogue(language).entries.get(f"game.{key}") for language in languages())
        if wanted in {_normalized_name(name) for name in (key, *names) if isinstance(name, str)}:
            return key
    raise WrongValueError("wrong.no_game", at=text, games=tuple(GAMES))


def _normalized_name(name: str) -> str:
    return normalize_name(name.replace("-", " "))


def require_config_file(path: Path) -> Path:
    """Return the path of a ``table.toml``; where the file is missing, ``TableError`` says which command makes one."""
    if not exists(path):
        raise TableError("set_up.make_one", at=path)
    return path
