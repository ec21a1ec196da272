"""The players one below another, each with plate and card of this trick: the table beside an open panel."""

from __future__ import annotations

from typing import Final

import pygame

from table.display.drawing.canvas import Canvas
from table.display.drawing.colours_and_sizes import AMBER, OVER, SKY
from table.display.table_view.seat_plate import draw_plate
from table.referee.model.view import CardOnMark, View

MAX_PLATE_HEIGHT: Final = 110
"""The greatest height of a plate, in units."""
TWO_COLUMN_ASPECT: Final = 1.2
"""The ratio of width to height from which the list has two columns."""
_CARD_ASPECT: Final = 0.7
"""The ratio of width to height of a card."""


def draw_player_list(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw the players in playing order; cards without a certain player stand at the end."""
    strays = [
        card
        for card in view.cards_on_mark
        if card.status in ("pending", "go back") and not _is_beside_plate(view, card)
    ]
    gap = canvas.px(8)
    columns = 2 if box.width > TWO_COLUMN_ASPECT * box.height else 1
    rows = -(-(len(view.game.seats) + bool(strays)) // columns)
    height = min(canvas.px(MAX_PLATE_HEIGHT), (box.height + gap) // rows - gap)
    width = round(height * _CARD_ASPECT)
    column_width = (box.width + gap) // columns - gap

    def place(number: int) -> pygame.Rect:
        column, row = divmod(number, rows)
        return pygame.Rect(
            box.left + column * (column_width + gap), box.top + row * (height + gap), column_width, height
        )

    order = {seat: number for number, seat in enumerate(view.state.seats)}
    for number, seat in enumerate(sorted(view.game.seats, key=lambda seat: order[seat])):
        plate = place(number)
        plate.width -= 2 * (width + gap)
        draw_plate(canvas, view, seat, plate, (plate.right + plate.width, plate.centery))
        spot = pygame.Rect(plate.right + gap, plate.top, width, height)
        played = view.state.trick.card_of(seat)
        if played is not None:
            won = view.state.trick.winner == seat
            if won:
                canvas.draw_panel(spot.inflate(canvas.px(6), canvas.px(6)), AMBER, radius=8)
            pale = view.state.trick.winner is not None and not won
            canvas.draw_card(played, spot, pale=pale)
            spot = spot.move(width + gap, 0)
        for lying in view.cards_on_mark:
            if lying.seat == seat and _is_beside_plate(view, lying):
                _draw_pending_card(canvas, lying, spot)
                spot = spot.move(width + gap, 0)
    foot = place(len(view.game.seats))
    foot.width = width
    for lying in strays:
        _draw_pending_card(canvas, lying, foot)
        foot = foot.move(width + gap, 0)


def _is_beside_plate(view: View, lying: CardOnMark) -> bool:
    """Return whether a card that is not (yet) a play stands beside its player's plate."""
    return lying.status in ("pending", "go back") and lying.seat in view.game.seats


def _draw_pending_card(canvas: Canvas, lying: CardOnMark, spot: pygame.Rect) -> None:
    """Draw a card that is not (yet) a play."""
    is_going_back = lying.status == "go back"
    canvas.draw_panel(spot.inflate(canvas.px(6), canvas.px(6)), OVER if is_going_back else SKY, radius=8)
    canvas.draw_card(lying.card, spot, pale=is_going_back)
