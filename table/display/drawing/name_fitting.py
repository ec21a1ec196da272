"""Fit names into narrow boxes: first smaller letters, then two lines, then initials that distinguish the players."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from table.display.drawing.colours_and_sizes import Size
from table.display.drawing.text_fitting import block_height, text_width
from table.phrase import Phrase

MAX_INITIAL_WORDS = 3
"""The number of a name's words that first count for its initials."""
FittedName = tuple[int, tuple[str, ...]]
"""The text height in pixels, and the lines."""


@lru_cache(maxsize=2048)
def fit_name(name: str, among: tuple[str, ...], box: Size, largest: int, smallest: int) -> FittedName:
    """Fit ``name`` into a box in one or two bold lines of ``smallest`` to ``largest`` pixels; else fit its initials.

    ``among``: the names that the initials must distinguish, ``name`` included.
    """
    # A box lower than the smallest letters gets lower ones: initials would be no higher there.
    while smallest > 4 and block_height(1, smallest) > box[1]:
        smallest -= 1
    for lines in (1, 2):
        fitted = _fit_lines(name, lines, box, largest, smallest)
        if fitted is not None:
            return fitted
    short = initials(among).get(name, name)
    return _fit_lines(short, 1, box, largest, 4) or (4, (short,))


def _fit_lines(name: str, lines: int, box: Size, largest: int, smallest: int) -> FittedName | None:
    """Fit a name into a box in exactly ``lines`` lines; None when it does not fit."""
    for size in range(largest, smallest - 1, -1):
        if block_height(lines, size) > box[1]:
            continue
        breaks = ((name,),) if lines == 1 else _line_breaks(name)
        for pieces in breaks:
            if all(text_width(piece, size, strong=True) <= box[0] for piece in pieces):
                return size, pieces
    return None


def _line_breaks(name: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to break a name: between words or after a hyphen; a single word in its middle, with a hyphen."""
    middle = len(name) / 2
    breaks = sorted((at.end() for at in re.finditer(r"[\s-]", name)), key=lambda at: abs(at - middle))
    for at in breaks:
        yield name[:at].rstrip(), name[at:]
    if not breaks:
        at = round(middle)
        yield f"{name[:at]}-", name[at:]


def shorten_names(phrase: Phrase, among: tuple[str, ...]) -> Phrase:
    """Return the phrase with the names in it replaced by their initials."""
    short = initials(among)

    def shorter(value: Any) -> Any:
        if isinstance(value, Phrase):
            return shorten_names(value, among)
        if isinstance(value, tuple):
            return tuple(map(shorter, value))
        return short.get(value, value) if isinstance(value, str) else value

    return Phrase(phrase.code, {name: shorter(value) for name, value in phrase.fields.items()})


@lru_cache(maxsize=64)
def initials(among: Sequence[str]) -> dict[str, str]:
    """Return the shortest abbreviations that distinguish all names: the first word's beginning and the other initials.

    A single word keeps at least two letters. Of many words the first three count if that distinguishes the names.
    """
    longest = max((len(name) for name in among), default=0)
    for words in (MAX_INITIAL_WORDS, longest):
        for letters in range(1, longest + 1):
            short_names = {name: _abbreviate(name, letters, words) for name in among}
            if len(set(short_names.values())) == len(set(among)):
                return short_names
    return {name: name for name in among}


def _abbreviate(name: str, letters: int, most: int) -> str:
    """Return ``letters`` letters of a name's first word and the initials of its other words, ``most`` words in all."""
    words = [word for word in re.split(r"[\s-]+", name) if word]
    if len(words) < 2:
        return name[: max(2, letters)]
    return words[0][:letters] + "".join(word[0] for word in words[1:most])
