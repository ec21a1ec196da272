"""The players one under the other, each with the plate and the card of this trick: the table beside an open panel."""

from __future__ import annotations

from typing import Final

import pygame

from table.display.canvas import Canvas
from table.display.cards import back, face
from table.display.plate import draw_plate
from table.display.theme import AMBER, OVER, SKY
from table.referee.view import Lying, View

TALLEST: Final = 110
"""Of a plate, in units."""
_SHAPE: Final = 0.7
"""Width by height of a card."""


def draw_roster(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw it, in playing order; cards that are nobody's for sure stand at the foot."""
    strays = [one for one in view.lying if one.status in ("pending", "go back") and not _beside(view, one)]
    gap = canvas.px(8)
    rows = len(view.game.seats) + bool(strays)
    high = min(canvas.px(TALLEST), (box.height + gap) // rows - gap)
    wide = round(high * _SHAPE)
    order = {seat: number for number, seat in enumerate(view.state.seats)}
    for number, seat in enumerate(sorted(view.game.seats, key=lambda seat: order[seat])):
        plate = pygame.Rect(box.left, box.top + number * (high + gap), box.width - 2 * (wide + gap), high)
        draw_plate(canvas, view, seat, plate, (plate.right + plate.width, plate.centery))
        spot = pygame.Rect(plate.right + gap, plate.top, wide, high)
        played = view.state.trick.card_of(seat)
        if played is not None:
            won = view.state.trick.winner == seat
            if won:
                canvas.panel(spot.inflate(canvas.px(6), canvas.px(6)), AMBER, radius=8)
            pale = view.state.trick.winner is not None and not won
            canvas.surface.blit(face(played, spot.size, pale=pale), spot)
            spot = spot.move(wide + gap, 0)
        for one in view.lying:
            if one.seat == seat and _beside(view, one):
                _lying(canvas, one, spot)
                spot = spot.move(wide + gap, 0)
    foot = pygame.Rect(box.left, box.top + (rows - 1) * (high + gap), wide, high)
    for one in strays:
        _lying(canvas, one, foot)
        foot = foot.move(wide + gap, 0)


def _beside(view: View, one: Lying) -> bool:
    """Whether a card that is no play (yet) stands beside its player's plate."""
    return one.status in ("pending", "go back") and one.seat in view.game.seats


def _lying(canvas: Canvas, one: Lying, spot: pygame.Rect) -> None:
    going = one.status == "go back"
    canvas.panel(spot.inflate(canvas.px(6), canvas.px(6)), OVER if going else SKY, radius=8)
    canvas.surface.blit(back(spot.size) if one.card is None else face(one.card, spot.size, pale=going), spot)
