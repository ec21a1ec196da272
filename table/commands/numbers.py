"""Numbers among a command's options."""

from __future__ import annotations

import argparse
from collections.abc import Callable


def number(fits: Callable[[float], bool], expected: str) -> Callable[[str], float]:
    """An option's type: a number for which ``fits`` holds, or one line that says what was ``expected``."""

    def parsed(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not fits(value):
            raise argparse.ArgumentTypeError(f"expected {expected}, not {text!r}")
        return value

    return parsed
