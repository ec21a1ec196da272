"""The command ``cardtable``."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import table.host.environment  # noqa: F401 (NumPy and OpenCV read it as they are loaded)
from table.commands.arguments import Parser, usage
from table.config import language_of
from table.errors import TableError, complain
from table.host.memory import keep_memory
from table.phrase import say
from table.words.render import words_of
from table.words.spoken import put, speak, text

COMMANDS = (
    "demo",
    "init",
    "play",
    "show",
    "record",
    "replay",
    "virtual",
    "detect",
    "calibrate",
    "enrol",
    "games",
    "history",
    "export",
    "bench",
    "doctor",
)
"""The sub-commands, in the order in which help lists them; each is a module of ``table.commands``."""


def make_parser(argv: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser of the command line ``argv``; of all sub-commands where that names none.

    A sub-command is loaded with all that it needs, so those that nobody asked for are not.
    """
    parser = Parser(
        prog="cardtable",
        description=text(say("usage.cardtable")),
        epilog=text(say("usage.exit_status")),
    )
    parser.add_argument("--version", action=_Version, nargs=0, help=usage("usage.version"))
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in argv[:1] if argv and argv[0] in COMMANDS else COMMANDS:
        importlib.import_module(f"table.commands.{name}").add_parser(subparsers)
    return parser


class _Version(argparse.Action):
    """Says the version, and that is all; it is looked for only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        put(f"{parser.prog} {_version()}")
        parser.exit()


def _version() -> str:
    from importlib.metadata import (
        PackageNotFoundError,
        version,
    )  # loaded late: it takes as long as all of this

    try:
        return version("cardtable")
    except PackageNotFoundError:  # run from its folder, never installed
        return usage("usage.not_installed")


def _set_up(argv: Sequence[str]) -> Path:
    """The table.toml in force, whose language is spoken before anything else is understood."""
    first = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    usual = Path("table.toml")
    first.add_argument("--config", type=Path, default=usual)
    try:
        return Path(first.parse_known_args(argv)[0].config)
    except argparse.ArgumentError:
        return usual


def main(argv: Sequence[str] | None = None) -> int:
    """Run a sub-command; its exit status."""
    keep_memory()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A name that is no text, a suit's sign on a terminal that has none: written as Python would escape it.
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdin, io.TextIOWrapper):
        # An answer that is no text is refused as any other wrong one.
        sys.stdin.reconfigure(errors="surrogateescape")
    try:
        try:
            return _run(sys.argv[1:] if argv is None else argv)
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()  # what cannot be written is said here, not by Python as it ends
    except BrokenPipeError:
        _drop_output()  # its reader has gone (`| head`): nobody is left to tell
        return 0
    except OSError as error:
        _drop_output()
        complain(TableError("wrong.as_told", at=error.filename or say("folder.output"), error=error))
        return 2
    except KeyboardInterrupt:
        return 130


def _run(argv: Sequence[str]) -> int:
    """Run a sub-command; its exit status."""
    speak(words_of(language_of(_set_up(argv))))
    arguments = make_parser(argv).parse_args(argv)
    try:
        _check_folder()
        return int(arguments.run(arguments))
    except TableError as error:
        complain(error)
        return 2


def _check_folder() -> None:
    """``TableError`` where the current folder has been deleted: no relative path means anything there."""
    try:
        os.getcwd()
    except OSError:
        raise TableError("folder.no_current_folder") from None


def _drop_output() -> None:
    """Let what is still to be written to stdout go nowhere: Python would try again as it ends."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


if __name__ == "__main__":
    sys.exit(main())
