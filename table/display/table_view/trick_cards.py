"""Draw the cards on the mark: the trick in front of its players, cards to take back, the turned-up card."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TypeAlias

import pygame

from table.cards import Card
from table.display.drawing.canvas import Canvas
from table.display.drawing.colours_and_sizes import (
    AMBER,
    DIM,
    INK,
    OVER,
    PANEL_DEEP,
    PAPER,
    SKY,
    TEXT,
    Size,
    pixels_per_unit,
)
from table.display.table_view.card_layout import find_free_spot
from table.display.table_view.screen_layout import layout_screen
from table.display.table_view.table_layout import TableLayout
from table.events.event_spec import Play
from table.games.engine.game_state import Phase, Trick
from table.phrase import make_phrase
from table.referee.model.view import CardOnMark, View, find_turned_up

CardKey: TypeAlias = tuple[str | None, Card | None] | int
"""Identity of a drawn card: its player and card when both are known, else the number of the card on the mark."""
RIM: Final = 12
"""The room around a card for its badges and frame, in units."""
RIBBON_SHARE: Final = 0.52
"""The share of a card's height that names who takes it back: all that is below rank and suit."""
MIN_NAME_TEXT: Final = 16
"""The least text height of a name there, in units: the player's plate beside it shows the name in large letters."""


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A card of the trick or beside it, and the place where it is drawn."""

    key: CardKey
    """The identity of the card: constant for the same card of the same player, whatever its status."""
    card: Card | None
    seat: str | None
    spot: pygame.Rect
    turn: int
    """The clockwise rotation in quarter turns."""
    shown: Play | CardOnMark
    number: int = 0
    """The number of a play in its trick, from 1."""


def cards_on_table(view: View, size: Size, seats: TableLayout) -> tuple[DrawnCard, ...]:
    """Return the cards of the trick and beside it with their places, in drawing order."""
    middle, gap = layout_screen(size).middle, round(9 * pixels_per_unit(size))
    taken = list(seats.plates.values())
    drawn = []
    for number, play in enumerate(view.state.trick.plays, start=1):
        spot = seats.spots.get(play.seat)
        if spot is not None:
            taken.append(spot)
            turn = seats.turn_of(play.seat)
            drawn.append(DrawnCard((play.seat, play.card), play.card, play.seat, spot, turn, play, number))
    # A card that is not (yet) a play lies where its player's card would lie, or as near as there is room.
    for lying in view.cards_on_mark:
        if lying.status not in ("pending", "go back"):
            continue
        first_spot = next(iter(seats.spots.values()))
        spot = first_spot.copy()
        spot.center = middle.center
        if lying.seat is not None:
            spot = seats.spots.get(lying.seat, spot)
        if spot.collidelist(taken) >= 0:
            spot = find_free_spot(middle, spot, taken, gap)
        taken.append(spot)
        known = lying.seat is not None and lying.card is not None
        key = (lying.seat, lying.card) if known else lying.id
        drawn.append(DrawnCard(key, lying.card, lying.seat, spot, seats.turn_of(lying.seat), lying))
    return tuple(drawn)


def draw_trick(
    canvas: Canvas, view: View, seats: TableLayout, coming: frozenset[CardKey] = frozenset()
) -> None:
    """Draw the trick so far and the cards beside it, each before its player; cards still ``coming`` are left out."""
    for drawn in cards_on_table(view, canvas.size, seats):
        if drawn.key in coming:
            continue
        with _card_canvas(canvas, drawn.spot, drawn.turn) as (part, place):
            if isinstance(drawn.shown, CardOnMark):
                _draw_beside(part, drawn.shown, place, view.game.seats)
            else:
                _draw_play(part, view.state.trick, drawn.shown, drawn.number, place)


@contextmanager
def _card_canvas(canvas: Canvas, spot: pygame.Rect, turn: int) -> Iterator[tuple[Canvas, pygame.Rect]]:
    """Yield a canvas rotated to a card's player, with room around the card, and the card's box on it."""
    rim = 2 * canvas.px(RIM)
    with canvas.rotated(spot.inflate(rim, rim), turn) as (part, room):
        yield part, room.inflate(-rim, -rim)


def _draw_play(canvas: Canvas, trick: Trick, play: Play, number: int, spot: pygame.Rect) -> None:
    """Draw a card of the trick."""
    won = trick.winner == play.seat
    if won:
        canvas.draw_panel(spot.inflate(canvas.px(14), canvas.px(14)), AMBER, radius=16)
    canvas.draw_card(play.card, spot, pale=trick.winner is not None and not won)
    _draw_badge(canvas, spot, str(number))
    if trick.named is not None and play is trick.lead:
        _draw_named_suit(canvas, spot, trick.named)
    if won:
        _draw_crown(canvas, spot)


def _draw_beside(canvas: Canvas, lying: CardOnMark, spot: pygame.Rect, seats: tuple[str, ...]) -> None:
    """Draw a card that is not (yet) a play."""
    is_going_back = lying.status == "go back"
    if not is_going_back:
        canvas.draw_panel(spot.inflate(canvas.px(8), canvas.px(8)), SKY, radius=14)
    canvas.draw_card(lying.card, spot, going_back=is_going_back)
    if is_going_back:
        ribbon = pygame.Rect(spot.left, 0, spot.width, round(spot.height * RIBBON_SHARE))
        ribbon.bottom = spot.bottom
        canvas.draw_panel(ribbon, OVER, INK, 2, radius=6)
        inside = ribbon.inflate(-canvas.px(6), -canvas.px(6))
        upper = pygame.Rect(inside.left, inside.top, inside.width, round(inside.height * 0.55))
        lower = pygame.Rect(inside.left, upper.bottom, inside.width, inside.bottom - upper.bottom)
        if lying.seat is None:
            canvas.draw_text(make_phrase("screen.this_card"), upper, 30, INK, smallest=15, strong=True)
        else:
            canvas.draw_name(lying.seat, seats, upper, 30, INK, smallest=MIN_NAME_TEXT)
        canvas.draw_text(make_phrase("screen.take_back"), lower, 26, INK, smallest=10)
    else:
        _draw_badge(canvas, spot, "?")


def _draw_badge(canvas: Canvas, spot: pygame.Rect, text: str) -> None:
    side = canvas.px(32)
    at = pygame.Rect(0, 0, side, side)
    at.center = (spot.left + canvas.px(7), spot.bottom - canvas.px(7))
    canvas.draw_panel(at, PANEL_DEEP, TEXT, 2, radius=16)
    canvas.draw_badge_text(text, at.inflate(-canvas.px(8), -canvas.px(6)))


def _draw_named_suit(canvas: Canvas, spot: pygame.Rect, suit: str) -> None:
    """Draw the suit named for a led joker over its card's corner."""
    side = round(spot.width * 0.5)
    at = pygame.Rect(0, 0, side, side)
    at.topright = (spot.right + canvas.px(8), spot.top - canvas.px(8))
    canvas.draw_panel(at, PAPER, INK, 2, radius=10)
    canvas.draw_suit(suit, at.inflate(-side // 4, -side // 4), on_dark=False)


def _draw_crown(canvas: Canvas, spot: pygame.Rect) -> None:
    side = canvas.px(42)
    centre = (spot.right - canvas.px(11), spot.bottom - canvas.px(11))
    if canvas.look.lies_flat:
        # The crown goes between the card's two ends, because somebody reads each of them.
        side, centre = min(side, spot.height // 5), spot.center
    at = pygame.Rect(0, 0, side, side)
    at.center = centre
    canvas.draw_panel(at, AMBER, PANEL_DEEP, 2, radius=22)
    canvas.draw_icon("crown", at.inflate(-side // 3, -side // 3), INK)


def draw_deal(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw a fan of card backs while cards are dealt, or the card that was turned up."""
    turned_card = find_turned_up(view)
    turned = (
        turned_card.card if turned_card is not None and turned_card.card is not None else view.state.turned
    )
    if turned is not None:
        draw_turned_up_card(canvas, turned, box)
        return
    height = min(canvas.px(170), round(box.height * 0.62))
    width = round(height * 0.7)
    shown = view.state.cards if view.state.phase is not Phase.TURN_UP else 1
    step = min(width // 3, (box.width - width) // max(1, shown))
    row = pygame.Rect(0, 0, width + step * (shown - 1), height)
    row.midtop = (box.centerx, box.top + round(box.height * 0.06))
    for number in range(shown):
        canvas.draw_card(None, pygame.Rect(row.left + number * step, row.top, width, height))
    below = pygame.Rect(box.left, row.bottom, box.width, box.bottom - row.bottom)
    if view.state.phase is Phase.DEAL:
        canvas.draw_text(
            make_phrase("screen.cards_each", cards=view.state.cards),
            below,
            44,
            TEXT,
            valign=0.2,
            lines=2,
            strong=True,
        )


def draw_turned_up_card(canvas: Canvas, card: Card, box: pygame.Rect) -> None:
    """Draw the turned-up card, large."""
    height = min(canvas.px(220), round(box.height * 0.76))
    spot = pygame.Rect(0, 0, round(height * 0.7), height)
    spot.midtop = box.midtop
    canvas.draw_card(card, spot)
    below = pygame.Rect(box.left, spot.bottom, box.width, box.bottom - spot.bottom)
    canvas.draw_text(make_phrase("screen.turned_up"), below, 36, DIM, valign=0.2, lines=3)
