"""The product's own list of its interface: ``help.txt`` (every command's ``--help``) and ``table.toml`` (every key).

What stands in these two files is what people, scripts and set-up files rely on: nothing is removed from them. What is
added to the program is added to them by ``python -m tests.interfaces``.
"""

from __future__ import annotations

import io
import os
import re
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import Final

from table.__main__ import main

FOLDER: Final = Path(__file__).parent
EXAMPLE: Final = Path(__file__).parents[2] / "hardware" / "table.toml"
HEAD: Final = "=================== "
WIDTH: Final = "80"

_OPTION = re.compile(r"^  (?:-\w, )?(--[\w-]+)(?: (\S.*?))?(?:  .*)?$")
_ARGUMENT = re.compile(r"^  ([A-Z{]\S*)(?:  .*)?$")
_TABLE = re.compile(r"^#? ?\[+([\w.]+)\]+\s*(?:#.*)?$")
_KEY = re.compile(r"^#? ?(\w+) =")


def commands(text: str) -> list[str]:
    """The commands that a list of helps has, in order."""
    return [line.removeprefix(HEAD) for line in text.splitlines() if line.startswith(HEAD)]


def offered(text: str) -> set[tuple[str, str, str]]:
    """(command, option or argument, what is given with it) of a list of helps."""
    found = set()
    command = ""
    for line in text.splitlines():
        if line.startswith(HEAD):
            command = line.removeprefix(HEAD)
        elif (option := _OPTION.match(line)) is not None:
            found.add((command, option[1], option[2] or ""))
        elif (argument := _ARGUMENT.match(line)) is not None:
            found.add((command, argument[1], ""))
    return found


def keys(text: str) -> set[tuple[str, str]]:
    """(table, key) of a ``table.toml``, those behind a ``#`` included."""
    found = set()
    table = ""
    for line in text.splitlines():
        if (head := _TABLE.match(line)) is not None:
            table = head[1]
        elif (key := _KEY.match(line)) is not None:
            found.add((table, key[1]))
    return found


def helps(names: list[str]) -> str:
    """What the program says of each of these commands now."""
    return "".join(f"{HEAD}{name}\n{_help(name)}" for name in names)


def _help(name: str) -> str:
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = WIDTH
    said = io.StringIO()
    try:
        with redirect_stdout(said), suppress(SystemExit):
            main([name, "--help"])
    finally:
        del os.environ["COLUMNS"]
        if before is not None:
            os.environ["COLUMNS"] = before
    return said.getvalue()
