"""Fit text and names into boxes and render them, in any script, with suit icons among the letters.

A text becomes smaller, then is wrapped, then truncated. A name is never truncated: it becomes smaller, then two lines,
then initials that distinguish the players.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import pygame

from table.display.drawing.bidi import visual_runs
from table.display.drawing.boxes import Size
from table.display.drawing.colours import Colour, suit_colour
from table.display.drawing.font_choice import open_font, split_by_font
from table.display.drawing.icons import draw_icon
from table.display.drawing.surface_cache import cached_surface
from table.phrase import Phrase

_SUIT_OF = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
_SUIT_OR_LETTERS = re.compile(r"[♠♥♦♣]|[^♠♥♦♣]+")
ELLIPSIS = "…"
_LINE_STEP = 1.06
"""The distance between the tops of two lines, relative to the height of a line."""
_LINE_HEIGHT, _BASE_LINE = 1.05, 0.79
"""The height of a line, and its part above the base line, in text heights: from a ``b``'s top to a ``g``'s foot."""
MAX_INITIAL_WORDS = 3
"""The number of a name's words that first count for its initials."""
FittedText: TypeAlias = tuple[int, tuple[str, ...]]
"""The text height in pixels, and the lines."""


def _font_pieces(
    text: str, height: int, rtl: bool, strong: bool
) -> Iterator[tuple[str, pygame.font.Font | None]]:
    """Yield the pieces of a line from left to right, each with its font; a suit sign has no font."""
    for run, leftwards in visual_runs(text, rtl):
        parts = [
            (letters, None if name is None else open_font(name, height, leftwards, strong=strong))
            for piece in re.findall(_SUIT_OR_LETTERS, run)
            for letters, name in (((piece, None),) if piece in _SUIT_OF else split_by_font(piece))
        ]
        yield from reversed(parts) if leftwards else parts


@lru_cache(maxsize=8192)
def text_width(text: str, height: int, *, rtl: bool = False, strong: bool = False) -> int:
    """Return the width of a line of text in pixels; ``rtl``, ``strong``: as for :func:`render_line`."""
    return sum(
        _suit_side(height) + 1 if writes is None else writes.size(piece)[0]
        for piece, writes in _font_pieces(text, height, rtl, strong)
    )


def _suit_side(height: int) -> int:
    return max(3, round(height * 0.66))


def line_height(height: int) -> int:
    """Return the height in pixels, from top to bottom, of a line of text ``height`` pixels high."""
    return round(_LINE_HEIGHT * height)


def overhang(height: int) -> int:
    """Return the pixels that a rendered line has above and below it, for accents on capitals and the like."""
    return math.ceil(height * 0.32)


def _ascent_excess(writes: pygame.font.Font, text: str) -> int:
    """Return how many pixels lower SDL renders a text that rises above the font's ascent."""
    tops = [known[3] for known in writes.metrics(text) if known is not None]
    return max(0, max(tops, default=0) - writes.get_ascent())


@cached_surface
def render_line(
    text: str, height: int, colour: Colour, *, rtl: bool = False, four: bool = False, strong: bool = False
) -> pygame.Surface:
    """Render a line of text on a transparent surface, with its overhang.

    Suits have their own colours, those for a dark background when the text is light. ``four``: four suit colours.
    ``rtl``: the line runs right to left; letters of the other direction stand in reading order.
    ``strong``: in the bold weight, else in the medium one.
    """
    width = text_width(text, height, rtl=rtl, strong=strong)
    surface = pygame.Surface((max(1, width), line_height(height) + 2 * overhang(height)), pygame.SRCALPHA)
    base = overhang(height) + round(_BASE_LINE * height)
    on_dark = sum(colour) > 300
    x = 0
    for piece, writes in _font_pieces(text, height, rtl, strong):
        if writes is None:
            side = _suit_side(height)
            suit = _SUIT_OF[piece]
            drawn = draw_icon(suit, side, suit_colour(suit, on_dark=on_dark, four=four, default=colour))
            surface.blit(drawn, (x, base - side + round(side * 0.03)))
            x += side + 1
        else:
            drawn = writes.render(piece, True, colour)
            surface.blit(drawn, (x, base - writes.get_ascent() - _ascent_excess(writes, piece)))
            x += writes.size(piece)[0]
    return surface


def truncate_text(text: str, height: int, width: int, *, strong: bool = False) -> str:
    """Truncate a text to ``width`` pixels with an ellipsis; return it unchanged when it fits."""
    if text_width(text, height, strong=strong) <= width:
        return text
    beginning = text
    while beginning and text_width(beginning.rstrip() + ELLIPSIS, height, strong=strong) > width:
        beginning = beginning[:-1]
    if beginning:
        return beginning.rstrip() + ELLIPSIS
    return ELLIPSIS if text_width(ELLIPSIS, height, strong=strong) <= width else ""


@lru_cache(maxsize=4096)
def fit_text(
    text: str, box: Size, largest: int, smallest: int, most: int = 9, *, strong: bool = False
) -> FittedText:
    """Return the largest text height at which ``text`` fits a box in at most ``most`` lines, and the wrapped lines.

    If even the smallest height is too large, the text is truncated with an ellipsis; a box too low for one line of the
    smallest height gets smaller letters, never text outside the box.
    """

    def wrapped(size: int) -> Iterator[tuple[str, ...]]:
        lines = _wrap(text, size, box[0], strong)
        if len(lines) <= most:
            yield lines

    fitted = _largest_fit(wrapped, box, range(largest, smallest - 1, -1), strong)
    if fitted is not None:
        return fitted
    size = _lower_to_fit(smallest, box[1])
    lines = _wrap(text, size, box[0], strong)
    room = 1
    while room < min(most, len(lines)) and block_height(room + 1, size) <= box[1]:
        room += 1
    if len(lines) > room:
        lines = (*lines[: room - 1], " ".join(lines[room - 1 :]))
    return size, tuple(truncate_text(piece, size, box[0], strong=strong) for piece in lines)


def _largest_fit(
    candidates: Callable[[int], Iterable[tuple[str, ...]]], box: Size, sizes: Iterable[int], strong: bool
) -> FittedText | None:
    """Return the first of ``sizes`` at which one of its ``candidates`` (lines) fits a box, and those lines."""
    for size in sizes:
        for lines in candidates(size):
            if block_height(len(lines), size) > box[1]:
                continue
            if all(text_width(piece, size, strong=strong) <= box[0] for piece in lines):
                return size, lines
    return None


def _lower_to_fit(size: int, height: int) -> int:
    """Return the greatest text height up to ``size`` (at least 4) at which a line is no higher than ``height``."""
    while size > 4 and line_height(size) > height:
        size -= 1
    return size


def _wrap(text: str, size: int, width: int, strong: bool) -> tuple[str, ...]:
    """Wrap a text at spaces; a word that is too long gets a line of its own."""
    lines: list[str] = []
    for word in text.split(" "):
        if lines and text_width(f"{lines[-1]} {word}", size, strong=strong) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return tuple(lines)


def block_height(lines: int, size: int) -> int:
    """Return the height in pixels of ``lines`` lines of text below one another."""
    height = line_height(size)
    return round(height + (lines - 1) * height * _LINE_STEP) if lines else 0


def render_block(
    lines: tuple[str, ...],
    size: int,
    colour: Colour,
    align: float,
    *,
    rtl: bool = False,
    four: bool = False,
    strong: bool = False,
) -> pygame.Surface:
    """Render lines of text below one another; ``align`` is 0 (left), 0.5 (centred) or 1 (right).

    The surface is higher than :func:`block_height` by the overhang above and below. Else as :func:`render_line`.
    """
    width = max((text_width(piece, size, rtl=rtl, strong=strong) for piece in lines), default=1)
    height = block_height(len(lines), size) + 2 * overhang(size)
    surface = pygame.Surface((max(1, width), max(1, height)), pygame.SRCALPHA)
    for number, piece in enumerate(lines):
        drawn = render_line(piece, size, colour, rtl=rtl, four=four, strong=strong)
        at = round((width - drawn.get_width()) * align), round(number * line_height(size) * _LINE_STEP)
        surface.blit(drawn, at)
    return surface


# --- names ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=2048)
def fit_name(name: str, among: tuple[str, ...], box: Size, largest: int, smallest: int) -> FittedText:
    """Fit ``name`` into a box in one or two bold lines of ``smallest`` to ``largest`` pixels; else fit its initials.

    ``among``: the names that the initials must distinguish, ``name`` included.
    """
    # A box lower than the smallest letters gets lower ones: initials would be no higher there.
    sizes = range(largest, _lower_to_fit(smallest, box[1]) - 1, -1)
    short = initials(among).get(name, name)
    return (
        _largest_fit(lambda _: [(name,)], box, sizes, strong=True)
        or _largest_fit(lambda _: _line_breaks(name), box, sizes, strong=True)
        or _largest_fit(lambda _: [(short,)], box, range(largest, 3, -1), strong=True)
        or (4, (short,))
    )


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
        if isinstance(value, Mapping):
            return {key: shorter(item) for key, item in value.items()}
        if isinstance(value, tuple | list):
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
