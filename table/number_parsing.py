"""Parsers of numbers in files and options: of limited length, and finite."""

from __future__ import annotations

import math

from table.phrase import expected_error

MAX_DIGITS = 19
"""The most digits of a whole number: nanoseconds, seats and points have no more."""
MAX_LETTERS = 40
"""The most letters of a number with a point."""


def parse_whole(text: str) -> int:
    """Parse a whole number in ASCII digits, perhaps with a minus; raise ``ValueError`` if it is none or too long."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > MAX_DIGITS:
        raise expected_error("expected.whole_digits", most=MAX_DIGITS)
    return int(text)


def parse_count(text: str) -> int | None:
    """Parse a whole number that is not negative; return None if it is none or too long."""
    try:
        return None if text.startswith("-") else parse_whole(text)
    except ValueError:
        return None


def parse_finite(text: str) -> float:
    """Parse a number that is neither infinite nor NaN; raise ``ValueError`` if it is none or too long."""
    number = float(text) if len(text) <= MAX_LETTERS else math.nan
    if not math.isfinite(number):
        raise expected_error("expected.number")
    return number
