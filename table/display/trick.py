"""The cards on the mark: the trick in front of its players, cards that go back, the turned-up card."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TypeAlias

import pygame

from table.cards import Card
from table.display.canvas import Canvas
from table.display.layout import layout
from table.display.seating import Seating
from table.display.spots import free_spot
from table.display.theme import AMBER, DIM, INK, OVER, PANEL_DEEP, PAPER, SKY, TEXT, Size, unit
from table.events.kind import Play
from table.games.base import Phase, Trick
from table.phrase import say
from table.referee.view import Lying, View, turned_up

Key: TypeAlias = tuple[str | None, Card | None] | int
"""Of a card whose player and name are known, these; of another the number by which it lies there."""
RIM: Final = 12
"""So far what belongs to a card stands out around it, in units."""
RIBBON: Final = 0.52
"""The part of a card's height that says who takes it back: all that is below rank and suit."""
NAME: Final = 16
"""The smallest letters of a name there, in units: the player's plate beside it has the name in large ones."""


@dataclass(frozen=True, slots=True)
class OnTable:
    """A card of the trick, or one beside it, and where it is drawn."""

    key: Key
    """The same as long as it is the same card of the same player, whatever it counts for meanwhile."""
    card: Card | None
    seat: str | None
    spot: pygame.Rect
    turn: int
    """By how many quarters it is turned."""
    shown: Play | Lying
    number: int = 0
    """Of a play in its trick, from 1."""


def on_table(view: View, size: Size, seats: Seating) -> tuple[OnTable, ...]:
    """The cards in the order in which they are drawn."""
    middle, gap = layout(size).middle, round(9 * unit(size))
    taken = list(seats.plates.values())
    found = []
    for number, play in enumerate(view.state.trick.plays, start=1):
        spot = seats.spots.get(play.seat)
        if spot is not None:
            taken.append(spot)
            turn = seats.turn(play.seat)
            found.append(OnTable((play.seat, play.card), play.card, play.seat, spot, turn, play, number))
    # A card that is no play (yet) lies where its player's would lie, or as near to there as there is room.
    for lying in view.lying:
        if lying.status not in ("pending", "go back"):
            continue
        some = next(iter(seats.spots.values()))
        spot = some.copy()
        spot.center = middle.center
        if lying.seat is not None:
            spot = seats.spots.get(lying.seat, spot)
        if spot.collidelist(taken) >= 0:
            spot = free_spot(middle, spot, taken, gap)
        taken.append(spot)
        known = lying.seat is not None and lying.card is not None
        key = (lying.seat, lying.card) if known else lying.id
        found.append(OnTable(key, lying.card, lying.seat, spot, seats.turn(lying.seat), lying))
    return tuple(found)


def draw_trick(canvas: Canvas, view: View, seats: Seating, coming: frozenset[Key] = frozenset()) -> None:
    """The trick so far, each card before its player, and whatever lies beside it; but for those still ``coming``."""
    for one in on_table(view, canvas.size, seats):
        if one.key in coming:
            continue
        with _before(canvas, one.spot, one.turn) as (part, place):
            if isinstance(one.shown, Lying):
                _beside(part, one.shown, place, view.game.seats)
            else:
                _played(part, view.state.trick, one.shown, one.number, place)


@contextmanager
def _before(canvas: Canvas, spot: pygame.Rect, turn: int) -> Iterator[tuple[Canvas, pygame.Rect]]:
    """A card's place, turned to its player, with what stands out around it; yields what to draw on, and the place."""
    rim = 2 * canvas.px(RIM)
    with canvas.turned(spot.inflate(rim, rim), turn) as (part, room):
        yield part, room.inflate(-rim, -rim)


def _played(canvas: Canvas, trick: Trick, play: Play, number: int, spot: pygame.Rect) -> None:
    won = trick.winner == play.seat
    if won:
        canvas.panel(spot.inflate(canvas.px(14), canvas.px(14)), AMBER, radius=16)
    canvas.card(play.card, spot, pale=trick.winner is not None and not won)
    _badge(canvas, spot, str(number))
    if trick.named is not None and play is trick.lead:
        _named(canvas, spot, trick.named)
    if won:
        _crown(canvas, spot)


def _beside(canvas: Canvas, lying: Lying, spot: pygame.Rect, seats: tuple[str, ...]) -> None:
    going = lying.status == "go back"
    if not going:
        canvas.panel(spot.inflate(canvas.px(8), canvas.px(8)), SKY, radius=14)
    canvas.card(lying.card, spot, going_back=going)
    if going:
        ribbon = pygame.Rect(spot.left, 0, spot.width, round(spot.height * RIBBON))
        ribbon.bottom = spot.bottom
        canvas.panel(ribbon, OVER, INK, 2, radius=6)
        inside = ribbon.inflate(-canvas.px(6), -canvas.px(6))
        upper = pygame.Rect(inside.left, inside.top, inside.width, round(inside.height * 0.55))
        lower = pygame.Rect(inside.left, upper.bottom, inside.width, inside.bottom - upper.bottom)
        if lying.seat is None:
            canvas.text(say("screen.this_card"), upper, 30, INK, smallest=15, strong=True)
        else:
            canvas.name(lying.seat, seats, upper, 30, INK, smallest=NAME)
        canvas.text(say("screen.take_back"), lower, 26, INK, smallest=10)
    else:
        _badge(canvas, spot, "?")


def _badge(canvas: Canvas, spot: pygame.Rect, text: str) -> None:
    side = canvas.px(32)
    at = pygame.Rect(0, 0, side, side)
    at.center = (spot.left + canvas.px(7), spot.bottom - canvas.px(7))
    canvas.panel(at, PANEL_DEEP, TEXT, 2, radius=16)
    canvas.mark(text, at.inflate(-canvas.px(8), -canvas.px(6)))


def _named(canvas: Canvas, spot: pygame.Rect, suit: str) -> None:
    """The suit that a led joker stands for, over its card's corner."""
    side = round(spot.width * 0.5)
    at = pygame.Rect(0, 0, side, side)
    at.topright = (spot.right + canvas.px(8), spot.top - canvas.px(8))
    canvas.panel(at, PAPER, INK, 2, radius=10)
    canvas.suit(suit, at.inflate(-side // 4, -side // 4), on_dark=False)


def _crown(canvas: Canvas, spot: pygame.Rect) -> None:
    side = canvas.px(42)
    centre = (spot.right - canvas.px(11), spot.bottom - canvas.px(11))
    if canvas.look.lies_flat:
        # Between the card's two ends: each of them is read by somebody.
        side, centre = min(side, spot.height // 5), spot.center
    at = pygame.Rect(0, 0, side, side)
    at.center = centre
    canvas.panel(at, AMBER, PANEL_DEEP, 2, radius=22)
    canvas.sign("crown", at.inflate(-side // 3, -side // 3), INK)


def draw_pack(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """While cards are dealt: a fan of their backs, or the card that was turned up."""
    lies = turned_up(view)
    turned = lies.card if lies is not None and lies.card is not None else view.state.turned
    if turned is not None:
        draw_turned(canvas, turned, box)
        return
    high = min(canvas.px(170), round(box.height * 0.62))
    wide = round(high * 0.7)
    shown = view.state.cards if view.state.phase is not Phase.TURN_UP else 1
    step = min(wide // 3, (box.width - wide) // max(1, shown))
    row = pygame.Rect(0, 0, wide + step * (shown - 1), high)
    row.midtop = (box.centerx, box.top + round(box.height * 0.06))
    for number in range(shown):
        canvas.card(None, pygame.Rect(row.left + number * step, row.top, wide, high))
    below = pygame.Rect(box.left, row.bottom, box.width, box.bottom - row.bottom)
    if view.state.phase is Phase.DEAL:
        canvas.text(
            say("screen.cards_each", cards=view.state.cards),
            below,
            44,
            TEXT,
            valign=0.2,
            lines=2,
            strong=True,
        )


def draw_turned(canvas: Canvas, card: Card, box: pygame.Rect) -> None:
    """The turned-up card, large."""
    high = min(canvas.px(220), round(box.height * 0.76))
    spot = pygame.Rect(0, 0, round(high * 0.7), high)
    spot.midtop = box.midtop
    canvas.card(card, spot)
    below = pygame.Rect(box.left, spot.bottom, box.width, box.bottom - spot.bottom)
    canvas.text(say("screen.turned_up"), below, 36, DIM, valign=0.2, lines=3)
