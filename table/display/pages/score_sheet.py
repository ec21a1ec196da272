"""The score sheet: a column for each player, a row for each hand; only the latest hands if not all are readable.

When a game is over, pages take turns: the last hands, the chart, honours, the result as a code, then all
hands from the first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import pygame

from table.display.drawing.boxes import MIN_TEXT, centred, cut, is_upright, split
from table.display.drawing.canvas import Canvas
from table.display.drawing.colours import AMBER, DIM, EDGE, MADE, OVER, PANEL, PANEL_DEEP, STRIPE, TEXT
from table.display.pages.charts import draw_score_chart
from table.display.pages.moment_pages import draw_honours
from table.display.pages.result_code import draw_result_code, has_result_code
from table.display.table_view.seat_plate import (
    draw_dealer_button,
    draw_hearts,
    promised_tricks,
    tricks_won_of_bid,
)
from table.games.engine.dealing_and_scoring import ranking
from table.games.engine.game_state import HandResult, Phase
from table.observed_facts import MS
from table.phrase import make_phrase
from table.referee.model.view import View

PAGE_NS = 10_000 * MS
"""The time for which each page is shown when a game is over."""
_NARROW, _NARROW_UPRIGHT = 130, 200
"""The cell width in units below which the total and the tricks stand below the points."""


_WIDE = {"head": 50, "foot": 62, "key": 36, "least": 44, "row": 84, "label": 118}
"""The measures of a sheet in units: the heights of the rows of names, of totals and of the key to cells, the least
and greatest height of a hand's row, and the width of the first column. The points of the lowest row are higher than a
25th of a wide screen: readable from 2 m.
"""
_UPRIGHT = {"head": 100, "foot": 84, "key": 40, "least": 72, "row": 104, "label": 112}
_UPRIGHT_MANY = _UPRIGHT | {"label": 84}
"""The measures on an upright screen for more than five players, where each column counts."""
_WIDE_MANY = _WIDE | {"head": 76, "least": 64}
"""The measures on a wide screen for more than eight players, in whose columns marks, names and numbers are stacked."""


def _measures(canvas: Canvas, box: pygame.Rect, seats: int) -> dict[str, int]:
    few, many, most = (_UPRIGHT, _UPRIGHT_MANY, 5) if is_upright(box) else (_WIDE, _WIDE_MANY, 8)
    measures = many if seats > most else few
    return {name: canvas.px(units) for name, units in measures.items()}


# --- the pages when a game is over ----------------------------------------------------------------------------------


def count_turned_pages(view: View) -> int:
    """Return how many pages have been turned since the game ended."""
    if view.game_over_ns is None or not view.state.results:
        return 0
    since_ns = max((moment.until_ns for moment in view.moments), default=view.game_over_ns)
    return max(0, view.now_ns - since_ns) // PAGE_NS


class ResultPage(Enum):
    """A page about the whole game."""

    CHART = "chart"
    HONOURS = "honours"
    CODE = "code"


def plan_pages(
    hands: int, room: int, *, chart: bool, code: bool, honours: bool = False
) -> list[slice | ResultPage]:
    """Return the sequence of pages, each a slice of the hands that it shows, or one about the whole game."""
    last = latest_hands(hands, room)
    sequence: list[slice | ResultPage] = [last]
    sequence += [ResultPage.CHART] if chart else []
    sequence += [ResultPage.HONOURS] if honours else []
    sequence += [ResultPage.CODE] if code else []
    start = 0
    while start < last.start:
        # The row for the hands before takes the room of one hand.
        end = min(last.start, start + max(1, room - bool(start)))
        sequence.append(slice(start, end))
        start = end
    return sequence


def draw_current_page(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw the page that is due at the view's time."""
    room = _count_rows(canvas, box, len(view.game.seats))
    over = view.game_over_ns is not None
    code = over and has_result_code(canvas, view, box)
    sequence = plan_pages(
        len(view.state.results), room, chart=_has_chart(view), code=code, honours=bool(view.honours)
    )
    page = sequence[count_turned_pages(view) % len(sequence)]
    if page is ResultPage.CHART:
        draw_score_chart(canvas, view, box)
        return
    with canvas.mirrored_if_rtl():
        if isinstance(page, slice):
            _draw_score_sheet(canvas, view, box, page)
        elif page is ResultPage.HONOURS:
            draw_honours(canvas, view, box)
        else:
            draw_result_code(canvas, view, box)


def _has_chart(view: View) -> bool:
    """Return whether the chart has a line to show: at least two hands that count."""
    return sum(not result.play_off for result in view.state.results) > 1


# --- the sheet ------------------------------------------------------------------------------------------------------


def latest_hands(hands: int, room: int) -> slice:
    """Return the slice of hands to show: all, or if they do not fit the latest, below one row for those before."""
    return slice(0 if hands <= room else hands - max(1, room - 1), hands)


def _count_rows(canvas: Canvas, box: pygame.Rect, seats: int) -> int:
    measures = _measures(canvas, box, seats)
    room = _inside(canvas, box).height - sum(measures[row] for row in ("head", "foot", "key"))
    return max(1, room // measures["least"])


def _inside(canvas: Canvas, box: pygame.Rect) -> pygame.Rect:
    return box.inflate(-2 * canvas.px(10), -2 * canvas.px(8))


def _draw_score_sheet(canvas: Canvas, view: View, box: pygame.Rect, part: slice) -> None:
    """Draw the score sheet of the hands in ``part``, the last one highlighted, and the totals."""
    state, seats = view.state, view.game.seats
    canvas.draw_panel(box, PANEL_DEEP, EDGE, 2)
    inside, measures = _inside(canvas, box), _measures(canvas, box, len(seats))
    key, inside = cut(inside, "bottom", measures["key"])
    code = "screen.sheet_key_lives" if view.game.has_lives(state) else "screen.sheet_key"
    canvas.draw_text(make_phrase(code), key, 30, DIM, afar=True)
    first = measures["label"]
    width = (inside.width - first) // len(seats)
    columns = {
        seat: pygame.Rect(inside.left + first + number * width, inside.top, width, inside.height)
        for number, seat in enumerate(seats)
    }
    head, rest = cut(inside, "top", measures["head"])
    foot, rest = cut(rest, "bottom", measures["foot"])
    shown, before = state.results[part], state.results[: part.start]
    count = len(shown) + bool(before)
    height = min(measures["row"], rest.height // max(1, count))
    rows = [pygame.Rect(rest.left, rest.top + number * height, rest.width, height) for number in range(count)]
    for row in rows[1::2]:
        canvas.draw_panel(row, STRIPE, radius=6)
    for column in list(columns.values())[1:]:
        canvas.draw_rule(pygame.Rect(column.left, column.top, 0, column.height), STRIPE)
    if state.phase is Phase.OVER:
        for seat in state.winners:
            canvas.draw_panel(canvas.inset(columns[seat], 4), PANEL, AMBER, 4)
    elif rows:
        canvas.draw_panel(canvas.inset(rows[-1], 0, 2), PANEL, AMBER, 2, radius=8)
    _draw_head(canvas, view, columns, head)
    ink = _text_heights(canvas, view, (*before[-1:], *shown), pygame.Rect(0, 0, width, height))
    if before:
        row = rows.pop(0)
        caption = make_phrase("screen.hands_before", n=len(before))
        canvas.draw_text(caption, _label_box(canvas, row, first), 28, DIM, align=0, smallest=12)
        for seat in (seat for seat in columns if seat in before[-1].totals):
            _, total, _ = _cell_parts(canvas, _cell(columns[seat], row))
            text = f"{before[-1].totals[seat]}{_lives_suffix(view)}"
            canvas.draw_text(text, total, ink.total, DIM, smallest=12, strong=True)
    label = _label_box(canvas, pygame.Rect(0, 0, first, height), first)
    texts = {canvas.words(make_phrase("count.card", n=result.cards)) for result in shown}
    largest = canvas.common_text_height(texts, label, 30, 13)
    for row, result in zip(rows, shown, strict=True):
        hanging = result.hand in view.provisional_hands
        hand = make_phrase("screen.hanging") if hanging else make_phrase("count.card", n=result.cards)
        colour, lines = (AMBER, 2) if hanging else (DIM, 1)
        label = _label_box(canvas, row, first)
        canvas.draw_text(hand, label, largest, colour, align=0, smallest=13, lines=lines)
        for seat, column in columns.items():
            _draw_cell(canvas, view, result, seat, _cell(column, row), ink)
    _draw_foot(canvas, view, columns, cut(foot, "left", first)[0])


def _cell(column: pygame.Rect, row: pygame.Rect) -> pygame.Rect:
    return pygame.Rect(column.left, row.top, column.width, row.height)


def _label_box(canvas: Canvas, row: pygame.Rect, width: int) -> pygame.Rect:
    return pygame.Rect(row.left + canvas.px(10), row.top, width - canvas.px(14), row.height)


def _draw_head(canvas: Canvas, view: View, columns: Mapping[str, pygame.Rect], row: pygame.Rect) -> None:
    """Draw the names, as equal in height as fits; the dealer or the winners have a symbol before or above the name."""
    state, seats, side = view.state, view.game.seats, canvas.px(32)
    stacked = _is_narrow(canvas, next(iter(columns.values())))
    marked = {Phase.OVER: state.winners, Phase.DEAL: (state.dealer,)}.get(state.phase, ())
    rooms = {}
    for seat, column in columns.items():
        box = canvas.inset(_cell(column, row), 6 if stacked else 14, 4)
        if stacked:
            _, box = cut(box, "top", side)
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
        if state.phase is Phase.OVER:
            canvas.draw_icon("crown", at, AMBER)
        else:
            draw_dealer_button(canvas, at)


def _draw_foot(canvas: Canvas, view: View, columns: Mapping[str, pygame.Rect], label: pygame.Rect) -> None:
    edge = max(column.right for column in columns.values())
    canvas.draw_rule(pygame.Rect(label.left, label.top, edge - label.left, 0), EDGE)
    tally = view.game.rules.elimination_tally(view.state)
    lives = view.game.has_lives(view.state)
    caption = make_phrase("screen.lives" if lives else "screen.total")
    canvas.draw_text(caption, canvas.inset(label, 8), 34, DIM, align=0, smallest=12)
    ahead = ranking(view.game.rules, view.state)[0]
    for seat, column in columns.items():
        total = view.state.totals.get(seat, 0)
        box = canvas.inset(_cell(column, label), 10, 4)
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
        canvas.draw_text(str(total), box, 58, AMBER if seat in ahead else TEXT, afar=True, strong=True)


# --- a cell of the sheet --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Entry:
    """What a cell says of a player's hand."""

    points: str
    total: str
    tricks: str
    """The tricks won of those bid."""
    made: bool
    icon: str | None
    """The icon that replaces the points: a cross for a miss that scores nothing; where points are lives, a tick for a
    made bid and a broken heart for a miss.
    """

    @classmethod
    def of(cls, view: View, result: HandResult, seat: str) -> _Entry:
        """Return the entry of a player who took part in a hand."""
        points, lives = result.points.get(seat, 0), _lives_suffix(view)
        won, bid = result.tricks[seat], result.bids.get(seat)
        wanted = promised_tricks(bid)
        icon = None
        if lives and points <= 0:
            icon = "tick" if points == 0 else "broken"
        elif not points and won != wanted:
            icon = "cross"
        return cls(
            points=f"{points:+d}{lives}",
            total=f"{result.totals.get(seat, '')}{lives}",
            tricks=tricks_won_of_bid(won, bid),
            made=won == wanted,
            icon=icon,
        )


def _lives_suffix(view: View) -> str:
    """Return the suffix of numbers that are lives: a heart."""
    return "♥" if view.game.has_lives(view.state) else ""


class _TextHeights(NamedTuple):
    """The text heights of a sheet, in units: equal in all its cells."""

    made: float
    missed: float
    total: float
    tricks: float


def _text_heights(
    canvas: Canvas, view: View, results: Sequence[HandResult], cell: pygame.Rect
) -> _TextHeights:
    """Return the heights at which the widest text of each kind fits a ``cell``."""
    points, total, tricks = _cell_parts(canvas, cell)
    _, beside = cut(points, "left", _cross_side(canvas, points), canvas.px(4))
    entries = [_Entry.of(view, result, seat) for result in results for seat in result.tricks]
    good = [entry.points for entry in entries if entry.made]
    bad = [entry.points for entry in entries if not entry.made]
    largest = canvas.common_text_height(good or bad, points, 54, 12, strong=True)
    return _TextHeights(
        made=largest,
        missed=canvas.common_text_height(bad, beside, largest, 12, strong=True),
        total=canvas.common_text_height([e.total for e in entries], total, 0.7 * largest, 12, strong=True),
        tricks=canvas.common_text_height([e.tricks for e in entries], tricks, 0.5 * largest, 12),
    )


def _cross_side(canvas: Canvas, points: pygame.Rect) -> int:
    """Return the side of the cross before the points of a missed bid, in pixels."""
    return min(round(points.height * 0.5), canvas.px(34), points.width // 5)


def _is_narrow(canvas: Canvas, cell: pygame.Rect) -> bool:
    """Return whether the total and the tricks stand below the points."""
    return cell.width < canvas.px(_NARROW_UPRIGHT if is_upright(canvas.size) else _NARROW)


def _cell_parts(canvas: Canvas, box: pygame.Rect) -> tuple[pygame.Rect, pygame.Rect, pygame.Rect]:
    """Return the boxes of a cell's points, total and tricks: side by side, or the points above."""
    if _is_narrow(canvas, box):
        inside = box.inflate(-2 * canvas.px(3), -canvas.px(6))
        points, low = split(inside, "top", 0.6)
        total, tricks = split(low, "left", 0.58, canvas.px(2))
        return points, total, tricks
    inside = box.inflate(-2 * canvas.px(8), -canvas.px(4))
    inside = centred((min(inside.width, canvas.px(250)), inside.height), box.center)
    gap = canvas.px(4)
    points, rest = cut(inside, "left", round(inside.width * 0.53) - gap, gap)
    # Total and tricks are written smaller than the points, however low the row.
    low = centred((rest.width, round(inside.height * 0.74)), rest.center)
    total, tricks = cut(low, "left", round(inside.width * 0.27), gap)
    return points, total, tricks


def _draw_cell(
    canvas: Canvas, view: View, result: HandResult, seat: str, box: pygame.Rect, ink: _TextHeights
) -> None:
    """Draw points (after a cross if the bid was missed), total, tricks won of those bid; a dash for who was absent."""
    if seat not in result.tricks:
        canvas.draw_text("–", box, 27, DIM, smallest=14)
        return
    entry = _Entry.of(view, result, seat)
    points, total, tricks = _cell_parts(canvas, box)
    canvas.draw_text(entry.total, total, ink.total, TEXT, smallest=12, strong=True)
    canvas.draw_text(entry.tricks, tricks, ink.tricks, DIM, align=0, smallest=12)
    if entry.icon is not None:
        side = min(round(points.height * 0.6), canvas.px(38))
        colour = MADE if entry.icon == "tick" else OVER
        canvas.draw_icon(entry.icon, points.inflate(0, side - points.height), colour)
    elif entry.made:
        canvas.draw_text(entry.points, points, ink.made, MADE, smallest=12, strong=True)
    else:
        side = _cross_side(canvas, points)
        _, beside = cut(points, "left", side, canvas.px(4))
        written = canvas.draw_text(entry.points, beside, ink.missed, OVER, smallest=12, strong=True)
        cross = pygame.Rect(written.left - side - canvas.px(4), points.centery - side // 2, side, side)
        canvas.draw_icon("cross", cross, OVER)
