"""The score sheet: a column for each player, a row for each hand, the latest where not all can be read from afar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pygame

from table.display.bids import made, target
from table.display.canvas import Canvas
from table.display.layout import upright
from table.display.plate import draw_hearts
from table.display.theme import (
    AMBER,
    DIM,
    EDGE,
    INK,
    MADE,
    OVER,
    PANEL,
    PANEL_DEEP,
    SMALLEST,
    STRIPE,
    TEXT,
    Colour,
)
from table.games.base import HandResult, Phase
from table.phrase import say
from table.referee.view import View

_WIDEST_CELL = 250
_NARROW, _NARROW_UPRIGHT = 130, 200
"""In a cell that is not so wide total and tricks stand below the points."""


@dataclass(frozen=True, slots=True)
class _Measures:
    """Of a sheet, in units."""

    head: float
    """The height of the names' row ..."""
    foot: float
    """... of the totals' ..."""
    least: float
    """... of a hand's, at least ..."""
    row: float
    """... and at most."""
    label: float
    """The width of the first column."""


_WIDE = _Measures(50, 62, 44, 84, 118)
"""The points in the lowest row are higher than a 25th of the screen: so high they are read from two metres."""
_UPRIGHT = _Measures(100, 84, 72, 104, 112)
_MANY = replace(_UPRIGHT, label=84)
"""For more than five players: each column counts."""


def _measures(box: pygame.Rect, seats: int) -> _Measures:
    if not upright(box):
        return _WIDE
    return _MANY if seats > 5 else _UPRIGHT


def _narrow(canvas: Canvas) -> int:
    return canvas.px(_NARROW_UPRIGHT if upright(canvas.size) else _NARROW)


def rows_on(canvas: Canvas, box: pygame.Rect, seats: int) -> int:
    """How many rows of hands a sheet in ``box`` has room for."""
    of = _measures(box, seats)
    return max(
        1, (_inside(canvas, box).height - canvas.px(of.head) - canvas.px(of.foot)) // canvas.px(of.least)
    )


def _inside(canvas: Canvas, box: pygame.Rect) -> pygame.Rect:
    return box.inflate(-2 * canvas.px(10), -2 * canvas.px(8))


def latest(hands: int, room: int) -> slice:
    """The hands that are shown where not all have room: the latest, below one row for all before them."""
    return slice(0 if hands <= room else hands - max(1, room - 1), hands)


def draw_sheet(canvas: Canvas, view: View, box: pygame.Rect, part: slice | None = None) -> None:
    """The hands of ``part`` (the latest unless given), the last one marked, and the totals."""
    state, seats = view.state, view.game.seats
    canvas.panel(box, PANEL_DEEP, EDGE, 2)
    inside = _inside(canvas, box)
    of = _measures(box, len(seats))
    head, foot, first = canvas.px(of.head), canvas.px(of.foot), canvas.px(of.label)
    wide = (inside.width - first) // len(seats)
    columns = {
        seat: pygame.Rect(inside.left + first + number * wide, inside.top, wide, inside.height)
        for number, seat in enumerate(seats)
    }
    part = part or latest(len(state.results), rows_on(canvas, box, len(seats)))
    shown, before = state.results[part], state.results[: part.start]
    count = len(shown) + bool(before)
    row = min(canvas.px(of.row), (inside.height - head - foot) // max(1, count))
    rows = [
        pygame.Rect(inside.left, inside.top + head + number * row, inside.width, row)
        for number in range(count)
    ]
    for line in rows[1::2]:
        canvas.panel(line, STRIPE, radius=6)
    for column in list(columns.values())[1:]:
        canvas.rule(pygame.Rect(column.left, column.top, 0, column.height), STRIPE)
    if state.phase is Phase.OVER:
        for seat in state.winners:
            canvas.panel(columns[seat].inflate(-canvas.px(4), 0), PANEL, AMBER, 4)
    elif rows:
        canvas.panel(rows[-1].inflate(0, -canvas.px(2)), PANEL, AMBER, 2, radius=8)
    _head(canvas, view, columns, head)
    ink = _Ink.of(canvas, view, (*before[-1:], *shown), pygame.Rect(0, 0, wide, row))
    if before:
        _carried(canvas, view, before, columns, _label(canvas, rows.pop(0), first), ink)
    largest = _label_height(canvas, shown, pygame.Rect(0, 0, first, row))
    for line, result in zip(rows, shown, strict=True):
        hanging = result.hand in view.hanging
        hand = say("screen.hanging" if hanging else "count.card", n=result.cards)
        label = _label(canvas, line, first)
        colour, lines = (AMBER, 2) if hanging else (DIM, 1)
        canvas.text(hand, label, largest, colour, align=0, smallest=13, lines=lines)
        for seat, column in columns.items():
            _cell(canvas, view, result, seat, pygame.Rect(column.left, line.top, column.width, row), ink)
    _foot(canvas, view, columns, pygame.Rect(inside.left, inside.bottom - foot, first, foot))


@dataclass(frozen=True, slots=True)
class _Ink:
    """The heights of a sheet's letters, in units: alike in all its cells."""

    made: float
    missed: float
    total: float
    tricks: float

    @classmethod
    def of(cls, canvas: Canvas, view: View, results: Sequence[HandResult], cell: pygame.Rect) -> _Ink:
        """So that the widest of each kind fits a ``cell``."""
        points, total, tricks = _parts(canvas, cell)
        beside = pygame.Rect(0, 0, points.width - _cross(canvas, points) - canvas.px(4), points.height)
        seats = [(result, seat) for result in results for seat in result.tricks]
        good = [_points(view, *one) for one in seats if _is_made(*one)]
        bad = [_points(view, *one) for one in seats if not _is_made(*one)]
        largest = canvas.height_for(good or bad, points, 54, 12, strong=True)
        return cls(
            made=largest,
            missed=canvas.height_for(bad, beside, largest, 12, strong=True),
            total=canvas.height_for(
                (_total(view, *one) for one in seats), total, 0.7 * largest, 12, strong=True
            ),
            tricks=canvas.height_for((_tricks(*one) for one in seats), tricks, 0.5 * largest, 12),
        )


def _cross(canvas: Canvas, points: pygame.Rect) -> int:
    """The side of the cross before the points of a bid that was not made."""
    return min(round(points.height * 0.5), canvas.px(34), points.width // 5)


def _label(canvas: Canvas, line: pygame.Rect, wide: int) -> pygame.Rect:
    return pygame.Rect(line.left + canvas.px(10), line.top, wide - canvas.px(14), line.height)


def _label_height(canvas: Canvas, results: Sequence[HandResult], row: pygame.Rect) -> float:
    """The height of the letters, in units, that say how many cards a hand had: alike in all rows, in one line."""
    labels = {canvas.words(say("count.card", n=result.cards)) for result in results}
    return canvas.height_for(labels, _label(canvas, row, row.width), 30, 13)


def _carried(
    canvas: Canvas,
    view: View,
    before: Sequence[HandResult],
    columns: dict[str, pygame.Rect],
    label: pygame.Rect,
    ink: _Ink,
) -> None:
    """One row for all the hands before those that are shown: how many, and the totals after them."""
    said = say("screen.hands_before", n=len(before))
    canvas.text(said, label, 28, DIM, align=0, smallest=12)
    for seat, column in columns.items():
        if seat in before[-1].totals:
            _, total, _ = _parts(canvas, pygame.Rect(column.left, label.top, column.width, label.height))
            canvas.text(_total(view, before[-1], seat), total, ink.total, DIM, smallest=12, strong=True)


def _head(canvas: Canvas, view: View, columns: dict[str, pygame.Rect], height: int) -> None:
    """The names, alike in height as far as they have room; the dealer and the winners have a mark before or above."""
    state, seats, side = view.state, view.game.seats, canvas.px(32)
    stacked = next(iter(columns.values())).width < _narrow(canvas)
    marked = {Phase.OVER: state.winners, Phase.DEAL: (state.dealer,)}.get(state.phase, ())
    rooms = {}
    for seat, column in columns.items():
        box = pygame.Rect(column.left, column.top, column.width, height)
        box = box.inflate(-canvas.px(6 if stacked else 14), -canvas.px(4))
        if stacked:
            box.top, box.height = box.top + side, box.height - side
        elif seat in marked:
            # In the middle where that leaves it as much room as the mark takes.
            beside = box.inflate(-2 * (side + canvas.px(5)), 0)
            box = beside if 2 * beside.width >= box.width else box.move(side, 0)
            box.width = min(box.width, column.right - box.left - canvas.px(7))
        rooms[seat] = box
    whole = [seat for seat, box in rooms.items() if canvas.fits(seat, box, afar=True, strong=True)]
    largest = min(
        (canvas.height_for([seat], rooms[seat], 40, SMALLEST, strong=True) for seat in whole), default=40
    )
    for seat, box in rooms.items():
        name = canvas.name(seat, seats, box, largest, AMBER if seat in marked else TEXT)
        if seat not in marked:
            continue
        at = pygame.Rect(0, 0, side, side)
        if stacked:
            at.midbottom = (box.centerx, box.top)
        else:
            at.midright = (name.left - canvas.px(5), box.centery)
            at.left = max(at.left, columns[seat].left + canvas.px(2))
        _mark(canvas, at, winner=state.phase is Phase.OVER)


def _mark(canvas: Canvas, at: pygame.Rect, *, winner: bool) -> None:
    """The crown of a winner, or the dealer's button."""
    if winner:
        canvas.sign("crown", at, AMBER)
        return
    at = canvas.sign("full", at, TEXT)
    canvas.mark(say("plate.dealer"), at.inflate(-at.width // 4, -at.width // 6), INK)


def _parts(canvas: Canvas, box: pygame.Rect) -> tuple[pygame.Rect, pygame.Rect, pygame.Rect]:
    """Where a cell's points, its total and its tricks stand: side by side, or the points above."""
    if box.width < _narrow(canvas):
        return _below(box.inflate(-2 * canvas.px(3), -canvas.px(6)), canvas.px(2))
    inside = box.inflate(-2 * canvas.px(8), -canvas.px(4))
    inside = pygame.Rect(0, 0, min(inside.width, canvas.px(_WIDEST_CELL)), inside.height)
    inside.center = box.center
    gap = canvas.px(4)
    points, total = round(inside.width * 0.53), round(inside.width * 0.27)
    # What is less than the points is written smaller, however low the row.
    low = round(inside.height * 0.74)
    middle = pygame.Rect(inside.left + points, inside.centery - low // 2, total, low)
    tricks = pygame.Rect(middle.right + gap, middle.top, inside.right - middle.right - gap, low)
    return pygame.Rect(inside.left, inside.top, points - gap, inside.height), middle, tricks


def _below(inside: pygame.Rect, gap: int) -> tuple[pygame.Rect, pygame.Rect, pygame.Rect]:
    points = pygame.Rect(inside.left, inside.top, inside.width, round(inside.height * 0.6))
    wide = round(inside.width * 0.58)
    total = pygame.Rect(inside.left, points.bottom, wide, inside.bottom - points.bottom)
    left = total.right + gap
    return points, total, pygame.Rect(left, total.top, inside.right - left, total.height)


def _heart(view: View) -> str:
    """What stands behind numbers that are lives."""
    tally = view.game.tally(view.state)
    return "♥" if tally is not None and tally.kind == "lives" else ""


def _total(view: View, result: HandResult, seat: str) -> str:
    return f"{result.totals.get(seat, '')}{_heart(view)}"


def _points(view: View, result: HandResult, seat: str) -> str:
    return f"{result.points.get(seat, 0):+d}{_heart(view)}"


def _sign_alone(view: View, result: HandResult, seat: str) -> tuple[str, Colour] | None:
    """What stands in the place of the points: a cross for a miss that scores nothing.

    Where points are lives, a tick for a bid that was made and a broken heart for a miss.
    """
    points = result.points.get(seat, 0)
    if _heart(view) and points <= 0:
        return ("tick", MADE) if points == 0 else ("broken", OVER)
    return None if points or _is_made(result, seat) else ("cross", OVER)


def _is_made(result: HandResult, seat: str) -> bool:
    return made(result.bids.get(seat), result.tricks[seat])


def _tricks(result: HandResult, seat: str) -> str:
    wanted = target(result.bids.get(seat))
    won = result.tricks[seat]
    return f"{won}" if wanted is None else f"{won}/{wanted}"


def _cell(canvas: Canvas, view: View, result: HandResult, seat: str, box: pygame.Rect, ink: _Ink) -> None:
    """The points large, the total after the hand smaller, tricks of those bid; a dash for who did not play it.

    A bid that was not made has a cross before its points.
    """
    if seat not in result.tricks:
        canvas.text("–", box, 27, DIM, smallest=14)
        return
    first, total, tricks = _parts(canvas, box)
    canvas.text(_total(view, result, seat), total, ink.total, TEXT, smallest=12, strong=True)
    canvas.text(_tricks(result, seat), tricks, ink.tricks, DIM, align=0, smallest=12)
    alone = _sign_alone(view, result, seat)
    if alone is not None:
        side = min(round(first.height * 0.6), canvas.px(38))
        canvas.sign(alone[0], first.inflate(0, side - first.height), alone[1])
        return
    if _is_made(result, seat):
        canvas.text(_points(view, result, seat), first, ink.made, MADE, smallest=12, strong=True)
        return
    side = _cross(canvas, first)
    rest = pygame.Rect(first.left + side + canvas.px(4), first.top, 0, first.height)
    rest.width = first.right - rest.left
    written = canvas.text(_points(view, result, seat), rest, ink.missed, OVER, smallest=12, strong=True)
    cross = pygame.Rect(written.left - side - canvas.px(4), first.centery - side // 2, side, side)
    canvas.sign("cross", cross, OVER)


def _foot(canvas: Canvas, view: View, columns: dict[str, pygame.Rect], label: pygame.Rect) -> None:
    edge = max(column.right for column in columns.values())
    canvas.rule(pygame.Rect(label.left, label.top, edge - label.left, 0), EDGE)
    tally = view.game.tally(view.state)
    lives = tally is not None and tally.kind == "lives"
    canvas.text(
        say("screen.lives" if lives else "screen.total"),
        label.inflate(-canvas.px(8), 0),
        34,
        DIM,
        align=0,
        smallest=12,
    )
    best = max(view.state.totals.values(), default=0)
    for seat, column in columns.items():
        total = view.state.totals.get(seat, 0)
        box = pygame.Rect(column.left, label.top, column.width, label.height).inflate(
            -canvas.px(10), -canvas.px(4)
        )
        if tally is not None and lives:
            draw_hearts(canvas, total, tally.most, box)
            continue
        if tally is not None:
            faults = pygame.Rect(
                box.left, box.top + round(box.height * 0.6), box.width, round(box.height * 0.4)
            )
            said = say("screen.faults_of", faults=tally.of[seat], most=tally.most)
            canvas.text(said, faults, 24, OVER, smallest=12, lines=2)
            box.height -= faults.height
        canvas.text(str(total), box, 58, AMBER if total == best else TEXT, afar=True, strong=True)
