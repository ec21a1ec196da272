"""A surface that knows what was put where, so that tests can see that nothing overlaps or sticks out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pygame

from table.display.names import fitted_name
from table.display.signs import rounded, sign
from table.display.text import block, fitted
from table.display.theme import GROUND, SMALLEST, TEXT, Colour, Size, unit
from table.phrase import Phrase
from table.words.render import Words, capital

SMALLEST_NAME = 17
"""A name is known by its shape too: its letters may be smaller than others."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A text on the screen: its box, where its letters are, and its lines as they were written."""

    text: str
    box: pygame.Rect
    ink: pygame.Rect
    lines: tuple[str, ...]


@dataclass
class Canvas:
    """Where a picture is drawn; lengths in units of a 1280 x 720 screen become pixels by :meth:`px`."""

    size: Size
    words: Words
    """The language of the picture."""
    surface: pygame.Surface = field(init=False)
    placed: list[Placed] = field(default_factory=list)
    """Every text that was drawn, in order."""

    mirrored: bool = field(init=False, default=False)
    """Whether right and left are changed in all that is drawn; boxes are given and returned as if not."""

    def __post_init__(self) -> None:
        self.surface = pygame.Surface(self.size, depth=32)
        self.surface.fill(GROUND)
        self._unit = unit(self.size)

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
        lines: int = 1,
        begins: bool = False,
    ) -> pygame.Rect:
        """Write a phrase (or a name, or a number) into ``box`` in letters as large as fit (heights in units).

        Returns where it stands. ``begins``: with a large first letter.

        ``align`` and ``valign``: 0 left or top, 0.5 in the middle, 1 right or bottom.
        """
        text = self.words(said)
        text = capital(text) if begins else text
        largest_px = max(4, self.px(largest))
        size, split = fitted(text, box.size, largest_px, min(largest_px, max(4, self.px(smallest))), lines)
        return self._write(text, split, size, box, colour, align, valign)

    def height_for(self, texts: Iterable[str], box: pygame.Rect, largest: float, smallest: float) -> float:
        """The height of letters, in units, in which each of these fits a box like this one in a line."""
        sizes = [
            fitted(text, box.size, max(4, self.px(largest)), max(4, self.px(smallest)), 1)[0]
            for text in set(texts)
        ]
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
    ) -> pygame.Rect:
        """Write a name; where it is long, smaller, in two lines, or as initials that tell it from ``among``."""
        smallest = min(self.px(largest), max(4, self.px(SMALLEST_NAME)))
        size, split = fitted_name(name, among, box.size, max(4, self.px(largest)), smallest)
        return self._write(name, split, size, box, colour, align, 0.5)

    def _write(
        self,
        text: str,
        split: tuple[str, ...],
        size: int,
        box: pygame.Rect,
        colour: Colour,
        align: float,
        valign: float,
    ) -> pygame.Rect:
        box, align = self.at(box), 1 - align if self.mirrored else align
        drawn = block(split, size, colour, align, rtl=self.words.catalogue.rtl)
        ink = drawn.get_rect()
        ink.left = box.left + round((box.width - ink.width) * align)
        ink.top = box.top + round((box.height - ink.height) * valign)
        if any(split):
            self.surface.blit(drawn, ink)
            self.placed.append(Placed(text, pygame.Rect(box), ink, split))
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
