"""A surface that knows what was put where, so that tests can see that nothing overlaps or sticks out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import pygame

from table.cards import Card
from table.display.bidi import runs_leftwards
from table.display.cards import card_picture
from table.display.look import PLAIN, Look
from table.display.names import fitted_name, in_short
from table.display.signs import rounded, sign
from table.display.text import block, fitted, line, overhang
from table.display.theme import GROUND, SMALLEST, TEXT, Colour, Size, far, suit_colour, unit
from table.phrase import Phrase
from table.words.render import Words, capital

MARK = 26
"""The largest letters on a badge, in units."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A text on the screen."""

    text: str
    box: pygame.Rect
    ink: pygame.Rect
    """Where its letters are."""
    lines: tuple[str, ...]
    """As they were written."""
    height: int
    """Of a line of its letters, in pixels."""
    quarters: int = 0
    """How far it is turned, clockwise."""


@dataclass
class Canvas:
    """Where a picture is drawn; lengths in units of a 1280 x 720 screen become pixels by :meth:`px`."""

    size: Size
    words: Words
    """The language of the picture."""
    look: Look = PLAIN
    within: Canvas | None = None
    """The canvas that it is a turned part of: it is as transparent as glass, and has its measures."""
    surface: pygame.Surface = field(init=False)
    placed: list[Placed] = field(default_factory=list)
    """Every text that was drawn, in order."""

    _unit: float = field(init=False)
    far: int = field(init=False)
    """The least height of letters that are read from afar, in pixels."""
    mirrored: bool = field(init=False, default=False)
    """Whether right and left are changed in all that is drawn; boxes are given and returned as if not."""

    def __post_init__(self) -> None:
        if self.within is not None:
            self.surface = pygame.Surface(self.size, pygame.SRCALPHA)
            self._unit, self.far = self.within._unit, self.within.far
            return
        self.surface = pygame.Surface(self.size, depth=32)
        self.surface.fill(GROUND)
        self._unit, self.far = unit(self.size), far(self.size)

    @contextmanager
    def turned(self, box: pygame.Rect, quarters: int) -> Iterator[tuple[Canvas, pygame.Rect]]:
        """Room to draw in that is turned clockwise by so many quarters, and fills ``box`` when it is done.

        Yields what to draw on, and the room's own box there.
        """
        if quarters % 4 == 0:
            yield self, box
            return
        size = box.size if quarters % 2 == 0 else (box.height, box.width)
        part = Canvas(size, self.words, self.look, within=self)
        yield part, part.surface.get_rect()
        self.surface.blit(pygame.transform.rotate(part.surface, -90 * quarters), box)
        for one in part.placed:
            where = [turned_box(inner, size, quarters).move(box.topleft) for inner in (one.box, one.ink)]
            self.placed.append(replace(one, box=where[0], ink=where[1], quarters=one.quarters + quarters))

    @contextmanager
    def as_written(self) -> Iterator[None]:
        """Mirrored meanwhile, where the language is written from right to left."""
        before, self.mirrored = self.mirrored, self.words.catalogue.rtl
        yield
        self.mirrored = before

    @contextmanager
    def as_it_lies(self) -> Iterator[None]:
        """Never mirrored meanwhile: the table's seats, cards, and what runs with time."""
        before, self.mirrored = self.mirrored, False
        yield
        self.mirrored = before

    def at(self, box: pygame.Rect) -> pygame.Rect:
        """Where a box really is; and the other way round."""
        found = pygame.Rect(box)
        if self.mirrored:
            found.right = self.size[0] - box.left
        return found

    def px(self, units: float) -> int:
        """A length in pixels."""
        return round(units * self._unit)

    def text(
        self,
        said: Phrase | str,
        box: pygame.Rect,
        largest: float,
        colour: Colour = TEXT,
        *,
        align: float = 0.5,
        valign: float = 0.5,
        smallest: float = SMALLEST,
        afar: bool = False,
        lines: int = 1,
        begins: bool = False,
        among: tuple[str, ...] = (),
        strong: bool = False,
    ) -> pygame.Rect:
        """Write a phrase (or a name, or a number) into ``box`` in letters as large as fit (heights in units).

        Returns where it stands. ``afar``: it is read from afar, in letters no smaller than suit that.
        ``begins``: with a large first letter. ``among``: names that have their initials where not all would fit.
        ``strong``: in the bold weight, as what is read first; else in the medium one.

        ``align`` and ``valign``: 0 left or top, 0.5 in the middle, 1 right or bottom.
        """
        largest_px = max(4, self.px(largest), self.far if afar else 0)
        least = min(largest_px, self._least(smallest, afar))
        if (
            among
            and isinstance(said, Phrase)
            and not self.fits(said, box, lines=lines, afar=afar, smallest=smallest, strong=strong)
        ):
            said = in_short(said, among)
        text = self.words(said)
        text = capital(text) if begins else text
        size, split = fitted(text, box.size, largest_px, least, lines, strong=strong)
        return self._write(text, split, size, box, colour, align, valign, strong=strong)

    def fits(
        self,
        said: Phrase | str,
        box: pygame.Rect,
        *,
        lines: int = 1,
        smallest: float = SMALLEST,
        afar: bool = False,
        strong: bool = False,
    ) -> bool:
        """Whether it would be written whole by :meth:`text`."""
        least = self._least(smallest, afar)
        whole = capital(self.words(said))
        _, split = fitted(whole, box.size, least, least, lines, strong=strong)
        return " ".join(split) == whole

    def _least(self, smallest: float, afar: bool) -> int:
        return self.far if afar else max(4, self.px(smallest))

    def height_for(
        self,
        texts: Iterable[str],
        box: pygame.Rect,
        largest: float,
        smallest: float,
        *,
        lines: int = 1,
        strong: bool = False,
    ) -> float:
        """The height of letters, in units, in which each of these fits a box like this one in so many lines."""
        bounds = max(4, self.px(largest)), max(4, self.px(smallest))
        sizes = [fitted(text, box.size, *bounds, lines, strong=strong)[0] for text in set(texts)]
        return min(sizes) / self._unit if sizes else largest

    def name(
        self,
        name: str,
        among: tuple[str, ...],
        box: pygame.Rect,
        largest: float,
        colour: Colour = TEXT,
        *,
        align: float = 0.5,
        smallest: float | None = None,
    ) -> pygame.Rect:
        """Write a name; where it is long, smaller, in two lines, or as initials that tell it from ``among``.

        ``smallest``: the lowest letters of a name that is not read from afar, in units.
        """
        least = self.far if smallest is None else self.px(smallest)
        size, split = fitted_name(name, among, box.size, max(self.far, self.px(largest)), least)
        return self._write(name, split, size, box, colour, align, 0.5, rtl=runs_leftwards(name), strong=True)

    def mark(self, said: Phrase | str, box: pygame.Rect, colour: Colour = TEXT) -> None:
        """Write a letter or a number into the very middle of a badge: by its ink, not by its line."""
        text, box = self.words(said), self.at(box)
        size, (written,) = fitted(text, box.size, max(4, self.px(MARK)), 4, 1, strong=True)
        drawn = line(written, size, colour, rtl=self.words.catalogue.rtl, strong=True)
        ink = drawn.get_bounding_rect()
        at = ink.copy()
        at.center = box.center
        self.surface.blit(drawn, at, ink)
        self.placed.append(Placed(text, box, at, (written,), size))

    def _write(
        self,
        text: str,
        split: tuple[str, ...],
        size: int,
        box: pygame.Rect,
        colour: Colour,
        align: float,
        valign: float,
        *,
        rtl: bool | None = None,
        strong: bool = False,
    ) -> pygame.Rect:
        """``rtl``: whether the lines run leftwards; as the language does unless it is said."""
        rtl = self.words.catalogue.rtl if rtl is None else rtl
        box, align = self.at(box), 1 - align if self.mirrored else align
        drawn = block(split, size, colour, align, rtl=rtl, four=self.look.four_colours, strong=strong)
        over = overhang(size)
        ink = drawn.get_rect().inflate(0, -2 * over)
        ink.left = box.left + round((box.width - ink.width) * align)
        ink.top = box.top + round((box.height - ink.height) * valign)
        if any(split):
            # What hangs over shows as far as there is room in the box.
            above = min(over, ink.top - box.top)
            part = pygame.Rect(
                0, over - above, ink.width, ink.height + above + min(over, box.bottom - ink.bottom)
            )
            self.surface.blit(drawn, (ink.left, ink.top - above), part)
            self.placed.append(Placed(text, pygame.Rect(box), ink, split, size))
        return self.at(ink)

    def shade(self, box: pygame.Rect, light: float) -> None:
        """Leave only a part (0..1) of the light that is there."""
        level = round(255 * light)
        box = self.at(box)
        self.surface.fill((level, level, level), box, pygame.BLEND_RGB_MULT)

    def sign(self, name: str, box: pygame.Rect, colour: Colour) -> pygame.Rect:
        """Draw a sign as large as ``box`` allows, in its middle."""
        side = min(box.size)
        at = pygame.Rect(0, 0, side, side)
        at.center = box.center
        self.surface.blit(sign(name, side, colour), self.at(at))
        return at

    def suit(self, suit: str, box: pygame.Rect, *, on_dark: bool) -> pygame.Rect:
        """Draw a suit's sign in its colour."""
        return self.sign(suit, box, suit_colour(suit, on_dark=on_dark, four=self.look.four_colours))

    def card(
        self, card: Card | None, box: pygame.Rect, *, pale: bool = False, going_back: bool = False
    ) -> None:
        """Draw a card's face, or the back of one that nobody has read; ``pale``: it does not count (any more).

        On a screen that lies flat a face is read from both its ends.
        """
        self.surface.blit(card_picture(card, box.size, self.look, pale=pale, going_back=going_back), box)

    def panel(
        self, box: pygame.Rect, fill: Colour, edge: Colour | None = None, width: float = 0, radius: float = 14
    ) -> None:
        """A rounded rectangle; ``width`` of its edge and ``radius`` in units."""
        thick = max(1, self.px(width)) if edge is not None and width else 0
        drawn = rounded(box.size, min(self.px(radius), min(box.size) // 2), fill, edge or fill, thick)
        self.surface.blit(drawn, self.at(box))

    def rule(self, box: pygame.Rect, colour: Colour) -> None:
        """A line along the left side of a box without width, or along the top of one without height."""
        box = self.at(box)
        end = box.bottomleft if box.width == 0 else box.topright
        pygame.draw.line(self.surface, colour, box.topleft, end, max(1, self.px(2)))


def turned_box(box: pygame.Rect, size: Size, quarters: int) -> pygame.Rect:
    """Where a box of a picture of ``size`` is when that is turned clockwise by so many quarters."""
    found = pygame.Rect(box)
    for _ in range(quarters % 4):
        found = pygame.Rect(size[1] - found.bottom, found.left, found.height, found.width)
        size = size[::-1]
    return found
