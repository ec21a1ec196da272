"""The score sheet: a column for each player, a row for each hand."""

from __future__ import annotations

import pygame

from table.display.bids import made, target
from table.display.canvas import Canvas
from table.display.plate import draw_hearts
from table.display.theme import AMBER, DIM, EDGE, INK, MADE, OVER, PANEL, PANEL_DEEP, STRIPE, TEXT
from table.games.base import HandResult, Phase
from table.phrase import say
from table.referee.view import View

_ROW = 84
_SMALLEST_ROW = 27


def draw_sheet(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Every hand as far as there is room (the latest stay), the last one marked, and the totals."""
    state, seats = view.state, view.game.seats
    canvas.panel(box, PANEL_DEEP, EDGE, 2)
    inside = box.inflate(-2 * canvas.px(10), -2 * canvas.px(8))
    head, foot = canvas.px(50), canvas.px(62)
    first = canvas.px(118)
    wide = (inside.width - first) // len(seats)
    columns = {
        seat: pygame.Rect(inside.left + first + number * wide, inside.top, wide, inside.height)
        for number, seat in enumerate(seats)
    }
    space = inside.height - head - foot
    row = min(canvas.px(_ROW), max(canvas.px(_SMALLEST_ROW), space // max(1, len(state.results))))
    shown = state.results[-max(1, space // row) :]
    rows = [
        pygame.Rect(inside.left, inside.top + head + number * row, inside.width, row)
        for number in range(len(shown))
    ]
    for line in rows[1::2]:
        canvas.panel(line, STRIPE, radius=6)
    if state.phase is Phase.OVER:
        for seat in state.winners:
            canvas.panel(columns[seat].inflate(-canvas.px(4), 0), PANEL, AMBER, 4)
    elif rows:
        canvas.panel(rows[-1].inflate(0, -canvas.px(2)), PANEL, AMBER, 2, radius=8)
    _head(canvas, view, columns, head)
    for line, result in zip(rows, shown, strict=True):
        label = pygame.Rect(line.left + canvas.px(10), line.top, first - canvas.px(14), row)
        hanging = result.hand in view.hanging
        hand = say("screen.hanging" if hanging else "count.card", n=result.cards)
        canvas.text(hand, label, 30, AMBER if hanging else DIM, align=0, smallest=16)
        for seat, column in columns.items():
            _cell(canvas, view, result, seat, pygame.Rect(column.left, line.top, column.width, row))
    _foot(canvas, view, columns, pygame.Rect(inside.left, inside.bottom - foot, first, foot))


def _head(canvas: Canvas, view: View, columns: dict[str, pygame.Rect], height: int) -> None:
    for seat, column in columns.items():
        box = pygame.Rect(column.left, column.top, column.width, height).inflate(
            -canvas.px(14), -canvas.px(4)
        )
        dealing = view.state.phase is Phase.DEAL and seat == view.state.dealer
        winner = view.state.phase is Phase.OVER and seat in view.state.winners
        if not (dealing or winner):
            canvas.name(seat, view.game.seats, box, 40, TEXT)
            continue
        side = min(canvas.px(32), box.height)
        words = box.inflate(-2 * (side + canvas.px(5)), 0)
        if words.width < box.width // 2:
            words = pygame.Rect(box.left + side, box.top, box.width - side, box.height)
        name = canvas.name(seat, view.game.seats, words, 40, AMBER)
        at = pygame.Rect(max(box.left, name.left - side - canvas.px(5)), box.centery - side // 2, side, side)
        if winner:
            canvas.sign("crown", at, AMBER)
        else:
            canvas.sign("full", at, TEXT)
            canvas.text(say("plate.dealer"), at.inflate(-side // 4, -side // 6), 26, INK, smallest=12)


def _cell(canvas: Canvas, view: View, result: HandResult, seat: str, box: pygame.Rect) -> None:
    """Tricks of those bid, the points large, the total after the hand small; a dash for who did not play it.

    A bid that was not made has a cross before its points, and for no points the cross alone.
    """
    if seat not in result.tricks:
        canvas.text("–", box, 27, DIM, smallest=14)
        return
    bid, won = result.bids.get(seat), result.tricks[seat]
    wanted, points = target(bid), result.points.get(seat, 0)
    inside = box.inflate(-2 * canvas.px(6), -canvas.px(4))
    wide = round(inside.width * 0.27)
    # What is less than the points is written smaller, however low the row.
    low = round(inside.height * 0.74)
    tricks = pygame.Rect(inside.left, inside.centery - low // 2, wide, low)
    total = tricks.move(inside.width - wide, 0)
    middle = pygame.Rect(tricks.right, inside.top, total.left - tricks.right, inside.height)
    middle.inflate_ip(-2 * canvas.px(6), 0)
    canvas.text(f"{won}" if wanted is None else f"{won}/{wanted}", tricks, 30, DIM, align=1, smallest=12)
    tally = view.game.tally(view.state)
    after = result.totals.get(seat, "")
    heart = "♥" if tally is not None and tally.kind == "lives" else ""
    canvas.text(f"{after}{heart}", total, 30, DIM, align=0, smallest=12)
    good = made(bid, won)
    if good:
        canvas.text(f"{points:+d}", middle, 54, MADE, smallest=12)
        return
    side = min(round(inside.height * 0.62), canvas.px(38), middle.width // 3)
    if points == 0:
        canvas.sign("cross", middle.inflate(0, side - middle.height), OVER)
        return
    cross = pygame.Rect(middle.left, middle.centery - side // 2, side, side)
    canvas.sign("cross", cross, OVER)
    rest = pygame.Rect(cross.right + canvas.px(4), middle.top, 0, middle.height)
    rest.width = middle.right - rest.left
    canvas.text(f"{points:+d}", rest, 46, OVER, align=0, smallest=12)


def _foot(canvas: Canvas, view: View, columns: dict[str, pygame.Rect], label: pygame.Rect) -> None:
    pygame.draw.line(
        canvas.surface,
        EDGE,
        (label.left, label.top),
        (max(column.right for column in columns.values()), label.top),
        max(1, canvas.px(2)),
    )
    tally = view.game.tally(view.state)
    lives = tally is not None and tally.kind == "lives"
    canvas.text(
        say("screen.lives" if lives else "screen.total"), label.inflate(-canvas.px(20), 0), 34, DIM, align=0
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
            canvas.text(said, faults, 24, OVER, smallest=12)
            box.height -= faults.height
        canvas.text(str(total), box, 58, AMBER if total == best else TEXT, smallest=16)
