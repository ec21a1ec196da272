"""The one error that a user gets to see, and how it is said."""

from __future__ import annotations

import sys

LONGEST = 300
"""Letters of a complaint's line."""
_CUT = " … "


class TableError(Exception):
    """Bad input or a wrong set-up, said in one line: what, where, and what was expected.

    The command line prints its text after the command's name and exits with status 2; nothing else may
    reach a user for bad input.
    """


def complain(text: object) -> None:
    """Say on stderr what is wrong, in one line."""
    print(one_line(f"cardtable: {text}"), file=sys.stderr, flush=True)


def one_line(text: str) -> str:
    """The text in a line that can be printed and read.

    What would steer a terminal is written as Python would escape it. Of a text that is too long the middle is left
    out: it begins with the place and ends with what was expected.
    """
    text = text[:LONGEST] + _CUT + text[-LONGEST:] if len(text) > 3 * LONGEST else text
    plain = "".join(letter if letter.isprintable() else _escaped(letter) for letter in text)
    if len(plain) <= LONGEST:
        return plain
    tail = LONGEST // 3
    return plain[: LONGEST - tail - len(_CUT)] + _CUT + plain[-tail:]


def _escaped(letter: str) -> str:
    return letter.encode("unicode_escape").decode()
