"""Escape characters that could control a terminal: names come from files and may contain them."""

from __future__ import annotations

from table.names import is_printable_letter

LEFT_TO_RIGHT, RIGHT_TO_LEFT = "\u200e", "\u200f"
"""The invisible direction marks of Unicode."""
_DIRECTION_MARKS = LEFT_TO_RIGHT + RIGHT_TO_LEFT


def escape_unprintable(line: str) -> str:
    """Return the line with control and invisible characters escaped as in JSON (``\\u001b``)."""
    if line.isprintable():
        return line
    return "".join(
        letter if is_printable_letter(letter) or letter in _DIRECTION_MARKS else _escape(letter)
        for letter in line
    )


def _escape(letter: str) -> str:
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
