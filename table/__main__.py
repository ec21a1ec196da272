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

import table.system.library_env_variables  # noqa: F401 (NumPy and OpenCV read it as they are loaded)
from table.commands.arguments import Parser, usage_text
from table.config.settings import read_language
from table.errors import TableError, print_error
from table.i18n.phrase_rendering import renderer_for
from table.i18n.terminal_output import print_line, set_language
from table.phrase import make_phrase
from table.system.memory_tuning import reuse_freed_memory

COMMANDS = {
    "demo": "demo",
    "init": "setup.init",
    "play": "play",
    "show": "show",
    "record": "record",
    "replay": "replay",
    "virtual": "virtual",
    "detect": "setup.detect",
    "calibrate": "setup.calibrate",
    "enrol": "setup.enrol",
    "games": "games",
    "history": "history",
    "export": "history",
    "bench": "setup.bench",
    "doctor": "setup.doctor",
}
"""The sub-commands in the order in which help lists them, each with its module in ``table.commands``."""


def make_parser(argv: Sequence[str] = ()) -> argparse.ArgumentParser:
    """Return the parser for the command line ``argv``, with all sub-commands where ``argv`` names none.

    A sub-command's module is imported with all that it needs, so only the named one is loaded.
    """
    parser = Parser(
        prog="cardtable",
        description=usage_text("usage.cardtable"),
        epilog=f"{usage_text('usage.examples')}\n\n{usage_text('usage.exit_status')}",
        formatter_class=_HelpFormatter,
    )
    parser.add_argument("--version", action=_Version, nargs=0, usage="usage.version")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    names = argv[:1] if argv and argv[0] in COMMANDS else COMMANDS
    for module in dict.fromkeys(COMMANDS[name] for name in names):
        importlib.import_module(f"table.commands.{module}").add_parser(subparsers)
    return parser


class _HelpFormatter(argparse.HelpFormatter):
    """Wraps each line by itself, so that the examples stand in lines of their own; those are not wrapped."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        fill = super()._fill_text
        return "\n".join(
            line if line.startswith(" ") else fill(line, width, indent) for line in text.split("\n")
        )


class _Version(argparse.Action):
    """Prints the version and exits; the version is looked up only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        print_line(f"{parser.prog} {_version()}")
        parser.exit()


def _version() -> str:
    # Loaded late: it takes as long as all of this.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("cardtable")
    except PackageNotFoundError:  # run from its folder, never installed
        return usage_text("usage.not_installed")


def _config_path(argv: Sequence[str]) -> Path:
    """Return the path of the table.toml in force, whose language applies to all further output."""
    config_parser = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    default = Path("table.toml")
    config_parser.add_argument("--config", type=Path, default=default)
    try:
        return Path(config_parser.parse_known_args(argv)[0].config)
    except argparse.ArgumentError:
        return default


def main(argv: Sequence[str] | None = None) -> int:
    """Run a sub-command; return its exit status."""
    reuse_freed_memory()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A name that is no valid text, or a suit's sign that the terminal lacks, is escaped as Python does it.
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdin, io.TextIOWrapper):
        # An answer that is no text is refused as any other wrong one.
        sys.stdin.reconfigure(errors="surrogateescape")
    try:
        try:
            return _run(sys.argv[1:] if argv is None else argv)
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()  # a write error is reported here, not by Python as it ends
    except BrokenPipeError:
        _drop_output()  # the reader has closed the pipe (`| head`): nobody is left to read a message
        return 0
    except OSError as error:
        _drop_output()
        print_error(
            TableError("wrong.as_told", at=error.filename or make_phrase("folder.output"), error=error)
        )
        return 2
    except KeyboardInterrupt:
        return 130


def _run(argv: Sequence[str]) -> int:
    """Parse the arguments and run the sub-command; return its exit status."""
    set_language(renderer_for(read_language(_config_path(argv))))
    arguments = make_parser(argv).parse_args(argv)
    try:
        _check_folder()
        return int(arguments.run(arguments))
    except TableError as error:
        print_error(error)
        return 2


def _check_folder() -> None:
    """Raise ``TableError`` where the current folder has been deleted, so that relative paths have no meaning."""
    try:
        os.getcwd()
    except OSError:
        raise TableError("folder.no_current_folder") from None


def _drop_output() -> None:
    """Discard what is still to be written to stdout: Python would try to write it again as it ends."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


if __name__ == "__main__":
    sys.exit(main())
