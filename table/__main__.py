"""The command ``cardtable``."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NoReturn

from table.config import language_of
from table.errors import TableError, complain
from table.phrase import say
from table.words.render import words_of
from table.words.spoken import speak

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


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with the arguments, and where their explanation is."""

    def error(self, message: str) -> NoReturn:
        """As any bad input is told, with exit status 2."""
        command = self.prog.removeprefix("cardtable").strip()
        wrong = f"{command}: {message}" if command else message
        complain(say("command.wrong", wrong=wrong, command=self.prog))
        self.exit(2)


def make_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = Parser(
        prog="cardtable",
        description="A table that watches real cards: exact-bidding trick games with a camera, buttons and a screen.",
        epilog="Exit status: 0 done, 1 the answer is no, 2 the input or the set-up is wrong.",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {_version()}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in COMMANDS:
        importlib.import_module(f"table.commands.{name}").add_parser(subparsers)
    return parser


def _version() -> str:
    try:
        return version("cardtable")
    except PackageNotFoundError:  # run from its folder, never installed
        return "(not installed)"


def main(argv: Sequence[str] | None = None) -> int:
    """Run a sub-command; its exit status."""
    # OpenCV and its FFmpeg complain in their own words; what is wrong is said in one line of ours.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    # Products and pictures here are small: threads that wait for each other cost more than they save.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A name that is no text, a suit's sign on a terminal that has none: written as Python would escape it.
            stream.reconfigure(errors="backslashreplace")
    arguments = make_parser().parse_args(argv)
    speak(words_of(language_of(getattr(arguments, "config", None) or Path("table.toml"))))
    try:
        return int(arguments.run(arguments))
    except TableError as error:
        complain(error)
        return 2
    except BrokenPipeError:
        # The reader of our output has gone (`| head`): nobody is left to tell.
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
