"""The score sheet: a column for each player, a row for each hand; only the latest hands if not all are readable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pygame

from table.cards import tricks_of_bid
from table.display.drawing.canvas import Canvas
from table.display.drawing.colours_and_sizes import (
    AMBER,
    DIM,
    EDGE,
    INK,
    MADE,
    MIN_TEXT,
    OVER,
    PANEL,
    PANEL_DEEP,
    STRIPE,
    TEXT,
    Colour,
)
from table.display.table_view.screen_layout import is_upright
from table.display.table_view.seat_plate import draw_hearts
from table.games.engine.game_state import HandResult, Phase
from table.phrase import make_phrase
from table.referee.model.view import View

_MAX_CELL_WIDTH = 250
"""The greatest width of a cell's content, in units."""
_NARROW, _NARROW_UPRIGHT = 130, 200
"""The cell width in units below which the total and the tricks stand below the points."""


@dataclass(frozen=True, slots=True)
class _Measures:
    """The measures of a sheet, in units."""

    head: float
    """The height of the names' row."""
    foot: float
    """The height of the totals' row."""
    least: float
    """The least height of a hand's row."""
    row: float
    """The greatest height of a hand's row."""
    label: float
    """The width of the first column."""


_WIDE_MEASURES = _Measures(50, 62, 44, 84, 118)
"""The measures on a wide screen. The points of the lowest row are higher than a 25th of it: readable from 2 m."""
_UPRIGHT_MEASURES = _Measures(100, 84, 72, 104, 112)
_MANY_SEATS_MEASURES = replace(_UPRIGHT_MEASURES, label=84)
"""The measures on an upright screen for more than five players, where each column counts."""


def _measures(box: pygame.Rect, seats: int) -> _Measures:
    if not is_upright(box):
        return _WIDE_MEASURES
    return _MANY_SEATS_MEASURES if seats > 5 else _UPRIGHT_MEASURES


def _narrow_limit(canvas: Canvas) -> int:
    """Return the cell width in pixels below which the total and the tricks stand below the points."""
    return canvas.px(_NARROW_UPRIGHT if is_upright(canvas.size) else _NARROW)


def count_rows(canvas: Canvas, box: pygame.Rect, seats: int) -> int:
    """Return how many rows of hands a sheet in ``box`` has room for."""
    measures = _measures(box, seats)
    return max(
        1,
        (_inside(canvas, box).height - canvas.px(measures.head) - canvas.px(measures.foot))
        // canvas.px(measures.least),
    )


def _inside(canvas: Canvas, box: pygame.Rect) -> pygame.Rect:
    return box.inflate(-2 * canvas.px(10), -2 * canvas.px(8))


def latest_hands(hands: int, room: int) -> slice:
    """Return the slice of hands to show: all, or if they do not fit the latest, below one row for those before."""
    return slice(0 if hands <= room else hands - max(1, room - 1), hands)


def draw_score_sheet(canvas: Canvas, view: View, box: pygame.Rect, part: slice | None = None) -> None:
    """Draw the score sheet of the hands in ``part`` (default: the latest), the last one highlighted, and the totals."""
    state, seats = view.state, view.game.seats
    canvas.draw_panel(box, PANEL_DEEP, EDGE, 2)
    inside = _inside(canvas, box)
    measures = _measures(box, len(seats))
    head, foot, first = canvas.px(measures.head), canvas.px(measures.foot), canvas.px(measures.label)
    width = (inside.width - first) // len(seats)
    columns = {
        seat: pygame.Rect(inside.left + first + number * width, inside.top, width, inside.height)
        for number, seat in enumerate(seats)
    }
    part = part or latest_hands(len(state.results), count_rows(canvas, box, len(seats)))
    shown, before = state.results[part], state.results[: part.start]
    count = len(shown) + bool(before)
    row = min(canvas.px(measures.row), (inside.height - head - foot) // max(1, count))
    rows = [
        pygame.Rect(inside.left, inside.top + head + number * row, inside.width, row)
        for number in range(count)
    ]
    for line in rows[1::2]:
        canvas.draw_panel(line, STRIPE, radius=6)
    for column in list(columns.values())[1:]:
        canvas.draw_rule(pygame.Rect(column.left, column.top, 0, column.height), STRIPE)
    if state.phase is Phase.OVER:
        for seat in state.winners:
            canvas.draw_panel(columns[seat].inflate(-canvas.px(4), 0), PANEL, AMBER, 4)
    elif rows:
        canvas.draw_panel(rows[-1].inflate(0, -canvas.px(2)), PANEL, AMBER, 2, radius=8)
    _draw_head(canvas, view, columns, head)
    ink = _TextHeights.of(canvas, view, (*before[-1:], *shown), pygame.Rect(0, 0, width, row))
    if before:
        _draw_earlier_hands(canvas, view, before, columns, _label_box(canvas, rows.pop(0), first), ink)
    largest = _label_height(canvas, shown, pygame.Rect(0, 0, first, row))
    for line, result in zip(rows, shown, strict=True):
        hanging = result.hand in view.provisional_hands
        hand = make_phrase("screen.hanging" if hanging else "count.card", n=result.cards)
        label = _label_box(canvas, line, first)
        colour, lines = (AMBER, 2) if hanging else (DIM, 1)
        canvas.draw_text(hand, label, largest, colour, align=0, smallest=13, lines=lines)
        for seat, column in columns.items():
            _draw_cell(canvas, view, result, seat, pygame.Rect(column.left, line.top, column.width, row), ink)
    _draw_foot(canvas, view, columns, pygame.Rect(inside.left, inside.bottom - foot, first, foot))


@dataclass(frozen=True, slots=True)
class _TextHeights:
    """The text heights of a sheet, in units: equal in all its cells."""

    made: float
    missed: float
    total: float
    tricks: float

    @classmethod
    def of(cls, canvas: Canvas, view: View, results: Sequence[HandResult], cell: pygame.Rect) -> _TextHeights:
        """Return the heights at which the widest text of each kind fits a ``cell``."""
        points, total, tricks = _cell_parts(canvas, cell)
        beside = pygame.Rect(0, 0, points.width - _cross_side(canvas, points) - canvas.px(4), points.height)
        seats = [(result, seat) for result in results for seat in result.tricks]
        good = [
            _points_text(view, *result_and_seat) for result_and_seat in seats if _is_made(*result_and_seat)
        ]
        bad = [
            _points_text(view, *result_and_seat)
            for result_and_seat in seats
            if not _is_made(*result_and_seat)
        ]
        largest = canvas.common_text_height(good or bad, points, 54, 12, strong=True)
        return cls(
            made=largest,
            missed=canvas.common_text_height(bad, beside, largest, 12, strong=True),
            total=canvas.common_text_height(
                (_total_text(view, *result_and_seat) for result_and_seat in seats),
                total,
                0.7 * largest,
                12,
                strong=True,
            ),
            tricks=canvas.common_text_height(
                (_tricks_text(*result_and_seat) for result_and_seat in seats), tricks, 0.5 * largest, 12
            ),
        )


def _cross_side(canvas: Canvas, points: pygame.Rect) -> int:
    """Return the side of the cross before the points of a missed bid, in pixels."""
    return min(round(points.height * 0.5), canvas.px(34), points.width // 5)


def _label_box(canvas: Canvas, line: pygame.Rect, width: int) -> pygame.Rect:
    """Return the box of a row's label."""
    return pygame.Rect(line.left + canvas.px(10), line.top, width - canvas.px(14), line.height)


def _label_height(canvas: Canvas, results: Sequence[HandResult], row: pygame.Rect) -> float:
    """Return the text height, in units, of the rows' labels (cards in the hand): equal in all rows, one line each."""
    labels = {canvas.words(make_phrase("count.card", n=result.cards)) for result in results}
    return canvas.common_text_height(labels, _label_box(canvas, row, row.width), 30, 13)


def _draw_earlier_hands(
    canvas: Canvas,
    view: View,
    before: Sequence[HandResult],
    columns: dict[str, pygame.Rect],
    label: pygame.Rect,
    ink: _TextHeights,
) -> None:
    """Draw one row for all hands before those shown: their number and the totals after them."""
    caption = make_phrase("screen.hands_before", n=len(before))
    canvas.draw_text(caption, label, 28, DIM, align=0, smallest=12)
    for seat, column in columns.items():
        if seat in before[-1].totals:
            _, total, _ = _cell_parts(canvas, pygame.Rect(column.left, label.top, column.width, label.height))
            canvas.draw_text(
                _total_text(view, before[-1], seat), total, ink.total, DIM, smallest=12, strong=True
            )


def _draw_head(canvas: Canvas, view: View, columns: dict[str, pygame.Rect], height: int) -> None:
    """Draw the names, as equal in height as fits; the dealer or the winners have a symbol before or above the name."""
    state, seats, side = view.state, view.game.seats, canvas.px(32)
    stacked = next(iter(columns.values())).width < _narrow_limit(canvas)
    marked = {Phase.OVER: state.winners, Phase.DEAL: (state.dealer,)}.get(state.phase, ())
    rooms = {}
    for seat, column in columns.items():
        box = pygame.Rect(column.left, column.top, column.width, height)
        box = box.inflate(-canvas.px(6 if stacked else 14), -canvas.px(4))
        if stacked:
            box.top, box.height = box.top + side, box.height - side
        elif seat in marked:
            # Centred if that leaves the name at least half of the room.
            beside = box.inflate(-2 * (side + canvas.px(5)), 0)
            box = beside if 2 * beside.width >= box.width else box.move(side, 0)
            box.width = min(box.width, column.right - box.left - canvas.px(7))
        rooms[seat] = box
    whole = [seat for seat, box in rooms.items() if canvas.text_fits(seat, box, afar=True, strong=True)]
    largest = min(
        (canvas.common_text_height([seat], rooms[seat], 40, MIN_TEXT, strong=True) for seat in whole),
        default=40,
    )
    for seat, box in rooms.items():
        name = canvas.draw_name(seat, seats, box, largest, AMBER if seat in marked else TEXT)
        if seat not in marked:
            continue
        at = pygame.Rect(0, 0, side, side)
        if stacked:
            at.midbottom = (box.centerx, box.top)
        else:
            at.midright = (name.left - canvas.px(5), box.centery)
            at.left = max(at.left, columns[seat].left + canvas.px(2))
        _draw_symbol(canvas, at, winner=state.phase is Phase.OVER)


def _draw_symbol(canvas: Canvas, at: pygame.Rect, *, winner: bool) -> None:
    """Draw a winner's crown or the dealer's button."""
    if winner:
        canvas.draw_icon("crown", at, AMBER)
        return
    at = canvas.draw_icon("full", at, TEXT)
    canvas.draw_badge_text(make_phrase("plate.dealer"), at.inflate(-at.width // 4, -at.width // 6), INK)


def _cell_parts(canvas: Canvas, box: pygame.Rect) -> tuple[pygame.Rect, pygame.Rect, pygame.Rect]:
    """Return the boxes of a cell's points, total and tricks: side by side, or the points above."""
    if box.width < _narrow_limit(canvas):
        return _stacked_parts(box.inflate(-2 * canvas.px(3), -canvas.px(6)), canvas.px(2))
    inside = box.inflate(-2 * canvas.px(8), -canvas.px(4))
    inside = pygame.Rect(0, 0, min(inside.width, canvas.px(_MAX_CELL_WIDTH)), inside.height)
    inside.center = box.center
    gap = canvas.px(4)
    points, total = round(inside.width * 0.53), round(inside.width * 0.27)
    # Total and tricks are written smaller than the points, however low the row.
    low = round(inside.height * 0.74)
    middle = pygame.Rect(inside.left + points, inside.centery - low // 2, total, low)
    tricks = pygame.Rect(middle.right + gap, middle.top, inside.right - middle.right - gap, low)
    return pygame.Rect(inside.left, inside.top, points - gap, inside.height), middle, tricks


def _stacked_parts(inside: pygame.Rect, gap: int) -> tuple[pygame.Rect, pygame.Rect, pygame.Rect]:
    """Split a cell into the points above, and the total and the tricks below."""
    points = pygame.Rect(inside.left, inside.top, inside.width, round(inside.height * 0.6))
    width = round(inside.width * 0.58)
    total = pygame.Rect(inside.left, points.bottom, width, inside.bottom - points.bottom)
    left = total.right + gap
    return points, total, pygame.Rect(left, total.top, inside.right - left, total.height)


def _lives_suffix(view: View) -> str:
    """Return the suffix of numbers that are lives: a heart."""
    tally = view.game.elimination_tally(view.state)
    return "♥" if tally is not None and tally.kind == "lives" else ""


def _total_text(view: View, result: HandResult, seat: str) -> str:
    return f"{result.totals.get(seat, '')}{_lives_suffix(view)}"


def _points_text(view: View, result: HandResult, seat: str) -> str:
    return f"{result.points.get(seat, 0):+d}{_lives_suffix(view)}"


def _points_icon(view: View, result: HandResult, seat: str) -> tuple[str, Colour] | None:
    """Return the icon and colour that replace the points: a cross for a miss that scores nothing.

    Where points are lives, a tick for a made bid and a broken heart for a miss.
    """
    points = result.points.get(seat, 0)
    if _lives_suffix(view) and points <= 0:
        return ("tick", MADE) if points == 0 else ("broken", OVER)
    return None if points or _is_made(result, seat) else ("cross", OVER)


def _is_made(result: HandResult, seat: str) -> bool:
    return seat in result.bids and result.tricks[seat] == tricks_of_bid(result.bids[seat])


def _tricks_text(result: HandResult, seat: str) -> str:
    won = result.tricks[seat]
    return f"{won}/{tricks_of_bid(result.bids[seat])}" if seat in result.bids else f"{won}"


def _draw_cell(
    canvas: Canvas, view: View, result: HandResult, seat: str, box: pygame.Rect, ink: _TextHeights
) -> None:
    """Draw the points large, the total smaller, and tricks won of those bid; a dash for a player who was absent.

    A missed bid has a cross before its points.
    """
    if seat not in result.tricks:
        canvas.draw_text("–", box, 27, DIM, smallest=14)
        return
    first, total, tricks = _cell_parts(canvas, box)
    canvas.draw_text(_total_text(view, result, seat), total, ink.total, TEXT, smallest=12, strong=True)
    canvas.draw_text(_tricks_text(result, seat), tricks, ink.tricks, DIM, align=0, smallest=12)
    alone = _points_icon(view, result, seat)
    if alone is not None:
        side = min(round(first.height * 0.6), canvas.px(38))
        canvas.draw_icon(alone[0], first.inflate(0, side - first.height), alone[1])
        return
    if _is_made(result, seat):
        canvas.draw_text(_points_text(view, result, seat), first, ink.made, MADE, smallest=12, strong=True)
        return
    side = _cross_side(canvas, first)
    rest = pygame.Rect(first.left + side + canvas.px(4), first.top, 0, first.height)
    rest.width = first.right - rest.left
    written = canvas.draw_text(
        _points_text(view, result, seat), rest, ink.missed, OVER, smallest=12, strong=True
    )
    cross = pygame.Rect(written.left - side - canvas.px(4), first.centery - side // 2, side, side)
    canvas.draw_icon("cross", cross, OVER)


def _draw_foot(canvas: Canvas, view: View, columns: dict[str, pygame.Rect], label: pygame.Rect) -> None:
    edge = max(column.right for column in columns.values())
    canvas.draw_rule(pygame.Rect(label.left, label.top, edge - label.left, 0), EDGE)
    tally = view.game.elimination_tally(view.state)
    lives = tally is not None and tally.kind == "lives"
    canvas.draw_text(
        make_phrase("screen.lives" if lives else "screen.total"),
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
            draw_hearts(canvas, total, tally.limit, box)
            continue
        if tally is not None:
            faults = pygame.Rect(
                box.left, box.top + round(box.height * 0.6), box.width, round(box.height * 0.4)
            )
            caption = make_phrase("screen.faults_of", faults=tally.counts[seat], most=tally.limit)
            canvas.draw_text(caption, faults, 24, OVER, smallest=12, lines=2)
            box.height -= faults.height
        canvas.draw_text(str(total), box, 58, AMBER if total == best else TEXT, afar=True, strong=True)
