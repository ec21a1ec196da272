"""The one error that a user gets to see, and how it is said."""

from __future__ import annotations

import sys
from contextlib import suppress

from table.files.secrets import without_secrets
from table.phrase import Phrase, PhrasedError
from table.words.spoken import text
from table.words.terminal import printable

LONGEST = 300
"""Letters of a complaint's line."""
_CUT = " … "


class TableError(PhrasedError):
    """Bad input or a wrong set-up, said in one line: where, what, and what was expected.

    The command line prints its text, in the language that is spoken, after the command's name and exits with status
    2; nothing else may reach a user for bad input.
    """

    def __str__(self) -> str:
        return text(self.phrase)


def complain(what: object) -> None:
    """Say on stderr what is wrong, in one line: a phrase, text, or an error."""
    told = text(what) if isinstance(what, Phrase) else what
    with suppress(OSError):  # nobody can be told
        print(one_line(f"cardtable: {told}"), file=sys.stderr, flush=True)


def one_line(line: str) -> str:
    """The text in a line that can be printed and read.

    Of a text that is too long the middle is left out: it begins with the place and ends with what was expected.
    """
    line = without_secrets(line)
    line = line[:LONGEST] + _CUT + line[-LONGEST:] if len(line) > 3 * LONGEST else line
    plain = printable(line)
    if len(plain) <= LONGEST:
        return plain
    tail = LONGEST // 3
    return plain[: LONGEST - tail - len(_CUT)] + _CUT + plain[-tail:]
