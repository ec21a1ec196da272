"""What a terminal may be given: names come from files, and letters of some of them would steer it."""

from __future__ import annotations

from table.names import is_printed

LEFT_TO_RIGHT, RIGHT_TO_LEFT = "\u200e", "\u200f"
"""A letter that nobody sees, of a language that is written that way."""
_DIRECTIONS = LEFT_TO_RIGHT + RIGHT_TO_LEFT


def printable(line: str) -> str:
    """The line with what would steer a terminal, or can't be seen, written out as JSON escapes it (``\\u001b``)."""
    if line.isprintable():
        return line
    return "".join(
        letter if is_printed(letter) or letter in _DIRECTIONS else _escaped(letter) for letter in line
    )


def _escaped(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
