"""The middle of the table while no trick lies there: what is bid for, an auction, a dial, a countdown."""

from __future__ import annotations

import pygame

from table.cards import SUITS
from table.display.drawing.canvas import Canvas
from table.display.drawing.colours_and_sizes import (
    AMBER,
    DIM,
    EDGE,
    OVER,
    PANEL_DEEP,
    TEXT,
)
from table.display.drawing.icons import draw_icon
from table.display.table_view import trick_cards
from table.display.table_view.headline_prompts import forbidden_bids, highest_call
from table.display.table_view.screen_layout import is_upright
from table.games.engine.game_state import Phase
from table.observed_facts import MS
from table.phrase import Phrase, make_phrase
from table.referee.model.view import View, find_turned_up

RULE_HEIGHT, RULE_HEIGHT_UPRIGHT = 76, 170
"""The height of the rule shown to newcomers, in units; more in the narrow middle of an upright screen."""
_SECOND_NS = 1_000 * MS


def countdown_phrase(view: View) -> Phrase | None:
    """Return the countdown of three seconds, then what to do at its end; None when there is no countdown.

    It tells when to raise the one-card hand to the forehead (without holding anybody back), and when to bid in secret.
    """
    phase = view.state.phase
    if phase is Phase.SECRET_BID and view.countdown_ends_ns is not None:
        left = view.countdown_ends_ns - view.now_ns
        return make_phrase("screen.bid_now") if left <= 0 else _count_phrase(min(3, 1 + left // _SECOND_NS))
    if view.dealt_ns is None or not view.game.rules.on_forehead(view.state):
        return None
    if phase is not Phase.BID or view.state.bids:
        return None
    second = (view.now_ns - view.dealt_ns) // _SECOND_NS
    if not 0 <= second < 5:
        return None
    return _count_phrase(3 - second) if second < 3 else make_phrase("screen.up")


def _count_phrase(left: int) -> Phrase:
    return make_phrase("screen.count", n=left)


def dial_time_left(view: View) -> float | None:
    """Return the share of the quiet time left before a dialled call counts, 1 to 0 in steps; None when none runs."""
    dial = view.dial
    if dial is None or dial.calls_at_ns is None or dial.shown is None or not dial.quiet_ns:
        return None
    left = (dial.calls_at_ns - view.now_ns) / dial.quiet_ns
    return round(max(0.0, min(1.0, left)) * 20) / 20


def draw_bidding(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw what is bid for: the turned-up card or the number of cards, and the bids forbidden to the last bidder."""
    state = view.state
    count = countdown_phrase(view)
    if count is not None:
        canvas.draw_text(count, box, 240, AMBER, strong=True)
        return
    if state.phase is Phase.AUCTION:
        _draw_auction(canvas, view, box)
        return
    barred = forbidden_bids(view.game, state)
    if barred is not None:
        _draw_forbidden_bids(canvas, box, *barred, view.game.seats)
        return
    box = _draw_rule(canvas, view, box)
    turned_card = find_turned_up(view)
    turned = turned_card.card if turned_card is not None and turned_card.card is not None else state.turned
    if turned is not None:
        trick_cards.draw_turned_up_card(canvas, turned, box)
        return
    upper = pygame.Rect(box.left, box.top, box.width, round(box.height * 0.66))
    lower = pygame.Rect(box.left, upper.bottom, box.width, box.height - upper.height)
    canvas.draw_text(str(state.cards), upper, 190, TEXT, valign=1, strong=True)
    canvas.draw_text(
        make_phrase("screen.tricks_to_bid_for", n=state.cards), lower, 40, DIM, valign=0, lines=2
    )


def _draw_rule(canvas: Canvas, view: View, box: pygame.Rect) -> pygame.Rect:
    """Draw what a bid means while the first hand is bid for; return the room that is left."""
    if view.state.results or view.state.hand > 1:
        return box
    tally = view.game.elimination_tally(view.state)
    lives = tally is not None and tally.kind == "lives"
    auction = view.state.phase is Phase.AUCTION
    rule = make_phrase("screen.rule_auction" if auction else "screen.rule_lives" if lives else "screen.rule")
    height = canvas.px(RULE_HEIGHT_UPRIGHT if is_upright(box) else RULE_HEIGHT)
    foot = pygame.Rect(box.left, 0, box.width, min(height, box.height // 3))
    foot.bottom = box.bottom
    canvas.draw_text(rule, foot, 32, TEXT, lines=6)
    return pygame.Rect(box.left, box.top, box.width, box.height - foot.height)


def _draw_auction(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw the highest call so far."""
    box = _draw_rule(canvas, view, box)
    upper = pygame.Rect(box.left, box.top, box.width, round(box.height * 0.66))
    lower = pygame.Rect(box.left, upper.bottom, box.width, box.height - upper.height)
    highest = highest_call(view.state)
    if highest is None:
        canvas.draw_text(make_phrase("screen.no_bid_yet"), box, 60, DIM, lines=2)
        return
    canvas.draw_text(make_phrase("screen.bid", bid=highest[1]), upper, 170, TEXT, strong=True)
    caption = make_phrase("screen.highest", seat=highest[0])
    canvas.draw_text(caption, lower, 42, DIM, valign=0, lines=2, afar=True, among=view.game.seats)


def draw_dial(canvas: Canvas, view: View, box: pygame.Rect) -> None:
    """Draw the value that a player has dialled so far, and a bar of the time left before it is called."""
    dial = view.dial
    if dial is None or dial.shown is None:
        return
    upper = pygame.Rect(box.left, box.top, box.width, round(box.height * 0.6))
    lower = pygame.Rect(box.left, upper.bottom, box.width, round(box.height * 0.22))
    if str(dial.shown) in SUITS:
        canvas.draw_suit(str(dial.shown), upper, on_dark=True)
        caption = make_phrase("screen.dials_suit", seat=dial.seat, suit=dial.shown)
    else:
        canvas.draw_text(make_phrase("screen.bid", bid=dial.shown), upper, 190, AMBER, strong=True)
        caption = make_phrase("screen.about_to_call", seat=dial.seat)
    canvas.draw_text(caption, lower, 44, TEXT, lines=2, afar=True, among=view.game.seats, strong=True)
    part = dial_time_left(view)
    if part is not None:
        bar = pygame.Rect(0, 0, canvas.px(360), canvas.px(18))
        bar.midbottom = (box.centerx, box.bottom - canvas.px(6))
        canvas.draw_panel(bar, PANEL_DEEP, EDGE, 2, radius=9)
        rest = bar.inflate(-canvas.px(8), -canvas.px(8))
        rest.width = max(rest.height, round(rest.width * part))
        canvas.draw_panel(rest, AMBER, radius=5)


def _draw_forbidden_bids(
    canvas: Canvas, box: pygame.Rect, seat: str, barred: tuple[int, ...], seats: tuple[str, ...]
) -> None:
    """Draw the bids forbidden to the last bidder, crossed out."""
    upper = pygame.Rect(box.left, box.top, box.width, round(box.height * 0.7))
    lower = pygame.Rect(box.left, upper.bottom, box.width, box.height - upper.height)
    side = min(upper.height, canvas.px(210), upper.width // max(1, len(barred)))
    row = pygame.Rect(0, 0, side * len(barred), side)
    row.center = upper.center
    for number, barred_bid in enumerate(barred):
        ring = pygame.Rect(row.left + number * side, row.top, side, side).inflate(-side // 12, -side // 12)
        canvas.draw_text(str(barred_bid), ring.inflate(-side // 4, -side // 4), 150, TEXT, strong=True)
        canvas.surface.blit(draw_icon("forbidden", ring.width, OVER), ring)
    caption = make_phrase("screen.may_not_bid", seat=seat, numbers=barred)
    canvas.draw_text(caption, lower, 42, TEXT, valign=0.3, lines=3, afar=True, among=seats, strong=True)
