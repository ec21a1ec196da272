"""Motion that explains: a card slides from its player's plate to its place, a trick to its winner, a card back home.

What has changed is on the screen at once, in words and numbers; only the cards take a quarter of a second to their
places, and whatever comes next does not wait for them. A card comes from beneath its player's plate and grows; one that
goes lies over all else and shrinks, and the middle of the table, through which it goes, is bare meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pygame

from table.cards import Card
from table.display.cards import card_picture
from table.display.draw import Shown, cards_shown, seated
from table.display.look import Look
from table.display.theme import Size
from table.display.trick import Key, OnTable
from table.facts import MS
from table.referee.view import Lying, View

TAKES_NS: Final = 240 * MS
"""So long a card is on its way."""
_SMALL: Final = 0.3
"""The size of a card at its player's plate, in parts of that on the table."""


@dataclass(frozen=True, slots=True)
class Move:
    """A card on its way between a plate and its place."""

    key: Key
    comes: bool
    """Or goes: then it is no longer among the cards that lie there."""
    card: Card | None
    going_back: bool
    turn: int
    start: pygame.Rect
    end: pygame.Rect
    began_ns: int

    def is_over(self, now_ns: int) -> bool:
        """Whether it has arrived; a clock that stands before its beginning is another game's."""
        return not 0 <= now_ns - self.began_ns < TAKES_NS

    def at(self, now_ns: int) -> pygame.Rect:
        """Where it is, and how large: fast at first, slow at the end."""
        left = (1.0 - (now_ns - self.began_ns) / TAKES_NS) ** 3

        def between(start: int, end: int) -> int:
            return round(end + (start - end) * left)

        found = pygame.Rect(0, 0, *map(between, self.start.size, self.end.size))
        found.center = (
            between(self.start.centerx, self.end.centerx),
            between(self.start.centery, self.end.centery),
        )
        return found


def moves(
    before: Shown | None, after: Shown, size: Size, look: Look, under_way: Sequence[Move] = ()
) -> tuple[Move, ...]:
    """What moves from now on, where ``after`` follows ``before``, with what was ``under_way`` and still is."""
    if not (isinstance(before, View) and isinstance(after, View)) or before.game.seats != after.game.seats:
        return ()
    was, now = (cards_shown(view, size, look) for view in (before, after))
    if was is None or now is None or after.paused or after.dimmed or before.angles != after.angles:
        return ()
    keys = {one.key for one in now}
    kept = [move for move in under_way if not move.is_over(after.now_ns) and move.comes == (move.key in keys)]
    plates = seated(after, size, look).plates

    def begun(one: OnTable, plate: pygame.Rect, *, comes: bool) -> Move:
        home = one.spot.scale_by(_SMALL)
        home.center = plate.center
        start, end = (home, one.spot) if comes else (one.spot, home)
        back = isinstance(one.shown, Lying) and one.shown.status == "go back"
        return Move(one.key, comes, one.card, back, one.turn, start, end, after.now_ns)

    known = {one.key for one in was}
    for one in now:
        home = plates.get(one.seat or "")
        if one.key not in known and home is not None:
            kept.append(begun(one, home, comes=True))
    for one in was:
        # A trick goes to who has won it; any other card to whose it is.
        winner = before.state.trick.winner if not isinstance(one.shown, Lying) else None
        home = plates.get(winner or one.seat or "")
        if one.key not in keys and home is not None:
            kept.append(begun(one, home, comes=False))
    return tuple(kept)


def coming(under_way: Sequence[Move]) -> frozenset[Key]:
    """The cards that are not yet in their places."""
    return frozenset(move.key for move in under_way if move.comes)


def leaving(under_way: Sequence[Move]) -> bool:
    """Whether cards go through the middle of the table to a plate."""
    return any(not move.comes for move in under_way)


def draw_moves(
    surface: pygame.Surface, still: pygame.Surface, view: View, look: Look, under_way: Sequence[Move]
) -> None:
    """Draw a moment of motion: the ``still`` picture, cards that come beneath its plates, and those that go above."""
    surface.blit(still, (0, 0))
    for move in (move for move in under_way if move.comes):
        _draw(surface, move, view.now_ns, look)
    for plate in seated(view, still.get_size(), look).plates.values():
        surface.blit(still, plate, plate)
    for move in (move for move in under_way if not move.comes):
        _draw(surface, move, view.now_ns, look)


def _draw(surface: pygame.Surface, move: Move, now_ns: int, look: Look) -> None:
    whole, box = max(move.start.size, move.end.size), move.at(now_ns)
    upright = whole if move.turn % 2 == 0 else whole[::-1]
    drawn = card_picture(move.card, upright, look, going_back=move.going_back)
    if move.turn:
        drawn = pygame.transform.rotate(drawn, -90 * move.turn)
    surface.blit(pygame.transform.smoothscale(drawn, box.size), box)
