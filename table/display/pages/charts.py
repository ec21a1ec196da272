"""Charts: totals as lines, which differ in colour and in marker, stacked bars with their figures; tables of figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import pygame

from table.chart_data import Bar, BarChart, Figures, FiguresTable, axis_ticks, running_totals
from table.config.settings import ScreenConfig
from table.display.drawing.boxes import centred, cut
from table.display.drawing.canvas import Canvas
from table.display.drawing.colours import AMBER, DIM, EDGE, MADE, OVER, PANEL_DEEP, SKY, STRIPE, TEXT, Colour
from table.display.drawing.icons import render_svg
from table.display.table_view.plate_positions import spread_apart
from table.i18n.terminal_output import terminal_renderer
from table.phrase import make_phrase
from table.referee.model.view import View

# --- the totals of a game -------------------------------------------------------------------------------------------

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
_MAX_MARKERS = 16
_GAP = 12
"""The least gap between the numbers of two hands, in units; when they do not fit, only some hands have a number."""
_SMALLEST_NUMBER = 18

Points: TypeAlias = Mapping[str, Sequence[tuple[float, float]]]
"""The corners of each player's line, in pixels."""


def draw_score_chart(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw the totals from the first hand to the last; each line ends with its player's name and total."""
    canvas.draw_panel(box, PANEL_DEEP, EDGE, 2)
    seats = view.game.seats
    totals = running_totals(view.state.results, seats)
    _, plot = cut(box, "left", canvas.px(_LEFT))
    _, plot = cut(plot, "right", canvas.px(_RIGHT))
    _, plot = cut(plot, "top", canvas.px(_ABOVE))
    _, plot = cut(plot, "bottom", canvas.px(_BELOW))
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
    _draw_line_ends(canvas, view, box, plot, points)


def _draw_grid(canvas: Canvas, plot: pygame.Rect, levels: list[int], hands: int, box: pygame.Rect) -> None:
    step = plot.height / (len(levels) - 1)
    left = box.left + canvas.px(6)
    for number, level in enumerate(levels):
        y, colour = round(plot.bottom - number * step), EDGE if level == 0 else STRIPE
        pygame.draw.line(canvas.surface, colour, (plot.left, y), (plot.right, y), max(1, canvas.px(2)))
        label = pygame.Rect(left, y - canvas.px(16), canvas.px(_LEFT - 18), canvas.px(32))
        canvas.draw_text(str(level), label, 30, DIM, align=1, smallest=14)
    label = pygame.Rect(0, plot.bottom + canvas.px(24), 0, canvas.px(30))
    for interval in range(max(1, -(-hands // _MAX_MARKERS)), hands + 1):
        label.width = plot.width * interval // hands - canvas.px(_GAP)
        if canvas.text_fits(str(hands), label, smallest=_SMALLEST_NUMBER):
            break
    for hand in range(interval, hands + 1, interval):
        label.centerx = round(plot.left + plot.width * hand / hands)
        canvas.draw_text(str(hand), label, 28, DIM, smallest=_SMALLEST_NUMBER)
    axis_label = pygame.Rect(left, label.top, canvas.px(_LEFT - 4), label.height)
    canvas.draw_text(make_phrase("screen.hands"), axis_label, 26, DIM, align=1, smallest=12)


def _draw_lines(canvas: Canvas, box: pygame.Rect, points: Points) -> None:
    lines = []
    for (colour, _), line in zip(_LINE_STYLES, points.values(), strict=False):
        corners = " ".join(f"{x - box.left:.2f},{y - box.top:.2f}" for x, y in line)
        lines.append(f'<polyline points="{corners}" stroke="rgb{colour}"/>')
    style = (
        f'fill="none" stroke-width="{max(2, canvas.px(5))}" stroke-linecap="round" stroke-linejoin="round"'
    )
    canvas.surface.blit(render_svg(f"<g {style}>{''.join(lines)}</g>", box.size), box)


def _draw_markers(canvas: Canvas, points: Points) -> None:
    side = canvas.px(22)
    for (colour, mark), line in zip(_LINE_STYLES, points.values(), strict=False):
        interval = max(1, -(-(len(line) - 1) // _MAX_MARKERS))
        for x, y in line[interval::interval]:
            spot = centred(side, (round(x), round(y)))
            # A dark disc below makes the marker visible on a line of its own colour.
            canvas.draw_icon("full", spot.inflate(side // 3, side // 3), PANEL_DEEP)
            canvas.draw_icon(mark, spot, colour)


def _draw_line_ends(canvas: Canvas, view: View, box: pygame.Rect, plot: pygame.Rect, points: Points) -> None:
    """Draw the marker, player and total beside the end of each line, moved apart so that they do not overlap."""
    ends = {seat: line[-1][1] for seat, line in points.items()}
    rim = canvas.px(10)
    height = min(canvas.px(58), (box.height - canvas.px(20)) // max(1, len(ends)))
    numbers = {seat: number for number, seat in enumerate(view.game.seats)}
    seats = sorted(ends, key=lambda seat: (ends[seat], numbers[seat]))
    places = spread_apart([ends[seat] for seat in seats], height, box.top + rim, box.bottom - rim)
    for seat, place in zip(seats, places, strict=True):
        colour, mark = _LINE_STYLES[numbers[seat] % len(_LINE_STYLES)]
        rest = pygame.Rect(plot.right + canvas.px(34), round(place - height / 2), 0, height)
        rest.width = box.right - canvas.px(14) - rest.left
        joint = (rest.left - canvas.px(4), rest.centery)
        pygame.draw.aaline(canvas.surface, colour, (plot.right + canvas.px(12), ends[seat]), joint)
        side = min(height, canvas.px(30))
        icon, rest = cut(rest, "left", side, canvas.px(8))
        canvas.draw_icon(mark, icon, colour)
        total, rest = cut(rest, "right", canvas.px(92), canvas.px(6))
        won = seat in view.state.winners
        colour = AMBER if won else TEXT
        points_won = str(view.state.totals.get(seat, 0))
        canvas.draw_text(points_won, total, 48, colour, align=1, smallest=14, strong=True)
        if won:
            crown, rest = cut(rest, "left", side, canvas.px(6))
            canvas.draw_icon("crown", crown, AMBER)
        canvas.draw_name(seat, view.game.seats, rest, 36, colour, align=0)


# --- bars -----------------------------------------------------------------------------------------------------------

_TITLE_HEIGHT, _LEGEND_HEIGHT = 64, 46
"""The heights of a bar chart's title and legend, in units."""
_MAX_ROW_HEIGHT, _MIN_ROW_HEIGHT = 64, 36
"""The greatest and the least height of a bar's row, in units."""
_LABEL_SHARE, _FIGURES_SHARE = 0.27, 0.22
"""The shares of the width that the label and the figures take."""
_PART_STYLES: tuple[tuple[Colour, str], ...] = ((MADE, "full"), (OVER, "up"), (SKY, "down"))
"""The colour of each part of a bar, and an icon for people who cannot tell the colours apart."""


def render_bar_chart(plot: BarChart) -> pygame.Surface:
    """Draw a bar chart alone on a new surface."""
    screen = ScreenConfig(terminal_renderer().catalogue.language)
    canvas = Canvas(screen.size, screen)
    draw_bar_chart(canvas, plot, canvas.inset(canvas.surface.get_rect(), 40, 40))
    return canvas.surface


def draw_bar_chart(canvas: Canvas, plot: BarChart, box: pygame.Rect) -> None:
    """Draw a bar chart into ``box``; when there is no room for all bars, the first ones."""
    canvas.draw_panel(box, PANEL_DEEP, EDGE, 2)
    head, rest = cut(box.inflate(-2 * canvas.px(16), -2 * canvas.px(10)), "top", canvas.px(_TITLE_HEIGHT))
    canvas.draw_text(plot.title, head, 36, AMBER, align=0, lines=2)
    foot, rest = cut(rest, "bottom", canvas.px(_LEGEND_HEIGHT) if plot.legend else 0)
    bars = plot.bars[: max(1, rest.height // canvas.px(_MIN_ROW_HEIGHT))]
    height = min(canvas.px(_MAX_ROW_HEIGHT), rest.height // max(1, len(bars)))
    for bar in bars:
        row, rest = cut(rest, "top", height)
        _draw_bar(canvas, plot, bar, row)
    width = foot.width // max(1, len(plot.legend))
    for (colour, sign), meaning in zip(_PART_STYLES, plot.legend, strict=False):
        words, foot = cut(foot, "left", width)
        icon, words = cut(words, "left", min(canvas.px(26), words.height), canvas.px(8))
        canvas.draw_icon(sign, icon, colour)
        words.width -= canvas.px(8)
        canvas.draw_text(meaning, words, 28, DIM, align=0)


def _draw_bar(canvas: Canvas, plot: BarChart, bar: Bar, box: pygame.Rect) -> None:
    gap = canvas.px(10)
    label, rest = cut(box, "left", round(box.width * _LABEL_SHARE) - gap, gap)
    figures, rest = cut(rest, "right", round(box.width * _FIGURES_SHARE), gap)
    if isinstance(bar.label, str):
        names = tuple(row.label for row in plot.bars if isinstance(row.label, str))
        canvas.draw_name(bar.label, names, label, 30, TEXT, align=1)
    else:
        canvas.draw_text(bar.label, label, 30, TEXT, align=1, smallest=14)
    canvas.draw_text(bar.figures, figures, 28, DIM, align=0, smallest=14)
    room = centred((rest.width, round(box.height * 0.6)), rest.center)
    canvas.draw_panel(room, STRIPE, radius=6)
    rest = room
    for (colour, sign), part in zip(_PART_STYLES, bar.parts, strict=False):
        piece, rest = cut(rest, "left", min(round(room.width * part / plot.full_scale), rest.width))
        if piece.width:
            pygame.draw.rect(canvas.surface, colour, piece)
        if plot.legend and piece.width > piece.height:
            canvas.draw_icon(sign, piece.inflate(0, -round(piece.height * 0.4)), PANEL_DEEP)


# --- tables ---------------------------------------------------------------------------------------------------------

_NAME_SHARE: Final = 0.28
"""The share of a table's width that the names take."""
_HEAD_HEIGHT: Final = 72
"""The height of the headings, in units."""


def draw_figures(canvas: Canvas, figures: Figures, box: pygame.Rect) -> None:
    """Draw a table or a chart into ``box``."""
    if isinstance(figures, FiguresTable):
        _draw_table(canvas, figures, box)
    else:
        with canvas.unmirrored(box) as place:
            draw_bar_chart(canvas, figures, place)


def _draw_table(canvas: Canvas, table: FiguresTable, box: pygame.Rect) -> None:
    """Draw a table; when there is no room for all rows, the first ones."""
    canvas.draw_panel(box, PANEL_DEEP, EDGE, 2)
    title, rest = cut(canvas.inset(box, 32, 20), "top", canvas.px(_TITLE_HEIGHT))
    canvas.draw_text(table.title, title, 36, AMBER, align=0, lines=2)
    head, rest = cut(rest, "top", canvas.px(_HEAD_HEIGHT))
    rows = table.rows[: max(1, rest.height // canvas.px(_MIN_ROW_HEIGHT))]
    height = min(canvas.px(_MAX_ROW_HEIGHT), rest.height // max(1, len(rows)))
    heading, *cells = _columns(head, len(table.columns) - 1)
    canvas.draw_text(table.columns[0], heading, 26, DIM, align=0, smallest=12, lines=2)
    for words, cell in zip(table.columns[1:], cells, strict=True):
        canvas.draw_text(words, canvas.inset(cell, 10), 26, DIM, align=1, smallest=12, lines=2)
    names = tuple(name for name, _ in table.rows)
    for number, (name, figures) in enumerate(rows):
        row, rest = cut(rest, "top", height)
        if number % 2 == 0:
            canvas.draw_panel(row, STRIPE, radius=6)
        place, *cells = _columns(row, len(figures))
        canvas.draw_name(name, names, canvas.inset(place, 16), 34, TEXT, align=0)
        for figure, cell in zip(figures, cells, strict=True):
            canvas.draw_text(figure, canvas.inset(cell, 10), 34, TEXT, align=1, smallest=14)


def _columns(row: pygame.Rect, figures: int) -> list[pygame.Rect]:
    """Return the cells of a row: the name's, and one for each of so many figures."""
    name, rest = cut(row, "left", round(row.width * _NAME_SHARE))
    cells = []
    for left in range(figures, 0, -1):
        cell, rest = cut(rest, "left", rest.width // left)
        cells.append(cell)
    return [name, *cells]
