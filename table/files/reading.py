"""How files are read: no more of one than it can sensibly hold, and what is wrong with it is said in a line."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from table.errors import TableError
from table.files.numbers import DIGITS, finite, whole

UTF_8 = "UTF-8"
BOM = b"\xef\xbb\xbf"
"""Some editors begin a UTF-8 file with it; it is read over."""
MB = 1024 * 1024
DEEPEST = 16
"""So many lists and tables lie in one another at most in a set-up."""
LONGEST = 1_000
"""Letters of a text in a set-up: a camera's URL may be long."""
_MOST_TOML = 64 * 1024
_PART = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_DEEP_KEY = re.compile(rf"(?<![\w-]){_PART}(?:[ \t]*\.[ \t]*{_PART}){{{DEEPEST}}}")


def read_bytes(path: Path, expected: str, most: int) -> bytes:
    """A file's bytes; ``TableError`` where it can't be read, or holds more than ``most``.

    ``expected``: what the file should have been, for the complaint.
    """
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise TableError(f"{path}: can't be read ({error.strerror}): expected {expected}") from None
    except ValueError:  # a name with a NUL
        raise TableError(f"{path}: no file's name: expected {expected}") from None
    if len(data) > most:
        raise TableError(f"{path}: too large (more than {most // 1024} kB): expected {expected}")
    return data


def read_text(path: Path, expected: str, most: int) -> str:
    """A file's text, which is UTF-8, with or without a byte order mark; ``TableError`` as :func:`read_bytes`."""
    data = read_bytes(path, expected, most)
    kind, at = kind_of_text(data)
    if kind != UTF_8:
        line = data.count(b"\n", 0, at) + 1
        raise TableError(f"{path}: line {line}: {kind}: expected {expected} in {UTF_8}")
    return data.removeprefix(BOM).decode()


def kind_of_text(data: bytes) -> tuple[str, int]:
    """What text the bytes are, and from where on one can tell: UTF-8, UTF-16, Latin-1, or none."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or _every_other_is_nul(data):
        return "UTF-16", 0
    if b"\0" in data:
        return "no text (it holds a NUL)", data.index(0)
    try:
        data.decode()
    except UnicodeDecodeError as error:
        # Latin-1 has no letters from 80 to 9f.
        if not any(0x80 <= byte < 0xA0 for byte in data):
            return "Latin-1", error.start
        return f"no text (it holds the byte {data[error.start]:02x})", error.start
    return UTF_8, 0


def _every_other_is_nul(data: bytes) -> bool:
    head = data[:200]
    return len(head) >= 4 and 0 in head and (not any(head[::2]) or not any(head[1::2]))


def read_toml(path: Path, expected: str) -> dict[str, Any]:
    """What a TOML file says, no deeper and no longer than a set-up can be; ``TableError`` names the place."""
    text = read_text(path, expected, _MOST_TOML)
    deep = _DEEP_KEY.search(text)
    if deep is not None:  # tomllib's time grows with the square of a key's parts
        line = text.count("\n", 0, deep.start()) + 1
        raise TableError(f"{path}: line {line}: a key of too many parts: expected {expected}")
    try:
        data = tomllib.loads(text, parse_float=finite)
    except tomllib.TOMLDecodeError as error:
        raise TableError(f"{path}: not a TOML file: {' '.join(str(error).split())}") from None
    except ValueError as error:  # of a number
        raise TableError(f"{path}: a number is too long or not finite ({error})") from None
    except RecursionError:
        raise TableError(f"{path}: brackets lie too deep in one another: expected {expected}") from None
    fault = _unbounded(data)
    if fault is not None:
        raise TableError(f"{path}: {fault}")
    return data


def _unbounded(data: Mapping[str, Any]) -> str | None:
    """What of the data is larger than any set-up's."""
    layer: list[tuple[str, Any]] = list(data.items())
    for _ in range(DEEPEST):
        inner: list[tuple[str, Any]] = []
        for where, value in layer:
            if len(where) > LONGEST or (isinstance(value, str) and len(value) > LONGEST):
                return f"{where}: too long (expected at most {LONGEST} letters)"
            if isinstance(value, int) and abs(value) >= 10**DIGITS:
                return f"{where}: expected a number of at most {DIGITS} digits"
            if isinstance(value, dict):
                inner += [(f"{where}.{key}", one) for key, one in value.items()]
            elif isinstance(value, list):
                inner += [(where, one) for one in value]
        layer = inner
        if not layer:
            return None
    return f"{layer[0][0]}: lists or tables lie too deep in one another"


def _no_number(_: str) -> NoReturn:
    raise ValueError("expected a number")  # NaN and Infinity are no JSON


_PLAIN = json.JSONDecoder(parse_float=finite, parse_constant=_no_number)
_EXACTING = json.JSONDecoder(parse_int=whole, parse_float=finite, parse_constant=_no_number)
_LONG = re.compile(rf"[0-9]{{{DIGITS + 1}}}")
"""What may be a number with too many digits."""


def json_of(text: str) -> Any:
    """What JSON text says, its numbers finite and of at most 19 digits; ``ValueError`` where it is none."""
    try:
        return (_EXACTING if _LONG.search(text) else _PLAIN).decode(text)
    except RecursionError:
        raise ValueError("brackets lie too deep in one another") from None


def is_file(path: Path) -> bool:
    """Whether there is a file of that name; False for what can't be a name, too."""
    return os.path.isfile(path)


def is_folder(path: Path) -> bool:
    """Whether there is a folder of that name; False for what can't be a name, too."""
    return os.path.isdir(path)


def exists(path: Path) -> bool:
    """Whether there is anything of that name; False for what can't be a name, too."""
    return os.path.exists(path)


def place_of(text: str, beside: Path) -> Path:
    """The place that a set-up names, ``~`` expanded, relative to the folder ``beside``.

    ``ValueError``: no place has such a name.
    """
    try:
        path = beside / Path(text).expanduser()
        os.fspath(path).encode("utf-8")
    except (RuntimeError, UnicodeEncodeError):
        raise ValueError("expected the name of a file (of a user that there is)") from None
    if "\0" in text:
        raise ValueError("expected the name of a file")
    return path
