"""The error that a user sees, and how it is printed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from table.i18n.phrase_rendering import escape_unprintable
from table.i18n.terminal_output import phrase_text
from table.phrase import Phrase, PhrasedError, Place
from table.url_secrets import without_secrets

MAX_ERROR_LENGTH = 300
"""The most letters of an error's line."""
_ELLIPSIS = " … "


class TableError(PhrasedError):
    """Bad input or a wrong set-up, in one line: where, what, and what was expected.

    The command line prints its text, in the chosen language, after the command's name and exits with status 2; nothing
    else may reach a user for bad input.
    """

    def __str__(self) -> str:
        return phrase_text(self.phrase)


@contextmanager
def convert_errors(
    kinds: type[Exception] | tuple[type[Exception], ...],
    code: str = "",
    *,
    at: Place | tuple[Place, ...] = (),
    into: type[TableError] = TableError,
    **fields: Any,
) -> Iterator[None]:
    """Turn errors of these kinds in a ``with`` block into a ``TableError`` of this code, or of the error's own text.

    ``into``: its class, where callers tell it from other errors.
    """
    try:
        yield
    except kinds as error:
        raise into(code or error, at=at, error=error, **fields) from None


def print_error(what: object) -> None:
    """Print on stderr what is wrong, in one line: a phrase, text, or an error."""
    message = phrase_text(what) if isinstance(what, Phrase) else what
    with suppress(OSError):  # stderr is closed
        print(shorten_to_line(f"cardtable: {message}"), file=sys.stderr, flush=True)


def shorten_to_line(line: str) -> str:
    """Return text as one printable line of at most :data:`MAX_ERROR_LENGTH` letters, with secrets of URLs removed.

    The middle of a longer text is left out, because it begins with the place and ends with what was expected.
    """
    line = without_secrets(line)
    line = (
        line[:MAX_ERROR_LENGTH] + _ELLIPSIS + line[-MAX_ERROR_LENGTH:]
        if len(line) > 3 * MAX_ERROR_LENGTH
        else line
    )
    plain = escape_unprintable(line)
    if len(plain) <= MAX_ERROR_LENGTH:
        return plain
    tail = MAX_ERROR_LENGTH // 3
    return plain[: MAX_ERROR_LENGTH - tail - len(_ELLIPSIS)] + _ELLIPSIS + plain[-tail:]
