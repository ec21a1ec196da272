"""Card animation: a card slides from its player's plate to its place, a trick to its winner, a card back to its player.

Words and numbers change on the screen at once; only the cards take a quarter of a second to move, and later changes do
not wait for them. An arriving card comes from beneath its player's plate and grows. A departing card is drawn above
everything else and shrinks, and the middle of the table stays empty while it passes through.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pygame

from table.config.settings import ScreenConfig
from table.display.drawing.boxes import Size, centred
from table.display.drawing.card_faces import draw_card_picture
from table.display.table_view.table_centre import CardKey, DrawnCard
from table.display.view_picture import ScreenView, layout_seats, visible_cards
from table.observed_facts import MS
from table.referee.model.hypothesis import TableCard
from table.referee.model.view import View

MOVE_NS: Final = 240 * MS


@dataclass(frozen=True, slots=True)
class CardMove:
    """The move of one card between a plate and its place on the table."""

    drawn: DrawnCard
    arrives: bool
    """Whether the card arrives; a departing card is no longer among the cards on the table."""
    start: pygame.Rect
    end: pygame.Rect
    began_ns: int

    def is_over(self, now_ns: int) -> bool:
        """Return whether the card has arrived; also true when the clock is before the start, as in another game."""
        return not 0 <= now_ns - self.began_ns < MOVE_NS

    def box_at(self, now_ns: int) -> pygame.Rect:
        """Return the card's box at a time: fast at first, slow at the end."""
        left = (1.0 - (now_ns - self.began_ns) / MOVE_NS) ** 3
        width, height, x, y = (
            round(end + (start - end) * left)
            for start, end in zip(
                (*self.start.size, *self.start.center), (*self.end.size, *self.end.center), strict=True
            )
        )
        return centred((width, height), (x, y))


def update_moves(
    before: ScreenView | None,
    after: ScreenView,
    size: Size,
    look: ScreenConfig,
    under_way: Sequence[CardMove] = (),
) -> tuple[CardMove, ...]:
    """Return the card moves under way when ``after`` replaces ``before``: new ones, and valid ones of ``under_way``."""
    if not (isinstance(before, View) and isinstance(after, View)) or before.game.seats != after.game.seats:
        return ()
    if after.paused or after.dimmed or before.seat_angles != after.seat_angles:
        return ()
    cards_before, cards_after = (visible_cards(view, size, look) for view in (before, after))
    if cards_before is None or cards_after is None:
        return ()
    keys = {drawn.key for drawn in cards_after}
    current = [
        move
        for move in under_way
        if not move.is_over(after.now_ns) and move.arrives == (move.drawn.key in keys)
    ]
    plates = layout_seats(after, size, look).plates

    def start_move(drawn: DrawnCard, seat: str | None, *, comes: bool) -> None:
        if (plate := plates.get(seat or "")) is None:
            return
        home = drawn.spot.scale_by(0.3)
        home.center = plate.center
        start, end = (home, drawn.spot) if comes else (drawn.spot, home)
        current.append(CardMove(drawn, comes, start, end, after.now_ns))

    known = {drawn.key for drawn in cards_before}
    for drawn in cards_after:
        if drawn.key not in known:
            start_move(drawn, drawn.shown.seat, comes=True)
    for drawn in cards_before:
        if drawn.key not in keys:
            # A trick goes to its winner; any other card to its own player.
            winner = before.state.trick.winner if not isinstance(drawn.shown, TableCard) else None
            start_move(drawn, winner or drawn.shown.seat, comes=False)
    return tuple(current)


def arriving_keys(under_way: Sequence[CardMove]) -> frozenset[CardKey]:
    """Return the keys of the cards that have not reached their places yet."""
    return frozenset(move.drawn.key for move in under_way if move.arrives)


def has_departures(under_way: Sequence[CardMove]) -> bool:
    """Return whether any card moves through the middle of the table to a plate."""
    return any(not move.arrives for move in under_way)


def draw_moves(
    surface: pygame.Surface,
    still: pygame.Surface,
    view: View,
    look: ScreenConfig,
    under_way: Sequence[CardMove],
) -> None:
    """Draw one moment of the animation over ``still``: arriving cards below the plates, departing ones above them."""
    surface.blit(still, (0, 0))
    for arrives in (True, False):
        for move in (move for move in under_way if move.arrives is arrives):
            drawn, box = move.drawn, move.box_at(view.now_ns)
            upright = drawn.spot.size if drawn.turn % 2 == 0 else drawn.spot.size[::-1]
            picture = draw_card_picture(drawn.shown.card, upright, look, going_back=drawn.goes_back)
            if drawn.turn:
                picture = pygame.transform.rotate(picture, -90 * drawn.turn)
            surface.blit(pygame.transform.smoothscale(picture, box.size), box)
        if arrives:
            for plate in layout_seats(view, still.get_size(), look).plates.values():
                surface.blit(still, plate, plate)
