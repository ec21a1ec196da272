"""The middle of the table while no card of a trick lies there: what is bid for, an auction, a dial, a count."""

from __future__ import annotations

import pygame

from table.cards import SUITS
from table.display import trick
from table.display.canvas import Canvas
from table.display.layout import upright
from table.display.prompts import forbidden_bids, highest_call
from table.display.signs import sign
from table.display.theme import (
    AMBER,
    DIM,
    EDGE,
    OVER,
    PANEL_DEEP,
    TEXT,
)
from table.facts import MS
from table.games.base import Phase
from table.phrase import Phrase, say
from table.referee.view import View, turned_up

RULE, RULE_UPRIGHT = 76, 170
"""The height of what a newcomer is told, in units; it takes more in the narrow middle of an upright screen."""
_SECOND_NS = 1_000 * MS


def count_down(view: View) -> Phrase | None:
    """The count of three, a second each, and what is to be done at its end; None when nobody counts.

    It helps to raise the one-card hand to the forehead (and holds nobody back), and to bid at once in secret.
    """
    phase = view.state.phase
    if phase is Phase.SECRET_BID and view.pump_ends_ns is not None:
        left = view.pump_ends_ns - view.now_ns
        return say("screen.bid_now") if left <= 0 else _count(min(3, 1 + left // _SECOND_NS))
    if view.dealt_ns is None or not view.game.on_forehead(view.state):
        return None
    if phase is not Phase.BID or view.state.bids:
        return None
    second = (view.now_ns - view.dealt_ns) // _SECOND_NS
    if not 0 <= second < 5:
        return None
    return _count(3 - second) if second < 3 else say("screen.up")


def _count(left: int) -> Phrase:
    return say("screen.count", n=left)


def dial_part(view: View) -> float | None:
    """How much is left of the quiet after which the dial is called, 1 to 0 in steps; None where nothing runs."""
    dial = view.dial
    if dial is None or dial.calls_at_ns is None or dial.shown is None or not dial.quiet_ns:
        return None
    left = (dial.calls_at_ns - view.now_ns) / dial.quiet_ns
    return round(max(0.0, min(1.0, left)) * 20) / 20


def draw_bidding(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """The turned card or the number of cards, and the number that the last bidder may not say."""
    state = view.state
    count = count_down(view)
    if count is not None:
        canvas.text(count, box, 240, AMBER, strong=True)
        return
    if state.phase is Phase.AUCTION:
        _auction(canvas, view, box)
        return
    barred = forbidden_bids(view.game, state)
    if barred is not None:
        _forbidden(canvas, box, *barred, view.game.seats)
        return
    box = _rule(canvas, view, box)
    lies = turned_up(view)
    turned = lies.card if lies is not None and lies.card is not None else state.turned
    if turned is not None:
        trick.draw_turned(canvas, turned, box)
        return
    upper = pygame.Rect(box.left, box.top, box.width, round(box.height * 0.66))
    lower = pygame.Rect(box.left, upper.bottom, box.width, box.height - upper.height)
    canvas.text(str(state.cards), upper, 190, TEXT, valign=1, strong=True)
    canvas.text(say("screen.tricks_to_bid_for", n=state.cards), lower, 40, DIM, valign=0, lines=2)


def _rule(canvas: Canvas, view: View, box: pygame.Rect) -> pygame.Rect:
    """While the first hand is bid for: what a bid is; returns what is left of the room."""
    if view.state.results or view.state.hand > 1:
        return box
    tally = view.game.tally(view.state)
    lives = tally is not None and tally.kind == "lives"
    auction = view.state.phase is Phase.AUCTION
    said = say("screen.rule_auction" if auction else "screen.rule_lives" if lives else "screen.rule")
    high = canvas.px(RULE_UPRIGHT if upright(box) else RULE)
    foot = pygame.Rect(box.left, 0, box.width, min(high, box.height // 3))
    foot.bottom = box.bottom
    canvas.text(said, foot, 32, TEXT, lines=6)
    return pygame.Rect(box.left, box.top, box.width, box.height - foot.height)


def _auction(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """The highest call so far."""
    box = _rule(canvas, view, box)
    upper = pygame.Rect(box.left, box.top, box.width, round(box.height * 0.66))
    lower = pygame.Rect(box.left, upper.bottom, box.width, box.height - upper.height)
    highest = highest_call(view.state)
    if highest is None:
        canvas.text(say("screen.no_bid_yet"), box, 60, DIM, lines=2)
        return
    canvas.text(say("screen.bid", bid=highest[1]), upper, 170, TEXT, strong=True)
    said = say("screen.highest", seat=highest[0])
    canvas.text(said, lower, 42, DIM, valign=0, lines=2, afar=True, among=view.game.seats)


def draw_dial(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """What a player has set so far, and a bar that runs out before it is called."""
    dial = view.dial
    if dial is None or dial.shown is None:
        return
    upper = pygame.Rect(box.left, box.top, box.width, round(box.height * 0.6))
    lower = pygame.Rect(box.left, upper.bottom, box.width, round(box.height * 0.22))
    if str(dial.shown) in SUITS:
        canvas.suit(str(dial.shown), upper, on_dark=True)
        said = say("screen.dials_suit", seat=dial.seat, suit=dial.shown)
    else:
        canvas.text(say("screen.bid", bid=dial.shown), upper, 190, AMBER, strong=True)
        said = say("screen.about_to_call", seat=dial.seat)
    canvas.text(said, lower, 44, TEXT, lines=2, afar=True, among=view.game.seats, strong=True)
    part = dial_part(view)
    if part is not None:
        bar = pygame.Rect(0, 0, canvas.px(360), canvas.px(18))
        bar.midbottom = (box.centerx, box.bottom - canvas.px(6))
        canvas.panel(bar, PANEL_DEEP, EDGE, 2, radius=9)
        rest = bar.inflate(-canvas.px(8), -canvas.px(8))
        rest.width = max(rest.height, round(rest.width * part))
        canvas.panel(rest, AMBER, radius=5)


def _forbidden(
    canvas: Canvas, box: pygame.Rect, seat: str, barred: tuple[int, ...], seats: tuple[str, ...]
) -> None:
    upper = pygame.Rect(box.left, box.top, box.width, round(box.height * 0.7))
    lower = pygame.Rect(box.left, upper.bottom, box.width, box.height - upper.height)
    side = min(upper.height, canvas.px(210), upper.width // max(1, len(barred)))
    row = pygame.Rect(0, 0, side * len(barred), side)
    row.center = upper.center
    for number, barred_bid in enumerate(barred):
        ring = pygame.Rect(row.left + number * side, row.top, side, side).inflate(-side // 12, -side // 12)
        canvas.text(str(barred_bid), ring.inflate(-side // 4, -side // 4), 150, TEXT, strong=True)
        canvas.surface.blit(sign("forbidden", ring.width, OVER), ring)
    said = say("screen.may_not_bid", seat=seat, numbers=barred)
    canvas.text(said, lower, 42, TEXT, valign=0.3, lines=3, afar=True, among=seats, strong=True)
