"""A line chart of each player's total after each hand; lines differ in colour and in marker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import pygame

from table.display.drawing.canvas import Canvas
from table.display.drawing.colours_and_sizes import (
    AMBER,
    DIM,
    EDGE,
    MADE,
    OVER,
    PANEL_DEEP,
    SKY,
    STRIPE,
    TEXT,
    Colour,
)
from table.display.table_view.plate_positions import spread_apart
from table.games.engine.game_state import HandResult
from table.phrase import make_phrase
from table.referee.model.view import View

_LINE_STYLES: tuple[tuple[Colour, str], ...] = (
    (AMBER, "full"),
    (SKY, "D"),
    (MADE, "up"),
    (OVER, "star"),
    (TEXT, "ring"),
    ((226, 142, 196), "down"),
    ((242, 232, 96), "cross"),
)
"""The colour (from the palette of Okabe and Ito, as everywhere) and the marker icon of each player's line."""
_LEFT, _RIGHT, _BELOW, _ABOVE = 92, 330, 60, 34
"""The margins around the plot, in units."""
_LANE_OFFSET = 4
"""The vertical offset between lines that would coincide, in units."""
_OVERSAMPLING = 2
_MAX_STEPS = 6
_MAX_MARKERS = 16
_GAP = 12
"""The least gap between the numbers of two hands, in units; when they do not fit, only some hands have a number."""
_SMALLEST_NUMBER = 18


def running_totals(results: Sequence[HandResult], seats: Sequence[str]) -> dict[str, list[int]]:
    """Return each player's totals before the first hand and after each hand that counts."""
    hands = [result for result in results if not result.play_off]
    totals_by_seat: dict[str, list[int]] = {}
    for seat in seats:
        first = hands[0].totals.get(seat, 0) - hands[0].points.get(seat, 0) if hands else 0
        totals_by_seat[seat] = [first]
        for result in hands:
            totals_by_seat[seat].append(result.totals.get(seat, totals_by_seat[seat][-1]))
    return totals_by_seat


def axis_ticks(low: int, high: int) -> list[int]:
    """Return round axis values from ``low`` or below to ``high`` or above, with few steps."""
    size = 1
    while (high - low) / size > _MAX_STEPS:
        size = next(
            by * 10 ** (len(str(size)) - 1) for by in (2, 5, 10) if by * 10 ** (len(str(size)) - 1) > size
        )
    first = low // size * size
    last = -(-high // size) * size
    return list(range(first, max(last, first + size) + 1, size))


def draw_score_chart(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw the totals from the first hand to the last; each line ends with its player's name and total."""
    canvas.draw_panel(box, PANEL_DEEP, EDGE, 2)
    seats = view.game.seats
    totals = running_totals(view.state.results, seats)
    plot = pygame.Rect(
        box.left + canvas.px(_LEFT),
        box.top + canvas.px(_ABOVE),
        box.width - canvas.px(_LEFT) - canvas.px(_RIGHT),
        box.height - canvas.px(_ABOVE) - canvas.px(_BELOW),
    )
    levels = axis_ticks(min(map(min, totals.values())), max(map(max, totals.values())))
    hands = len(totals[seats[0]]) - 1

    def at(seat: str, hand: int) -> tuple[float, float]:
        part = (totals[seat][hand] - levels[0]) / (levels[-1] - levels[0])
        aside = (seats.index(seat) - (len(seats) - 1) / 2) * canvas.px(_LANE_OFFSET)
        return plot.left + plot.width * hand / max(1, hands), plot.bottom - plot.height * part + aside

    _draw_grid(canvas, plot, levels, hands, box)
    points = {seat: [at(seat, hand) for hand in range(hands + 1)] for seat in seats}
    _draw_lines(canvas, box, points)
    _draw_markers(canvas, points)
    _draw_line_ends(canvas, view, box, plot, {seat: points[seat][-1][1] for seat in seats})


def _draw_grid(canvas: Canvas, plot: pygame.Rect, levels: list[int], hands: int, box: pygame.Rect) -> None:
    step = plot.height / (len(levels) - 1)
    for number, level in enumerate(levels):
        y = round(plot.bottom - number * step)
        pygame.draw.line(
            canvas.surface,
            EDGE if level == 0 else STRIPE,
            (plot.left, y),
            (plot.right, y),
            max(1, canvas.px(2)),
        )
        label = pygame.Rect(box.left + canvas.px(6), y - canvas.px(16), canvas.px(_LEFT - 18), canvas.px(32))
        canvas.draw_text(str(level), label, 30, DIM, align=1, smallest=14)
    top = plot.bottom + canvas.px(24)
    label = pygame.Rect(0, top, 0, canvas.px(30))
    for interval in range(max(1, -(-hands // _MAX_MARKERS)), hands + 1):
        label.width = plot.width * interval // hands - canvas.px(_GAP)
        if canvas.text_fits(str(hands), label, smallest=_SMALLEST_NUMBER):
            break
    for hand in range(interval, hands + 1, interval):
        label.centerx = round(plot.left + plot.width * hand / hands)
        canvas.draw_text(str(hand), label, 28, DIM, smallest=_SMALLEST_NUMBER)
    axis_label = pygame.Rect(box.left + canvas.px(6), top, canvas.px(_LEFT - 4), canvas.px(30))
    canvas.draw_text(make_phrase("screen.hands"), axis_label, 26, DIM, align=1, smallest=12)


def _draw_lines(
    canvas: Canvas, box: pygame.Rect, points: Mapping[str, Sequence[tuple[float, float]]]
) -> None:
    """Draw all lines too large and scale them down, which smooths them."""
    scale = _OVERSAMPLING
    large = pygame.Surface((box.width * scale, box.height * scale), pygame.SRCALPHA)
    large.fill((*PANEL_DEEP, 0))
    width = max(2, canvas.px(5)) * scale
    for (colour, _), line in zip(_LINE_STYLES, points.values(), strict=False):
        corners = [((x - box.left) * scale, (y - box.top) * scale) for x, y in line]
        for start, end in pairwise(corners):
            pygame.draw.line(large, colour, start, end, width)
        for corner in corners:
            pygame.draw.circle(large, colour, corner, width // 2)
    canvas.surface.blit(pygame.transform.smoothscale(large, box.size), box)


def _draw_markers(canvas: Canvas, points: Mapping[str, Sequence[tuple[float, float]]]) -> None:
    side = canvas.px(22)
    for (colour, mark), line in zip(_LINE_STYLES, points.values(), strict=False):
        interval = max(1, -(-(len(line) - 1) // _MAX_MARKERS))
        for x, y in line[interval::interval]:
            spot = pygame.Rect(0, 0, side, side)
            spot.center = (round(x), round(y))
            # A dark disc below makes the marker visible on a line of its own colour.
            canvas.draw_icon("full", spot.inflate(side // 3, side // 3), PANEL_DEEP)
            canvas.draw_icon(mark, spot, colour)


def _draw_line_ends(
    canvas: Canvas, view: View, box: pygame.Rect, plot: pygame.Rect, ends: Mapping[str, float]
) -> None:
    """Draw the marker, player and total beside the end of each line, moved apart so that they do not overlap."""
    height = min(canvas.px(58), (box.height - canvas.px(20)) // max(1, len(ends)))
    seats = sorted(ends, key=lambda seat: (ends[seat], view.game.seats.index(seat)))
    places = spread_apart(
        [ends[seat] for seat in seats], height, box.top + canvas.px(10), box.bottom - canvas.px(10)
    )
    number_of = {seat: number for number, seat in enumerate(view.game.seats)}
    for seat, place in zip(seats, places, strict=True):
        colour, mark = _LINE_STYLES[number_of[seat] % len(_LINE_STYLES)]
        line = pygame.Rect(plot.right + canvas.px(34), round(place - height / 2), 0, height)
        line.width = box.right - canvas.px(14) - line.left
        joint = (line.left - canvas.px(4), line.centery)
        pygame.draw.aaline(canvas.surface, colour, (plot.right + canvas.px(12), ends[seat]), joint)
        side = min(height, canvas.px(30))
        canvas.draw_icon(mark, pygame.Rect(line.left, line.centery - side // 2, side, side), colour)
        won = seat in view.state.winners
        total = pygame.Rect(line.right - canvas.px(92), line.top, canvas.px(92), height)
        canvas.draw_text(
            str(view.state.totals.get(seat, 0)),
            total,
            48,
            AMBER if won else TEXT,
            align=1,
            smallest=14,
            strong=True,
        )
        name = pygame.Rect(line.left + side + canvas.px(8), line.top, 0, height)
        name.width = total.left - canvas.px(6) - name.left
        if won:
            crown = pygame.Rect(name.left, name.top, side, height)
            canvas.draw_icon("crown", crown, AMBER)
            name = pygame.Rect(
                crown.right + canvas.px(6), name.top, name.right - crown.right - canvas.px(6), height
            )
        canvas.draw_name(seat, view.game.seats, name, 36, AMBER if won else TEXT, align=0)
