"""The picture of a view: a function of the view and of the size alone.

Everything on it is in the view; what is hidden there (a bid under way, bids made in secret) can't be guessed from it.
"""

from __future__ import annotations

from dataclasses import replace

import pygame

from table.cards import NO_TRUMP
from table.display import plate, trick
from table.display.canvas import Canvas
from table.display.layout import Layout, centre_box, layout, seating
from table.display.sheet import draw_sheet
from table.display.signs import sign
from table.display.theme import (
    AMBER,
    DIM,
    EDGE,
    FELT,
    FELT_EDGE,
    INK,
    OVER,
    PANEL,
    PANEL_DEEP,
    SKY,
    TEXT,
    Colour,
    Size,
    suit_colour,
)
from table.display.words import (
    SUIT_NAMES,
    bid_sign,
    capital,
    counted,
    difference,
    forbidden_bids,
    highest_call,
    listed,
    prompt,
    target,
)
from table.facts import MS
from table.games.base import Phase
from table.referee.view import Notice, View

SMALLEST_SCREEN = (320, 200)
NOTICE_NS = 12_000 * MS
"""A sentence leaves the screen this long after what it is about."""

_SECOND_NS = 1_000 * MS
_DIAL_NS = 2_500 * MS
"""The quiet that calls a dial, as it is set unless the table's file says otherwise; only for the bar's length."""

_BIDDING = (Phase.AUCTION, Phase.BID, Phase.SECRET_BID)
_PLAYING = (Phase.LEAD, Phase.NAME_SUIT, Phase.FOLLOW, Phase.PICK_UP)
_NOTICE_COLOURS: dict[str, Colour] = {"ruling": AMBER, "hint": SKY, "trouble": OVER}


def draw(view: View, size: Size) -> pygame.Surface:
    """The picture of ``view`` on a screen of ``size`` (width, height in pixels). Needs no device.

    ``ValueError`` for a screen too small to draw a table on.
    """
    return picture(view, size).surface


def picture(view: View, size: Size) -> Canvas:
    """As :func:`draw`, with the record of every text that was written."""
    if size[0] < SMALLEST_SCREEN[0] or size[1] < SMALLEST_SCREEN[1]:
        least = f"{SMALLEST_SCREEN[0]} x {SMALLEST_SCREEN[1]}"
        raise ValueError(f"a screen of {size[0]} x {size[1]} pixels is too small (expected at least {least})")
    canvas = Canvas(size)
    boxes = layout(size)
    _headline(canvas, view, boxes.headline)
    _hand(canvas, view, boxes.top_left)
    _trump(canvas, view, boxes.top_right)
    _bids(canvas, view, boxes.bottom_left)
    _notices(canvas, view, boxes.rulings)
    _standing(canvas, view, boxes.bottom_right)
    if _sheet_is_due(view):
        draw_sheet(canvas, view, boxes.middle)
    else:
        _table(canvas, view, boxes)
    return canvas


def _sheet_is_due(view: View) -> bool:
    """After each hand until the next is dealt (or a card turned up for it), and at the end."""
    if view.state.phase is Phase.OVER:
        return True
    return (
        view.state.phase is Phase.DEAL
        and bool(view.state.results)
        and not view.lying
        and view.state.turned is None
    )


def _halves(box: pygame.Rect, pad: int, part: float = 0.5) -> tuple[pygame.Rect, pygame.Rect]:
    """The upper and the lower part of a box without its rim."""
    inside = box.inflate(-2 * pad, -pad)
    upper = pygame.Rect(inside.left, inside.top, inside.width, round(inside.height * part))
    return upper, pygame.Rect(inside.left, upper.bottom, inside.width, inside.height - upper.height)


# --- the band above ---------------------------------------------------------------------------------------


def _headline(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """What the table waits for; filled when somebody must act."""
    told = prompt(view.game, view.state, view.expected)
    anyone = view.expected.free and not view.expected.must
    if anyone or view.expected.phase is Phase.DEAL:
        canvas.panel(box, PANEL_DEEP, AMBER, 3)
        colour, help_colour = TEXT, DIM
    else:
        canvas.panel(box, AMBER)
        colour, help_colour = INK, INK
    upper, lower = _halves(box, canvas.px(14), 0.6 if told.help else 1.0)
    canvas.text(told.text, upper, 50, colour)
    if told.help:
        canvas.text(told.help, lower, 30, help_colour)


def _hand(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    state = view.state
    canvas.panel(box, PANEL)
    upper, lower = _halves(box, canvas.px(14), 0.55)
    hands = view.game.options.get("hands")
    of = f" of {len(hands)}" if isinstance(hands, (list, tuple)) and len(hands) >= state.hand else ""
    if state.phase is Phase.OVER:
        canvas.text(f"{counted(len(state.results), 'hand')} played", upper, 36, TEXT, align=0)
        canvas.text(view.game.title, lower, 28, DIM, align=0)
        return
    canvas.text("Play-off" if state.play_off else f"Hand {state.hand}{of}", upper, 40, TEXT, align=0)
    canvas.text(f"{counted(state.cards, 'card')} each", lower, 32, DIM, align=0)


def _trump(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    canvas.panel(box, PANEL)
    trump = view.state.trump
    side = box.height - 2 * canvas.px(10)
    place = pygame.Rect(box.right - canvas.px(10) - side, box.centery - side // 2, side, side)
    words = pygame.Rect(box.left + canvas.px(14), box.top, place.left - box.left - canvas.px(22), box.height)
    upper, lower = _halves(words, 0)
    if view.state.phase is Phase.OVER:
        canvas.text("Final score", words, 34, DIM, align=0)
        canvas.sign("crown", place, AMBER)
        return
    if trump is None:
        canvas.text("Trumps", upper, 30, DIM, align=0)
        canvas.text("not known", lower, 30, DIM, align=0)
        canvas.text("?", place, 64, DIM)
        return
    canvas.panel(place, (246, 244, 236), radius=12)
    inner = place.inflate(-round(place.width * 0.2), -round(place.height * 0.2))
    if trump == NO_TRUMP:
        canvas.text("NT", inner, 60, INK)
        canvas.text("No", upper, 36, TEXT, align=0, valign=1)
        canvas.text("trumps", lower, 36, TEXT, align=0, valign=0)
    else:
        canvas.sign(trump, inner, suit_colour(trump, on_dark=False))
        canvas.text("Trumps", upper, 30, DIM, align=0, valign=0.7)
        canvas.text(SUIT_NAMES[trump], lower, 38, TEXT, align=0, valign=0.2)


# --- the band below ---------------------------------------------------------------------------------------


def _bids(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """The sum of the bids against the tricks; nothing of it while bids are made in secret."""
    canvas.panel(box, PANEL)
    state = view.state
    upper, lower = _halves(box, canvas.px(14))
    if state.phase not in (*_BIDDING, *_PLAYING):
        canvas.text(view.game.title, box.inflate(-canvas.px(28), 0), 34, DIM, align=0)
        return
    if state.phase in (Phase.SECRET_BID, Phase.AUCTION):
        canvas.text(counted(state.cards, "trick"), upper, 32, TEXT, align=0)
        secret = state.phase is Phase.SECRET_BID
        canvas.text("Bids are hidden" if secret else "Auction", lower, 28, DIM, align=0)
        return
    total = sum(target(bid) or 0 for _, bid in state.bids)
    waiting = [seat for seat in state.players if seat not in state.bid_of]
    canvas.text(f"Bids {total} of {state.cards}", upper, 38, TEXT, align=0)
    if waiting:
        canvas.text(f"{len(waiting)} still to bid", lower, 28, DIM, align=0)
        return
    over = total - state.cards
    mark = pygame.Rect(lower.left, lower.top, canvas.px(24), lower.height)
    canvas.sign("up" if over > 0 else "down" if over < 0 else "tick", mark, OVER if over > 0 else SKY)
    rest = pygame.Rect(
        mark.right + canvas.px(8), lower.top, lower.right - mark.right - canvas.px(8), lower.height
    )
    canvas.text(difference(over), rest, 32, TEXT, align=0)


def count_down(view: View) -> str | None:
    """The count of three, a second each, and what is to be done at its end; None when nobody counts.

    It helps to raise the one-card hand to the forehead (and holds nobody back), and to bid at once in secret.
    """
    phase = view.state.phase
    if phase is Phase.SECRET_BID and view.pump_ends_ns is not None:
        left = view.pump_ends_ns - view.now_ns
        return "Bid!" if left <= 0 else str(min(3, 1 + left // _SECOND_NS))
    on_forehead = getattr(view.game, "on_forehead", None)
    if view.dealt_ns is None or on_forehead is None or not on_forehead(view.state):
        return None
    if phase is not Phase.BID or view.state.bids:
        return None
    second = (view.now_ns - view.dealt_ns) // _SECOND_NS
    return ("3", "2", "1", "Up!", "Up!")[second] if 0 <= second < 5 else None


def dial_part(view: View) -> float | None:
    """How much is left of the quiet after which the dial is called, 1 to 0 in steps; None where nothing runs."""
    if view.dial is None or view.dial.calls_at_ns is None or view.dial.shown is None:
        return None
    left = (view.dial.calls_at_ns - view.now_ns) / _DIAL_NS
    return round(max(0.0, min(1.0, left)) * 20) / 20


def seen(view: View) -> View:
    """``view`` without what makes no difference to its picture: equal ones give equal pictures."""
    counting = count_down(view) is not None or dial_part(view) is not None
    now_ns = view.now_ns - view.now_ns % (100 * MS) if counting else 0
    return replace(view, notices=current_notices(view), now_ns=now_ns)


def current_notices(view: View) -> tuple[Notice, ...]:
    """The sentences that are still worth showing, the latest first."""
    return tuple(one for one in view.notices if view.now_ns - one.t_ns < NOTICE_NS)


def _notices(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """The latest ruling in large letters, the one before it below where there is room."""
    told = current_notices(view)
    if not told:
        return
    latest = told[0]
    colour = _NOTICE_COLOURS[latest.kind]
    canvas.panel(box, PANEL_DEEP, colour, 2)
    side = canvas.px(44)
    mark = pygame.Rect(box.left + canvas.px(14), box.centery - side // 2, side, side)
    canvas.sign(latest.kind, mark, colour)
    left = mark.right + canvas.px(14)
    words = pygame.Rect(
        left, box.top + canvas.px(6), box.right - canvas.px(12) - left, box.height - 2 * canvas.px(6)
    )
    canvas.text(capital(latest.text), words, 32, TEXT, align=0, lines=3)


def _standing(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """The number of the trick, and who is ahead."""
    canvas.panel(box, PANEL)
    state = view.state
    upper, lower = _halves(box, canvas.px(14))
    if state.phase in _PLAYING:
        canvas.text(
            f"Trick {min(len(state.tricks) + 1, state.cards)} of {state.cards}", upper, 34, TEXT, align=1
        )
    else:
        canvas.text(counted(len(view.game.seats), "player"), upper, 30, DIM, align=1)
    if not state.results or not state.totals:
        canvas.text("First hand", lower, 28, DIM, align=1)
        return
    best = max(state.totals.values())
    ahead = [seat for seat in view.game.seats if state.totals.get(seat) == best]
    words = f"{listed(ahead)} {best}" if len(ahead) < 3 else f"{len(ahead)} lead with {best}"
    text = canvas.text(words, lower, 28, AMBER, align=1)
    crown = pygame.Rect(text.left - canvas.px(34), lower.top, canvas.px(28), lower.height)
    if crown.left >= box.left:
        canvas.sign("crown", crown, AMBER)


# --- the table --------------------------------------------------------------------------------------------


def _table(canvas: Canvas, view: View, boxes: Layout) -> None:
    middle = boxes.middle
    seats = view.game.seats
    angles = {seat: view.angles.get(seat, 360.0 * number / len(seats)) for number, seat in enumerate(seats)}
    places = seating(canvas.size, angles)
    some = next(iter(places.plates.values()))
    canvas.panel(middle.inflate(-some.width // 2, -some.height // 2), FELT, FELT_EDGE, 5, radius=110)
    for seat, box in places.plates.items():
        plate.draw_plate(canvas, view, seat, box, middle.center)
    if view.dial is not None and view.dial.shown is not None:
        _dial(canvas, view, centre_box(middle, list(places.plates.values()), canvas.px(14)))
        return
    if view.state.trick.plays or any(lying.status != "turned up" for lying in view.lying):
        trick.draw_trick(canvas, view, middle, places)
        return
    inner = centre_box(middle, list(places.plates.values()), canvas.px(14))
    if view.state.phase in (Phase.BID, Phase.SECRET_BID, Phase.AUCTION):
        _bidding(canvas, view, inner)
    elif view.state.phase in (Phase.DEAL, Phase.TURN_UP, Phase.PASS_CARDS):
        trick.draw_pack(canvas, view, inner)
    elif view.state.tricks:
        last = view.state.tricks[-1]
        canvas.text(f"{last.winner} took trick {len(view.state.tricks)}", inner, 44, TEXT, lines=2)


def _bidding(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """The turned card or the number of cards, and the number that the last bidder may not say."""
    state = view.state
    count = count_down(view)
    if count is not None:
        canvas.text(count, box, 240, AMBER)
        return
    if state.phase is Phase.AUCTION:
        _auction(canvas, view, box)
        return
    barred = forbidden_bids(view.game, state)
    if barred is not None:
        _forbidden(canvas, box, *barred)
        return
    turned = next((one.card for one in view.lying if one.status == "turned up"), None) or state.turned
    if turned is not None:
        trick.draw_turned(canvas, turned, box)
        return
    upper = pygame.Rect(box.left, box.top, box.width, round(box.height * 0.66))
    lower = pygame.Rect(box.left, upper.bottom, box.width, box.height - upper.height)
    canvas.text(str(state.cards), upper, 190, TEXT, valign=1)
    canvas.text("trick to bid for" if state.cards == 1 else "tricks to bid for", lower, 40, DIM, valign=0)


def _auction(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """The highest call so far."""
    upper = pygame.Rect(box.left, box.top, box.width, round(box.height * 0.66))
    lower = pygame.Rect(box.left, upper.bottom, box.width, box.height - upper.height)
    highest = highest_call(view.state)
    if highest is None:
        canvas.text("No bid yet", box, 60, DIM)
        return
    canvas.text(highest[1], upper, 170, TEXT)
    canvas.text(f"{highest[0]} is highest", lower, 42, DIM, valign=0)


def _dial(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """What a player has set so far, and a bar that runs out before it is called."""
    dial = view.dial
    if dial is None or dial.shown is None:
        return
    upper = pygame.Rect(box.left, box.top, box.width, round(box.height * 0.6))
    lower = pygame.Rect(box.left, upper.bottom, box.width, round(box.height * 0.22))
    if str(dial.shown) in SUIT_NAMES:
        canvas.sign(str(dial.shown), upper, suit_colour(str(dial.shown), on_dark=True))
        canvas.text(f"{dial.seat}: {SUIT_NAMES[str(dial.shown)]}?", lower, 44, TEXT)
    else:
        canvas.text(bid_sign(dial.shown), upper, 190, AMBER)
        canvas.text(f"{dial.seat} is about to call", lower, 42, TEXT)
    part = dial_part(view)
    if part is not None:
        bar = pygame.Rect(0, 0, canvas.px(360), canvas.px(18))
        bar.midbottom = (box.centerx, box.bottom - canvas.px(6))
        canvas.panel(bar, PANEL_DEEP, EDGE, 2, radius=9)
        rest = bar.inflate(-canvas.px(8), -canvas.px(8))
        rest.width = max(rest.height, round(rest.width * part))
        canvas.panel(rest, AMBER, radius=5)


def _forbidden(canvas: Canvas, box: pygame.Rect, seat: str, barred: tuple[int, ...]) -> None:
    upper = pygame.Rect(box.left, box.top, box.width, round(box.height * 0.7))
    lower = pygame.Rect(box.left, upper.bottom, box.width, box.height - upper.height)
    side = min(upper.height, canvas.px(210), upper.width // max(1, len(barred)))
    row = pygame.Rect(0, 0, side * len(barred), side)
    row.center = upper.center
    for number, barred_bid in enumerate(barred):
        ring = pygame.Rect(row.left + number * side, row.top, side, side).inflate(-side // 12, -side // 12)
        canvas.text(str(barred_bid), ring.inflate(-side // 4, -side // 4), 150, TEXT)
        canvas.surface.blit(sign("forbidden", ring.width, OVER), ring)
    numbers = " or ".join(map(str, barred))
    canvas.text(f"{seat} may not bid {numbers}", lower, 42, TEXT, valign=0.3)
