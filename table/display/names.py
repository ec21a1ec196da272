"""Names in narrow places: smaller letters first, then two lines, and only then initials that tell apart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from table.display.text import block_height, width_of
from table.display.theme import Size
from table.phrase import Phrase

MOST_WORDS = 3
Fitted = tuple[int, tuple[str, ...]]
"""The height of the letters, and the lines."""


@lru_cache(maxsize=2048)
def fitted_name(name: str, among: tuple[str, ...], box: Size, largest: int, smallest: int) -> Fitted:
    """``name`` in a box, in one line or in two, in letters between two heights in pixels; else its initials.

    They are in the bold weight. ``among``: the names that it must be told from, itself included.
    """
    # A box that is lower than the smallest letters has lower ones: initials would be no higher there.
    while smallest > 4 and block_height(1, smallest) > box[1]:
        smallest -= 1
    for lines in (1, 2):
        found = _in_lines(name, lines, box, largest, smallest)
        if found is not None:
            return found
    short = initials(among).get(name, name)
    return _in_lines(short, 1, box, largest, 4) or (4, (short,))


def _in_lines(name: str, lines: int, box: Size, largest: int, smallest: int) -> Fitted | None:
    for size in range(largest, smallest - 1, -1):
        if block_height(lines, size) > box[1]:
            continue
        ways = ((name,),) if lines == 1 else _in_two(name)
        for way in ways:
            if all(width_of(piece, size, strong=True) <= box[0] for piece in way):
                return size, way
    return None


def _in_two(name: str) -> Iterator[tuple[str, str]]:
    """The ways to break a name: between its words or after a hyphen; a single word in its middle, with a hyphen."""
    middle = len(name) / 2
    breaks = sorted((at.end() for at in re.finditer(r"[\s-]", name)), key=lambda at: abs(at - middle))
    for at in breaks:
        yield name[:at].rstrip(), name[at:]
    if not breaks:
        at = round(middle)
        yield f"{name[:at]}-", name[at:]


def in_short(said: Phrase, among: tuple[str, ...]) -> Phrase:
    """A phrase with initials in the place of the names in it."""
    short = initials(among)

    def shorter(value: Any) -> Any:
        if isinstance(value, Phrase):
            return in_short(value, among)
        if isinstance(value, tuple):
            return tuple(map(shorter, value))
        return short.get(value, value) if isinstance(value, str) else value

    return Phrase(said.code, {name: shorter(value) for name, value in said.fields.items()})


@lru_cache(maxsize=64)
def initials(among: Sequence[str]) -> dict[str, str]:
    """The shortest beginnings of the first words, with the other words' initials, that tell all apart.

    A single word keeps two letters at least; of many the first three count, where that tells them apart.
    """
    longest = max((len(name) for name in among), default=0)
    for words in (MOST_WORDS, longest):
        for letters in range(1, longest + 1):
            found = {name: _short(name, letters, words) for name in among}
            if len(set(found.values())) == len(set(among)):
                return found
    return {name: name for name in among}


def _short(name: str, letters: int, most: int) -> str:
    words = [word for word in re.split(r"[\s-]+", name) if word]
    if len(words) < 2:
        return name[: max(2, letters)]
    return words[0][:letters] + "".join(word[0] for word in words[1:most])
