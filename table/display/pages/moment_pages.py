"""Moments, large in place of the table: presses on a time line, bids turned over, the result of a hand, the podium.

The honours of a finished game are a page like these.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Final

import pygame

from table.display.drawing.boxes import centred, cut, is_upright, split
from table.display.drawing.canvas import Canvas
from table.display.drawing.colours import AMBER, DIM, EDGE, MADE, OVER, PANEL, PANEL_DEEP, SKY, STRIPE, TEXT
from table.display.drawing.text_fitting import line_height
from table.display.table_view.seat_plate import (
    draw_hearts,
    draw_player_list,
    promised_tricks,
    tricks_won_of_bid,
)
from table.games.engine.dealing_and_scoring import ranking
from table.games.engine.game_state import HandResult
from table.phrase import Phrase, make_phrase
from table.referee.model.moments import Moment, Press
from table.referee.model.view import Honour, View

_TITLE: Final = 92
"""The height of a title, in units."""
_ROW: Final = 116
"""The greatest height of a player's row, in units."""


def draw_moment(canvas: Canvas, view: View, moment: Moment, box: pygame.Rect) -> None:
    """Draw a moment into ``box``; beside rulings about a hand in play its players stay in sight."""
    match moment.kind:
        case "bids_tied" | "bid":
            _draw_time_line(canvas, view, moment.presses, _beside_players(canvas, view, box))
        case "leads_tied":
            _draw_photo_finish(canvas, moment.picture, _beside_players(canvas, view, box))
        case "bids_revealed":
            _draw_bids(canvas, view, box)
        case "hand_scored":
            _draw_hand_result(canvas, view, box)
        case "game_over":
            _draw_podium(canvas, view, box)


def _beside_players(canvas: Canvas, view: View, box: pygame.Rect) -> pygame.Rect:
    """Draw the players' list along a side of ``box``; return the rest, on a panel of its own."""
    rest, beside = split(box, "top" if is_upright(box) else "left", 0.62, canvas.px(14))
    with canvas.unmirrored(beside) as place:
        draw_player_list(canvas, view, place)
    canvas.draw_panel(rest, PANEL_DEEP, AMBER, 3)
    return canvas.inset(rest, 36, 24)


def _rows(canvas: Canvas, box: pygame.Rect, count: int) -> list[pygame.Rect]:
    """Divide ``box`` into equal rows around its middle, no higher than a row needs."""
    height = min(canvas.px(_ROW), box.height // max(1, count))
    rest = centred((box.width, height * count), box.center)
    return [pygame.Rect(rest.left, rest.top + number * height, rest.width, height) for number in range(count)]


# --- presses --------------------------------------------------------------------------------------------------------


def _draw_time_line(canvas: Canvas, view: View, presses: Sequence[Press], box: pygame.Rect) -> None:
    """Draw when each player pressed: a row each, along one time axis, with the distance from the first."""
    first_ns, last_ns = presses[0][1], presses[-1][1]
    title, rest = cut(box, "top", min(canvas.px(_TITLE), box.height // 4))
    apart = make_phrase("honour.apart", spread_ns=last_ns - first_ns)
    canvas.draw_text(apart, title, 76, AMBER, afar=True, strong=True)
    for (seat, t_ns), row in zip(presses, _rows(canvas, rest, len(presses)), strict=True):
        upper, lower = cut(row, "top", max(round(0.56 * row.height), line_height(canvas.far_px)))
        name, later = split(upper, "left", 0.6, canvas.px(12))
        canvas.draw_name(seat, view.game.seats, name, 44, TEXT, align=0)
        if t_ns > first_ns:
            after = make_phrase("moment.later", later_ns=t_ns - first_ns)
            canvas.draw_text(after, later, 40, SKY, align=1, afar=True, strong=True)
        with canvas.unmirrored(lower) as axis:
            side = min(axis.height, canvas.px(34))
            line = centred((axis.width - side, max(2, canvas.px(5))), axis.center)
            canvas.draw_panel(line, EDGE, radius=2)
            share = (t_ns - first_ns) / max(1, last_ns - first_ns)
            dot = centred(side, (line.left + round(line.width * share), axis.centery))
            canvas.draw_icon("full", dot, AMBER if t_ns == first_ns else SKY)


# --- photo finish ---------------------------------------------------------------------------------------------------


def _draw_photo_finish(canvas: Canvas, picture: bytes | None, box: pygame.Rect) -> None:
    drawn = decode_picture(picture)
    if drawn is not None:
        canvas.draw_surface(drawn, box)


def decode_picture(picture: bytes | None) -> pygame.Surface | None:
    """Return a JPEG as a surface; None where it can't be read."""
    try:
        return pygame.image.load(io.BytesIO(picture), "picture.jpg") if picture else None
    except pygame.error:
        return None


# --- bids turned over -----------------------------------------------------------------------------------------------


def _draw_bids(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw all bids that were made at once, as large as fits."""
    bids = view.state.bids
    columns = min(len(bids), 2 if is_upright(box) else 4)
    gap = canvas.px(14)
    lines = -(-len(bids) // columns)
    height = min((box.height + gap) // lines - gap, canvas.px(300))
    rows = centred((box.width, lines * (height + gap) - gap), box.center)
    width = min((box.width + gap) // columns - gap, round(1.4 * height))
    for number, (seat, bid) in enumerate(bids):
        row, column = divmod(number, columns)
        in_row = min(columns, len(bids) - row * columns)
        line = centred((in_row * (width + gap) - gap, height), (rows.centerx, rows.top + height // 2))
        place = pygame.Rect(
            line.left + column * (width + gap), rows.top + row * (height + gap), width, height
        )
        canvas.draw_panel(place, PANEL, AMBER, 3)
        upper, lower = split(canvas.inset(place, 24, 12), "top", 0.34)
        canvas.draw_name(seat, view.game.seats, upper, 44, TEXT)
        canvas.draw_text(make_phrase("screen.bid", bid=bid), lower, 170, AMBER, afar=True, strong=True)


# --- the result of a hand -------------------------------------------------------------------------------------------


def _draw_hand_result(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw who has made the bid and who missed it, by how much, and what each scores."""
    result = view.state.results[-1]
    seats = tuple(seat for seat in view.game.seats if seat in result.tricks)
    made = tuple(seat for seat in seats if _tricks_over(result, seat) == 0)
    canvas.draw_panel(box, PANEL_DEEP, AMBER, 3)
    inside = canvas.inset(box, 40, 24)
    title, rest = cut(inside, "top", min(canvas.px(_TITLE), inside.height // 5))
    code = "moment.provisional" if result.hand in view.provisional_hands else "moment.made_by"
    heading = make_phrase(code, seats=made, n=len(made))
    canvas.draw_text(
        heading, title, 56, AMBER, lines=2, afar=True, begins=True, among=view.game.seats, strong=True
    )
    for number, (seat, row) in enumerate(zip(seats, _rows(canvas, rest, len(seats)), strict=True)):
        if number % 2 == 0:
            canvas.draw_panel(row, STRIPE, radius=8)
        _draw_player_result(canvas, view, result, seat, canvas.inset(row, 20, 4))


def _tricks_over(result: HandResult, seat: str) -> int | None:
    """Return the tricks won beyond those bid; None for a player without a bid."""
    wanted = promised_tricks(result.bids.get(seat))
    return None if wanted is None else result.tricks[seat] - wanted


def _draw_player_result(canvas: Canvas, view: View, result: HandResult, seat: str, row: pygame.Rect) -> None:
    over, gap = _tricks_over(result, seat), canvas.px(12)
    points, rest = split(row, "right", 0.2, gap)
    if is_upright(canvas.size):
        upper, lower = split(rest, "top", 0.5)
        name, tricks = split(upper, "left", 0.72, gap)
        words = lower
    else:
        name, rest = split(rest, "left", 0.36, gap)
        tricks, words = split(rest, "left", 0.26, gap)
    canvas.draw_name(seat, view.game.seats, name, 44, TEXT, align=0)
    shown = tricks_won_of_bid(result.tricks[seat], result.bids.get(seat))
    canvas.draw_text(shown, tricks, 44, TEXT, afar=True, strong=True)
    if over is not None:
        colour = OVER if over else MADE
        icon, words = cut(words, "left", min(words.height, canvas.px(40)), gap)
        canvas.draw_icon("cross" if over else "tick", icon, colour)
        canvas.draw_text(_verdict(over), words, 40, colour, align=0, afar=True)
    _draw_points(canvas, view, result, seat, points)


def _verdict(over: int) -> Phrase:
    if not over:
        return make_phrase("moment.made")
    return make_phrase("moment.too_many" if over > 0 else "moment.too_few", n=abs(over))


def _draw_points(canvas: Canvas, view: View, result: HandResult, seat: str, box: pygame.Rect) -> None:
    """Draw what a player scores; where points are lives, the lives that are left."""
    tally = view.game.rules.elimination_tally(view.state)
    if view.game.has_lives(view.state) and tally is not None:
        draw_hearts(canvas, result.totals.get(seat, 0), tally.limit, box)
        return
    points = result.points.get(seat, 0)
    colour = MADE if points > 0 else OVER if points < 0 else DIM
    canvas.draw_text(f"{points:+d}" if points else "0", box, 64, colour, align=1, afar=True, strong=True)


# --- the podium -----------------------------------------------------------------------------------------------------

_STEPS: Final[Mapping[int, tuple[int, float]]] = {1: (1, 0.56), 2: (0, 0.4), 3: (2, 0.28)}
"""The column of each place from the left, and its height as a share of the podium's."""


def _draw_podium(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw the first three places as steps, with the players who share each and their totals."""
    canvas.draw_panel(box, PANEL_DEEP, AMBER, 3)
    inside = canvas.inset(box, 28, 20)
    lives = "♥" if view.game.has_lives(view.state) else ""
    place = 1
    for seats in ranking(view.game.rules, view.state):
        if place not in _STEPS:
            break
        number, share = _STEPS[place]
        width = inside.width // len(_STEPS)
        column = pygame.Rect(inside.left + number * width, inside.top, width, inside.height)
        names = (len(seats) + (place == 1)) * (line_height(canvas.far_px) + 1)
        height = min(round(column.height * share), column.height - names)
        step, above = cut(canvas.inset(column, 10), "bottom", height)
        canvas.draw_panel(step, PANEL, AMBER if place == 1 else EDGE, 3, radius=8)
        upper, lower = split(canvas.inset(step, 16, 8), "top", 0.5)
        canvas.draw_text(str(place), upper, 110, AMBER if place == 1 else DIM, afar=True, strong=True)
        total = f"{view.state.totals.get(seats[0], 0)}{lives}"
        canvas.draw_text(total, lower, 64, TEXT, afar=True, strong=True)
        _draw_winners(canvas, view, seats, above, crowned=place == 1)
        place += len(seats)


def _draw_winners(
    canvas: Canvas, view: View, seats: Sequence[str], box: pygame.Rect, *, crowned: bool
) -> None:
    """Draw the names of those who share a place, above its step; a crown above the first."""
    height = min(canvas.px(64), box.height // (len(seats) + crowned))
    for number, seat in enumerate(reversed(seats)):
        row = pygame.Rect(box.left, box.bottom - (number + 1) * height, box.width, height)
        canvas.draw_name(seat, view.game.seats, row, 48, AMBER if crowned else TEXT)
    if crowned:
        top = box.bottom - len(seats) * height
        crown = pygame.Rect(box.left, max(box.top, top - canvas.px(90)), box.width, 0)
        crown.height = top - crown.top
        canvas.draw_icon("crown", crown, AMBER)


# --- the honours ----------------------------------------------------------------------------------------------------

_HONOURS_TITLE: Final = 64
"""The height of the title, in units."""
_HONOUR, _HONOUR_UPRIGHT = 120, 220
"""The greatest heights of an honour, in units."""


def draw_honours(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw each honour with who has it and the figure that won it."""
    canvas.draw_panel(box, PANEL_DEEP, EDGE, 2)
    title, rest = cut(canvas.inset(box, 32, 16), "top", canvas.px(_HONOURS_TITLE))
    canvas.draw_text(make_phrase("page.honours"), title, 44, AMBER, align=0, afar=True, strong=True)
    most = canvas.px(_HONOUR_UPRIGHT if is_upright(box) else _HONOUR)
    height = min(most, rest.height // max(1, len(view.honours)))
    for number, honour in enumerate(view.honours):
        row, rest = cut(rest, "top", height)
        if number % 2 == 0:
            canvas.draw_panel(row, STRIPE, radius=8)
        _draw_honour(canvas, view, honour, canvas.inset(row, 24, 4))


def _draw_honour(canvas: Canvas, view: View, honour: Honour, row: pygame.Rect) -> None:
    gap = canvas.px(16)
    if is_upright(canvas.size):
        title, rest = split(row, "top", 0.3)
        who, figure = split(rest, "top", 0.36)
    else:
        title, rest = split(row, "left", 0.32, gap)
        who, figure = split(rest, "left", 0.36, gap)
    seats = make_phrase("honour.seats", seats=honour.seats)
    canvas.draw_text(honour.title, title, 36, DIM, align=0, lines=2, afar=True)
    canvas.draw_text(seats, who, 44, TEXT, align=0, lines=2, afar=True, among=view.game.seats, strong=True)
    canvas.draw_text(honour.figure, figure, 36, AMBER, align=0, lines=2, afar=True)
