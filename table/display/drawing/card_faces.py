"""Pictures of cards for the screen: a large rank and a large suit, readable across a room."""

from __future__ import annotations

import pygame

from table.cards import JOKER, PlayedCard, UnseenCard
from table.config.settings import ScreenConfig
from table.display.drawing.boxes import Size
from table.display.drawing.colours import BACK, INK, OVER, PAPER, PAPER_DIM, Colour, suit_colour
from table.display.drawing.icons import draw_icon, draw_rounded_rect
from table.display.drawing.surface_cache import cached_surface
from table.display.drawing.text_fitting import render_line

_PALE_SHARE = 0.8
"""The share of the ink colour in a pale face."""


def _mix(colour: Colour, ground: Colour, part: float) -> Colour:
    """Mix ``colour`` into ``ground``; ``part`` is the share of ``colour``."""
    red, green, blue = (round(g + (c - g) * part) for c, g in zip(colour, ground, strict=True))
    return red, green, blue


def _draw_paper(size: Size, paper: Colour) -> pygame.Surface:
    """Draw an empty card, to be drawn on."""
    width = size[0]
    return draw_rounded_rect(
        size, max(2, width // 10), paper, _mix(INK, paper, 0.35), max(1, width // 70)
    ).copy()


@cached_surface
def draw_card_face(
    card: PlayedCard, size: Size, *, pale: bool = False, four: bool = False, both_ends: bool = False
) -> pygame.Surface:
    """Draw a card's face. ``pale``: it does not count (any more); ``both_ends``: readable from both ends."""
    width, height = size
    paper = PAPER_DIM if pale else PAPER
    colour = suit_colour(card.suit, on_dark=False, four=four)
    if pale:
        colour = _mix(colour, paper, _PALE_SHARE)
    surface = _draw_paper(size, paper)

    def draw_letters(text: str, most: float, letter_height: float, top: float) -> None:
        letters = _render_cropped(text, round(width * most), round(height * letter_height), colour)
        surface.blit(letters, ((width - letters.get_width()) // 2, round(height * top)))

    if card is JOKER:
        side = round(height * 0.46)
        surface.blit(draw_icon("star", side, colour), ((width - side) // 2, round(height * 0.14)))
        draw_letters("JOKER", 0.84, 0.2, 0.68)
    elif isinstance(card, UnseenCard) or card.suit is None:
        # Nobody saw the card's face: the picture shows only that a card lies there.
        draw_letters("?", 0.7, 0.62, 0.19)
    elif both_ends:
        # Each end is drawn in the upper half; the second time on the card with the other end.
        for _ in range(2):
            _draw_end(surface, card.rank, card.suit, colour)
    else:
        draw_letters(card.rank, 0.86, 0.36, 0.085)
        side = round(height * 0.43)
        suit = draw_icon(card.suit, side, colour)
        surface.blit(suit, ((width - side) // 2, height - side - round(height * 0.06)))
    return surface


def draw_card_picture(
    card: PlayedCard | None,
    size: Size,
    look: ScreenConfig,
    *,
    pale: bool = False,
    going_back: bool = False,
    captioned: bool = False,
) -> pygame.Surface:
    """Draw a card as the screen shows it: its face, with room below for a caption where it is to have one or must be
    taken back; or a card back for an unread card.
    """
    if card is None:
        return draw_card_back(size)
    if captioned or going_back:
        return draw_captioned_card_face(card, size, going_back=going_back, four=look.four_colours)
    return draw_card_face(card, size, pale=pale, four=look.four_colours, both_ends=look.lies_flat)


def _draw_end(surface: pygame.Surface, rank: str, suit: str, colour: Colour) -> None:
    """Draw rank and suit side by side in the upper half, then blend the card, turned by 180 degrees, into itself."""
    width, height = surface.get_size()
    letters = _render_cropped(rank, round(width * 0.44), round(height * 0.3), colour)
    surface.blit(letters, (round(width * 0.27) - letters.get_width() // 2, round(height * 0.1)))
    side = round(width * 0.4)
    surface.blit(draw_icon(suit, side, colour), (round(width * 0.52), round(height * 0.25) - side // 2))
    surface.blit(pygame.transform.rotate(surface, 180), (0, 0))


@cached_surface
def draw_captioned_card_face(
    card: PlayedCard, size: Size, *, going_back: bool = True, four: bool = False
) -> pygame.Surface:
    """Draw a face with rank and suit above and room for words below; pale and hatched if it must be taken back."""
    width, height = size
    colour = suit_colour(card.suit, on_dark=False, four=four)
    if going_back:
        colour = _mix(colour, PAPER_DIM, _PALE_SHARE)
    surface = _draw_paper(size, PAPER_DIM if going_back else PAPER)
    if going_back:
        surface.blit(_draw_hatching(size, OVER), (0, 0))
    rank, most = ("?" if isinstance(card, UnseenCard) else card.rank), (0.8 if card is JOKER else 0.44)
    letters = _render_cropped(rank, round(width * most), round(height * 0.3), colour)
    surface.blit(letters, (round(width * 0.07), round(height * 0.11)))
    if card.suit is not None:
        side = round(width * 0.4)
        suit = draw_icon(card.suit, side, colour)
        surface.blit(suit, (width - side - round(width * 0.06), round(height * 0.26) - side // 2))
    return surface


def _render_cropped(text: str, width: int, height: int, colour: Colour) -> pygame.Surface:
    """Draw letters cropped to their outline: at most ``width`` wide in a picture ``height`` high."""
    drawn = render_line(text, max(8, 3 * height), colour, strong=True)
    ink = drawn.subsurface(drawn.get_bounding_rect())
    scale = min(height / ink.get_height(), width / ink.get_width())
    size = max(1, round(ink.get_width() * scale)), max(1, round(ink.get_height() * scale))
    surface = pygame.Surface((size[0], height), pygame.SRCALPHA)
    surface.blit(pygame.transform.smoothscale(ink, size), (0, (height - size[1]) // 2))
    return surface


@cached_surface
def draw_card_back(size: Size) -> pygame.Surface:
    """Draw a card's back, for a card that lies face down or is unread."""
    width, height = size
    surface = draw_rounded_rect(size, max(2, width // 10), BACK, PAPER, max(2, width // 16)).copy()
    step = max(4, width // 6)
    pale = _mix(PAPER, BACK, 0.35)
    inset = max(3, width // 9)
    window = pygame.Rect((0, 0), size).inflate(-2 * inset, -2 * inset)
    surface.set_clip(window)
    for offset in range(-height, width + height, step):
        pygame.draw.aaline(surface, pale, (offset, 0), (offset + height, height))
        pygame.draw.aaline(surface, pale, (offset, height), (offset + height, 0))
    surface.set_clip(None)
    return surface


def _draw_hatching(size: Size, colour: Colour) -> pygame.Surface:
    """Draw slanted stripes that mark a card to be taken back without relying on colour."""
    width, height = size
    surface = pygame.Surface(size, pygame.SRCALPHA)
    step = max(6, width // 5)
    for offset in range(-height, width, step):
        pygame.draw.line(surface, (*colour, 150), (offset, height), (offset + height, 0), max(2, width // 22))
    mask = draw_rounded_rect(size, max(2, width // 10), (255, 255, 255), (255, 255, 255), 0)
    surface.blit(mask, (0, 0), special_flags=pygame.BLEND_RGBA_MIN)
    return surface
