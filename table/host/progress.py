"""How far long work has come: one line on a terminal, written over and over; nothing where there is no terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import Literal, Self, TypeVar

from table.phrase import Phrase, say
from table.words.spoken import put, text

FIRST_S = 2.0
"""What is done sooner needs none."""
EVERY_S = 0.25

T = TypeVar("T")


class Progress:
    """Says on the terminal's error stream how far something has come; the line goes when it is done."""

    def __init__(self, what: Phrase) -> None:
        """``what`` is done."""
        self._what = what
        self._next_s = time.monotonic() + FIRST_S
        self._shown = 0

    def __call__(self, part: float) -> None:
        """So much of it is done, 0 to 1."""
        now_s = time.monotonic()
        if now_s < self._next_s or not sys.stderr.isatty():
            return
        self._next_s = now_s + EVERY_S
        said = text(say("progress.part", what=self._what, part=max(0.0, min(1.0, part))))
        self._write(said)

    def _write(self, said: str) -> None:
        # The cursor stays at the line's beginning: what others print meanwhile takes its place.
        put(said.ljust(self._shown), end="\r", file=sys.stderr)
        self._shown = len(said)

    def close(self) -> None:
        """It is done: the line is empty again."""
        if self._shown:
            self._write("")
            self._shown = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> Literal[False]:
        self.close()
        return False


def followed(what: Phrase, items: Iterable[T], count: int) -> Iterator[T]:
    """The items, of which there are ``count``; how many of them have been worked off is said meanwhile."""
    with Progress(what) as progress:
        for number, item in enumerate(items):
            progress(number / max(1, count))
            yield item
