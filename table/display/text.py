"""Text that fits its box, in any script, with the suits drawn among the letters."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

import pygame

from table.display.bidi import runs
from table.display.faces import face, pieces
from table.display.kept import kept
from table.display.signs import sign
from table.display.theme import Colour, Size, suit_colour

_SUIT_OF = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
ELLIPSIS = "…"
_LINE_STEP = 1.06
"""The distance of two lines of text, in heights of a line."""
_LINE, _ABOVE = 1.05, 0.79
"""A line from the top of a b to the foot of a g, and what of it is above the base line, in heights of its letters."""


def _pieces(text: str) -> list[str]:
    """Runs of letters, and each suit sign by itself."""
    found: list[str] = []
    for letter in text:
        if letter in _SUIT_OF or not found or found[-1] in _SUIT_OF:
            found.append(letter)
        else:
            found[-1] += letter
    return found


def _written(
    text: str, height: int, rtl: bool, strong: bool
) -> Iterator[tuple[str, pygame.font.Font | None]]:
    """The pieces of a line from left to right, with the font that writes each; none writes a suit."""
    for run, leftwards in runs(text, rtl):
        found = [
            (letters, None if name is None else face(name, height, leftwards, strong=strong))
            for piece in _pieces(run)
            for letters, name in (((piece, None),) if piece in _SUIT_OF else pieces(piece))
        ]
        yield from reversed(found) if leftwards else found


@lru_cache(maxsize=8192)
def width_of(text: str, height: int, *, rtl: bool = False, strong: bool = False) -> int:
    """The width of a line of text in pixels; ``rtl``: where the line as a whole runs leftwards.

    ``strong``: in the bold weight, else in the medium one.
    """
    return sum(
        _suit_side(height) + 1 if writes is None else writes.size(piece)[0]
        for piece, writes in _written(text, height, rtl, strong)
    )


def _suit_side(height: int) -> int:
    return max(3, round(height * 0.66))


def line_height(height: int) -> int:
    """How many pixels a line of letters ``height`` pixels high takes from top to bottom."""
    return round(_LINE * height)


def overhang(height: int) -> int:
    """Pixels above a line, and below it, that a picture of it has for accents on capitals and the like."""
    return math.ceil(height * 0.32)


def _rises(writes: pygame.font.Font, text: str) -> int:
    """By how many pixels SDL writes a text lower than another, since it rises above what the font says."""
    tops = [known[3] for known in writes.metrics(text) if known is not None]
    return max(0, max(tops, default=0) - writes.get_ascent())


@kept
def line(
    text: str, height: int, colour: Colour, *, rtl: bool = False, four: bool = False, strong: bool = False
) -> pygame.Surface:
    """A line of text on a transparent ground, with its overhang. Not to be drawn upon.

    A suit has its own colour where the text is light (on the dark ground) and on paper likewise; ``four``: each one.
    ``rtl``: the line runs from right to left; letters that run the other way stand in it as they are read.
    ``strong``: in the bold weight, else in the medium one.
    """
    wide = width_of(text, height, rtl=rtl, strong=strong)
    found = pygame.Surface((max(1, wide), line_height(height) + 2 * overhang(height)), pygame.SRCALPHA)
    base = overhang(height) + round(_ABOVE * height)
    on_dark = sum(colour) > 300
    x = 0
    for piece, writes in _written(text, height, rtl, strong):
        if writes is None:
            side = _suit_side(height)
            suit = _SUIT_OF[piece]
            drawn = sign(suit, side, suit_colour(suit, on_dark=on_dark, four=four, other=colour))
            found.blit(drawn, (x, base - side + round(side * 0.03)))
            x += side + 1
        else:
            drawn = writes.render(piece, True, colour)
            found.blit(drawn, (x, base - writes.get_ascent() - _rises(writes, piece)))
            x += writes.size(piece)[0]
    return found


def cut(text: str, height: int, width: int, *, strong: bool = False) -> str:
    """The text, or as much of its beginning as fits ``width`` with an ellipsis after it."""
    if width_of(text, height, strong=strong) <= width:
        return text
    kept = text
    while kept and width_of(kept.rstrip() + ELLIPSIS, height, strong=strong) > width:
        kept = kept[:-1]
    if kept:
        return kept.rstrip() + ELLIPSIS
    return ELLIPSIS if width_of(ELLIPSIS, height, strong=strong) <= width else ""


@lru_cache(maxsize=4096)
def fitted(
    text: str, box: Size, largest: int, smallest: int, most: int = 9, *, strong: bool = False
) -> tuple[int, tuple[str, ...]]:
    """The largest font (between two heights) in which ``text`` fits a box in at most ``most`` lines, and its lines.

    Where even the smallest is too large, the text is cut with an ellipsis; a box too low for a line of the smallest
    gets a smaller font, never a text outside its box.
    """
    width, height = box
    for size in range(largest, smallest - 1, -1):
        lines = _wrapped(text, size, width, strong)
        if len(lines) <= most and _fits(lines, size, box, strong):
            return size, tuple(lines)
    size = smallest
    while size > 4 and line_height(size) > height:
        size -= 1
    lines = _wrapped(text, size, width, strong)
    room = 1
    while room < min(most, len(lines)) and block_height(room + 1, size) <= height:
        room += 1
    if len(lines) > room:
        lines = [*lines[: room - 1], " ".join(lines[room - 1 :])]
    return size, tuple(cut(piece, size, width, strong=strong) for piece in lines)


def _wrapped(text: str, size: int, width: int, strong: bool) -> list[str]:
    """Lines broken at spaces; a word that is too long keeps a line of its own."""
    lines: list[str] = []
    for word in text.split(" "):
        if lines and width_of(f"{lines[-1]} {word}", size, strong=strong) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _fits(lines: list[str], size: int, box: Size, strong: bool) -> bool:
    return block_height(len(lines), size) <= box[1] and all(
        width_of(piece, size, strong=strong) <= box[0] for piece in lines
    )


def block_height(lines: int, size: int) -> int:
    """How many pixels so many lines take, one under the other, in letters of this height."""
    high = line_height(size)
    return round(high + (lines - 1) * high * _LINE_STEP) if lines else 0


def block(
    lines: tuple[str, ...],
    size: int,
    colour: Colour,
    align: float,
    *,
    rtl: bool = False,
    four: bool = False,
    strong: bool = False,
) -> pygame.Surface:
    """Lines of text one under the other; ``align`` is 0 (left), 0.5 (centred) or 1 (right); the rest as for a line.

    It is higher than :func:`block_height` by the overhang above and below.
    """
    width = max((width_of(piece, size, rtl=rtl, strong=strong) for piece in lines), default=1)
    high = block_height(len(lines), size) + 2 * overhang(size)
    found = pygame.Surface((max(1, width), max(1, high)), pygame.SRCALPHA)
    for number, piece in enumerate(lines):
        drawn = line(piece, size, colour, rtl=rtl, four=four, strong=strong)
        at = round((width - drawn.get_width()) * align), round(number * line_height(size) * _LINE_STEP)
        found.blit(drawn, at)
    return found
