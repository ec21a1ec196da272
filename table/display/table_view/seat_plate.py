"""A seat's plate: the player's name, bid, tricks won and total, and whether it is this player's turn."""

from __future__ import annotations

import pygame

from table.cards import tricks_of_bid
from table.display.drawing.canvas import Canvas
from table.display.drawing.colours_and_sizes import (
    AMBER,
    DIM,
    EDGE,
    INK,
    MADE,
    OVER,
    PANEL,
    PANEL_DEEP,
    RED_ON_DARK,
    SKY,
    TEXT,
    Colour,
)
from table.display.drawing.icons import draw_icon
from table.display.drawing.text_fitting import block_height, line_height, text_width
from table.display.table_view.gesture_hints import gesture_hints_for
from table.display.table_view.headline_prompts import last_call_phrases, seats_to_act
from table.games.engine.game_state import Phase
from table.phrase import Phrase, make_phrase
from table.referee.model.view import Controls, View

TOTAL_WIDTH = 82
"""The width of the total's box, in units."""
MIN_LABEL_TEXT = 13
"""The least text height of the total's label, in units."""
NARROW_ASPECT = 2.1
"""The ratio of width to height below which a plate has its total below the name."""
MAX_HEARTS = 6
"""The most lives that are drawn as a heart each."""

_BIDDING = (Phase.AUCTION, Phase.BID)
_BEFORE_BIDDING = (Phase.DEAL, Phase.TURN_UP, Phase.PASS_CARDS)


def draw_plate(
    canvas: Canvas, view: View, seat: str, box: pygame.Rect, centre: tuple[int, int], turn: int = 0
) -> None:
    """Draw the plate of ``seat``; an arrow points to ``centre`` when it is this player's turn.

    ``turn``: the plate's clockwise rotation towards its player, in quarter turns.
    """
    if is_on_turn(view, seat):
        _draw_pointer(canvas, box, centre)
    with canvas.rotated(box, turn) as (part, place):
        _draw_content(part, view, seat, place)


def is_on_turn(view: View, seat: str) -> bool:
    """Return whether it is this player's turn."""
    return seat == view.expected.default_seat and view.state.phase is not Phase.OVER


def _draw_content(canvas: Canvas, view: View, seat: str, box: pygame.Rect) -> None:
    state, expected = view.state, view.expected
    turn = is_on_turn(view, seat)
    only_one = turn and (expected.must_act or not expected.anyone_may_act)
    fill = AMBER if only_one else PANEL
    if turn:
        edge, width = AMBER, 6.0
    elif seat in seats_to_act(state, expected):
        edge, width = SKY, 3.0
    else:
        edge, width = EDGE, 1.5
    text, dim = (INK, INK) if only_one else (TEXT, DIM)
    canvas.draw_panel(box, fill, edge, width)
    top, low, total = _plate_parts(canvas, box, seat)
    _draw_total(canvas, view, seat, total)
    top = _draw_dealer(canvas, view, seat, top)
    top = _draw_activity(canvas, view, seat, top, only_one)
    canvas.draw_name(seat, view.game.seats, top, 48, text, align=0)
    if seat not in state.players:
        canvas.draw_text(
            make_phrase("plate.away" if seat in state.away else "plate.out"), low, 30, dim, align=0
        )
    elif state.phase in _BEFORE_BIDDING:
        _draw_waiting(canvas, view, seat, low, dim)
    elif state.phase is Phase.SECRET_BID:
        all_ready = set(state.players) <= state.raps
        raps = "plate.to_bid" if all_ready else "plate.ready" if seat in state.raps else "plate.to_rap"
        code = "plate.has_bid" if seat in state.bids_by_seat else raps
        how = gesture_hints_for((seat,), view.controls)("rap")
        canvas.draw_text(
            make_phrase(code, how=how) if code == "plate.to_rap" else make_phrase(code), low, 30, dim, align=0
        )
    elif state.phase in _BIDDING:
        _draw_bid(canvas, view, seat, low, text, dim)
    else:
        _draw_tricks(canvas, view, seat, low, on_amber=only_one)


def _plate_parts(canvas: Canvas, box: pygame.Rect, seat: str) -> tuple[pygame.Rect, pygame.Rect, pygame.Rect]:
    """Return the boxes of the name, of bid and tricks, and of the total (on the right; below in a narrow plate).

    A long name has two lines.
    """
    rim, gap = canvas.px(7), canvas.px(4)
    inside = box.inflate(-2 * canvas.px(12), -canvas.px(12))
    if is_narrow_plate(box):
        total = pygame.Rect(box.left + rim, 0, box.width - 2 * rim, round(box.height * 0.27))
        total.bottom = box.bottom - rim
        inside.height = total.top - gap - inside.top
    else:
        width = canvas.px(TOTAL_WIDTH)
        total = pygame.Rect(box.right - rim - width, box.top + rim, width, box.height - 2 * rim)
        inside.width = total.left - gap - inside.left
    two_lines = text_width(seat, canvas.far_px, strong=True) > inside.width - canvas.px(30)
    name = min(round(inside.height * 0.5), canvas.px(60))
    if two_lines:
        name = max(name, min(block_height(2, canvas.far_px), inside.height - line_height(canvas.far_px)))
    top = pygame.Rect(inside.left, inside.top, inside.width, name)
    low = pygame.Rect(inside.left, top.bottom, inside.width, inside.bottom - top.bottom)
    return top, low, total


def is_narrow_plate(box: pygame.Rect) -> bool:
    """Return whether a plate has no room for the total beside name and bid."""
    return box.width < NARROW_ASPECT * box.height


def _draw_pointer(canvas: Canvas, box: pygame.Rect, centre: tuple[int, int]) -> None:
    """Draw a triangle at the plate's rim that points to the middle of the table."""
    x, y = centre[0] - box.centerx, centre[1] - box.centery
    side = canvas.px(34)
    drawn = draw_icon("arrow", side, AMBER)
    if abs(x) * box.height > abs(y) * box.width:
        angle, at = (0, (box.right, box.centery)) if x > 0 else (180, (box.left, box.centery))
    else:
        angle, at = (-90, (box.centerx, box.bottom)) if y > 0 else (90, (box.centerx, box.top))
    turned = pygame.transform.rotate(drawn, angle)
    canvas.surface.blit(turned, turned.get_rect(center=at))


def _draw_total(canvas: Canvas, view: View, seat: str, box: pygame.Rect) -> None:
    """Draw the points; lives as hearts, or the faults below the points in games where they eliminate players."""
    canvas.draw_panel(box, PANEL_DEEP, radius=9)
    value = view.state.totals.get(seat, 0)
    tally = view.game.elimination_tally(view.state)
    lives = tally is not None and tally.kind == "lives"
    inside = box.inflate(-canvas.px(8), -canvas.px(6))
    label, number = pygame.Rect(inside), pygame.Rect(inside)
    if box.width > 2 * box.height:
        label.width = round(inside.width * 0.4)
    else:
        label.height = round(inside.height * 0.28)
    label_text = make_phrase("plate.lives" if lives else "plate.total")
    # Without room for the label the number stands alone.
    if canvas.text_fits(label_text, label, smallest=MIN_LABEL_TEXT):
        canvas.draw_text(label_text, label, 20, DIM, smallest=MIN_LABEL_TEXT)
        if label.width < inside.width:
            number.left, number.width = label.right, inside.width - label.width
        else:
            number.top, number.height = label.bottom, inside.height - label.height
    if tally is not None and lives:
        draw_hearts(canvas, value, tally.limit, number)
        return
    if tally is not None and number.width > 2 * number.height:
        number.width //= 2
        _draw_faults(canvas, tally.counts.get(seat, 0), number.move(number.width, 0))
    elif tally is not None:
        number.height = canvas.far_px
        faults = pygame.Rect(inside.left, number.bottom, inside.width, inside.bottom - number.bottom)
        _draw_faults(canvas, tally.counts.get(seat, 0), faults)
    canvas.draw_text(str(value), number, 46, TEXT, afar=True, strong=True)


def _draw_faults(canvas: Canvas, faults: int, box: pygame.Rect) -> None:
    """Draw a cross and the number of faults."""
    half = pygame.Rect(box.left, box.top, box.width // 2, box.height).inflate(0, -box.height // 4)
    canvas.draw_icon("cross", half, OVER)
    canvas.draw_text(str(faults), half.move(half.width, 0), 28, OVER, align=0, smallest=12, strong=True)


def draw_hearts(canvas: Canvas, left: int, most: int, box: pygame.Rect) -> None:
    """Draw a heart for each life left and a small dot for each lost; a number and one heart when there are many."""
    if most > MAX_HEARTS:
        canvas.draw_text(f"{left}♥", box, 40, TEXT, afar=True, strong=True)
        return
    rows = 1 if most <= MAX_HEARTS // 2 else 2
    per_row = -(-most // rows)
    side = min(canvas.px(34), box.width // per_row, box.height // rows)
    for number in range(most):
        row, column = divmod(number, per_row)
        at = pygame.Rect(0, 0, side, side)
        at.left = box.centerx - per_row * side // 2 + column * side
        at.top = box.centery - rows * side // 2 + row * side
        if number < left:
            canvas.draw_icon("H", at.inflate(-side // 8, -side // 8), RED_ON_DARK)
        else:
            canvas.draw_icon("full", at.inflate(-2 * side // 3, -2 * side // 3), DIM)


def _draw_dealer(canvas: Canvas, view: View, seat: str, box: pygame.Rect) -> pygame.Rect:
    """Draw the dealer's button before the name; return the rest of the row."""
    if seat != view.state.dealer:
        return box
    side = min(box.height, canvas.px(30))
    at = pygame.Rect(box.left, box.centery - side // 2, side, side)
    canvas.draw_icon("full", at, TEXT)
    canvas.draw_badge_text(make_phrase("plate.dealer"), at.inflate(-side // 4, -side // 6), INK)
    return pygame.Rect(at.right + canvas.px(7), box.top, box.right - at.right - canvas.px(7), box.height)


def _draw_activity(canvas: Canvas, view: View, seat: str, box: pygame.Rect, on_amber: bool) -> pygame.Rect:
    """Draw dots for a player who is tapping a call, ``rap`` for one who has rapped; return the rest of the row."""
    # The length of the tapping reveals the number, so that no tapping is shown while bids are secret.
    if seat in view.calling_seats and view.state.phase is not Phase.SECRET_BID:
        width, dots = canvas.px(52), True
    elif seat in view.state.raps:
        width, dots = canvas.px(52), False
    else:
        return _draw_keys(canvas, view, seat, box, on_amber)
    at = pygame.Rect(
        box.right - width - canvas.px(4), box.top + canvas.px(2), width, box.height - canvas.px(4)
    )
    canvas.draw_panel(at, PANEL_DEEP, INK if on_amber else SKY, 2, radius=10)
    if dots:
        side = max(3, canvas.px(9))
        for number in (-1, 0, 1):
            dot = pygame.Rect(0, 0, side, side)
            dot.center = (at.centerx + number * canvas.px(13), at.centery)
            canvas.draw_icon("full", dot, SKY)
    else:
        canvas.draw_text(
            make_phrase("plate.rapped"), at.inflate(-canvas.px(8), -canvas.px(2)), 24, TEXT, smallest=14
        )
    return pygame.Rect(box.left, box.top, at.left - box.left - canvas.px(5), box.height)


def _draw_keys(canvas: Canvas, view: View, seat: str, box: pygame.Rect, on_amber: bool) -> pygame.Rect:
    """Draw the keyboard keys that stand in for this player's buttons, if any; return the rest of the row."""
    keys = view.controls.get(seat, Controls()).keys
    side = min(canvas.px(26), box.height)
    left = box.right
    for key in reversed(keys):
        at = pygame.Rect(left - side, box.centery - side // 2, side, side)
        canvas.draw_panel(at, PANEL_DEEP, INK if on_amber else DIM, 1.5, radius=5)
        canvas.draw_badge_text(key, at.inflate(-side // 4, -side // 6))
        left = at.left - canvas.px(3)
    return pygame.Rect(box.left, box.top, left - box.left - canvas.px(2 if keys else 0), box.height)


def _draw_waiting(canvas: Canvas, view: View, seat: str, box: pygame.Rect, dim: Colour) -> None:
    if seat == view.state.dealer:
        canvas.draw_text(make_phrase("plate.deals"), box, 32, dim, align=0)


def _draw_bid(canvas: Canvas, view: View, seat: str, box: pygame.Rect, text: Colour, dim: Colour) -> None:
    bid, call = view.state.bids_by_seat.get(seat), last_call_phrases(view.state).get(seat)
    if view.state.phase is Phase.AUCTION and call is not None:
        _draw_call(canvas, call, box, 46, text)
    elif bid is not None:
        _draw_call(canvas, make_phrase("plate.bid", bid=bid), box, 48, text)
    elif seat in seats_to_act(view.state, view.expected):
        must_bid = not view.expected.anyone_may_act or view.expected.must_act
        auction = view.state.phase is Phase.AUCTION
        code = "plate.to_call" if auction else "plate.must_bid" if must_bid else "plate.may_bid"
        canvas.draw_text(make_phrase(code), box, 32, dim, align=0)


def _draw_call(canvas: Canvas, phrase: Phrase, box: pygame.Rect, largest: float, colour: Colour) -> None:
    """Draw a bid; without words when there is no room for them."""
    if phrase.fields and not canvas.text_fits(phrase, box, afar=True, strong=True):
        phrase = make_phrase("screen.bid", **phrase.fields)
    canvas.draw_text(phrase, box, largest, colour, align=0, afar=True, strong=True)


def _draw_tricks(canvas: Canvas, view: View, seat: str, box: pygame.Rect, *, on_amber: bool) -> None:
    """Draw tricks won of those bid, as numbers and as pips: ticked disc won, ring needed, crossed diamond too many."""
    won, bid = view.state.tricks_won(seat), view.state.bids_by_seat.get(seat)
    wanted = None if bid is None else tricks_of_bid(bid)
    text = INK if on_amber else TEXT
    shown = f"{won}" if wanted is None else f"{won}/{wanted}"
    numbers = canvas.draw_text(
        shown,
        pygame.Rect(box.left, box.top, round(box.width * 0.6), box.height),
        48,
        text,
        align=0,
        afar=True,
        strong=True,
    )
    left = max(numbers.right, box.left + canvas.px(56)) + canvas.px(10)
    room = pygame.Rect(left, box.top, box.right - left - canvas.px(4), box.height)
    if wanted is None:
        return
    pips = ["won"] * min(won, wanted) + ["ring"] * (wanted - won) + ["excess"] * (won - wanted)
    # A bid of none with no trick won is made so far.
    if not draw_pips(canvas, pips or ["none"], room, on_amber=on_amber):
        _draw_pip_summary(canvas, won - wanted, room, on_amber=on_amber)


def draw_pips(canvas: Canvas, pips: list[str], box: pygame.Rect, *, on_amber: bool) -> bool:
    """Draw a row of pips, or two rows when there are many; return False when they would be too small to tell apart."""
    for rows in (1, 2):
        per_row = -(-len(pips) // rows)
        side = min(canvas.px(32), (box.height - canvas.px(2)) // rows, box.width // max(1, per_row))
        if side >= canvas.px(20):
            break
    if side < canvas.px(18):
        return False
    top = box.centery - rows * side // 2
    for number, pip in enumerate(pips):
        row, column = divmod(number, per_row)
        at = pygame.Rect(box.left + column * side, top + row * side, side, side)
        _draw_pip(canvas, pip, at.inflate(-max(2, side // 7), -max(2, side // 7)), on_amber)
    return True


def _draw_pip_summary(canvas: Canvas, over: int, box: pygame.Rect, *, on_amber: bool) -> None:
    """Draw one pip and a number instead of many pips: a ring and the tricks needed, or a diamond and the excess."""
    side = min(box.height, canvas.px(30))
    at = pygame.Rect(box.left, box.centery - side // 2, side, side)
    _draw_pip(
        canvas,
        "won" if over == 0 else "ring" if over < 0 else "excess",
        at.inflate(-side // 7, -side // 7),
        on_amber,
    )
    if over:
        rest = pygame.Rect(at.right + canvas.px(4), box.top, box.right - at.right - canvas.px(4), box.height)
        canvas.draw_text(
            str(abs(over)), rest, 36, INK if on_amber else DIM, align=0, smallest=14, strong=True
        )


def _draw_pip(canvas: Canvas, pip: str, box: pygame.Rect, on_amber: bool) -> None:
    """Draw one pip."""
    made, needed, over = (INK, INK, INK) if on_amber else (MADE, TEXT, OVER)
    if pip == "won":
        at = canvas.draw_icon("full", box, made)
        canvas.draw_icon("tick", at.inflate(-at.width // 3, -at.width // 3), AMBER if on_amber else INK)
    elif pip == "ring":
        canvas.draw_icon("ring", box, needed)
    elif pip == "none":
        canvas.draw_icon("tick", box, made)
    else:
        canvas.draw_icon("excess", box, over)
