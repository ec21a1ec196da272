"""Arguments of the command line, and all that their help and their complaints say, in the language that is spoken."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeVar

from table.errors import TableError, complain
from table.files.reading import exists
from table.games.registry import GAMES
from table.names import person_of
from table.phrase import Phrase, WrongValueError, expected, say
from table.words.catalogue import catalogue, languages
from table.words.spoken import put, spoken, text

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

T = TypeVar("T")
_FIELD = re.compile(r"%(?:\((\w+)\))?[rsd]")


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with the arguments, and where their explanation is."""

    def error(self, message: str) -> NoReturn:
        """As any bad input is told, with exit status 2."""
        command = self.prog.removeprefix("cardtable").strip()
        wrong = f"{command}: {message}" if command else message
        complain(say("command.wrong", wrong=wrong, command=self.prog))
        self.exit(2)

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Print the help; argparse's own way says nothing where the output is full."""
        if file is not None:
            super().print_help(file)
        else:
            put(self.format_help(), end="")


# --- what a command explains of itself ----------------------------------------------------------------------------


def about(command: str) -> dict[str, str]:
    """What ``add_parser`` is given of a command: a line for the list of commands, and what it does."""
    return {"help": usage(f"usage.{command}"), "description": text(Phrase(f"usage.{command}_does"))}


def usage(code: str, **fields: object) -> str:
    """The help of an argument."""
    return text(say(code, **fields)).replace("%", "%%")


# --- what an argument may be --------------------------------------------------------------------------------------


def checked(check: Callable[[str], T]) -> Callable[[str], T]:
    """An argument's type: what ``check`` makes of the text; a ``WrongValueError`` is told as the argument's."""

    def parsed(given: str) -> T:
        try:
            return check(given)
        except WrongValueError as wrong:
            raise argparse.ArgumentTypeError(text(wrong.phrase)) from None

    return parsed


def number(low: float, high: float) -> Callable[[str], float]:
    """An argument's type: a number in a range."""

    def check(given: str) -> float:
        try:
            value = float(given)
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise expected("expected.range", low=low, high=high, instead=given)
        return value

    return checked(check)


def game_named(given: str) -> str:
    """A game's key, by the key or by its name in any language; ``WrongValueError`` where there is none."""
    wanted = _plain_name(given)
    for key in GAMES:
        names = (catalogue(language).entries.get(f"game.{key}") for language in languages())
        if wanted in {_plain_name(name) for name in (key, *names) if isinstance(name, str)}:
            return key
    raise WrongValueError("wrong.no_game", at=given, games=tuple(GAMES))


def set_up_file(path: Path) -> Path:
    """The place of a ``table.toml``; ``TableError`` that says what to run where there is none."""
    if not exists(path):
        raise TableError("set_up.make_one", at=path)
    return path


def _plain_name(name: str) -> str:
    return person_of(name.replace("-", " "))


# --- what argparse says by itself ---------------------------------------------------------------------------------


def code_of(message: str) -> str:
    """The code of one of argparse's own sentences, made of its letters; fields left out."""
    words = re.findall(r"[a-z]+", _FIELD.sub(" ", message).lower())
    return "argparse." + "_".join(words)


def _own(message: str, many: str = "", n: int = 1) -> str:
    """A sentence of argparse's as the catalogue has it; as it stands where there is none (a later Python's).

    What argparse will put into it stays as it stands there: ``%(name)s``, or ``%s`` as the field ``it``.
    """
    if not isinstance(message, str) or not spoken().known(code_of(message)):
        return message if n == 1 or not many else many
    fields = {found[1] or "it": found[0] for found in _FIELD.finditer(message)}
    return text(say(code_of(message), n=n, **fields))


# argparse asks gettext, which would need compiled catalogues of its own beside ours.
vars(argparse).update(_=_own, ngettext=_own)
