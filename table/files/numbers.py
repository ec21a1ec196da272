"""Numbers in files and options: of a length that a machine's own numbers have, and finite."""

from __future__ import annotations

import math

from table.phrase import expected

DIGITS = 19
"""Of a whole number: nanoseconds, seats and points have no more."""
LONGEST = 40
"""Letters of a number with a point."""


def whole(text: str) -> int:
    """A whole number in ASCII digits, perhaps with a minus; ``ValueError`` where it is none, or too long."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > DIGITS:
        raise expected("expected.whole_digits", most=DIGITS)
    return int(text)


def count(text: str) -> int | None:
    """A whole number that is not negative; None where it is none, or too long."""
    try:
        return None if text.startswith("-") else whole(text)
    except ValueError:
        return None


def finite(text: str) -> float:
    """A number that is neither infinite nor NaN; ``ValueError`` where it is none, or too long."""
    number = float(text) if len(text) <= LONGEST else math.nan
    if not math.isfinite(number):
        raise expected("expected.number")
    return number
