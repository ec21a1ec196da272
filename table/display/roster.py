"""The players one under the other, each with the plate and the card of this trick: the table beside an open panel."""

from __future__ import annotations

from typing import Final

import pygame

from table.display.canvas import Canvas
from table.display.plate import draw_plate
from table.display.theme import AMBER, OVER, SKY
from table.referee.view import Lying, View

TALLEST: Final = 110
"""Of a plate, in units."""
WIDE: Final = 1.2
"""In a place that is so many times as wide as high they stand in two columns."""
_SHAPE: Final = 0.7
"""Width by height of a card."""


def draw_roster(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw it, in playing order; cards that are nobody's for sure stand at the foot."""
    strays = [one for one in view.lying if one.status in ("pending", "go back") and not _beside(view, one)]
    gap = canvas.px(8)
    columns = 2 if box.width > WIDE * box.height else 1
    rows = -(-(len(view.game.seats) + bool(strays)) // columns)
    high = min(canvas.px(TALLEST), (box.height + gap) // rows - gap)
    wide = round(high * _SHAPE)
    each = (box.width + gap) // columns - gap

    def place(number: int) -> pygame.Rect:
        column, row = divmod(number, rows)
        return pygame.Rect(box.left + column * (each + gap), box.top + row * (high + gap), each, high)

    order = {seat: number for number, seat in enumerate(view.state.seats)}
    for number, seat in enumerate(sorted(view.game.seats, key=lambda seat: order[seat])):
        plate = place(number)
        plate.width -= 2 * (wide + gap)
        draw_plate(canvas, view, seat, plate, (plate.right + plate.width, plate.centery))
        spot = pygame.Rect(plate.right + gap, plate.top, wide, high)
        played = view.state.trick.card_of(seat)
        if played is not None:
            won = view.state.trick.winner == seat
            if won:
                canvas.panel(spot.inflate(canvas.px(6), canvas.px(6)), AMBER, radius=8)
            pale = view.state.trick.winner is not None and not won
            canvas.card(played, spot, pale=pale)
            spot = spot.move(wide + gap, 0)
        for one in view.lying:
            if one.seat == seat and _beside(view, one):
                _lying(canvas, one, spot)
                spot = spot.move(wide + gap, 0)
    foot = place(len(view.game.seats))
    foot.width = wide
    for one in strays:
        _lying(canvas, one, foot)
        foot = foot.move(wide + gap, 0)


def _beside(view: View, one: Lying) -> bool:
    """Whether a card that is no play (yet) stands beside its player's plate."""
    return one.status in ("pending", "go back") and one.seat in view.game.seats


def _lying(canvas: Canvas, one: Lying, spot: pygame.Rect) -> None:
    going = one.status == "go back"
    canvas.panel(spot.inflate(canvas.px(6), canvas.px(6)), OVER if going else SKY, radius=8)
    canvas.card(one.card, spot, pale=going)
