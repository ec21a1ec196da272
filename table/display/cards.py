"""Cards on the screen: a large rank and a large suit, made to be read across a room."""

from __future__ import annotations

import pygame

from table.cards import Card
from table.display.kept import kept
from table.display.look import Look
from table.display.signs import rounded, sign
from table.display.text import line
from table.display.theme import BACK, INK, OVER, PAPER, PAPER_DIM, Colour, Size, suit_colour

_PALE = 0.55


def _toned(colour: Colour, ground: Colour, part: float) -> Colour:
    red, green, blue = (round(g + (c - g) * part) for c, g in zip(colour, ground, strict=True))
    return red, green, blue


@kept
def face(
    card: Card, size: Size, *, pale: bool = False, four: bool = False, both_ends: bool = False
) -> pygame.Surface:
    """The card's face; ``pale`` for one that does not count (any more), ``four``: in the colours of four suits.

    ``both_ends``: read from above as from below, as a card of paper is. Not to be drawn upon.
    """
    width, height = size
    paper = PAPER_DIM if pale else PAPER
    colour = suit_colour(card.suit, on_dark=False, four=four)
    if pale:
        colour = _toned(colour, paper, _PALE + 0.25)
    found = rounded(size, max(2, width // 10), paper, _toned(INK, paper, 0.35), max(1, width // 70)).copy()
    if card.is_joker:
        _joker(found, size, colour)
        return found
    if card.suit is None or card.is_unseen:
        # Nobody saw it: all there is to show is that a card lies there.
        mark = _letters("?", round(width * 0.7), round(height * 0.62), colour)
        found.blit(mark, ((width - mark.get_width()) // 2, round(height * 0.19)))
        return found
    if both_ends:
        _end(found, card, size, colour)
        _end(found, card, size, colour)
        return found
    rank = _letters(card.rank, round(width * 0.86), round(height * 0.36), colour)
    found.blit(rank, ((width - rank.get_width()) // 2, round(height * 0.085)))
    side = round(height * 0.43)
    found.blit(sign(card.suit, side, colour), ((width - side) // 2, height - side - round(height * 0.06)))
    return found


def card_picture(
    card: Card | None, size: Size, look: Look, *, pale: bool = False, going_back: bool = False
) -> pygame.Surface:
    """A card as a screen shows it: its face, or the back of one that nobody has read. Not to be drawn upon."""
    if card is None:
        return back(size)
    if going_back:
        return face_going_back(card, size, four=look.four_colours)
    return face(card, size, pale=pale, four=look.four_colours, both_ends=look.lies_flat)


def _end(found: pygame.Surface, card: Card, size: Size, colour: Colour) -> None:
    """Rank and suit side by side in the upper half; then the card is turned around, for the other one."""
    width, height = size
    assert card.suit is not None
    rank = _letters(card.rank, round(width * 0.44), round(height * 0.3), colour)
    found.blit(rank, (round(width * 0.27) - rank.get_width() // 2, round(height * 0.1)))
    side = round(width * 0.4)
    found.blit(sign(card.suit, side, colour), (round(width * 0.52), round(height * 0.25) - side // 2))
    found.blit(pygame.transform.rotate(found, 180), (0, 0))


@kept
def face_going_back(card: Card, size: Size, *, four: bool = False) -> pygame.Surface:
    """The pale face of a card that has to go back, rank and suit side by side above: below there is room for words."""
    width, height = size
    colour = _toned(suit_colour(card.suit, on_dark=False, four=four), PAPER_DIM, 0.8)
    found = rounded(
        size, max(2, width // 10), PAPER_DIM, _toned(INK, PAPER_DIM, 0.35), max(1, width // 70)
    ).copy()
    found.blit(hatching(size, OVER), (0, 0))
    rank = "JOKER" if card.is_joker else card.rank
    letters = _letters(rank, round(width * (0.8 if card.suit is None else 0.44)), round(height * 0.3), colour)
    found.blit(letters, (round(width * 0.07), round(height * 0.11)))
    if card.suit is not None:
        side = round(width * 0.4)
        drawn = sign(card.suit, side, colour)
        found.blit(drawn, (width - side - round(width * 0.06), round(height * 0.26) - side // 2))
    return found


def _letters(text: str, width: int, height: int, colour: Colour) -> pygame.Surface:
    """Letters cropped to their ink, at most so wide and exactly so high (lower where they would be too wide)."""
    drawn = line(text, max(8, 3 * height), colour, strong=True)
    ink = drawn.subsurface(drawn.get_bounding_rect())
    part = min(height / ink.get_height(), width / ink.get_width())
    size = max(1, round(ink.get_width() * part)), max(1, round(ink.get_height() * part))
    found = pygame.Surface((size[0], height), pygame.SRCALPHA)
    found.blit(pygame.transform.smoothscale(ink, size), (0, (height - size[1]) // 2))
    return found


def _joker(found: pygame.Surface, size: Size, colour: Colour) -> None:
    width, height = size
    side = round(height * 0.46)
    found.blit(sign("star", side, colour), ((width - side) // 2, round(height * 0.14)))
    word = _letters("JOKER", round(width * 0.84), round(height * 0.2), colour)
    found.blit(word, ((width - word.get_width()) // 2, round(height * 0.68)))


@kept
def back(size: Size) -> pygame.Surface:
    """A card's back: for a card that lies face down or has not been read. Not to be drawn upon."""
    width, height = size
    found = rounded(size, max(2, width // 10), BACK, PAPER, max(2, width // 16)).copy()
    step = max(4, width // 6)
    pale = _toned(PAPER, BACK, 0.35)
    inset = max(3, width // 9)
    window = pygame.Rect((0, 0), size).inflate(-2 * inset, -2 * inset)
    found.set_clip(window)
    for offset in range(-height, width + height, step):
        pygame.draw.aaline(found, pale, (offset, 0), (offset + height, height))
        pygame.draw.aaline(found, pale, (offset, height), (offset + height, 0))
    found.set_clip(None)
    return found


@kept
def hatching(size: Size, colour: Colour) -> pygame.Surface:
    """Slanted stripes over a card that has to go back: seen without colours too. Not to be drawn upon."""
    width, height = size
    found = pygame.Surface(size, pygame.SRCALPHA)
    step = max(6, width // 5)
    for offset in range(-height, width, step):
        pygame.draw.line(found, (*colour, 150), (offset, height), (offset + height, 0), max(2, width // 22))
    mask = rounded(size, max(2, width // 10), (255, 255, 255), (255, 255, 255), 0)
    found.blit(mask, (0, 0), special_flags=pygame.BLEND_RGBA_MIN)
    return found
