"""A chart of the totals: a line for each player from hand to hand, told apart by colour and by mark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import pygame

from table.display.canvas import Canvas
from table.display.plates import apart
from table.display.theme import AMBER, DIM, EDGE, MADE, OVER, PANEL_DEEP, SKY, STRIPE, TEXT, Colour
from table.games.base import HandResult
from table.phrase import say
from table.referee.view import View

_LINES: tuple[tuple[Colour, str], ...] = (
    (AMBER, "full"),
    (SKY, "D"),
    (MADE, "up"),
    (OVER, "star"),
    (TEXT, "ring"),
    ((226, 142, 196), "down"),
    ((242, 232, 96), "cross"),
)
"""A colour (Okabe and Ito's, as all others) and a mark for each player."""
_LEFT, _RIGHT, _BELOW, _ABOVE = 92, 330, 60, 34
_LANE = 4
"""Lines that run together are drawn so far apart."""
_OVERSAMPLING = 2
_MOST_STEPS = 6
_MOST_MARKS = 16
_GAP = 12
"""Between the numbers of two hands; where they don't fit so, not every hand has its number."""
_SMALLEST_NUMBER = 18


def course(results: Sequence[HandResult], seats: Sequence[str]) -> dict[str, list[int]]:
    """Each player's totals before the first hand and after each one that counts."""
    hands = [result for result in results if not result.play_off]
    found: dict[str, list[int]] = {}
    for seat in seats:
        first = hands[0].totals.get(seat, 0) - hands[0].points.get(seat, 0) if hands else 0
        found[seat] = [first]
        for result in hands:
            found[seat].append(result.totals.get(seat, found[seat][-1]))
    return found


def steps(low: int, high: int) -> list[int]:
    """Round numbers that go from ``low`` or below to ``high`` or above, a few at most."""
    size = 1
    while (high - low) / size > _MOST_STEPS:
        size = next(
            by * 10 ** (len(str(size)) - 1) for by in (2, 5, 10) if by * 10 ** (len(str(size)) - 1) > size
        )
    first = low // size * size
    last = -(-high // size) * size
    return list(range(first, max(last, first + size) + 1, size))


def draw_chart(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """The totals from the first hand to the last, each line with its player's name and total at its end."""
    canvas.panel(box, PANEL_DEEP, EDGE, 2)
    seats = view.game.seats
    totals = course(view.state.results, seats)
    plot = pygame.Rect(
        box.left + canvas.px(_LEFT),
        box.top + canvas.px(_ABOVE),
        box.width - canvas.px(_LEFT) - canvas.px(_RIGHT),
        box.height - canvas.px(_ABOVE) - canvas.px(_BELOW),
    )
    levels = steps(min(map(min, totals.values())), max(map(max, totals.values())))
    hands = len(totals[seats[0]]) - 1

    def at(seat: str, hand: int) -> tuple[float, float]:
        part = (totals[seat][hand] - levels[0]) / (levels[-1] - levels[0])
        aside = (seats.index(seat) - (len(seats) - 1) / 2) * canvas.px(_LANE)
        return plot.left + plot.width * hand / max(1, hands), plot.bottom - plot.height * part + aside

    _grid(canvas, plot, levels, hands, box)
    points = {seat: [at(seat, hand) for hand in range(hands + 1)] for seat in seats}
    _lines(canvas, box, points)
    _marks(canvas, points)
    _ends(canvas, view, box, plot, {seat: points[seat][-1][1] for seat in seats})


def _grid(canvas: Canvas, plot: pygame.Rect, levels: list[int], hands: int, box: pygame.Rect) -> None:
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
        canvas.text(str(level), label, 30, DIM, align=1, smallest=14)
    top = plot.bottom + canvas.px(24)
    label = pygame.Rect(0, top, 0, canvas.px(30))
    for every in range(max(1, -(-hands // _MOST_MARKS)), hands + 1):
        label.width = plot.width * every // hands - canvas.px(_GAP)
        if canvas.fits(str(hands), label, smallest=_SMALLEST_NUMBER):
            break
    for hand in range(every, hands + 1, every):
        label.centerx = round(plot.left + plot.width * hand / hands)
        canvas.text(str(hand), label, 28, DIM, smallest=_SMALLEST_NUMBER)
    said = pygame.Rect(box.left + canvas.px(6), top, canvas.px(_LEFT - 4), canvas.px(30))
    canvas.text(say("screen.hands"), said, 26, DIM, align=1, smallest=12)


def _lines(canvas: Canvas, box: pygame.Rect, points: Mapping[str, Sequence[tuple[float, float]]]) -> None:
    """All lines, drawn too large and scaled down, which makes them smooth."""
    scale = _OVERSAMPLING
    large = pygame.Surface((box.width * scale, box.height * scale), pygame.SRCALPHA)
    large.fill((*PANEL_DEEP, 0))
    width = max(2, canvas.px(5)) * scale
    for (colour, _), line in zip(_LINES, points.values(), strict=False):
        corners = [((x - box.left) * scale, (y - box.top) * scale) for x, y in line]
        for start, end in pairwise(corners):
            pygame.draw.line(large, colour, start, end, width)
        for corner in corners:
            pygame.draw.circle(large, colour, corner, width // 2)
    canvas.surface.blit(pygame.transform.smoothscale(large, box.size), box)


def _marks(canvas: Canvas, points: Mapping[str, Sequence[tuple[float, float]]]) -> None:
    side = canvas.px(22)
    for (colour, mark), line in zip(_LINES, points.values(), strict=False):
        every = max(1, -(-(len(line) - 1) // _MOST_MARKS))
        for x, y in line[every::every]:
            spot = pygame.Rect(0, 0, side, side)
            spot.center = (round(x), round(y))
            # On a dark disc, so that the mark is seen on a line of its own colour.
            canvas.sign("full", spot.inflate(side // 3, side // 3), PANEL_DEEP)
            canvas.sign(mark, spot, colour)


def _ends(canvas: Canvas, view: View, box: pygame.Rect, plot: pygame.Rect, ends: Mapping[str, float]) -> None:
    """Beside the end of each line its mark, its player and the total, kept from lying on one another."""
    high = min(canvas.px(58), (box.height - canvas.px(20)) // max(1, len(ends)))
    seats = sorted(ends, key=lambda seat: (ends[seat], view.game.seats.index(seat)))
    places = apart([ends[seat] for seat in seats], high, box.top + canvas.px(10), box.bottom - canvas.px(10))
    number_of = {seat: number for number, seat in enumerate(view.game.seats)}
    for seat, place in zip(seats, places, strict=True):
        colour, mark = _LINES[number_of[seat] % len(_LINES)]
        line = pygame.Rect(plot.right + canvas.px(34), round(place - high / 2), 0, high)
        line.width = box.right - canvas.px(14) - line.left
        joint = (line.left - canvas.px(4), line.centery)
        pygame.draw.aaline(canvas.surface, colour, (plot.right + canvas.px(12), ends[seat]), joint)
        side = min(high, canvas.px(30))
        canvas.sign(mark, pygame.Rect(line.left, line.centery - side // 2, side, side), colour)
        won = seat in view.state.winners
        total = pygame.Rect(line.right - canvas.px(92), line.top, canvas.px(92), high)
        canvas.text(
            str(view.state.totals.get(seat, 0)),
            total,
            48,
            AMBER if won else TEXT,
            align=1,
            smallest=14,
            strong=True,
        )
        name = pygame.Rect(line.left + side + canvas.px(8), line.top, 0, high)
        name.width = total.left - canvas.px(6) - name.left
        if won:
            crown = pygame.Rect(name.left, name.top, side, high)
            canvas.sign("crown", crown, AMBER)
            name = pygame.Rect(
                crown.right + canvas.px(6), name.top, name.right - crown.right - canvas.px(6), high
            )
        canvas.name(seat, view.game.seats, name, 36, AMBER if won else TEXT, align=0)
