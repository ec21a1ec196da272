"""A seat's plate: the player's name, bid, tricks won and total, and whether it is this player's turn.

Plates stand around the table; beside an open panel they stand in a list, each with its player's card of this trick.
"""

from __future__ import annotations

from typing import Final

import pygame

from table.cards import DOUBLE_NIL, BidValue, tricks_of_bid
from table.display.drawing.boxes import centred, cut, split
from table.display.drawing.canvas import Canvas
from table.display.drawing.colours import AMBER, DIM, EDGE, INK, MADE, OVER, PANEL, PANEL_DEEP, SKY, TEXT
from table.display.drawing.icons import draw_icon
from table.display.drawing.text_fitting import block_height, line_height, text_width
from table.display.table_view.card_layout import CARD_ASPECT
from table.display.table_view.prompts_and_gestures import gesture_hints_for, last_call_phrases
from table.games.engine.game_state import Phase
from table.phrase import make_phrase
from table.referee.model.hypothesis import TableCard
from table.referee.model.view import Controls, View

_NARROW_ASPECT: Final = 2.1
"""The ratio of width to height below which a plate has its total below the name."""
_MAX_HEARTS: Final = 6
"""The most lives that are drawn as a heart each."""

_PIPS = {"won": ("full", MADE), "ring": ("ring", TEXT), "excess": ("excess", OVER), "none": ("tick", MADE)}
"""The icon and colour of a pip for a trick: won, needed, too many; and for a bid of none with no trick won."""
_BIDDING = (Phase.AUCTION, Phase.BID)
_BEFORE_BIDDING = (Phase.DEAL, Phase.TURN_UP, Phase.PASS_CARDS)


def promised_tricks(bid: BidValue | None) -> int | None:
    """Return the number of tricks that a bid promises; None without a bid."""
    return None if bid is None else tricks_of_bid(bid)


def tricks_won_of_bid(won: int, bid: BidValue | None) -> str:
    """Return the tricks won of those bid, such as ``2/3``; ``0/00`` of a Double Nil, and ``2`` without a bid."""
    if bid is None:
        return str(won)
    return f"{won}/{'00' if bid == DOUBLE_NIL else tricks_of_bid(bid)}"


def draw_plate(
    canvas: Canvas, view: View, seat: str, box: pygame.Rect, centre: tuple[int, int], turn: int = 0
) -> None:
    """Draw a plate, rotated by ``turn`` quarters to its player; an arrow points to ``centre`` on the player's turn."""
    if _is_on_turn(view, seat):
        _draw_pointer(canvas, box, centre)
    with canvas.rotated(box, turn) as (part, place):
        _draw_content(part, view, seat, place)


def _is_on_turn(view: View, seat: str) -> bool:
    return seat == view.expected.default_seat and view.state.phase is not Phase.OVER


def _draw_content(canvas: Canvas, view: View, seat: str, box: pygame.Rect) -> None:
    state, expected = view.state, view.expected
    turn = _is_on_turn(view, seat)
    only_one = turn and expected.must_act
    if turn:
        edge, width = AMBER, 6.0
    elif seat in expected.seats:
        edge, width = SKY, 3.0
    else:
        edge, width = EDGE, 1.5
    canvas.draw_panel(box, AMBER if only_one else PANEL, edge, width)
    top, low, total = _plate_parts(canvas, box, seat)
    _draw_total(canvas, view, seat, total)
    if seat == state.dealer:
        button, top = cut(top, "left", min(top.height, canvas.px(30)), canvas.px(7))
        draw_dealer_button(canvas, button)
    top = _draw_activity(canvas, view, seat, top, only_one)
    canvas.draw_name(seat, view.game.seats, top, 48, INK if only_one else TEXT, align=0)
    if seat in state.players and state.phase in _BIDDING:
        _draw_bid(canvas, view, seat, low, on_amber=only_one)
    elif seat in state.players and state.phase not in (*_BEFORE_BIDDING, Phase.SECRET_BID):
        _draw_tricks(canvas, view, seat, low, on_amber=only_one)
    else:
        _draw_waiting(canvas, view, seat, low, on_amber=only_one)


def _plate_parts(canvas: Canvas, box: pygame.Rect, seat: str) -> tuple[pygame.Rect, pygame.Rect, pygame.Rect]:
    """Return the boxes of the name, of bid and tricks, and of the total (on the right; below in a narrow plate)."""
    rim, gap = canvas.px(7), canvas.px(4)
    inside, within_rim = box.inflate(-2 * canvas.px(12), -canvas.px(12)), box.inflate(-2 * rim, -2 * rim)
    if box.width < _NARROW_ASPECT * box.height:
        total, _ = cut(within_rim, "bottom", round(box.height * 0.27))
        inside.height = total.top - gap - inside.top
    else:
        total, _ = cut(within_rim, "right", canvas.px(82))
        inside.width = total.left - gap - inside.left
    name = min(round(inside.height * 0.5), canvas.px(60))
    if text_width(seat, canvas.far_px, strong=True) > inside.width - canvas.px(30):
        name = max(name, min(block_height(2, canvas.far_px), inside.height - line_height(canvas.far_px)))
    top, low = cut(inside, "top", name)
    return top, low, total


def _draw_pointer(canvas: Canvas, box: pygame.Rect, centre: tuple[int, int]) -> None:
    x, y = centre[0] - box.centerx, centre[1] - box.centery
    if abs(x) * box.height > abs(y) * box.width:
        angle, at = (0, box.midright) if x > 0 else (180, box.midleft)
    else:
        angle, at = (-90, box.midbottom) if y > 0 else (90, box.midtop)
    turned = pygame.transform.rotate(draw_icon("arrow", canvas.px(34), AMBER), angle)
    canvas.surface.blit(turned, turned.get_rect(center=at))


def _draw_total(canvas: Canvas, view: View, seat: str, box: pygame.Rect) -> None:
    """Draw the points; lives as hearts, or the faults below the points in games where they eliminate players."""
    canvas.draw_panel(box, PANEL_DEEP, radius=9)
    value = view.state.totals.get(seat, 0)
    tally = view.game.rules.elimination_tally(view.state)
    lives = view.game.has_lives(view.state)
    inside = canvas.inset(box, 8, 6)
    wide = box.width > 2 * box.height
    label, number = split(inside, "left", 0.4) if wide else split(inside, "top", 0.28)
    label_text = make_phrase("plate.lives" if lives else "plate.total")
    if canvas.text_fits(label_text, label, smallest=13):
        canvas.draw_text(label_text, label, 20, DIM, smallest=13)
    else:
        number = inside.copy()
    if tally is not None and lives:
        draw_hearts(canvas, value, tally.limit, number)
        return
    if tally is not None and number.width > 2 * number.height:
        number.width //= 2
        _draw_faults(canvas, tally.counts.get(seat, 0), number.move(number.width, 0))
    elif tally is not None:
        number.height = canvas.far_px
        faults, _ = cut(inside, "bottom", inside.bottom - number.bottom)
        _draw_faults(canvas, tally.counts.get(seat, 0), faults)
    canvas.draw_text(str(value), number, 46, TEXT, afar=True, strong=True)


def _draw_faults(canvas: Canvas, faults: int, box: pygame.Rect) -> None:
    half = pygame.Rect(box.left, box.top, box.width // 2, box.height).inflate(0, -box.height // 4)
    canvas.draw_icon("cross", half, OVER)
    canvas.draw_text(str(faults), half.move(half.width, 0), 28, OVER, align=0, smallest=12, strong=True)


def draw_hearts(canvas: Canvas, left: int, most: int, box: pygame.Rect) -> None:
    """Draw a heart for each life left and a small dot for each lost; a number and one heart when there are many."""
    if most > _MAX_HEARTS:
        canvas.draw_text(f"{left}♥", box, 40, TEXT, afar=True, strong=True)
        return
    rows = 1 if most <= _MAX_HEARTS // 2 else 2
    per_row = -(-most // rows)
    side = min(canvas.px(34), box.width // per_row, box.height // rows)
    corner = pygame.Rect(box.centerx - per_row * side // 2, box.centery - rows * side // 2, side, side)
    for number in range(most):
        row, column = divmod(number, per_row)
        at = corner.move(column * side, row * side)
        if number < left:
            canvas.draw_suit("H", at.inflate(-side // 8, -side // 8), on_dark=True)
        else:
            canvas.draw_icon("full", at.inflate(-2 * side // 3, -2 * side // 3), DIM)


def draw_dealer_button(canvas: Canvas, box: pygame.Rect) -> None:
    """Draw the dealer's button as large as fits, centred in ``box``."""
    at = canvas.draw_icon("full", box, TEXT)
    canvas.draw_badge_text(make_phrase("plate.dealer"), at.inflate(-at.width // 4, -at.width // 6), INK)


def _draw_activity(canvas: Canvas, view: View, seat: str, box: pygame.Rect, on_amber: bool) -> pygame.Rect:
    """Draw dots for who is tapping a call, ``rap`` for who has rapped, else the keys; return the rest of the row."""
    # The length of the tapping reveals the number, so that no tapping is shown while bids are secret.
    is_tapping = seat in view.calling_seats and view.state.phase is not Phase.SECRET_BID
    if not is_tapping and seat not in view.state.raps:
        return _draw_keys(canvas, view, seat, box, on_amber)
    at, rest = cut(box, "right", canvas.px(52) + canvas.px(4), canvas.px(5))
    at = pygame.Rect(at.left, at.top + canvas.px(2), canvas.px(52), at.height - canvas.px(4))
    canvas.draw_panel(at, PANEL_DEEP, INK if on_amber else SKY, 2, radius=10)
    if is_tapping:
        for number in (-1, 0, 1):
            dot = centred(max(3, canvas.px(9)), (at.centerx + number * canvas.px(13), at.centery))
            canvas.draw_icon("full", dot, SKY)
    else:
        canvas.draw_text(make_phrase("plate.rapped"), canvas.inset(at, 8, 2), 24, TEXT, smallest=14)
    return rest


def _draw_keys(canvas: Canvas, view: View, seat: str, box: pygame.Rect, on_amber: bool) -> pygame.Rect:
    keys = view.controls.get(seat, Controls()).keys
    side, rest = min(canvas.px(26), box.height), box.copy()
    for key in reversed(keys):
        at, rest = cut(rest, "right", side, canvas.px(3))
        at = centred(side, at.center)
        canvas.draw_panel(at, PANEL_DEEP, INK if on_amber else DIM, 1.5, radius=5)
        canvas.draw_badge_text(key, at.inflate(-side // 4, -side // 6))
    rest.width -= canvas.px(2 if keys else 0)
    return rest


def _draw_waiting(canvas: Canvas, view: View, seat: str, box: pygame.Rect, *, on_amber: bool) -> None:
    """Draw what a player does who has no bid and no tricks to show."""
    state, height, fields = view.state, 30, {}
    if seat not in state.players:
        absent = (("plate.away", state.away), ("plate.out", state.out))
        code = next((code for code, seats in absent if seat in seats), "plate.sits_out")
    elif state.phase.is_deal:
        if seat != state.dealer:
            return
        code, height = "plate.deals", 32
    elif seat in state.bids_by_seat:
        code = "plate.has_bid"
    elif state.all_have_rapped:
        code = "plate.to_bid"
    elif seat in state.raps:
        code = "plate.ready"
    else:
        code, fields = "plate.to_rap", {"how": gesture_hints_for((seat,), view.controls)("rap")}
    canvas.draw_text(make_phrase(code, **fields), box, height, INK if on_amber else DIM, align=0)


def _draw_bid(canvas: Canvas, view: View, seat: str, box: pygame.Rect, *, on_amber: bool) -> None:
    """Draw a bid or call, without words when there is no room for them; else that this player must or may bid."""
    state, expected = view.state, view.expected
    auction, bid = state.phase is Phase.AUCTION, state.bids_by_seat.get(seat)
    phrase = last_call_phrases(state).get(seat) if auction else None
    largest = 48 if phrase is None else 46
    if phrase is None and bid is not None:
        phrase = make_phrase("plate.bid", bid=bid)
    if phrase is not None:
        if phrase.fields and not canvas.text_fits(phrase, box, afar=True, strong=True):
            phrase = make_phrase("screen.bid", **phrase.fields)
        canvas.draw_text(phrase, box, largest, INK if on_amber else TEXT, align=0, afar=True, strong=True)
    elif seat in expected.seats:
        code = "plate.to_call" if auction else "plate.must_bid" if expected.must_act else "plate.may_bid"
        canvas.draw_text(make_phrase(code), box, 32, INK if on_amber else DIM, align=0, smallest=14)


def _draw_tricks(canvas: Canvas, view: View, seat: str, box: pygame.Rect, *, on_amber: bool) -> None:
    """Draw tricks won of those bid, as numbers and as pips."""
    won, bid = view.state.tricks_won(seat), view.state.bids_by_seat.get(seat)
    wanted = promised_tricks(bid)
    room, _ = split(box, "left", 0.6)
    colour = INK if on_amber else TEXT
    shown = tricks_won_of_bid(won, bid)
    numbers = canvas.draw_text(shown, room, 48, colour, align=0, afar=True, strong=True)
    if wanted is None:
        return
    left = max(numbers.right, box.left + canvas.px(56)) + canvas.px(10)
    room = pygame.Rect(left, box.top, box.right - left - canvas.px(4), box.height)
    pips = ["won"] * min(won, wanted) + ["ring"] * (wanted - won) + ["excess"] * (won - wanted)
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
    at, rest = cut(box, "left", side, canvas.px(4))
    pip = "won" if over == 0 else "ring" if over < 0 else "excess"
    _draw_pip(canvas, pip, centred(side, at.center).inflate(-side // 7, -side // 7), on_amber)
    if over:
        colour = INK if on_amber else DIM
        canvas.draw_text(str(abs(over)), rest, 36, colour, align=0, smallest=14, strong=True)


def _draw_pip(canvas: Canvas, pip: str, box: pygame.Rect, on_amber: bool) -> None:
    icon, colour = _PIPS[pip]
    at = canvas.draw_icon(icon, box, INK if on_amber else colour)
    if pip == "won":
        canvas.draw_icon("tick", at.inflate(-at.width // 3, -at.width // 3), AMBER if on_amber else INK)


# --- the list of players beside an open panel -----------------------------------------------------------------------


def draw_player_list(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw the players in playing order, each with plate and card; cards without a certain player stand at the end."""
    trick = view.state.trick
    waiting = view.cards_beside_trick
    strays = [lying for lying in waiting if lying.seat not in view.game.seats]
    gap = canvas.px(8)
    columns = 2 if box.width > 1.2 * box.height else 1
    rows = -(-(len(view.game.seats) + bool(strays)) // columns)
    height = min(canvas.px(110), (box.height + gap) // rows - gap)
    width = round(height * CARD_ASPECT)
    column_width = (box.width + gap) // columns - gap

    def place(number: int) -> pygame.Rect:
        column, row = divmod(number, rows)
        return pygame.Rect(
            box.left + column * (column_width + gap), box.top + row * (height + gap), column_width, height
        )

    order = {seat: number for number, seat in enumerate(view.state.seats)}
    for number, seat in enumerate(sorted(view.game.seats, key=lambda seat: order[seat])):
        plate = place(number)
        plate.width -= 2 * (width + gap)
        draw_plate(canvas, view, seat, plate, (plate.right + plate.width, plate.centery))
        spot = pygame.Rect(plate.right + gap, plate.top, width, height)
        played = trick.card_of(seat)
        if played is not None:
            if trick.winner == seat:
                canvas.draw_panel(canvas.inset(spot, -6, -6), AMBER, radius=8)
            canvas.draw_card(played, spot, pale=trick.winner not in (None, seat))
            spot = spot.move(width + gap, 0)
        for lying in (lying for lying in waiting if lying.seat == seat):
            _draw_waiting_card(canvas, lying, spot)
            spot = spot.move(width + gap, 0)
    foot = place(len(view.game.seats))
    foot.width = width
    for lying in strays:
        _draw_waiting_card(canvas, lying, foot)
        foot = foot.move(width + gap, 0)


def _draw_waiting_card(canvas: Canvas, lying: TableCard, spot: pygame.Rect) -> None:
    """Draw a card that is not (yet) a play."""
    is_going_back = lying.role == "back"
    canvas.draw_panel(canvas.inset(spot, -6, -6), OVER if is_going_back else SKY, radius=8)
    canvas.draw_card(lying.card, spot, pale=is_going_back)
