"""A drawing surface that records where each text is placed, so that tests can check overlaps and overflows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import pygame

from table.cards import PlayedCard
from table.config.settings import PLAIN_SCREEN, ScreenConfig
from table.display.drawing.bidi import is_right_to_left
from table.display.drawing.boxes import MIN_TEXT, Size, centred, far_text_height, pixels_per_unit, rotate_box
from table.display.drawing.card_faces import draw_card_picture
from table.display.drawing.colours import GROUND, TEXT, Colour, suit_colour
from table.display.drawing.icons import draw_icon, draw_rounded_rect
from table.display.drawing.text_fitting import (
    fit_name,
    fit_text,
    overhang,
    render_block,
    render_line,
    shorten_names,
)
from table.i18n.phrase_rendering import PhraseRenderer, capitalize_first, renderer_for
from table.observed_facts import Image
from table.phrase import Phrase


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A text that was drawn, and its place on the screen."""

    text: str
    box: pygame.Rect
    ink: pygame.Rect
    """The part of the box that the letters take."""
    lines: tuple[str, ...]
    """The text as written, after wrapping and truncation."""
    height: int
    """The height of one line of the letters, in pixels."""
    quarters: int = 0
    """The clockwise rotation in quarter turns."""


@dataclass
class Canvas:
    """A surface to draw a picture on; :meth:`px` converts lengths from units of a 1280 x 720 screen to pixels."""

    size: Size
    look: ScreenConfig = PLAIN_SCREEN
    screen: Size | None = None
    """The size of the screen on which this canvas is a rotated part: transparent, with the screen's measures."""
    words: PhraseRenderer = field(init=False)
    surface: pygame.Surface = field(init=False)
    placed: list[PlacedText] = field(default_factory=list)
    """Every text that was drawn, in drawing order."""

    _px_per_unit: float = field(init=False)
    far_px: int = field(init=False)
    """The least text height that is readable from afar, in pixels."""
    mirrored: bool = field(init=False, default=False)
    """Whether everything is drawn with left and right swapped; callers pass and get unmirrored boxes."""

    def __post_init__(self) -> None:
        self.words = renderer_for(self.look.language)
        screen = self.screen or self.size
        self._px_per_unit, self.far_px = pixels_per_unit(screen), far_text_height(screen)
        if self.screen is None:
            self.surface = pygame.Surface(self.size, depth=32)
            self.surface.fill(GROUND)
        else:
            self.surface = pygame.Surface(self.size, pygame.SRCALPHA)

    @contextmanager
    def rotated(self, box: pygame.Rect, quarters: int) -> Iterator[tuple[Canvas, pygame.Rect]]:
        """Yield a canvas for content rotated clockwise by quarter turns, and its box; finally copy it into ``box``."""
        if quarters % 4 == 0:
            yield self, box
            return
        size = box.size if quarters % 2 == 0 else (box.height, box.width)
        part = Canvas(size, self.look, self.screen or self.size)
        yield part, part.surface.get_rect()
        self.surface.blit(pygame.transform.rotate(part.surface, -90 * quarters), box)
        for placed in part.placed:
            place, ink = (
                rotate_box(inner, size, quarters).move(box.topleft) for inner in (placed.box, placed.ink)
            )
            self.placed.append(replace(placed, box=place, ink=ink, quarters=placed.quarters + quarters))

    @contextmanager
    def mirrored_if_rtl(self) -> Iterator[None]:
        """Mirror everything that is drawn inside the ``with`` block if the language runs from right to left."""
        before, self.mirrored = self.mirrored, self.words.catalogue.rtl
        yield
        self.mirrored = before

    @contextmanager
    def unmirrored(self, box: pygame.Rect) -> Iterator[pygame.Rect]:
        """Yield where ``box`` really lies, and mirror nothing in the ``with`` block: for seats, cards and time axes."""
        place = self.mirror_box(box)
        before, self.mirrored = self.mirrored, False
        yield place
        self.mirrored = before

    def mirror_box(self, box: pygame.Rect) -> pygame.Rect:
        """Convert a box between logical and mirrored coordinates; the same conversion serves both ways."""
        converted = pygame.Rect(box)
        if self.mirrored:
            converted.right = self.size[0] - box.left
        return converted

    def px(self, units: float) -> int:
        """Convert a length from units to whole pixels."""
        return round(units * self._px_per_unit)

    def inset(self, box: pygame.Rect, width: float, height: float = 0) -> pygame.Rect:
        """Return ``box`` narrower and lower by these units in all, around the same centre."""
        return box.inflate(-self.px(width), -self.px(height))

    def draw_text(
        self,
        phrase: Phrase | str,
        box: pygame.Rect,
        largest: float,
        colour: Colour = TEXT,
        *,
        align: float = 0.5,
        valign: float = 0.5,
        smallest: float = MIN_TEXT,
        afar: bool = False,
        lines: int = 1,
        begins: bool = False,
        among: tuple[str, ...] = (),
        strong: bool = False,
    ) -> pygame.Rect:
        """Write a phrase (or a name or number) into ``box`` as large as fits; return the box of the text.

        Heights are in units. ``afar``: the letters are no smaller than is readable from afar. ``begins``: with a
        capital first letter. ``among``: names that are shortened to initials when the text would not fit otherwise.
        ``strong``: in the bold weight, for what is read first; else in the medium one.
        ``align`` and ``valign``: 0 left or top, 0.5 centred, 1 right or bottom.
        """
        largest_px = max(4, self.px(largest), self.far_px if afar else 0)
        least = min(largest_px, self._min_height(smallest, afar))
        if among and isinstance(phrase, Phrase):
            fits = self.text_fits(phrase, box, lines=lines, afar=afar, smallest=smallest, strong=strong)
            phrase = phrase if fits else shorten_names(phrase, among)
        text = self.words(phrase)
        text = capitalize_first(text) if begins else text
        size, split = fit_text(text, box.size, largest_px, least, lines, strong=strong)
        return self._write_lines(text, split, size, box, colour, align, valign, strong=strong)

    def text_fits(
        self,
        phrase: Phrase | str,
        box: pygame.Rect,
        *,
        lines: int = 1,
        smallest: float = MIN_TEXT,
        afar: bool = False,
        strong: bool = False,
    ) -> bool:
        """Return whether :meth:`draw_text` would write a text without truncating it."""
        least = self._min_height(smallest, afar)
        whole = capitalize_first(self.words(phrase))
        _, split = fit_text(whole, box.size, least, least, lines, strong=strong)
        return " ".join(split) == whole

    def _min_height(self, smallest: float, afar: bool) -> int:
        return self.far_px if afar else max(4, self.px(smallest))

    def common_text_height(
        self,
        texts: Iterable[str],
        box: pygame.Rect,
        largest: float,
        smallest: float,
        *,
        lines: int = 1,
        strong: bool = False,
    ) -> float:
        """Return the greatest height, in units, at which each text fits a box of this size in ``lines`` lines."""
        bounds = max(4, self.px(largest)), max(4, self.px(smallest))
        sizes = [fit_text(text, box.size, *bounds, lines, strong=strong)[0] for text in set(texts)]
        return min(sizes) / self._px_per_unit if sizes else largest

    def draw_name(
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
        """Write a name; a long one smaller, in two lines, or as initials that distinguish it from ``among``.

        ``smallest``: the least text height, in units, of a name that is not read from afar.
        """
        least = self.far_px if smallest is None else self.px(smallest)
        size, split = fit_name(name, among, box.size, max(self.far_px, self.px(largest)), least)
        rtl = is_right_to_left(name)
        return self._write_lines(name, split, size, box, colour, align, 0.5, rtl=rtl, strong=True)

    def draw_badge_text(self, phrase: Phrase | str, box: pygame.Rect, colour: Colour = TEXT) -> None:
        """Write a letter or number centred on a badge by its visible outline, not by its line box."""
        text, box = self.words(phrase), self.mirror_box(box)
        size, (written,) = fit_text(text, box.size, max(4, self.px(26)), 4, 1, strong=True)
        drawn = render_line(written, size, colour, rtl=self.words.catalogue.rtl, strong=True)
        ink = drawn.get_bounding_rect()
        at = centred(ink.size, box.center)
        self.surface.blit(drawn, at, ink)
        self.placed.append(PlacedText(text, box, at, (written,), size))

    def _write_lines(
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
        """Draw wrapped lines into ``box``. ``rtl``: the lines run right to left (default: as the language does)."""
        rtl = self.words.catalogue.rtl if rtl is None else rtl
        box, align = self.mirror_box(box), 1 - align if self.mirrored else align
        drawn = render_block(split, size, colour, align, rtl=rtl, four=self.look.four_colours, strong=strong)
        over = overhang(size)
        ink = drawn.get_rect().inflate(0, -2 * over)
        ink.left = box.left + round((box.width - ink.width) * align)
        ink.top = box.top + round((box.height - ink.height) * valign)
        if any(split):
            # Overhanging accents are shown as far as the box has room.
            above = min(over, ink.top - box.top)
            below = min(over, box.bottom - ink.bottom)
            part = pygame.Rect(0, over - above, ink.width, above + ink.height + below)
            self.surface.blit(drawn, (ink.left, ink.top - above), part)
            self.placed.append(PlacedText(text, pygame.Rect(box), ink, split, size))
        return self.mirror_box(ink)

    def darken(self, box: pygame.Rect, light: float) -> None:
        """Darken a box to ``light`` (0..1) of its brightness."""
        level = round(255 * light)
        box = self.mirror_box(box)
        self.surface.fill((level, level, level), box, pygame.BLEND_RGB_MULT)

    def draw_icon(self, name: str, box: pygame.Rect, colour: Colour) -> pygame.Rect:
        """Draw an icon as large as fits, centred in ``box``; return the icon's box."""
        at = centred(min(box.size), box.center)
        self.surface.blit(draw_icon(name, at.width, colour), self.mirror_box(at))
        return at

    def draw_suit(self, suit: str, box: pygame.Rect, *, on_dark: bool) -> pygame.Rect:
        """Draw a suit's icon in the suit's colour; return the icon's box."""
        return self.draw_icon(suit, box, suit_colour(suit, on_dark=on_dark, four=self.look.four_colours))

    def draw_card(
        self,
        card: PlayedCard | None,
        box: pygame.Rect,
        *,
        pale: bool = False,
        going_back: bool = False,
        captioned: bool = False,
    ) -> None:
        """Draw a card's face, or a back for an unread card; ``pale``: the card does not count (any more)."""
        picture = draw_card_picture(
            card, box.size, self.look, pale=pale, going_back=going_back, captioned=captioned
        )
        self.surface.blit(picture, box)

    def draw_picture(self, image: Image, box: pygame.Rect) -> pygame.Rect:
        """Draw a camera's picture as large as it fits in the middle of ``box``; return the box that it covers."""
        height, width = image.shape[:2]
        return self.draw_surface(pygame.image.frombuffer(image.tobytes(), (width, height), "BGR"), box)

    def draw_surface(self, picture: pygame.Surface, box: pygame.Rect) -> pygame.Rect:
        """Draw a picture as large as it fits in the middle of ``box``; return the box that it covers."""
        drawn = picture.get_rect().fit(box)
        self.surface.blit(pygame.transform.smoothscale(picture, drawn.size), self.mirror_box(drawn))
        return drawn

    def draw_panel(
        self, box: pygame.Rect, fill: Colour, edge: Colour | None = None, width: float = 0, radius: float = 14
    ) -> None:
        """Draw a rounded rectangle; the ``width`` of its edge and the ``radius`` of its corners are in units."""
        thick = max(1, self.px(width)) if edge is not None and width else 0
        corner = min(self.px(radius), min(box.size) // 2)
        drawn = draw_rounded_rect(box.size, corner, fill, edge or fill, thick)
        self.surface.blit(drawn, self.mirror_box(box))

    def draw_rule(self, box: pygame.Rect, colour: Colour) -> None:
        """Draw a line along the left side of a box without width, or along the top of a box without height."""
        box = self.mirror_box(box)
        end = box.bottomleft if box.width == 0 else box.topright
        pygame.draw.line(self.surface, colour, box.topleft, end, max(1, self.px(2)))
