"""Reading of files with limits: no more of a file than it can sensibly hold, and errors in one line."""

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

from table.errors import TableError, convert_errors
from table.number_parsing import MAX_DIGITS, parse_finite, parse_whole
from table.phrase import Phrase, WrongValueError, expected_error, line_place, make_phrase

is_file, is_folder, exists = os.path.isfile, os.path.isdir, os.path.exists
"""They return False also for what can't be a name, where the methods of ``Path`` may raise ``OSError``."""
UTF_8 = "UTF-8"
BOM = b"\xef\xbb\xbf"
"""The byte order mark with which some editors begin a UTF-8 file; it is skipped."""
MB = 1024 * 1024
MOST_PIXELS = 32 * MB
"""The most pixels of a picture, as many as a good camera has; also OpenCV's own limit (``table/__init__.py``)."""
MAX_NESTING = 16
"""The deepest nesting of lists and tables in a set-up file."""
MAX_TEXT_LENGTH = 1_000
"""The most letters of a text in a set-up file: a camera's URL may be long."""
MOST_TOML = 64 * 1024
MOST_PACK = 64 * MB
_KEY_PART = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_DEEP_KEY = re.compile(rf"(?<![\w-]){_KEY_PART}(?:[ \t]*\.[ \t]*{_KEY_PART}){{{MAX_NESTING}}}")


def open_file(path: Path, wanted: Phrase) -> BinaryIO:
    """Open a regular file for reading; raise `TableError` for anything else.

    A pipe, a terminal or another device would block, or never end. ``wanted``: what the file should have been, for the
    error message.
    """
    try:
        # Do not wait for the other end of a pipe, nor get a terminal as this process's own.
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


def read_bytes(path: Path, wanted: Phrase, max_bytes: int) -> bytes:
    """Read a regular file, which should be ``wanted``; raise `TableError` if that fails, or it is too large."""
    data = read_head(path, wanted, max_bytes + 1)
    if len(data) > max_bytes:
        raise TableError("file.too_large", at=path, kb=max_bytes // 1024, expected=wanted)
    return data


def read_head(path: Path, wanted: Phrase, max_bytes: int) -> bytes:
    """Read the first ``max_bytes`` of a regular file; raise `TableError` if it can't be read."""
    with convert_errors(OSError, "file.unread", at=path, expected=wanted), open_file(path, wanted) as file:
        return file.read(max_bytes)


def read_text(path: Path, wanted: Phrase, max_bytes: int) -> str:
    """Read a UTF-8 file, with or without a byte order mark; raise `TableError` as :func:`read_bytes`."""
    data = read_bytes(path, wanted, max_bytes)
    encoding, position = detect_encoding(data)
    if encoding != UTF_8:
        line = data.count(b"\n", 0, position) + 1
        raise TableError("file.not_utf", at=(path, line_place(line)), kind=encoding, expected=wanted)
    return data.removeprefix(BOM).decode()


def detect_encoding(data: bytes) -> tuple[str | Phrase, int]:
    """Detect the encoding of bytes (UTF-8, UTF-16, Latin-1, or none); return it and the position that decides it."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or _every_other_is_nul(data):
        return "UTF-16", 0
    if b"\0" in data:
        return make_phrase("file.holds_nul"), data.index(0)
    try:
        data.decode()
    except UnicodeDecodeError as error:
        # Latin-1 has no letters from 80 to 9f (hexadecimal).
        is_latin = not any(0x80 <= byte < 0xA0 for byte in data)
        encoding = "Latin-1" if is_latin else make_phrase("file.holds_byte", byte=data[error.start])
        return encoding, error.start
    return UTF_8, 0


def _every_other_is_nul(data: bytes) -> bool:
    head = data[:200]
    return len(head) >= 4 and 0 in head and (not any(head[::2]) or not any(head[1::2]))


def read_toml(path: Path, wanted: Phrase) -> dict[str, Any]:
    """Read a TOML file no deeper and no longer than a set-up file can be; raise `TableError` that names the place."""
    text = read_text(path, wanted, MOST_TOML)
    deep_key = _DEEP_KEY.search(text)
    if deep_key is not None:  # tomllib's time grows with the square of a key's parts
        line = text.count("\n", 0, deep_key.start()) + 1
        raise TableError("file.long_key", at=(path, line_place(line)), expected=wanted)
    try:
        data = tomllib.loads(text, parse_float=parse_finite)
    except tomllib.TOMLDecodeError as error:
        raise TableError("file.bad_syntax", at=path, error=error) from None
    except ValueError as error:  # of a number
        raise TableError("file.bad_number", at=path, error=error) from None
    except RecursionError:
        raise TableError("file.deep", at=path, expected=wanted) from None
    excess = _find_excess(data)
    if excess is not None:
        raise TableError(excess, at=path)
    return data


def _find_excess(data: Mapping[str, Any]) -> WrongValueError | None:
    """Return an error for data that is longer, larger or deeper than in any set-up file, else None."""
    layer: list[tuple[str, Any]] = list(data.items())
    for _ in range(MAX_NESTING):
        inner: list[tuple[str, Any]] = []
        for key_path, value in layer:
            if len(key_path) > MAX_TEXT_LENGTH or (isinstance(value, str) and len(value) > MAX_TEXT_LENGTH):
                return WrongValueError("file.long_text", at=key_path, most=MAX_TEXT_LENGTH)
            if isinstance(value, int) and abs(value) >= 10**MAX_DIGITS:
                return expected_error("expected.digits", at=key_path, most=MAX_DIGITS)
            if isinstance(value, dict):
                inner += [(f"{key_path}.{key}", item) for key, item in value.items()]
            elif isinstance(value, list):
                inner += [(key_path, item) for item in value]
        layer = inner
        if not layer:
            return None
    return WrongValueError("file.deep_lists", at=layer[0][0])


def _reject_constant(_: str) -> NoReturn:
    raise ValueError("expected a number")  # NaN and Infinity are no JSON


_JSON_DECODER = json.JSONDecoder(parse_float=parse_finite, parse_constant=_reject_constant)
_CHECKING_JSON_DECODER = json.JSONDecoder(
    parse_int=parse_whole, parse_float=parse_finite, parse_constant=_reject_constant
)
_DIGITS_TO_ZEROS = bytes.maketrans(b"123456789", b"000000000")
_LONG_NUMBER = b"0" * (MAX_DIGITS + 1)
"""The pattern of a number that may have too many digits, with all digits written as zeros."""


def parse_json(text: str) -> Any:
    """Parse JSON text whose numbers are finite and of at most 19 digits; raise ``ValueError`` if it is none."""
    may_be_long = _LONG_NUMBER in text.encode(errors="replace").translate(_DIGITS_TO_ZEROS)
    try:
        return (_CHECKING_JSON_DECODER if may_be_long else _JSON_DECODER).decode(text)
    except RecursionError:
        raise WrongValueError("file.deep_json") from None


def resolve_path(text: str, beside: Path) -> Path:
    """Return a set-up file's path, ``~`` expanded, relative to ``beside``; ``ValueError`` for an impossible name."""
    try:
        path = beside / Path(text).expanduser()
        os.fspath(path).encode("utf-8")
    except (RuntimeError, UnicodeEncodeError):
        raise expected_error("expected.file_of_user") from None
    if "\0" in text:
        raise expected_error("expected.file_name")
    return path
