"""Progress of long work: one line on a terminal, overwritten again and again; nothing without a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import Self, TypeVar

from table.i18n.terminal_output import phrase_text, print_line
from table.phrase import Phrase, make_phrase

FIRST_S = 2.0
"""Work that ends sooner shows no progress."""
EVERY_S = 0.25

T = TypeVar("T")


class Progress:
    """A progress line on the terminal's error stream, which disappears when the work is done."""

    def __init__(self, what: Phrase) -> None:
        """Start; ``what`` describes the work."""
        self._what = what
        self._next_s = time.monotonic() + FIRST_S
        self._shown = 0

    def __call__(self, part: float) -> None:
        """Show that this share of the work is done, 0 to 1."""
        now_s = time.monotonic()
        if now_s < self._next_s or not sys.stderr.isatty():
            return
        self._next_s = now_s + EVERY_S
        self._write(phrase_text(make_phrase("progress.part", what=self._what, part=max(0.0, min(1.0, part)))))

    def _write(self, text: str) -> None:
        # The cursor stays at the line's beginning, so that other output overwrites the line.
        print_line(text.ljust(self._shown), end="\r", file=sys.stderr)
        self._shown = len(text)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Clear the line."""
        if self._shown:
            self._write("")


def show_progress(what: Phrase, items: Iterable[T], count: int) -> Iterator[T]:
    """Yield the items, of which there are ``count``, and show the progress through them."""
    with Progress(what) as progress:
        for number, item in enumerate(items):
            progress(number / max(1, count))
            yield item
