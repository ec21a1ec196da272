"""A seat's plate: who it is, the bid, the tricks won, and whether it is this player's turn."""

from __future__ import annotations

import pygame

from table.display.bids import target
from table.display.canvas import Canvas
from table.display.press import pressing
from table.display.prompts import last_calls, may_act
from table.display.signs import sign
from table.display.text import block_height, line_height, width_of
from table.display.theme import (
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
from table.games.base import Phase
from table.phrase import Phrase, say
from table.referee.view import Controls, View

TOTAL = 82
"""The width of what has the total, in units."""
LABEL = 13
"""The smallest letters of the word that says what the number is."""
NARROW = 2.1
"""A plate that is not so many times as wide as high has its total below the name."""
MOST_HEARTS = 6
"""So many lives are drawn as hearts each."""

_BIDDING = (Phase.AUCTION, Phase.BID)
_BEFORE = (Phase.DEAL, Phase.TURN_UP, Phase.PASS_CARDS)


def draw_plate(
    canvas: Canvas, view: View, seat: str, box: pygame.Rect, centre: tuple[int, int], turn: int = 0
) -> None:
    """Draw the plate of ``seat``; its arrow points to ``centre`` when it is this player's turn.

    ``turn``: by how many quarters, clockwise, it is turned to its player.
    """
    if is_next(view, seat):
        _pointer(canvas, box, centre)
    with canvas.turned(box, turn) as (part, place):
        _plate(part, view, seat, place)


def is_next(view: View, seat: str) -> bool:
    """Whether it is this player's turn."""
    return seat == view.expected.default and view.state.phase is not Phase.OVER


def _plate(canvas: Canvas, view: View, seat: str, box: pygame.Rect) -> None:
    state, expected = view.state, view.expected
    turn = is_next(view, seat)
    alone = turn and (expected.must or not expected.free)
    fill = AMBER if alone else PANEL
    if turn:
        edge, width = AMBER, 6.0
    elif seat in may_act(state, expected):
        edge, width = SKY, 3.0
    else:
        edge, width = EDGE, 1.5
    text, dim = (INK, INK) if alone else (TEXT, DIM)
    canvas.panel(box, fill, edge, width)
    top, low, total = _parts(canvas, box, seat)
    _total(canvas, view, seat, total)
    top = _dealer(canvas, view, seat, top)
    top = _sign_of_life(canvas, view, seat, top, alone)
    canvas.name(seat, view.game.seats, top, 48, text, align=0)
    if seat not in state.players:
        canvas.text(say("plate.away" if seat in state.away else "plate.out"), low, 30, dim, align=0)
    elif state.phase in _BEFORE:
        _waiting(canvas, view, seat, low, dim)
    elif state.phase is Phase.SECRET_BID:
        all_ready = set(state.players) <= state.raps
        raps = "plate.to_bid" if all_ready else "plate.ready" if seat in state.raps else "plate.to_rap"
        code = "plate.has_bid" if seat in state.bid_of else raps
        how = pressing((seat,), view.controls)("rap")
        canvas.text(say(code, how=how) if code == "plate.to_rap" else say(code), low, 30, dim, align=0)
    elif state.phase in _BIDDING:
        _bid(canvas, view, seat, low, text, dim)
    else:
        _tricks(canvas, view, seat, low, on_amber=alone)


def _parts(canvas: Canvas, box: pygame.Rect, seat: str) -> tuple[pygame.Rect, pygame.Rect, pygame.Rect]:
    """Where the name stands, what the player has bid and won, and the total: on the right, or below in a narrow plate.

    A long name has two lines.
    """
    rim, gap = canvas.px(7), canvas.px(4)
    inside = box.inflate(-2 * canvas.px(12), -canvas.px(12))
    if is_narrow(box):
        total = pygame.Rect(box.left + rim, 0, box.width - 2 * rim, round(box.height * 0.27))
        total.bottom = box.bottom - rim
        inside.height = total.top - gap - inside.top
    else:
        wide = canvas.px(TOTAL)
        total = pygame.Rect(box.right - rim - wide, box.top + rim, wide, box.height - 2 * rim)
        inside.width = total.left - gap - inside.left
    two = width_of(seat, canvas.far, strong=True) > inside.width - canvas.px(30)
    name = min(round(inside.height * 0.5), canvas.px(60))
    if two:
        name = max(name, min(block_height(2, canvas.far), inside.height - line_height(canvas.far)))
    top = pygame.Rect(inside.left, inside.top, inside.width, name)
    low = pygame.Rect(inside.left, top.bottom, inside.width, inside.bottom - top.bottom)
    return top, low, total


def is_narrow(box: pygame.Rect) -> bool:
    """Whether there is no room beside name and bid."""
    return box.width < NARROW * box.height


def _pointer(canvas: Canvas, box: pygame.Rect, centre: tuple[int, int]) -> None:
    """A triangle at the plate's rim that points to the middle of the table."""
    x, y = centre[0] - box.centerx, centre[1] - box.centery
    side = canvas.px(34)
    drawn = sign("arrow", side, AMBER)
    if abs(x) * box.height > abs(y) * box.width:
        angle, at = (0, (box.right, box.centery)) if x > 0 else (180, (box.left, box.centery))
    else:
        angle, at = (-90, (box.centerx, box.bottom)) if y > 0 else (90, (box.centerx, box.top))
    turned = pygame.transform.rotate(drawn, angle)
    canvas.surface.blit(turned, turned.get_rect(center=at))


def _total(canvas: Canvas, view: View, seat: str, box: pygame.Rect) -> None:
    """The points; the lives as hearts, or the faults beneath the points, where they put players out."""
    canvas.panel(box, PANEL_DEEP, radius=9)
    value = view.state.totals.get(seat, 0)
    tally = view.game.tally(view.state)
    lives = tally is not None and tally.kind == "lives"
    inside = box.inflate(-canvas.px(8), -canvas.px(6))
    label, number = pygame.Rect(inside), pygame.Rect(inside)
    if box.width > 2 * box.height:
        label.width = round(inside.width * 0.4)
    else:
        label.height = round(inside.height * 0.28)
    said = say("plate.lives" if lives else "plate.total")
    # Where there is no room for the word, the number alone.
    if canvas.fits(said, label, smallest=LABEL):
        canvas.text(said, label, 20, DIM, smallest=LABEL)
        if label.width < inside.width:
            number.left, number.width = label.right, inside.width - label.width
        else:
            number.top, number.height = label.bottom, inside.height - label.height
    if tally is not None and lives:
        draw_hearts(canvas, value, tally.most, number)
        return
    if tally is not None and number.width > 2 * number.height:
        number.width //= 2
        _faults(canvas, tally.of.get(seat, 0), number.move(number.width, 0))
    elif tally is not None:
        number.height = canvas.far
        faults = pygame.Rect(inside.left, number.bottom, inside.width, inside.bottom - number.bottom)
        _faults(canvas, tally.of.get(seat, 0), faults)
    canvas.text(str(value), number, 46, TEXT, afar=True, strong=True)


def _faults(canvas: Canvas, faults: int, box: pygame.Rect) -> None:
    """A cross and the number of faults."""
    half = pygame.Rect(box.left, box.top, box.width // 2, box.height).inflate(0, -box.height // 4)
    canvas.sign("cross", half, OVER)
    canvas.text(str(faults), half.move(half.width, 0), 28, OVER, align=0, smallest=12, strong=True)


def draw_hearts(canvas: Canvas, left: int, most: int, box: pygame.Rect) -> None:
    """A heart for each life left and a small dot for each lost; a number and one heart where they are many."""
    if most > MOST_HEARTS:
        canvas.text(f"{left}♥", box, 40, TEXT, afar=True, strong=True)
        return
    rows = 1 if most <= MOST_HEARTS // 2 else 2
    each = -(-most // rows)
    side = min(canvas.px(34), box.width // each, box.height // rows)
    for number in range(most):
        row, column = divmod(number, each)
        at = pygame.Rect(0, 0, side, side)
        at.left = box.centerx - each * side // 2 + column * side
        at.top = box.centery - rows * side // 2 + row * side
        if number < left:
            canvas.sign("H", at.inflate(-side // 8, -side // 8), RED_ON_DARK)
        else:
            canvas.sign("full", at.inflate(-2 * side // 3, -2 * side // 3), DIM)


def _dealer(canvas: Canvas, view: View, seat: str, box: pygame.Rect) -> pygame.Rect:
    """The dealer's button before the name; returns what is left of the row."""
    if seat != view.state.dealer:
        return box
    side = min(box.height, canvas.px(30))
    at = pygame.Rect(box.left, box.centery - side // 2, side, side)
    canvas.sign("full", at, TEXT)
    canvas.mark(say("plate.dealer"), at.inflate(-side // 4, -side // 6), INK)
    return pygame.Rect(at.right + canvas.px(7), box.top, box.right - at.right - canvas.px(7), box.height)


def _sign_of_life(canvas: Canvas, view: View, seat: str, box: pygame.Rect, on_amber: bool) -> pygame.Rect:
    """Dots for somebody who is calling, ``rap`` for one who has rapped; returns what is left of the row."""
    # How long somebody taps tells the number: while bids are secret no tapping is shown.
    if seat in view.tapping and view.state.phase is not Phase.SECRET_BID:
        width, dots = canvas.px(52), True
    elif seat in view.state.raps:
        width, dots = canvas.px(52), False
    else:
        return _keys(canvas, view, seat, box, on_amber)
    at = pygame.Rect(
        box.right - width - canvas.px(4), box.top + canvas.px(2), width, box.height - canvas.px(4)
    )
    canvas.panel(at, PANEL_DEEP, INK if on_amber else SKY, 2, radius=10)
    if dots:
        side = max(3, canvas.px(9))
        for number in (-1, 0, 1):
            dot = pygame.Rect(0, 0, side, side)
            dot.center = (at.centerx + number * canvas.px(13), at.centery)
            canvas.sign("full", dot, SKY)
    else:
        canvas.text(say("plate.rapped"), at.inflate(-canvas.px(8), -canvas.px(2)), 24, TEXT, smallest=14)
    return pygame.Rect(box.left, box.top, at.left - box.left - canvas.px(5), box.height)


def _keys(canvas: Canvas, view: View, seat: str, box: pygame.Rect, on_amber: bool) -> pygame.Rect:
    """The keys that press this player's buttons, where a keyboard does; returns what is left of the row."""
    keys = view.controls.get(seat, Controls()).keys
    side = min(canvas.px(26), box.height)
    left = box.right
    for key in reversed(keys):
        at = pygame.Rect(left - side, box.centery - side // 2, side, side)
        canvas.panel(at, PANEL_DEEP, INK if on_amber else DIM, 1.5, radius=5)
        canvas.mark(key, at.inflate(-side // 4, -side // 6))
        left = at.left - canvas.px(3)
    return pygame.Rect(box.left, box.top, left - box.left - canvas.px(2 if keys else 0), box.height)


def _waiting(canvas: Canvas, view: View, seat: str, box: pygame.Rect, dim: Colour) -> None:
    if seat == view.state.dealer:
        canvas.text(say("plate.deals"), box, 32, dim, align=0)


def _bid(canvas: Canvas, view: View, seat: str, box: pygame.Rect, text: Colour, dim: Colour) -> None:
    bid, call = view.state.bid_of.get(seat), last_calls(view.state).get(seat)
    if view.state.phase is Phase.AUCTION and call is not None:
        _said(canvas, call, box, 46, text)
    elif bid is not None:
        _said(canvas, say("plate.bid", bid=bid), box, 48, text)
    elif seat in may_act(view.state, view.expected):
        alone = not view.expected.free or view.expected.must
        auction = view.state.phase is Phase.AUCTION
        code = "plate.to_call" if auction else "plate.must_bid" if alone else "plate.may_bid"
        canvas.text(say(code), box, 32, dim, align=0)


def _said(canvas: Canvas, said: Phrase, box: pygame.Rect, largest: float, colour: Colour) -> None:
    """A bid, without words where there is no room for them."""
    if said.fields and not canvas.fits(said, box, afar=True, strong=True):
        said = say("screen.bid", **said.fields)
    canvas.text(said, box, largest, colour, align=0, afar=True, strong=True)


def _tricks(canvas: Canvas, view: View, seat: str, box: pygame.Rect, *, on_amber: bool) -> None:
    """Tricks won of those bid, as numbers and as pips: ticked disc won, ring still needed, crossed diamond too many."""
    won, bid = view.state.won(seat), view.state.bid_of.get(seat)
    wanted = target(bid)
    text = INK if on_amber else TEXT
    shown = f"{won}" if wanted is None else f"{won}/{wanted}"
    numbers = canvas.text(
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
    # Bid none and won none: made as it stands.
    if not draw_pips(canvas, pips or ["none"], room, on_amber=on_amber):
        _verdict(canvas, won - wanted, room, on_amber=on_amber)


def draw_pips(canvas: Canvas, pips: list[str], box: pygame.Rect, *, on_amber: bool) -> bool:
    """A row of pips, in two rows where they are many; False where they would be too small to tell apart."""
    for rows in (1, 2):
        each = -(-len(pips) // rows)
        side = min(canvas.px(32), (box.height - canvas.px(2)) // rows, box.width // max(1, each))
        if side >= canvas.px(20):
            break
    if side < canvas.px(18):
        return False
    top = box.centery - rows * side // 2
    for number, pip in enumerate(pips):
        row, column = divmod(number, each)
        at = pygame.Rect(box.left + column * side, top + row * side, side, side)
        _pip(canvas, pip, at.inflate(-max(2, side // 7), -max(2, side // 7)), on_amber)
    return True


def _verdict(canvas: Canvas, over: int, box: pygame.Rect, *, on_amber: bool) -> None:
    """One pip and a number in the place of many: a ring and the tricks still needed, a diamond and those over."""
    side = min(box.height, canvas.px(30))
    at = pygame.Rect(box.left, box.centery - side // 2, side, side)
    _pip(
        canvas,
        "won" if over == 0 else "ring" if over < 0 else "excess",
        at.inflate(-side // 7, -side // 7),
        on_amber,
    )
    if over:
        rest = pygame.Rect(at.right + canvas.px(4), box.top, box.right - at.right - canvas.px(4), box.height)
        canvas.text(str(abs(over)), rest, 36, INK if on_amber else DIM, align=0, smallest=14, strong=True)


def _pip(canvas: Canvas, pip: str, box: pygame.Rect, on_amber: bool) -> None:
    made, needed, over = (INK, INK, INK) if on_amber else (MADE, TEXT, OVER)
    if pip == "won":
        at = canvas.sign("full", box, made)
        canvas.sign("tick", at.inflate(-at.width // 3, -at.width // 3), AMBER if on_amber else INK)
    elif pip == "ring":
        canvas.sign("ring", box, needed)
    elif pip == "none":
        canvas.sign("tick", box, made)
    else:
        canvas.sign("excess", box, over)
