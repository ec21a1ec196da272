"""How files are read: no more of one than it can sensibly hold, and what is wrong with it is said in a line."""

from __future__ import annotations

import errno
import json
import os
import re
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from table.errors import TableError
from table.files.numbers import DIGITS, finite, whole
from table.phrase import Phrase, WrongValueError, at_line, expected, say

UTF_8 = "UTF-8"
BOM = b"\xef\xbb\xbf"
"""Some editors begin a UTF-8 file with it; it is read over."""
MB = 1024 * 1024
MOST_PIXELS = 32 * MB
"""Of a picture, as many as a good camera has; OpenCV decodes none that says it has more (``table/__init__.py``)."""
DEEPEST = 16
"""So many lists and tables lie in one another at most in a set-up."""
LONGEST = 1_000
"""Letters of a text in a set-up: a camera's URL may be long."""
MOST_TOML = 64 * 1024
"""Bytes of a set-up."""
MOST_PACK = 64 * MB
"""Bytes of an enrolled pack."""
_PART = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_DEEP_KEY = re.compile(rf"(?<![\w-]){_PART}(?:[ \t]*\.[ \t]*{_PART}){{{DEEPEST}}}")


def open_file(path: Path, wanted: Phrase) -> BinaryIO:
    """Open a regular file for reading; ``TableError`` for anything else.

    A pipe, a terminal or another device would be waited for, or never end. ``wanted``: what the file should have been,
    for the complaint.
    """
    try:
        # Not to wait for the other end of a pipe, nor to get a terminal as this process's own.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError as error:
        raise TableError("file.unread", at=path, error=error, expected=wanted) from None
    except ValueError:  # a name with a NUL
        raise TableError("file.no_name", at=path, expected=wanted) from None
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        if stat.S_ISDIR(mode):
            raise TableError("file.unread", at=path, error=os.strerror(errno.EISDIR), expected=wanted)
        raise TableError("file.not_regular", at=path, expected=wanted)
    return os.fdopen(handle, "rb")


def read_bytes(path: Path, wanted: Phrase, most: int) -> bytes:
    """A regular file's bytes; ``TableError`` where it can't be read, or holds more than ``most``.

    ``wanted``: what the file should have been, for the complaint.
    """
    data = read_head(path, wanted, most + 1)
    if len(data) > most:
        raise TableError("file.too_large", at=path, kb=most // 1024, expected=wanted)
    return data


def read_head(path: Path, wanted: Phrase, most: int) -> bytes:
    """The first ``most`` bytes of a regular file; ``TableError`` where it can't be read."""
    try:
        with open_file(path, wanted) as file:
            return file.read(most)
    except OSError as error:
        raise TableError("file.unread", at=path, error=error, expected=wanted) from None


def read_text(path: Path, wanted: Phrase, most: int) -> str:
    """A file's text, which is UTF-8, with or without a byte order mark; ``TableError`` as :func:`read_bytes`."""
    data = read_bytes(path, wanted, most)
    kind, at = kind_of_text(data)
    if kind != UTF_8:
        line = data.count(b"\n", 0, at) + 1
        raise TableError("file.not_utf", at=(path, at_line(line)), kind=kind, expected=wanted)
    return data.removeprefix(BOM).decode()


def kind_of_text(data: bytes) -> tuple[str | Phrase, int]:
    """What text the bytes are, and from where on one can tell: UTF-8, UTF-16, Latin-1, or none."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or _every_other_is_nul(data):
        return "UTF-16", 0
    if b"\0" in data:
        return say("file.holds_nul"), data.index(0)
    try:
        data.decode()
    except UnicodeDecodeError as error:
        # Latin-1 has no letters from 80 to 9f.
        if not any(0x80 <= byte < 0xA0 for byte in data):
            return "Latin-1", error.start
        return say("file.holds_byte", byte=data[error.start]), error.start
    return UTF_8, 0


def _every_other_is_nul(data: bytes) -> bool:
    head = data[:200]
    return len(head) >= 4 and 0 in head and (not any(head[::2]) or not any(head[1::2]))


def read_toml(path: Path, wanted: Phrase) -> dict[str, Any]:
    """What a TOML file says, no deeper and no longer than a set-up can be; ``TableError`` names the place."""
    text = read_text(path, wanted, MOST_TOML)
    deep = _DEEP_KEY.search(text)
    if deep is not None:  # tomllib's time grows with the square of a key's parts
        line = text.count("\n", 0, deep.start()) + 1
        raise TableError("file.long_key", at=(path, at_line(line)), expected=wanted)
    try:
        data = tomllib.loads(text, parse_float=finite)
    except tomllib.TOMLDecodeError as error:
        raise TableError("file.bad_syntax", at=path, error=error) from None
    except ValueError as error:  # of a number
        raise TableError("file.bad_number", at=path, error=error) from None
    except RecursionError:
        raise TableError("file.deep", at=path, expected=wanted) from None
    fault = _unbounded(data)
    if fault is not None:
        raise TableError(fault, at=path)
    return data


def _unbounded(data: Mapping[str, Any]) -> WrongValueError | None:
    """What of the data is larger than any set-up's."""
    layer: list[tuple[str, Any]] = list(data.items())
    for _ in range(DEEPEST):
        inner: list[tuple[str, Any]] = []
        for where, value in layer:
            if len(where) > LONGEST or (isinstance(value, str) and len(value) > LONGEST):
                return WrongValueError("file.long_text", at=where, most=LONGEST)
            if isinstance(value, int) and abs(value) >= 10**DIGITS:
                return expected("expected.digits", at=where, most=DIGITS)
            if isinstance(value, dict):
                inner += [(f"{where}.{key}", one) for key, one in value.items()]
            elif isinstance(value, list):
                inner += [(where, one) for one in value]
        layer = inner
        if not layer:
            return None
    return WrongValueError("file.deep_lists", at=layer[0][0])


def _no_number(_: str) -> NoReturn:
    raise ValueError("expected a number")  # NaN and Infinity are no JSON


_PLAIN = json.JSONDecoder(parse_float=finite, parse_constant=_no_number)
_EXACTING = json.JSONDecoder(parse_int=whole, parse_float=finite, parse_constant=_no_number)
_AS_ZEROS = str.maketrans("123456789", "000000000")
_LONG = "0" * (DIGITS + 1)
"""What may be a number with too many digits, its digits written as zeros."""


def json_of(text: str) -> Any:
    """What JSON text says, its numbers finite and of at most 19 digits; ``ValueError`` where it is none."""
    try:
        return (_EXACTING if _LONG in text.translate(_AS_ZEROS) else _PLAIN).decode(text)
    except RecursionError:
        raise WrongValueError("file.deep_json") from None


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
        raise expected("expected.file_of_user") from None
    if "\0" in text:
        raise expected("expected.file_name")
    return path
